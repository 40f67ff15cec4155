package table

import (
	"fmt"
	"maps"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// The terms that people agree to with a seat: stake, rules, absence and house players. A lobby counts changes of its
// terms, a seat stores the count agreed to, and a lobby button carries the count on its board, so that no person pays a
// stake that they were not shown.

// agrees stores that the person at a seat agrees to the present terms. A word for the dice that is older than the seed,
// as at a restored table, is replaced.
func (v *Visit) agrees(t *store.Table, seat int) error {
	s := &t.Seats[seat]
	s.Agreed = t.Terms
	if s.Worded != 0 {
		return nil
	}
	return v.giveWord(s)
}

// shown reports whether the pressed button's board, of this table or of an earlier game, shows the table's present
// terms.
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

// allAgree refuses to start while a person has not agreed. Starting counts as agreeing to the terms on the board.
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
	if missing := board.ToAgreeAt(*t); len(missing) > 0 {
		return games.Refuse("bot.agreement.missing", games.Args{"Names": board.Named(v.Names, missing)})
	}
	return nil
}

// The terms for absence are agreed in advance: the turn limit and what happens after it. They are set in the lobby or
// as options of the command. They are not rules of the game and not in records.

// termOptions returns the options of a game's command that are terms.
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

// optioned returns the rules that choose makes of the given options. A stake implies a settlement unless they name one.
func optioned(g games.Game, w bot.Args, choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	given := games.Rules{}
	for _, o := range g.Options() {
		if value, is := w[o.Name]; is {
			given[o.Name] = value.Text
		}
	}
	if stake, _ := w.Amount("stake"); stake > 0 {
		return games.ChooseStaked(g, given, choose)
	}
	return choose(given)
}

// settledAs chooses rules with the table's present settlement if neither the given options nor the named rules set one.
// It drops what does not go with them.
func settledAs(now, named, given games.Rules,
	choose func(given games.Rules) (games.Rules, error)) (games.Rules, error) {
	still := games.Rules{}
	for _, name := range []string{games.Settle, games.Point} {
		if value, agreed := now[name]; agreed && named[name] == "" && given[games.Settle] == "" {
			still[name] = value
		}
	}
	maps.Copy(still, given)
	if rules, err := choose(still); err == nil {
		return rules, nil
	}
	return choose(given)
}

// stakeBy returns the given stake or, if the rules have a stake, the default.
func stakeBy(g games.Game, rules games.Rules, w bot.Args, usual int64) int64 {
	if !g.Shape(rules).Staked() {
		return 0
	}
	if stake, given := w.Amount("stake"); given {
		return stake
	}
	return usual
}
