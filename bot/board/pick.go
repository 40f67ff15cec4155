package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// draft is what a player has picked but not played: indices into the items of a games.Pick, ascending.
type draft []int

// ParseDraft reads what String wrote. What is no number is left out.
func ParseDraft(text string) draft {
	var d draft
	for part := range strings.SplitSeq(text, ",") {
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && !slices.Contains(d, i) {
			d = append(d, i)
		}
	}
	slices.Sort(d)
	return d
}

// String spells a draft for the store.
func (d draft) String() string {
	parts := make([]string, len(d))
	for i, item := range d {
		parts[i] = fmt.Sprint(item)
	}
	return strings.Join(parts, ",")
}

// Toggle returns the draft with an item put in, or taken out.
func (d draft) Toggle(item int) draft {
	if i := slices.Index(d, item); i >= 0 {
		return slices.Delete(slices.Clone(d), i, i+1)
	}
	next := append(slices.Clone(d), item)
	slices.Sort(next)
	return next
}

// Toggles reports whether an item is offered, to be put in or taken out: what is picked then is a whole choice, or can
// become one.
func (d draft) Toggles(item int, p games.Pick) bool {
	next := d.Toggle(item)
	return p.Refusal.Key != "" || slices.ContainsFunc(p.Choices, func(c games.Choice) bool {
		return !slices.ContainsFunc(next, func(item int) bool { return !slices.Contains(c.Items, item) })
	})
}

// Whole returns the move of the choice that the draft is.
func (d draft) Whole(p games.Pick) (games.Move, bool) {
	for _, c := range p.Choices {
		if slices.Equal(c.Items, d) {
			return c.Move, true
		}
	}
	return "", false
}

// Line returns a sentence on what is picked, for the person who picks.
func (d draft) Line(p games.Pick) games.Line {
	_, whole := d.Whole(p)
	dice, left := PicksDice(&p), len(p.Items)-len(d)
	switch {
	case dice && !whole && p.Refusal.Key != "":
		return p.Refusal
	case dice && d.unfit(p):
		return p.Unfit
	case dice && whole && len(d) == 0:
		return games.Say("bot.keep-none", nil)
	case dice && len(d) > 0 && left > 0:
		return games.Say("bot.keep", games.Args{"Dice": spelled(numbersOf(p, d)), "N": left})
	}
	picked := games.Say("bot.nothing", nil)
	switch {
	case d.Short(p):
		picked = d.sum(p)
	case dice && len(d) > 0:
		picked = games.Say("bot.these", games.Args{"These": spelled(numbersOf(p, d))})
	case len(d) > 0:
		picked = games.Say("bot.these", games.Args{"These": games.Tiles(numbersOf(p, d))})
	}
	return games.Say("bot.picked", games.Args{"Picked": picked})
}

// Short reports whether something is picked that does not add up yet to what it has to.
func (d draft) Short(p games.Pick) bool {
	_, whole := d.Whole(p)
	return p.Goal > 0 && len(d) > 0 && !whole
}

// sum says how much is picked of what it has to add up to: "9+5 = 14 of 16".
func (d draft) sum(p games.Pick) games.Line {
	numbers, sum := games.Tiles(numbersOf(p, d)), 0
	for _, n := range numbers {
		sum += n
	}
	key := "bot.sum"
	if len(d) > 1 {
		key = "bot.sum-of"
	}
	return games.Say(key, games.Args{"These": numbers, "Sum": sum, "Goal": p.Goal})
}

// More says that what is picked is no whole move.
func (d draft) More(p games.Pick) games.Line {
	switch {
	case p.Refusal.Key != "":
		return p.Refusal
	case d.Short(p):
		return games.Say("bot.pick-short", games.Args{"Picked": d.sum(p)})
	case d.unfit(p):
		return p.Unfit
	}
	return games.Say("bot.pick-more", nil)
}

// Boards of games in which dice are picked: the dice, those in the draft, and the buttons that play it.

// diceKind is the kind of a Pick whose items are the dice as they lie: what is picked is kept, the others are thrown.
const diceKind = "dice"

// PicksDice reports whether dice to keep are picked from.
func PicksDice(p *games.Pick) bool { return p != nil && p.Kind == diceKind }

// OpeningDraft returns the draft that a choice begins with, as it is stored.
func OpeningDraft(view games.View) string {
	if view.Pick == nil {
		return ""
	}
	return draft(view.Pick.Picked).String()
}

