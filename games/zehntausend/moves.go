package zehntausend

import (
	"cmp"
	"math/bits"
	"slices"

	"knobel/games"
)

// option is a set that may be set aside now.
type option struct {
	set    games.DiceSet
	points int // what it is worth
	bank   bool
}

func (o option) move(verb string, dice int) games.Move {
	return games.Move(verb + " " + o.set.Spell(dice))
}

// options returns the sets of the dice that lie, the most points first; equal ones
// with fewer dice first, then further to the left.
func (m match) options() []option {
	var all []option
	for s := games.DiceSet(1); s < 1<<len(m.Dice); s++ {
		if points := m.rules.worth(countsOf(m.Dice, s)); points > 0 {
			all = append(all, option{s, points, m.mayBank(s, points)})
		}
	}
	slices.SortFunc(all, func(a, b option) int {
		left := cmp.Compare(bits.Reverse8(uint8(b.set)), bits.Reverse8(uint8(a.set)))
		return cmp.Or(b.points-a.points, a.set.Count()-b.set.Count(), left)
	})
	return all
}

// mayBank reports whether the turn may end with a set of the dice that lie.
func (m match) mayBank(s games.DiceSet, points int) bool {
	seat, amount := m.seat(), m.Points+points
	if amount < m.rules.minimum(m.banked(seat)) {
		return false
	}
	return s.Count() < len(m.Dice) || m.rules.hotMay || !m.rolling() && m.Totals[seat]+amount >= m.rules.target
}

// MidTurn reports whether the seat to move has thrown in its turn: dice lie, to be set aside.
func (m match) MidTurn() bool { return !m.over() && len(m.Dice) > 0 }

// Moves returns what the seat may do, the safest first: to stop with the most
// points, and then to go on with the most.
func (m match) Moves(s games.Seat) []games.Move {
	if m.over() || int(s) != m.seat() {
		return nil
	}
	if len(m.Dice) == 0 {
		return []games.Move{"throw"}
	}
	var banks, keeps []games.Move
	for _, o := range m.options() {
		if o.bank {
			banks = append(banks, o.move("bank", len(m.Dice)))
		}
		keeps = append(keeps, o.move("keep", len(m.Dice)))
	}
	return append(banks, keeps...)
}

// next returns how many dice are thrown when so many of those that lie are set aside.
func (r *rules) next(lie, aside int) int {
	if aside == lie {
		return r.dice
	}
	return lie - aside
}
