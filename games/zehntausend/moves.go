package zehntausend

import (
	"cmp"
	"math/bits"
	"slices"

	"knobel/games"
)

// option is a set of dice that may be set aside now.
type option struct {
	set    games.DiceSet
	points int  // the points of the set
	bank   bool // the turn may end with it
}

// move returns the move that sets o aside: verb is "keep" (throws again) or "bank", dice the number of thrown dice.
func (o option) move(verb string, dice int) games.Move {
	return games.Move(verb + " " + o.set.Spell(dice))
}

// options returns the sets of the thrown dice that may be set aside, the most points first; with equal points, fewer
// dice first, then dice further to the left.
func (m match) options() []option {
	var all []option
	for s := games.DiceSet(1); s < 1<<len(m.Dice); s++ {
		if points := m.rules.throwPoints(countsOf(m.Dice, s)); points > 0 {
			all = append(all, option{s, points, m.mayBank(s, points)})
		}
	}
	slices.SortFunc(all, func(a, b option) int {
		left := cmp.Compare(bits.Reverse8(uint8(b.set)), bits.Reverse8(uint8(a.set)))
		return cmp.Or(b.points-a.points, a.set.Count()-b.set.Count(), left)
	})
	return all
}

// mayBank reports whether the turn may end with the set s of the thrown dice, worth points.
func (m match) mayBank(s games.DiceSet, points int) bool {
	seat, amount := m.seat(), m.Points+points
	if amount < m.rules.minimum(m.hasBanked(seat)) {
		return false
	}
	return s.Count() < len(m.Dice) || m.rules.hotMay || !m.isRollOff() && m.Totals[seat]+amount >= m.rules.target
}

// MidTurn reports whether the seat to move has thrown in its turn and has to set dice aside.
func (m match) MidTurn() bool { return !m.isOver() && len(m.Dice) > 0 }

// Moves returns the legal moves, the least risky first: banking, then throwing again; each with the most points first.
func (m match) Moves(s games.Seat) []games.Move {
	if m.isOver() || int(s) != m.seat() {
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

// nextDice returns how many dice are thrown next if aside of thrown dice are set aside: all dice if none is left.
func (r *rules) nextDice(thrown, aside int) int {
	if aside == thrown {
		return r.dice
	}
	return thrown - aside
}

// The points of the dice of one throw.

// sides is the number of sides of a die.
const sides = 6

// maxDice is the largest number of dice in a throw.
const maxDice = 6

// counts holds how many dice show each face, by face.
type counts [sides + 1]int

// countsOf returns how many of the dice at the positions in s show each face.
func countsOf(dice []int, s games.DiceSet) (c counts) {
	for position, face := range dice {
		if s.Has(position) {
			c[face]++
		}
	}
	return c
}

// throwPoints returns the most points that the dice c of one throw give if all of them count; 0 if one cannot count.
func (r *rules) throwPoints(c counts) int {
	total, dice, all := 0, 0, true
	for face := 1; face <= sides; face++ {
		points := r.equal[face][c[face]]
		all = all && (points > 0 || c[face] == 0)
		total += points
		dice += c[face]
	}
	if !all {
		total = 0
	}
	if dice == maxDice {
		total = max(total, r.wholePoints(c))
	}
	return total
}

// equals holds the points of equal dice, by face and number of dice; 0 if some of the dice cannot count.
type equals [sides + 1][maxDice + 1]int

// equals returns the points of equal dice under the rules r. It computes them for fewer dice before more.
func (r *rules) equals() (worth equals) {
	for face := 1; face <= sides; face++ {
		for n := 1; n <= maxDice; n++ {
			best := 0
			switch face {
			case 1:
				best = n * 100
			case 5:
				best = n * 50
			}
			for k := 3; k <= n; k++ {
				rest, alike := worth[face][n-k], r.groupPoints(face, k)
				if alike > 0 && (k == n || rest > 0) {
					best = max(best, alike+rest)
				}
			}
			worth[face][n] = best
		}
	}
	return worth
}

// groupPoints returns the points of n equal dice of face, n at least 3, as one group; 0 if only three can count.
func (r *rules) groupPoints(face, n int) int {
	three := face * 100
	if face == 1 {
		three = r.ones
	}
	switch {
	case n == 3:
		return three
	case r.more == thousands:
		return 1000 * (n - 3)
	case r.more == double:
		return three << (n - 3)
	case r.more == add:
		return three * (n - 2)
	}
	return 0
}

// wholePoints returns the points of six dice as a straight, three pairs or two triplets, 0 if they are none of these.
func (r *rules) wholePoints(c counts) int {
	straight, pairs, triplets := true, true, true
	for _, n := range c[1:] {
		straight = straight && n == 1
		pairs = pairs && n%2 == 0
		triplets = triplets && (n == 0 || n == 3)
	}
	switch {
	case straight:
		return r.straight
	case pairs:
		return r.pairs
	case triplets:
		return r.triplets
	}
	return 0
}
