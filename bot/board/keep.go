package board

import (
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
)

// Boards of games in which dice are picked: the dice, those in the draft, and the buttons that play it.

// diceKind is the kind of a Pick whose items are the dice as they lie: what is picked is kept, the others are thrown.
const diceKind = "dice"

// PicksDice reports whether dice to keep are picked from.
func PicksDice(p *games.Pick) bool { return p != nil && p.Kind == diceKind }

// OpeningDraft returns the draft that a choice begins with.
func OpeningDraft(view games.View) draft {
	if view.Pick == nil {
		return nil
	}
	return view.Pick.Picked
}

// keepLine returns a sentence on which dice are kept, for the person who picks.
func (d draft) keepLine(p games.Pick) games.Line {
	_, whole := d.Whole(p)
	switch left := len(p.Items) - len(d); {
	case !whole && p.Refusal.Key != "":
		return p.Refusal
	case d.unfit(p):
		return p.Unfit
	case whole && len(d) == 0:
		return games.Say("bot.keep-none", nil)
	case len(d) > 0 && left > 0:
		return games.Say("bot.keep", games.Args{"Dice": spelled(numbersOf(p, d)), "N": left})
	}
	return d.pickLine(p)
}

// unfit reports whether something is picked that makes no choice, where the game says why.
func (d draft) unfit(p games.Pick) bool {
	_, whole := d.Whole(p)
	return !whole && len(d) > 0 && p.Unfit.Key != ""
}

// dice draws the dice, with a lock on those that are kept.
func (s *BoardView) dice(view games.View) {
	s.Message.Dice = lyingDice(view.Dice)
	if !PicksDice(view.Pick) {
		return
	}
	d := ParseDraft(s.Table.Draft)
	for i := range s.Message.Dice {
		s.Message.Dice[i].Kept = slices.Contains(d, i)
		if d.Toggles(i, *view.Pick) {
			s.Message.Dice[i].Press = s.press(pickPress(i))
		}
	}
}

func pickPress(item int) string { return fmt.Sprintf("!pick %d", item) }

// keepButtons draws a button for each die and, nearer to the thumb, those that play the choice. The other
// moves of the match have buttons beside these, or on a page of their own; where drawing is dear, those that can be
// played only now stand here as well.
func (s *BoardView) keepButtons(view games.View, crowded bool, nav []chat.Button) {
	d := ParseDraft(s.Table.Draft)
	if d.unfit(*view.Pick) {
		s.Message.Lines = append(s.Message.Lines, s.Line(view.Pick.Unfit))
	}
	row := s.plays(*view.Pick, d)
	if b, wanted := wanted(view); wanted {
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
		s.Message.Row(s.nearest(view, crowded)...)
		for _, row := range view.Buttons {
			s.Message.Rows(chat.ChoiceRow, s.drawn(only(row, func(b games.Button) bool { return b.Passing }))...)
		}
	}
}

// How many moves of the page apart are offered beside a choice of dice: of so many that the page leads on, more.
const (
	maxNearest        = 2
	maxNearestCrowded = 4
)

// wanted returns the move of the page apart that one nearly always wants, rather than to throw again, and false where
// there is none.
func wanted(view games.View) (b games.Button, there bool) {
	if !RestsApart(view) || len(view.Buttons[0]) == 0 || view.Buttons[0][0].Style != games.Primary {
		return games.Button{}, false
	}
	return view.Buttons[0][0], true
}

// nearest returns the first moves of the page apart, but none that gives something up: where drawing is dear, most
// turns end without the page being drawn.
func (s *BoardView) nearest(view games.View, crowded bool) []chat.Button {
	first := s.drawn(view.Buttons[0])
	if _, there := wanted(view); there {
		first = first[1:] // it stands first already
	}
	most := maxNearest
	if crowded {
		most = maxNearestCrowded
	}
	first = first[:min(len(first), most)]
	return slices.DeleteFunc(first, func(b chat.Button) bool { return b.Style == games.Danger })
}

// RestsApart reports whether the buttons of a view are on a page apart from its choice of dice.
func RestsApart(view games.View) bool {
	return PicksDice(view.Pick) && view.Pick.Rest.Key != "" && len(view.Buttons) > 0
}

// plays returns the buttons that play what is picked. Where the label says what it is,
// and so the board is drawn again with each change, the button carries the move. Where picks may go undrawn,
// the label holds whatever has been picked since.
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
