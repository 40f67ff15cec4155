package table

import (
	"fmt"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// What people agree to when they sit down: the stake, the rules, what happens
// to the absent, and which house players are there. A table counts the changes
// of these terms in its lobby, a seat keeps the count that it has agreed to, and
// a button of the lobby carries the one that its board shows: nobody pays a
// stake that no press of theirs has shown.

// agrees has the person at a seat agree to the present terms of a table. A word for
// the dice that is older than the seed, as at a table that was restored, gives way
// to a new one.
func (v *Visit) agrees(t *store.Table, seat int) {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded == 0 {
		s.Entropy, s.Worded = dice.NewEntropy(), v.At
	}
}

// shown reports whether the pressed button stands on a board with the terms of a
// table: on its own as it is, or on that of a game on the same terms.
func (v *Visit) shown(t store.Table) (bool, error) {
	if v.Pressed().Table == t.ID {
		return v.Pressed().Turn == t.Terms, nil
	}
	board, err := v.Tx.Table(v.Pressed().Table)
	if err != nil {
		return false, fmt.Errorf("board of table %d: %w", v.Pressed().Table, err)
	}
	return sameTerms(board, t), nil
}

// allAgree refuses to start while somebody has not agreed. Whoever starts agrees
// by that to what the board shows on which they press.
func (v *Visit) allAgree(t *store.Table) error {
	mine := board.SeatOf(*t, v.Event.User)
	if v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms {
		v.agrees(t, mine)
	}
	if board.ToAgree(*t, mine) {
		return games.Refuse("bot.agreement.changed", nil)
	}
	var missing []string
	for i := range t.Seats {
		if board.ToAgree(*t, i) {
			missing = append(missing, v.Names[i])
		}
	}
	if len(missing) > 0 {
		return games.Refuse("bot.agreement.missing", games.Args{"Names": missing})
	}
	return nil
}

// The terms of a table are what people agree on before somebody is absent: how
// long a turn may take, and what happens then. They are set in the lobby, on the
// pages of the rules or as options of the command. They are no rules of the
// game, and no record holds them.

// termOptions are the options of a game's command that are terms.
func (b *Tables) termOptions(g games.Game) []bot.Option {
	turn := bot.Option{Name: board.TermTurn, Type: chat.TypeWord, About: games.Say("bot.terms.turn-about", nil)}
	for _, said := range board.TurnTimes {
		limit, _ := b.ReadTurn(said)
		turn.Choices = append(turn.Choices, bot.Choice{Value: said, Label: board.LimitLabel(limit)})
	}
	absent := bot.Option{Name: board.TermAbsent, Type: chat.TypeChoice, About: games.Say("bot.terms.absent-about", nil)}
	for _, a := range board.TimeoutsOf(g) {
		absent.Choices = append(absent.Choices, bot.Choice{Value: a.Said, Label: board.AbsenceLabel(a.Stored)})
	}
	return []bot.Option{turn, absent}
}

// rulesOf are the wishes that are options of a game's rules.
func rulesOf(g games.Game, w bot.Args) games.Rules {
	rules := games.Rules{}
	for _, o := range g.Options() {
		if value, given := w[o.Name]; given {
			rules[o.Name] = value.Text
		}
	}
	return rules
}
