package table

import (
	"fmt"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// What people agree to when they take a seat: the stake, the rules, what happens to absent people,
// and which house players take part. A table in the lobby counts the changes of these terms, a seat
// stores the count that its person has agreed to, and a button of the lobby carries the count that
// its board shows: so no person pays a stake that they were not shown.

// agrees has the person at a seat agree to the present terms of a table. A word for
// the dice that is older than the seed, as at a table that was restored, gives way
// to a new one.
func (v *Visit) agrees(t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded != 0 {
		return nil
	}
	return v.giveWord(s)
}

// shown reports whether the pressed button is on a board that shows the table's present terms: its
// own board, or that of an earlier game on the same terms.
func (v *Visit) shown(t store.Table) (bool, error) {
	if v.Pressed().Table == t.ID {
		return v.Pressed().Turn == t.Terms, nil
	}
	board, err := v.Tx.Tables.Table(v.Pressed().Table)
	if err != nil {
		return false, fmt.Errorf("board of table %d: %w", v.Pressed().Table, err)
	}
	return sameTerms(board, t), nil
}

// allAgree refuses to start while a person has not agreed. The person who starts agrees by that to
// the terms on the board.
func (v *Visit) allAgree(t *store.Table) error {
	mine := board.SeatOf(*t, v.Event.User)
	if v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms {
		if err := v.agrees(t, mine); err != nil {
			return err
		}
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

// The terms of a table are agreed before a person is absent: how long a turn may take, and what
// happens then. They are set in the lobby, on the pages of the rules or as options of the command.
// They are not rules of the game, and records do not hold them.

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

// optioned returns the rules that choose makes of the options that a person gives. A stake implies how the game is
// settled, where they do not say that themselves.
func optioned(g games.Game, w bot.Args, choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	if stake, _ := w.Amount("stake"); stake > 0 {
		return games.ChooseStaked(g, rulesOf(g, w), choose)
	}
	return choose(rulesOf(g, w))
}

// settledAs chooses rules with what is agreed on at a table now about how it is settled, where neither given options
// nor the rules that they are added to, which have a name, say it. What does not go with them is left out.
func settledAs(now, named, given games.Rules,
	choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	still := games.Rules{}
	for _, name := range []string{games.Settle, games.Point} {
		if value, agreed := now[name]; agreed && named[name] == "" && given[games.Settle] == "" {
			still[name] = value
		}
	}
	if rules, err := choose(merged(still, given)); err == nil {
		return rules, nil
	}
	return choose(given)
}

// stakeBy is the stake of a table by rules: what a person says or else, where there is one at all, the usual one.
func stakeBy(g games.Game, rules games.Rules, w bot.Args, usual int64) int64 {
	if !g.Shape(rules).Staked() {
		return 0
	}
	if stake, given := w.Amount("stake"); given {
		return stake
	}
	return usual
}
