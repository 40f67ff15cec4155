package sheet

import "math/bits"

// rowSet is a set of rows, one bit each; the topmost row is the lowest bit.
type rowSet uint32

func (s rowSet) has(r int) bool { return s>>r&1 == 1 }
func (s rowSet) size() int      { return bits.OnesCount32(uint32(s)) }

// position is the state of one page before a turn, as far as it matters to perfect play. The bonus section is the
// section with a bonus, the other rows are those outside it.
type position struct {
	upper rowSet // the open rows of the bonus section, by their index in it
	state int    // the number of the state of the other rows
	sum   int    // the sum of the filled rows of the bonus section
	left  int    // the number of turns left
}

// positions numbers the positions of a page and holds their values.
//
// A sum of the bonus section matters only while it can still change the bonus. Sums from which the section can no
// longer reach a step, or can no longer miss it, count as one. All sums do if too few turns are left for its open rows.
type positions struct {
	plan   *plan
	upper  []int // the rows of the bonus section
	others []otherRow
	whole  rowSet           // all rows of the bonus section, by their index in it
	states []otherState     // the states of the other rows, by number; in the first all are open
	sums   []sums           // the possible sums, by open rows of the bonus section
	leaps  [][maxFaces]leap // by open rows of the bonus section and index of the filled row
	waves  []wave           // the values, by turns left
}

// otherRow is a row outside the bonus section. The number of a state of these rows has one digit for each: the number
// of filled places or, if flags is true, 0 for an open row, 1 for a struck and 2 for a written one.
type otherRow struct {
	row     int
	digit   int  // the place value of its digit
	digits  int  // the number of values of its digit
	flags   bool // it matters whether the row has points
	with    int  // the row that must already have points, or -1
	strikes bool // it may be struck
}

// otherState is a state of the other rows.
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

// newPositions returns the positions of a page under p, without memory for their values.
func newPositions(p *plan) *positions {
	at := &positions{plan: p}
	section, digit := p.bonusSection(), 1
	if p.paper.Order == Parts {
		section = 0
	}
	for r := range p.rows {
		if p.rows[r].section == section {
			at.whole |= 1 << len(at.upper)
			at.upper = append(at.upper, r)
			continue
		}
		other := otherRow{row: r, digit: digit, digits: p.rows[r].count + 1, flags: p.needsFlag(r),
			with: p.rows[r].with}
		other.strikes = p.rows[r].canBeStruck() && !p.paper.Misses
		if other.flags {
			other.digits = 3
		}
		digit *= other.digits
		at.others = append(at.others, other)
	}
	at.states = make([]otherState, digit)
	for i := range at.states {
		for _, o := range at.others {
			digit := i / o.digit % o.digits
			left := o.digits - 1 - digit
			if o.flags {
				left = 1 - min(digit, 1)
			}
			if left > 0 {
				at.states[i].open |= 1 << o.row
				at.states[i].left += left
			}
		}
	}
	at.sums = make([]sums, at.whole+1)
	for upper := range at.sums {
		at.sums[upper] = at.possibleSums(rowSet(upper))
	}
	at.leaps = at.newLeaps()
	at.waves = at.newWaves()
	return at
}

// needsFlag reports whether it matters to the value of a page that row r has points: other rows depend on it.
func (p *plan) needsFlag(r int) bool {
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

// isPossible reports whether the order of the sheet allows that the rows upper of the bonus section are open while the
// other rows are in the state with this number.
func (at *positions) isPossible(upper rowSet, number int) bool {
	switch at.plan.paper.Order {
	case Parts:
		return upper == 0 || number == 0
	case Top:
		open := at.openRows(upper, number)
		return open == 0 || bits.TrailingZeros32(uint32(open))+open.size() == len(at.plan.rows)
	}
	return true
}

// openRows returns all open rows: the rows upper of the bonus section, and those of the state with this number.
func (at *positions) openRows(upper rowSet, number int) rowSet {
	open := at.states[number].open
	for i, r := range at.upper {
		if upper.has(i) {
			open |= 1 << r
		}
	}
	return open
}

// fillableRows returns the rows that the order of the sheet allows to fill when the rows upper of the bonus section are
// open and the other rows in the state with this number. Those of the bonus section are numbered by their index in it.
func (at *positions) fillableRows(upper rowSet, number int) (section, others rowSet) {
	fills := at.plan.rowsInOrder(AnyRow, at.openRows(upper, number))
	for i, r := range at.upper {
		if fills.has(r) {
			section |= 1 << i
		}
	}
	return section, fills & at.states[number].open
}

// valueAt returns a pointer to the stored value of a position.
func (at *positions) valueAt(pos position) *float64 {
	place := 0
	if !at.bonusOutOfReach(pos.upper, pos.left) {
		place = at.sums[pos.upper].indexOf(pos.sum)
	}
	return &at.valuesOf(pos.upper, pos.state, pos.left)[place]
}

// bonusOutOfReach reports whether turnsLeft turns are too few to fill the open rows upper of the bonus section.
func (at *positions) bonusOutOfReach(upper rowSet, turnsLeft int) bool {
	return at.plan.paper.Misses && turnsLeft < upper.size()
}

// positionOf returns the position of page g when its seat has turnsLeft turns left.
func (at *positions) positionOf(g *page, turnsLeft int) position {
	p := at.plan
	pos := position{left: turnsLeft}
	for i, r := range at.upper {
		if p.isClosed(g, spot{0, r}) {
			pos.sum += p.rowSum(g, spot{0, r})
		} else {
			pos.upper |= 1 << i
		}
	}
	if pos.upper == 0 {
		pos.sum = 0
	}
	for _, o := range at.others {
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
