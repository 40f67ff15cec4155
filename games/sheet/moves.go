package sheet

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"knobel/games"
)

// offer is a spot (a row in a column) that may be written now, and the points that it gives.
type offer struct {
	spot
	points int
}

// fillableSpots returns the spots (a row in a column) that the order of filling allows the mover to fill now, whatever
// the dice show. They are sorted by column, then from top to bottom.
func (m match) fillableSpots() []spot {
	var spots []spot
	for column := range m.plan.columns {
		spots = append(spots, m.fillableIn(column)...)
	}
	return spots
}

// fillableIn returns the spots of one column that the order of filling allows the mover to fill now.
func (m match) fillableIn(column int) []spot {
	p := m.plan
	order, open := p.columns[column].Order, m.openIn(column)
	switch {
	case order == Called && m.called >= 0:
		return p.spots(column, open&(1<<m.called))
	case order == Called || m.called >= 0:
		return nil
	}
	return p.spots(column, p.rowsInOrder(order, open))
}

// rowsInOrder returns the rows that may be filled now in a column with this order and these open rows.
func (p *plan) rowsInOrder(order ColumnOrder, open rowSet) rowSet {
	switch {
	case order == Down || p.paper.Order == Top:
		return open & -open
	case order == Up && open != 0:
		return 1 << (bits.Len32(uint32(open)) - 1)
	case p.paper.Order == Parts && open&p.first != 0:
		return open & p.first
	}
	return open
}

// spots returns the spots of these rows in a column, from top to bottom.
func (p *plan) spots(column int, rows rowSet) (spots []spot) {
	for ; rows != 0; rows &= rows - 1 {
		spots = append(spots, spot{column, bits.TrailingZeros32(uint32(rows))})
	}
	return spots
}

// openIn returns the rows of a column in which the mover has an open place.
func (m match) openIn(column int) (open rowSet) {
	for r := range m.plan.rows {
		if !m.plan.isClosed(&m.pages[m.turn], spot{column, r}) {
			open |= 1 << r
		}
	}
	return open
}

// sectionPlaces returns how many places the rows of a section have in one column.
func (p *plan) sectionPlaces(section int) int {
	n := 0
	for _, r := range p.rows {
		if r.section == section {
			n += r.count
		}
	}
	return n
}

// callable returns the rows that may be called now (announced, then filled): only after the first throw of a turn.
func (m match) callable() []int {
	if m.throws != 1 || m.called >= 0 {
		return nil
	}
	var rows []int
	for column, c := range m.plan.columns {
		if c.Order == Called {
			for _, s := range m.plan.spots(column, m.openIn(column)) {
				rows = append(rows, s.row)
			}
		}
	}
	return rows
}

// possibleFills returns the spots (a row in a column) that may be written with the dice, with their points, and the
// spots that may be struck (crossed out), both in the order of the sheet.
func (m match) possibleFills() (writes []offer, strikes []spot) {
	p, g := m.plan, &m.pages[m.turn]
	c := p.counts(m.hand)
	allowed, isJoker := m.jokerRows(c)
	for _, s := range m.fillableSpots() {
		if !allowed.has(s.row) {
			continue
		}
		points, met := p.points(s.row, c, m.moment())
		if with := p.rows[s.row].with; met && with >= 0 && !p.rowHolds(g, with) {
			met = false
		}
		if !met && isJoker && p.rows[s.row].isFixed() {
			points, met = p.rows[s.row].Points.Plus, true
		}
		switch {
		case met:
			writes = append(writes, offer{s, points})
		case !p.paper.Misses && p.rows[s.row].canBeStruck():
			strikes = append(strikes, s)
		}
	}
	return writes, strikes
}

// jokerRows returns the rows that the dice c may fill, and whether c may write rows of fixed points without meeting
// their need (a joker). It returns all rows and false unless all dice are equal and the row for equal dice is full.
func (m match) jokerRows(c counts) (allowed rowSet, isJoker bool) {
	face := c.equalFace()
	if m.plan.paper.Again.Joker == NoJoker || face == 0 || !m.plan.isFull(&m.pages[m.turn], m.plan.again) {
		return math.MaxUint32, false
	}
	return m.plan.jokerFills(face, m.openIn(0))
}

// choices returns the results of possibleFills, but sorted: offers (spots to write) by points, the most first, and
// strikes (spots to strike) by average points, the least first.
func (m match) choices() (offers []offer, strikes []spot) {
	offers, strikes = m.possibleFills()
	slices.SortStableFunc(offers, func(a, b offer) int { return b.points - a.points })
	if len(strikes) > 1 {
		hardest := m.plan.set.hardest()
		slices.SortStableFunc(strikes, func(a, b spot) int {
			return slices.Index(hardest, m.plan.rows[a.row].Name) - slices.Index(hardest, m.plan.rows[b.row].Name)
		})
	}
	return offers, strikes
}

