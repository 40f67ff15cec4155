package wuerfelpoker

// mark says what stands in a cell of the sheet.
type mark uint8

const (
	open mark = iota
	written
	writtenFirst // directly after the first throw
	struck
)

// cell is one row of one seat. It keeps the dice that it was written with;
// its points follow from them.
type cell struct {
	mark mark
	hand hand
}

func (c cell) filled() bool { return c.mark == written || c.mark == writtenFirst }

// sheet is what one seat has written.
type sheet [rows]cell

// cellPoints returns the points of a row, 0 where nothing is written.
func (r *rules) cellPoints(s *sheet, w row) int {
	c := s[w]
	if !c.filled() {
		return 0
	}
	points, _ := r.points(w, c.hand, c.mark == writtenFirst)
	return points
}

// sum adds up the rows from first to last.
func (r *rules) sum(s *sheet, first, last row) int {
	sum := 0
	for w := first; w <= last; w++ {
		sum += r.cellPoints(s, w)
	}
	return sum
}

func (r *rules) school(s *sheet) int { return r.sum(s, ones, sixes) }

// bonus returns what the school brings beside its rows, and whether that is
// decided: with its sixth row.
func (r *rules) bonus(s *sheet) (points int, booked bool) {
	for w := ones; w <= sixes; w++ {
		if !s[w].filled() {
			return 0, false
		}
	}
	return r.bonusFor(r.school(s)), true
}

// bonusFor returns the bonus of a whole school with this sum.
func (r *rules) bonusFor(school int) int {
	switch {
	case school >= 0 && r.plus:
		return schoolBonus
	case school < 0 && r.minus:
		return -schoolBonus
	}
	return 0
}

// total adds up everything on a sheet.
func (r *rules) total(s *sheet) int {
	bonus, _ := r.bonus(s)
	return r.sum(s, ones, chance) + bonus
}

// open counts the open rows from first to last.
func (s *sheet) open(first, last row) int {
	n := 0
	for w := first; w <= last; w++ {
		if s[w].mark == open {
			n++
		}
	}
	return n
}
