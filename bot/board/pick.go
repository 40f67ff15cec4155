package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// draft holds the items that a player has picked but not yet played, as ascending indices into games.Pick.Items.
type draft []int

// ParseDraft parses a draft (the picked items) from the form that String returns. It skips parts that are not numbers.
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

// Toggle returns a copy of the draft with an item added or, if the draft contains the item, removed.
func (d draft) Toggle(item int) draft {
	if i := slices.Index(d, item); i >= 0 {
		return slices.Delete(slices.Clone(d), i, i+1)
	}
	next := append(slices.Clone(d), item)
	slices.Sort(next)
	return next
}

// CanToggle reports whether the player may add or remove an item of p: the items picked afterwards must be a choice of
// p or part of one. If p has a Refusal, a sentence on picks that cannot be played, the player may toggle every item.
func (d draft) CanToggle(item int, p games.Pick) bool {
	next := d.Toggle(item)
	return p.Refusal.Key != "" || slices.ContainsFunc(p.Choices, func(c games.Choice) bool {
		return !slices.ContainsFunc(next, func(item int) bool { return !slices.Contains(c.Items, item) })
	})
}

// Whole returns the move that plays the draft, if the picked items are a complete choice of p, and whether they are.
func (d draft) Whole(p games.Pick) (games.Move, bool) {
	for _, c := range p.Choices {
		if slices.Equal(c.Items, d) {
			return c.Move, true
		}
	}
	return "", false
}

// Line returns the sentence that shows the player which items of p are picked or, for dice, why these cannot be kept.
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

// Short reports whether some items are picked, but their sum has not yet reached p.Goal.
func (d draft) Short(p games.Pick) bool {
	_, whole := d.Whole(p)
	return p.Goal > 0 && len(d) > 0 && !whole
}

// sumLine returns the sum of the picked items beside the sum to reach, p.Goal: "9+5 = 14 of 16".
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

// Reason returns why the draft cannot be played: the sentence of p if it has one, or that more has to be picked.
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

// Boards of games in which players pick dice to keep: the dice, the picked ones, and the buttons that play them.

// diceKind is the kind of a Pick whose items are dice: the player keeps the picked dice and rolls all others.
const diceKind = "dice"

// PicksDice reports whether p asks the player to pick dice to keep. A nil p does not.
func PicksDice(p *games.Pick) bool { return p != nil && p.Kind == diceKind }

// OpeningDraft returns the stored form of the items that are picked from the start; "" if the view asks for no picks.
func OpeningDraft(view games.View) string {
	if view.Pick == nil {
		return ""
	}
	return draft(view.Pick.Picked).String()
}

// isUnfit reports whether the draft is not a complete choice of p, and p has a sentence that says why.
func (d draft) isUnfit(p games.Pick) bool {
	_, whole := d.Whole(p)
	return !whole && len(d) > 0 && p.Unfit.Key != ""
}

// pickPress returns the action of the button that picks an item, or takes it back.
func pickPress(item int) string { return fmt.Sprintf("!pick %d", item) }

// addKeepButtons adds a button for each die, and below these: buttons that play the picked dice, the other moves or a
// button for their page (PageWrite), and nav, such as Undo. Where drawing is expensive, the first few moves of that
// page follow (more if crowded: the page is divided), and all that will not be possible later in the turn.
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
	if HasWritePage(view) && s.traits.Sparing {
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

// Numbers of moves of the page PageWrite that the board also shows beside the dice, on platforms where drawing is
// expensive, so that most turns need no other page: maxNearest, or maxNearestCrowded if PageWrite is crowded.
const (
	maxNearest        = 2
	maxNearestCrowded = 4
)

// preferredMove returns the move of PageWrite that most players prefer to another roll. there: such a move exists.
func preferredMove(view games.View) (b games.Button, there bool) {
	if !HasWritePage(view) || len(view.Buttons[0]) == 0 || view.Buttons[0][0].Style != games.Primary {
		return games.Button{}, false
	}
	return view.Buttons[0][0], true
}

// HasWritePage reports whether the board has dice to pick and shows the other moves on a separate page, PageWrite.
func HasWritePage(view games.View) bool {
	return PicksDice(view.Pick) && view.Pick.Rest.Key != "" && len(view.Buttons) > 0
}

// draftButtons returns the buttons that play the draft d, the picked items of p, or show their sum. If p has a Refusal,
// a press plays the items picked when it arrives; where drawing is expensive, the board may not show these yet, so the
// labels name no items. Otherwise a button whose label names the items plays exactly these.
func (s *BoardView) draftButtons(p games.Pick, d draft) (row []chat.Button) {
	for _, c := range p.Choices {
		switch {
		case !slices.Equal(c.Items, d):
		case c.Label.Key == "":
			row = append(row, s.button(s.labelWithRoll(p.Done, c.Move), "!play", games.Primary))
		case p.Refusal.Key != "" && s.traits.Sparing:
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
