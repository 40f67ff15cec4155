package sheet

import "math/bits"

// rowSet is a set of rows, one bit each; the topmost row is the lowest bit.
type rowSet uint32

func (s rowSet) has(r int) bool { return s>>r&1 == 1 }
func (s rowSet) size() int      { return bits.OnesCount32(uint32(s)) }

// position is the state of one page before a turn, as far as it matters to perfect play.
type position struct {
	upper rowSet // the open rows of the section with a bonus, by their index in it
	rest  int    // the number of the state of the other rows
	sum   int    // of the filled rows of the section with a bonus
	left  int    // the number of turns left
}

// positions numbers the positions of a page.
//
// A sum of the section matters only while it can still change the bonus: sums from which the section can no longer
// reach a step, or can no longer miss it, count as one, and all sums do if too few turns are left for its open rows.
type positions struct {
	plan   *plan
	upper  []int // the rows of the section with a bonus
	others []restRow
	whole  rowSet           // all rows of the section
	rests  []rest           // by number, all others open first
	sums   []sums           // by open rows of the section
	leaps  [][maxFaces]leap // by open rows of the section, and the row of it that is filled
	waves  []wave           // by turns left
}

// restRow is a row outside the section with a bonus. The number of a rest has one digit for it: how many of its places
// are filled or, if it matters whether it holds points, 0 if it is open, 1 if struck, 2 if written.
type restRow struct {
	row     int
	digit   int // the place value of its digit
	digits  int
	flags   bool
	with    int  // the row that must hold points already, or -1
	strikes bool // it may be struck
}

// rest is a state of the rows outside the section with a bonus.
type rest struct {
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
		other := restRow{row: r, digit: digit, digits: p.rows[r].count + 1, flags: p.flags(r), with: p.rows[r].with}
		other.strikes = p.rows[r].strikes() && !p.paper.Misses
		if other.flags {
			other.digits = 3
		}
		digit *= other.digits
		at.others = append(at.others, other)
	}
	at.rests = make([]rest, digit)
	for i := range at.rests {
		for _, o := range at.others {
			digit := i / o.digit % o.digits
			left := o.digits - 1 - digit
			if o.flags {
				left = 1 - min(digit, 1)
			}
			if left > 0 {
				at.rests[i].open |= 1 << o.row
				at.rests[i].left += left
			}
		}
	}
	at.sums = make([]sums, at.whole+1)
	for upper := range at.sums {
		at.sums[upper] = at.sumsBeside(rowSet(upper))
	}
	at.leaps = at.newLeaps()
	at.waves = at.newWaves()
	return at
}

// flags reports whether it matters to the value of a page that row r holds points.
func (p *plan) flags(r int) bool {
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

// comesUp reports whether a position is possible in the order of the sheet.
func (at *positions) comesUp(upper rowSet, number int) bool {
	switch at.plan.paper.Order {
	case Parts:
		return upper == 0 || number == 0
	case Top:
		open := at.openRows(upper, number)
		return open == 0 || bits.TrailingZeros32(uint32(open))+open.size() == len(at.plan.rows)
	}
	return true
}

// openRows returns all rows with an open place.
func (at *positions) openRows(upper rowSet, number int) rowSet {
	open := at.rests[number].open
	for i, r := range at.upper {
		if upper.has(i) {
			open |= 1 << r
		}
	}
	return open
}

// fillable returns the rows that the order of the sheet allows to fill: those of the section by their index in it, and
// the others.
func (at *positions) fillable(upper rowSet, number int) (section, others rowSet) {
	fills := at.plan.inOrder(AnyRow, at.openRows(upper, number))
	for i, r := range at.upper {
		if fills.has(r) {
			section |= 1 << i
		}
	}
	return section, fills & at.rests[number].open
}

// slot returns a pointer to the stored value of a position.
func (at *positions) slot(pos position) *float64 {
	place := 0
	if !at.bonusless(pos.upper, pos.left) {
		place = at.sums[pos.upper].at(pos.sum)
	}
	return &at.row(pos.upper, pos.rest, pos.left)[place]
}

// bonusless reports whether too few turns are left to complete the section.
func (at *positions) bonusless(upper rowSet, left int) bool {
	return at.plan.paper.Misses && left < upper.size()
}

// of returns the position that a page represents when its seat has that many turns left.
func (at *positions) of(g *page, left int) position {
	p := at.plan
	pos := position{left: left}
	for i, r := range at.upper {
		if p.closed(g, spot{0, r}) {
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
				pos.rest += 2 * o.digit
			} else if c.mark != open {
				pos.rest += o.digit
			}
		}
	}
	return pos
}