// mayMiss reports whether the mover may end the turn without filling a row, as some rules allow.
func (m match) mayMiss() bool {
	p := m.plan
	return p.paper.Misses && (p.paper.Order != Parts || m.round >= p.sectionPlaces(0))
}

// mayKeep reports whether the mover may throw again: a throw is left, and no row has to be called (announced) first.
func (m match) mayKeep() bool { return m.throwsLeft() > 0 && !m.mustCall() }

// mustCall reports whether the mover can fill a row only after calling it (announcing to fill it).
func (m match) mustCall() bool { return len(m.fillableSpots()) == 0 && len(m.callable()) > 0 }

// Moves returns the legal moves, the least risky first: writing a row without a loss; throwing again, first as "greedy"
// (a computer player) would; writing a row with a loss, the least first; calling; missing the turn; striking a row.
func (m match) Moves(s games.Seat) []games.Move {
	if m.isOver() || int(s) != m.turn {
		return nil
	}
	if m.throws == 0 {
		return []games.Move{"throw"}
	}
	offers, strikes := m.choices()
	moves := make([]games.Move, 0, len(offers)+int(m.plan.all)+len(m.plan.rows))
	gains := 0
	for gains < len(offers) && offers[gains].points >= 0 {
		gains++
	}
	moves = m.appendWrites(moves, offers[:gains])
	if m.mayKeep() {
		moves = m.appendKeeps(moves, offers)
	}
	moves = m.appendWrites(moves, offers[gains:])
	for _, r := range m.callable() {
		moves = append(moves, games.Move("call "+m.plan.rows[r].Name))
	}
	if m.mayMiss() {
		moves = append(moves, "miss")
	}
	for _, target := range strikes {
		moves = append(moves, m.plan.strikeMove(target))
	}
	return moves
}

// writeMove and strikeMove return the moves that write and strike (cross out) the row of s.
func (p *plan) writeMove(s spot) games.Move  { return games.Move("write " + p.spotName(s)) }
func (p *plan) strikeMove(s spot) games.Move { return games.Move("strike " + p.spotName(s)) }

// appendWrites appends to moves those that write the rows in offers.
func (m match) appendWrites(moves []games.Move, offers []offer) []games.Move {
	for _, o := range offers {
		moves = append(moves, m.plan.writeMove(o.spot))
	}
	return moves
}

// appendKeeps appends to moves all that throw again: first the move that "greedy" (a computer player) prefers, then the
// moves that keep more dice before those that keep fewer. offers holds the rows that may be written.
func (m match) appendKeeps(moves []games.Move, offers []offer) []games.Move {
	best := m.greedyKeep(offers)
	if best != m.plan.all {
		moves = append(moves, m.plan.keepMove(best))
	}
	for _, k := range keepings[m.plan.paper.Dice]().sets {
		if k != best {
			moves = append(moves, m.plan.keepMove(k))
		}
	}
	return moves
}

// keepMove returns the move that keeps the dice in k and throws the others.
func (p *plan) keepMove(k games.DiceSet) games.Move { return keepings[p.paper.Dice]().moves[k] }

// keeping holds all sets of dice that can be kept before another throw, the largest first, and the move of every set.
type keeping struct {
	sets  []games.DiceSet
	moves []games.Move
}

// keepings holds, by number of dice, functions that return the keeping of that many dice, which must not be changed.
var keepings = func() (all [maxDice + 1]func() *keeping) {
	for dice := range all {
		all[dice] = sync.OnceValue(func() *keeping { return newKeeping(dice) })
	}
	return all
}()

// newKeeping returns the sets of that many dice that can be kept, and the moves that keep them.
func newKeeping(dice int) *keeping {
	k := &keeping{}
	for set := range games.DiceSet(1) << dice {
		k.sets = append(k.sets, set)
		k.moves = append(k.moves, games.Move("keep "+set.Spell(dice)))
	}
	k.sets = k.sets[:len(k.sets)-1]
	slices.SortStableFunc(k.sets, func(a, b games.DiceSet) int { return b.Count() - a.Count() })
	return k
}

// showing returns the leftmost dice of the hand that show face; most is the largest number to return.
func (h hand) showing(face, most int) games.DiceSet {
	var k games.DiceSet
	for position, shown := range h {
		if int(shown) == face && most > 0 {
			k |= 1 << position
			most--
		}
	}
	return k
}

// keptCounts returns how many dice in k show each face.
func (m match) keptCounts(k games.DiceSet) counts {
	var c counts
	for position, face := range m.hand {
		if k.Has(position) {
			c[face]++
		}
	}
	return c
}
