package wuerfelpoker

import (
	"slices"

	"knobel/games"
)

// offer is a row that may be written now, with what it gives.
type offer struct {
	row    row
	points int
}

// part returns the first and the last row that may be filled in this round.
func (m match) part() (first, last row) {
	switch {
	case m.rules.free:
		return ones, chance
	case m.round < schoolRows:
		return ones, sixes
	}
	return pair, chance
}

// offers returns the rows that may be written now, most points first; equal
// ones as on the sheet.
func (m match) offers() []offer {
	offers := make([]offer, 0, rows)
	c := m.hand.counts()
	first, last := m.part()
	for w := first; w <= last; w++ {
		if m.sheets[m.turn][w].mark != open {
			continue
		}
		if points, there := m.rules.pointsOf(w, c, m.throws == 1); there {
			offers = append(offers, offer{w, points})
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return b.points - a.points })
	return offers
}

// strikes returns the rows that may be struck now, what one would rather
// strike first.
func (m match) strikes() []row {
	if m.rules.deferred || !m.rules.free && m.round < schoolRows {
		return nil
	}
	var out []row
	c := m.hand.counts()
	for _, w := range hardest {
		if m.sheets[m.turn][w].mark != open {
			continue
		}
		if _, there := m.rules.pointsOf(w, c, false); !there {
			out = append(out, w)
		}
	}
	return out
}

// mayMiss reports whether the round may be given up.
func (m match) mayMiss() bool {
	return m.rules.deferred && (m.rules.free || m.round >= schoolRows)
}

// mayKeep reports whether there is a throw left.
func (m match) mayKeep() bool { return m.throws < maxThrows }

// Moves returns what the seat may do, the safest first: to write what loses
// no points; to throw again, greedily; to write what loses the least; to give
// the round up; to strike a row.
func (m match) Moves(s games.Seat) []games.Move {
	if m.over() || int(s) != m.turn {
		return nil
	}
	if m.throws == 0 {
		return []games.Move{"throw"}
	}
	offers := m.offers()
	moves := make([]games.Move, 0, len(offers)+keepAll+combinations)
	gains := 0
	for gains < len(offers) && offers[gains].points >= 0 {
		gains++
	}
	moves = appendWrites(moves, offers[:gains])
	if m.mayKeep() {
		moves = m.appendKeeps(moves, offers)
	}
	moves = appendWrites(moves, offers[gains:])
	if m.mayMiss() {
		moves = append(moves, "miss")
	}
	for _, w := range m.strikes() {
		moves = append(moves, strikeMoves[w])
	}
	return moves
}

func appendWrites(moves []games.Move, offers []offer) []games.Move {
	for _, o := range offers {
		moves = append(moves, writes[o.row])
	}
	return moves
}

// appendKeeps adds every way to throw again: first what the house greedy
// would keep, then the more dice kept the earlier.
func (m match) appendKeeps(moves []games.Move, offers []offer) []games.Move {
	best := m.greedyKeep(offers)
	if best != keepAll {
		moves = append(moves, keeps[best])
	}
	for _, k := range fewestThrown {
		if k != best {
			moves = append(moves, keeps[k])
		}
	}
	return moves
}

// fewestThrown are all sets of dice to keep but the whole, the largest first.
var fewestThrown = func() (sets [keepAll]keep) {
	for k := range sets {
		sets[k] = keep(k)
	}
	slices.SortStableFunc(sets[:], func(a, b keep) int { return b.count() - a.count() })
	return sets
}()

// count is how many dice are kept.
func (k keep) count() int {
	n := 0
	for position := range handSize {
		if k.has(position) {
			n++
		}
	}
	return n
}
