package table

import (
	"fmt"
	"maps"
	"slices"

	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// What people agree to when they sit down: the stake, the rules, what happens
// to the absent, and which house players are there. A table counts the changes
// of these terms in its lobby, a seat keeps the count that it has agreed to, and
// a button of the lobby carries the one that its board shows: nobody pays a
// stake that no press of theirs has shown.

// sameTerms reports whether two tables are played on the same terms. The unit of
// a table never changes.
func sameTerms(a, b store.Table) bool {
	return a.Game == b.Game && a.Stake == b.Stake && a.Unit == b.Unit && maps.Equal(a.Rules, b.Rules) &&
		a.Absent == b.Absent && agreedPatience(a) == agreedPatience(b) && slices.Equal(housesAt(a), housesAt(b))
}

// housesAt are the house players of a table, wherever they sit.
func housesAt(t store.Table) []string {
	var houses []string
	for _, s := range t.Seats {
		if s.House != "" {
			houses = append(houses, s.House)
		}
	}
	slices.Sort(houses)
	return houses
}

// countTerms counts a change of terms before a table is stored. Whoever has made
// it agrees to it, if they had agreed to those before or have them before them.
func (v *Visit) countTerms(t *store.Table) error {
	if t.State != store.Lobby {
		return nil
	}
	was, err := v.Tx.Table(t.ID)
	if err != nil {
		return fmt.Errorf("terms of table %d: %w", t.ID, err)
	}
	if was.State != store.Lobby || sameTerms(was, *t) {
		return nil
	}
	mine := SeatOf(*t, v.Event.User)
	agrees := mine >= 0 && (!toAgree(*t, mine) || v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms)
	if t.Terms++; agrees {
		v.agrees(t, mine)
	}
	return nil
}

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

// agreeNow is the press of somebody seated who agrees to what the board shows.
func (v *Visit) agreeNow(t *store.Table, _ string) error {
	mine := SeatOf(*t, v.Event.User)
	switch {
	case mine < 0:
		return notSeated(*t)
	case t.Seats[mine].Confirmed && !toAgree(*t, mine):
		return games.Refuse("bot.agreement.already", nil)
	}
	return v.join(t, "")
}

// allAgree refuses to start while somebody has not agreed. Whoever starts agrees
// by that to what the board shows on which they press.
func (v *Visit) allAgree(t *store.Table) error {
	mine := SeatOf(*t, v.Event.User)
	if v.Pressed().Table == t.ID && v.Pressed().Turn == t.Terms {
		v.agrees(t, mine)
	}
	if toAgree(*t, mine) {
		return games.Refuse("bot.agreement.changed", nil)
	}
	var missing []string
	for i := range t.Seats {
		if toAgree(*t, i) {
			missing = append(missing, v.Names[i])
		}
	}
	if len(missing) > 0 {
		return games.Refuse("bot.agreement.missing", games.Args{"Names": missing})
	}
	return nil
}
