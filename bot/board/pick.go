package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// draft holds the items that a player has picked but not played: ascending indices into games.Pick.Items.
type draft []int

// ParseDraft parses a draft, the picked items, as String returns it. Parts that are not numbers are left out.
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

// String returns the indices separated by commas, as they are stored.
func (d draft) String() string {
	parts := make([]string, len(d))
	for i, item := range d {
		parts[i] = fmt.Sprint(item)
	}
	return strings.Join(parts, ",")
}

// Toggle returns a copy of the draft with an item added or, if it is in there, removed.
func (d draft) Toggle(item int) draft {
	if i := slices.Index(d, item); i >= 0 {
		return slices.Delete(slices.Clone(d), i, i+1)
	}
	next := append(slices.Clone(d), item)
	slices.Sort(next)
	return next
}

// CanToggle reports whether an item can be added or removed: the result is a choice of p or part of one. If p has a
// Refusal, every item can be.
func (d draft) CanToggle(item int, p games.Pick) bool {
	next := d.Toggle(item)
	return p.Refusal.Key != "" || slices.ContainsFunc(p.Choices, func(c games.Choice) bool {
		return !slices.ContainsFunc(next, func(item int) bool { return !slices.Contains(c.Items, item) })
	})
}

// Whole returns the move of the choice of p that the draft is equal to, and whether there is one.
func (d draft) Whole(p games.Pick) (games.Move, bool) {
	for _, c := range p.Choices {
		if slices.Equal(c.Items, d) {
			return c.Move, true
		}
	}
	return "", false
}

// Line returns the sentence that shows the mover which items of p are picked or, for dice, why these cannot be kept.
func (d draft) Line(p games.Pick) games.Line {
	_, whole := d.Whole(p)
	dice, left := PicksDice(&p), len(p.Items)-len(d)
	switch {
	case dice && !whole && p.Refusal.Key != "":
		return p.Refusal
	case dice && d.isUnfit(p):
		return p.Unfit
	case dice && whole && len(d) == 0:
		return games.Say("bot.keep-none", nil)
	case dice && len(d) > 0 && left > 0:
		return games.Say("bot.keep", games.Args{"Dice": spellFaces(numbersOf(p, d)), "N": left})
	}
	picked := games.Say("bot.nothing", nil)
	switch {
	case d.Short(p):
		picked = d.sumLine(p)
	case dice && len(d) > 0:
		picked = games.Say("bot.these", games.Args{"These": spellFaces(numbersOf(p, d))})
	case len(d) > 0:
		picked = games.Say("bot.these", games.Args{"These": games.Tiles(numbersOf(p, d))})
	}
	return games.Say("bot.picked", games.Args{"Picked": picked})
}

// Short reports whether items are picked whose sum is not yet the goal of p.
func (d draft) Short(p games.Pick) bool {
	_, whole := d.Whole(p)
	return p.Goal > 0 && len(d) > 0 && !whole
}

