package sheet

import "math/bits"

// rowSet is a set of rows, one bit each; the topmost row is the lowest bit.
type rowSet uint32

func (s rowSet) has(r int) bool { return s>>r&1 == 1 }
func (s rowSet) size() int      { return bits.OnesCount32(uint32(s)) }

// position is the state of one page before a turn, as far as it matters to perfect play. Its rows are those of the
// bonus section (or, if Order is Parts, of the first section) and the other rows, whose state is one number.
type position struct {
	upper rowSet // the open rows of the bonus section, by their index in it
	state int    // the number of the state of the rows outside the bonus section
	sum   int    // the sum of the filled rows of the bonus section
	left  int    // the number of turns left
}

// positions holds all positions (states of a page before a turn) and their values: the points expected from then on.
//
// The sum of the bonus section matters only while it can still change the bonus. Sums from which no step can be reached
// any more count as one, and so do sums that are certain of the last step. All sums count as one if too few turns are
// left for the section's open rows.
type positions struct {
	plan   *plan
	upper  []int // the rows of the bonus section
	others []otherRow
	whole  rowSet           // all rows of the bonus section, by their index in it
	states []otherState     // the states of the rows outside the bonus section, by number; in the first all are open
	sums   []sums           // the possible sums, by open rows of the bonus section
	leaps  [][maxFaces]leap // by open rows of the bonus section and index of the filled row
	waves  []wave           // the values, by turns left
}

// otherRow is a row outside the bonus section. The state of all these rows is a number with one digit for each row: how
// many of its places are filled or, if flags is true, 0 for an open row, 1 for a struck and 2 for a written one.
type otherRow struct {
	row     int
	digit   int  // the place value of the row's digit in the number of a state
	digits  int  // how many different values the row's digit has
	flags   bool // it matters whether the row has points
	with    int  // the row that must already have points, or -1
	strikes bool // it may be struck
}

// otherState is one state of the other rows (the rows outside the bonus section): the rows and places still open.
type otherState struct {
	open rowSet // the rows with an open place
	left int    // the number of open places
}

// bonusSection returns the index of the section with a bonus, -1 if there is none.
func (p *plan) bonusSection() int {
	for i, s := range p.paper.Sections {
		if len(s.Bonus) > 0 {
			return i
		}
	}
	return -1
}

// newPositions returns the positions (states of a page before a turn) under p, without memory for their values.
func newPositions(p *plan) *positions {
	ps := &positions{plan: p}
	section, digit := p.bonusSection(), 1
	if p.paper.Order == Parts {
		section = 0
	}
	for r := range p.rows {
		if p.rows[r].section == section {
			ps.whole |= 1 << len(ps.upper)
			ps.upper = append(ps.upper, r)
			continue
		}
		other := otherRow{row: r, digit: digit, digits: p.rows[r].count + 1, flags: p.hasDependents(r),
			with: p.rows[r].with}
		other.strikes = p.rows[r].canBeStruck() && !p.paper.Misses
		if other.flags {
			other.digits = 3
		}
		digit *= other.digits
		ps.others = append(ps.others, other)
	}
	ps.states = make([]otherState, digit)
	for i := range ps.states {
		for _, o := range ps.others {
			digit := i / o.digit % o.digits
			left := o.digits - 1 - digit
			if o.flags {
				left = 1 - min(digit, 1)
			}
			if left > 0 {
				ps.states[i].open |= 1 << o.row
				ps.states[i].left += left
			}
		}
	}
	ps.sums = make([]sums, ps.whole+1)
	for upper := range ps.sums {
		ps.sums[upper] = ps.possibleSums(rowSet(upper))
	}
	ps.leaps = ps.newLeaps()
	ps.waves = ps.newWaves()
	return ps
}

// hasDependents reports whether the points of later turns depend on whether row r has points.
func (p *plan) hasDependents(r int) bool {
	if p.paper.Again.Points > 0 && r == p.again {
		return true
	}
	for i := range p.rows {
		if p.rows[i].with == r {
			return true
		}
	}
	return false
}

// isPossible reports whether the order of the sheet can lead to a page on which the rows upper of the bonus section are
// open and number is the state of the other rows.
func (ps *positions) isPossible(upper rowSet, number int) bool {
	switch ps.plan.paper.Order {
	case Parts:
		return upper == 0 || number == 0
	case Top:
		open := ps.openRows(upper, number)
		return open == 0 || bits.TrailingZeros32(uint32(open))+open.size() == len(ps.plan.rows)
	}
	return true
}

// openRows returns all open rows of a page: those of the bonus section are in upper; number is the other rows' state.
func (ps *positions) openRows(upper rowSet, number int) rowSet {
	open := ps.states[number].open
	for i, r := range ps.upper {
		if upper.has(i) {
			open |= 1 << r
		}
	}
	return open
}

// fillableRows returns the rows that the order of the sheet allows to fill when upper holds the open rows of the bonus
// section and number is the state of the other rows. section holds rows by their index in the bonus section.
func (ps *positions) fillableRows(upper rowSet, number int) (section, others rowSet) {
	fills := ps.plan.rowsInOrder(AnyRow, ps.openRows(upper, number))
	for i, r := range ps.upper {
		if fills.has(r) {
			section |= 1 << i
		}
	}
	return section, fills & ps.states[number].open
}

// valueAt returns a pointer to the stored value of a position: the points expected from it on.
func (ps *positions) valueAt(pos position) *float64 {
	place := 0
	if !ps.bonusOutOfReach(pos.upper, pos.left) {
		place = ps.sums[pos.upper].indexOf(pos.sum)
	}
	return &ps.valuesOf(pos.upper, pos.state, pos.left)[place]
}

// bonusOutOfReach reports whether turnsLeft turns are too few to fill upper, the open rows of the bonus section.
func (ps *positions) bonusOutOfReach(upper rowSet, turnsLeft int) bool {
	return ps.plan.paper.Misses && turnsLeft < upper.size()
}

// positionOf returns the position (state before a turn) of page g when its seat has turnsLeft turns left.
func (ps *positions) positionOf(g *page, turnsLeft int) position {
	p := ps.plan
	pos := position{left: turnsLeft}
	for i, r := range ps.upper {
		if p.isClosed(g, spot{0, r}) {
			pos.sum += p.rowSum(g, spot{0, r})
		} else {
			pos.upper |= 1 << i
		}
	}
	if pos.upper == 0 {
		pos.sum = 0
	}
	for _, o := range ps.others {
		for place := range p.rows[o.row].count {
			if c := g.cells[p.rows[o.row].first+place]; c.mark == written && o.flags {
				pos.state += 2 * o.digit
			} else if c.mark != open {
				pos.state += o.digit
			}
		}
	}
	return pos
}
