package zehntausend

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"knobel/games"
)

// set is a choice among the dice just thrown, bit 0 the leftmost.
type set uint8

func (s set) has(position int) bool { return s>>position&1 == 1 }

// count returns how many dice are in the set.
func (s set) count() int { return bits.OnesCount8(uint8(s)) }

// spell spells the set as in moves: a digit for each die, 1 for those in it.
func (s set) spell(dice int) string {
	text := []byte(strings.Repeat("0", dice))
	for position := range text {
		if s.has(position) {
			text[position] = '1'
		}
	}
	return string(text)
}

// parseSet reads a set from a legal move.
func parseSet(text string) (s set) {
	for position, digit := range []byte(text) {
		if digit == '1' {
			s |= 1 << position
		}
	}
	return s
}

// option is a set that may be set aside now.
type option struct {
	set    set
	points int // what it is worth
	bank   bool
}

func (o option) move(verb string, dice int) games.Move {
	return games.Move(verb + " " + o.set.spell(dice))
}

// options returns the sets of the dice that lie, the most points first; equal ones
// with fewer dice first, then further to the left.
func (m match) options() []option {
	var all []option
	for s := set(1); s < 1<<len(m.Dice); s++ {
		if points := m.rules.worth(countsOf(m.Dice, s)); points > 0 {
			all = append(all, option{s, points, m.mayBank(s, points)})
		}
	}
	slices.SortFunc(all, func(a, b option) int {
		left := cmp.Compare(bits.Reverse8(uint8(b.set)), bits.Reverse8(uint8(a.set)))
		return cmp.Or(b.points-a.points, a.set.count()-b.set.count(), left)
	})
	return all
}

// mayBank reports whether the turn may end with a set of the dice that lie.
func (m match) mayBank(s set, points int) bool {
	seat, amount := m.seat(), m.Points+points
	if amount < m.rules.minimum(m.banked(seat)) {
		return false
	}
	return s.count() < len(m.Dice) || m.rules.hotMay || !m.rolling() && m.Totals[seat]+amount >= m.rules.target
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