// sumLine returns the sum of the picked items and the goal: "9+5 = 14 of 16".
func (d draft) sumLine(p games.Pick) games.Line {
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

// Reason returns the reason why the draft cannot be played: more has to be picked, or something else.
func (d draft) Reason(p games.Pick) games.Line {
	switch {
	case p.Refusal.Key != "":
		return p.Refusal
	case d.Short(p):
		return games.Say("bot.pick-short", games.Args{"Picked": d.sumLine(p)})
	case d.isUnfit(p):
		return p.Unfit
	}
	return games.Say("bot.pick-more", nil)
}

// Boards of games in which dice to keep are picked: the dice, the draft, and the buttons that play it.

// diceKind is the kind of a Pick whose items are the dice: the picked ones are kept, the others rolled.
const diceKind = "dice"

// PicksDice reports whether p, which may be nil, is a choice of dice to keep.
func PicksDice(p *games.Pick) bool { return p != nil && p.Kind == diceKind }

// OpeningDraft returns the stored form of the draft at the start of a choice, "" if the view has none.
func OpeningDraft(view games.View) string {
	if view.Pick == nil {
		return ""
	}
	return draft(view.Pick.Picked).String()
}

// isUnfit reports whether the draft cannot be played and the game has a sentence on that.
func (d draft) isUnfit(p games.Pick) bool {
	_, whole := d.Whole(p)
	return !whole && len(d) > 0 && p.Unfit.Key != ""
}

// pickPress returns the action of a button that picks an item.
func pickPress(item int) string { return fmt.Sprintf("!pick %d", item) }

// addKeepButtons adds a button for each die and, below, those that play the draft. Other moves follow these or are on
// the page PageWrite, which a button opens. On platforms where drawing is expensive, the first few of these and all
// that are possible only in this turn are here as well. nav are the buttons for the last row.
func (s *BoardView) addKeepButtons(view games.View, crowded bool, nav []chat.Button) {
	d := ParseDraft(s.Table.Draft)
	if d.isUnfit(*view.Pick) {
		s.Message.Lines = append(s.Message.Lines, s.Line(view.Pick.Unfit))
	}
	row := s.draftButtons(*view.Pick, d)
	b, isWanted := preferredMove(view)
	if isWanted {
		row = append(s.toButtons([]games.Button{b}), row...)
	}
	if !HasWritePage(view) {
		row = append(row, s.toButtons(slices.Concat(view.Buttons...))...)
	} else {
		style := games.Plain
		if s.viewer != nil {
			row = append(row, s.buttonsBesideCells(view)...)
		} else if _, whole := d.Whole(*view.Pick); !whole {
			style = games.Primary
		}
		row = append(row, s.button(view.Pick.Rest, "!show write", style))
	}
	var places []chat.Button
	for i, face := range view.Pick.Items {
		if !d.CanToggle(i, *view.Pick) {
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
	if HasWritePage(view) && s.bot.Traits(chat.Place(s.Table.Place)).Sparing {
		first, most := view.Buttons[0], maxNearest
		if isWanted {
			first = first[1:] // it has a button above already
		}
		if crowded {
			most = maxNearestCrowded
		}
		nearest := slices.Clone(first[:min(len(first), most)])
		s.Message.Row(s.toButtons(slices.DeleteFunc(nearest, givesUp))...)
		for _, row := range view.Buttons {
			s.Message.Rows(chat.ChoiceRow, s.toButtons(filter(row, func(b games.Button) bool { return b.Passing }))...)
		}
	}
}

// The number of moves of PageWrite that are also beside a choice of dice where drawing is expensive, so that most turns
// need no other page; and that number if PageWrite is crowded.
const (
	maxNearest        = 2
	maxNearestCrowded = 4
)

// preferredMove returns the move of PageWrite that people nearly always prefer to another roll, if there is one.
func preferredMove(view games.View) (b games.Button, there bool) {
	if !HasWritePage(view) || len(view.Buttons[0]) == 0 || view.Buttons[0][0].Style != games.Primary {
		return games.Button{}, false
	}
	return view.Buttons[0][0], true
}

// HasWritePage reports whether a view's buttons are on a page of their own, PageWrite, apart from its choice of dice.
func HasWritePage(view games.View) bool {
	return PicksDice(view.Pick) && view.Pick.Rest.Key != "" && len(view.Buttons) > 0
}

// draftButtons returns the buttons that play the draft d, the picked items of p. If a label names the draft, its button
// plays that move, since each pick redraws the board. If picks do not redraw it, the label fits any draft and the press
// plays the stored one.
func (s *BoardView) draftButtons(p games.Pick, d draft) (row []chat.Button) {
	for _, c := range p.Choices {
		switch {
		case !slices.Equal(c.Items, d):
		case c.Label.Key == "":
			row = append(row, s.button(s.labelWithRoll(p.Done, c.Move), "!play", games.Primary))
		case p.Refusal.Key != "" && s.bot.Traits(chat.Place(s.Table.Place)).Sparing:
			row = append(row, s.button(s.labelWithRoll(p.Done, c.Move), "!play", c.Style))
		case p.Refusal.Key != "":
			row = append(row, s.button(c.Label, "!play", c.Style))
		default:
			row = append(row, s.button(s.labelWithRoll(c.Label, c.Move), string(c.Move), c.Style))
		}
	}
	if d.Short(p) {
		row = append(row, s.button(d.sumLine(p), "!more", games.Plain))
	}
	if len(row) == 0 && p.Refusal.Key != "" {
		row = append(row, s.button(p.Done, "!play", games.Plain))
	}
	return row
}