// unfit reports whether the draft is no whole choice, and the game explains that.
func (d draft) unfit(p games.Pick) bool {
	_, whole := d.Whole(p)
	return !whole && len(d) > 0 && p.Unfit.Key != ""
}

func pickPress(item int) string { return fmt.Sprintf("!pick %d", item) }

// keepButtons draws a button for each die and, nearer to the thumb, those that play the choice. The other moves of the
// match have buttons beside these, or on a page of their own; where drawing is expensive, moves that can be played only
// now are here as well.
func (s *BoardView) keepButtons(view games.View, crowded bool, nav []chat.Button) {
	d := ParseDraft(s.Table.Draft)
	if d.unfit(*view.Pick) {
		s.Message.Lines = append(s.Message.Lines, s.Line(view.Pick.Unfit))
	}
	row := s.plays(*view.Pick, d)
	b, isWanted := wanted(view)
	if isWanted {
		row = append(s.drawn([]games.Button{b}), row...)
	}
	if !RestsApart(view) {
		row = append(row, s.drawn(slices.Concat(view.Buttons...))...)
	} else {
		style := games.Plain
		if s.viewer != nil {
			row = append(row, s.beyondTouch(view)...)
		} else if _, whole := d.Whole(*view.Pick); !whole {
			style = games.Primary
		}
		row = append(row, s.button(view.Pick.Rest, "!show write", style))
	}
	var places []chat.Button
	for i, face := range view.Pick.Items {
		if !d.Toggles(i, *view.Pick) {
			continue
		}
		key, style := "bot.button.item", games.Plain
		if slices.Contains(d, i) {
			key, style = "bot.button.kept", games.Success
		}
		places = append(places, s.button(games.Say(key, games.Args{"Item": face}), pickPress(i), style))
	}
	s.Message.Row(places...)
	s.Message.Rows(chat.ChoiceRow, append(row, nav...)...)
	if RestsApart(view) && s.bot.Traits(chat.Place(s.Table.Place)).Sparing {
		first, most := view.Buttons[0], maxNearest
		if isWanted {
			first = first[1:] // it stands first already
		}
		if crowded {
			most = maxNearestCrowded
		}
		nearest := slices.Clone(first[:min(len(first), most)])
		s.Message.Row(s.drawn(slices.DeleteFunc(nearest, givesUp))...)
		for _, row := range view.Buttons {
			s.Message.Rows(chat.ChoiceRow, s.drawn(only(row, func(b games.Button) bool { return b.Passing }))...)
		}
	}
}

// The number of moves of the page apart that are offered beside a choice of dice where drawing is expensive, so that
// most turns end without that page, and the number if that page is crowded.
const (
	maxNearest        = 2
	maxNearestCrowded = 4
)

// wanted returns the move of the page apart that people nearly always prefer to another throw, and false if there is
// none.
func wanted(view games.View) (b games.Button, there bool) {
	if !RestsApart(view) || len(view.Buttons[0]) == 0 || view.Buttons[0][0].Style != games.Primary {
		return games.Button{}, false
	}
	return view.Buttons[0][0], true
}

// RestsApart reports whether the buttons of a view are on a page apart from its choice of dice.
func RestsApart(view games.View) bool {
	return PicksDice(view.Pick) && view.Pick.Rest.Key != "" && len(view.Buttons) > 0
}

// plays returns the buttons that play the draft. A button whose label names the draft carries the move, because the
// board is drawn again with each pick. Where picks may not be drawn, the label fits any draft.
func (s *BoardView) plays(p games.Pick, d draft) (row []chat.Button) {
	for _, c := range p.Choices {
		switch {
		case !slices.Equal(c.Items, d):
		case c.Label.Key == "":
			row = append(row, s.button(s.throwsOn(p.Done, c.Move), "!play", games.Primary))
		case p.Refusal.Key != "" && s.bot.Traits(chat.Place(s.Table.Place)).Sparing:
			row = append(row, s.button(s.throwsOn(p.Done, c.Move), "!play", c.Style))
		case p.Refusal.Key != "":
			row = append(row, s.button(c.Label, "!play", c.Style))
		default:
			row = append(row, s.button(s.throwsOn(c.Label, c.Move), string(c.Move), c.Style))
		}
	}
	if d.Short(p) {
		row = append(row, s.button(d.sum(p), "!more", games.Plain))
	}
	if len(row) == 0 && p.Refusal.Key != "" {
		row = append(row, s.button(p.Done, "!play", games.Plain))
	}
	return row
}
