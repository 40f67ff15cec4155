package sheet

// mark is the state of a place (cell of a page).
type mark uint8

const (
	open mark = iota
	written
	struck
)

// cell is one place of a seat's page: the dice that it was written with, and the resulting points.
type cell struct {
	mark   mark
	hand   hand
	moment moment // throw is 1 for a first throw; for a later one it is 0 unless the row's points depend on it
	points int    // 0 unless mark is written
}

// page is the sheet of one seat.
type page struct {
	cells   []cell // other matches share it, so it is copied before a change
	further int    // the number of turns with bonus points for equal dice
	saved   int    // the number of unused throws that later turns may use
}

// writtenCell returns the cell of row r written with hand h; stored is the throw of h as storedMoment returns it.
func (p *plan) writtenCell(r int, h hand, stored moment) cell {
	points, met := p.points(r, p.counts(h), stored)
	if !met { // a joker is written without meeting the need
		points = p.rows[r].Points.Plus
	}
	return cell{written, h, stored, points}
}

// rowOf returns the row to which a place (cell of a page) belongs; places are numbered column by column.
func (p *plan) rowOf(place int) int {
	place %= p.places / len(p.columns)
	for r := range p.rows {
		if place < p.rows[r].first+p.rows[r].count {
			return r
		}
	}
	return len(p.rows) - 1
}

// rowSum returns the sum of the points of spot s (a row in a column) on page g.
func (p *plan) rowSum(g *page, s spot) int {
	sum, first := 0, p.firstPlace(s)
	for place := first; place < first+p.rows[s.row].count; place++ {
		sum += g.cells[place].points
	}
	return sum
}

// openPlace returns the first open place of spot s (a row in a column) on page g, and false if there is none.
func (p *plan) openPlace(g *page, s spot) (place int, found bool) {
	first := p.firstPlace(s)
	for place := first; place < first+p.rows[s.row].count; place++ {
		if g.cells[place].mark == open {
			return place, true
		}
	}
	return 0, false
}

// rowHolds reports whether row r has points on page g, in any column.
func (p *plan) rowHolds(g *page, r int) bool {
	for column := range p.columns {
		if p.rowSum(g, spot{column, r}) > 0 {
			return true
		}
	}
	return false
}

// isFull reports whether row r has no open place on page g, in any column.
func (p *plan) isFull(g *page, r int) bool {
	for column := range p.columns {
		if _, found := p.openPlace(g, spot{column, r}); found {
			return false
		}
	}
	return true
}

// sectionSum returns the sum of a section in a column of page g, without its bonus.
func (p *plan) sectionSum(g *page, column, section int) int {
	sum, times := 0, p.paper.Sections[section].Times
	var rows []int
	for r := range p.rows {
		if p.rows[r].section != section {
			continue
		}
		points := p.rowSum(g, spot{column, r})
		sum += points
		if times != "" {
			rows = append(rows, points)
			if !p.isClosed(g, spot{column, r}) {
				return 0
			}
		}
	}
	if times == "" {
		return sum
	}
	return max(rows[0]-rows[1], 0) * p.rowSum(g, spot{column, p.rowNamed(times)})
}

// isClosed reports whether spot s (a row in a column) has no open place on page g.
func (p *plan) isClosed(g *page, s spot) bool {
	_, found := p.openPlace(g, s)
	return !found
}

// bonus returns the bonus of a section in a column of page g, and whether it is certain: open rows can no longer lower
// it or, if it is negative, raise it.
func (p *plan) bonus(g *page, column, section int) (points int, certain bool) {
	points, whole := p.wholeBonus(g, column, section)
	if of := p.paper.Sections[section]; whole || len(of.Bonus) == 0 || p.paper.Misses {
		return points, whole
	}
	lowest := p.sectionSum(g, column, section)
	highest := lowest
	for r := range p.rows {
		if p.rows[r].section == section && !p.isClosed(g, spot{column, r}) {
			lowest += p.facePoints(r, 0)
			highest += p.facePoints(r, p.paper.Dice)
		}
	}
	return p.paper.Sections[section].certainBonus(lowest, highest)
}

// certainBonus returns the smallest bonus (loss) if all sums from lowest to highest give a bonus (loss); else false.
func (s Section) certainBonus(lowest, highest int) (points int, certain bool) {
	least := s.bonusFor(lowest)
	most := least
	for _, step := range s.Bonus {
		if step.From > lowest && step.From <= highest {
			least, most = min(least, step.Points), max(most, step.Points)
		}
	}
	switch {
	case least > 0:
		return least, true
	case most < 0:
		return most, true
	}
	return 0, false
}

// earlyBonuses returns the sum of the bonuses of page g that are certain although their sections are not complete.
func (p *plan) earlyBonuses(g *page) (points int) {
	for column := range p.columns {
		for section := range p.paper.Sections {
			if _, whole := p.wholeBonus(g, column, section); !whole {
				bonus, _ := p.bonus(g, column, section)
				points += bonus
			}
		}
	}
	return points
}

// wholeBonus returns the bonus of a section in a column of page g, and false if not all its rows are written.
func (p *plan) wholeBonus(g *page, column, section int) (points int, whole bool) {
	for r := range p.rows {
		if p.rows[r].section != section {
			continue
		}
		first := p.firstPlace(spot{column, r})
		for place := first; place < first+p.rows[r].count; place++ {
			if g.cells[place].mark != written {
				return 0, false
			}
		}
	}
	return p.paper.Sections[section].bonusFor(p.sectionSum(g, column, section)), true
}

// bonusFor returns the bonus of a complete section with this sum.
func (s Section) bonusFor(sum int) int { return stepPoints(s.Bonus, sum) }

// stepPoints returns the points of the last step that sum reaches, 0 if it reaches none.
func stepPoints(steps []Step, sum int) (points int) {
	for _, step := range steps {
		if sum >= step.From {
			points = step.Points
		}
	}
	return points
}

// columnSum returns the sum of all sections in a column of page g, with bonuses.
func (p *plan) columnSum(g *page, column int) int {
	sum := 0
	for section := range p.paper.Sections {
		bonus, _ := p.bonus(g, column, section)
		sum += p.sectionSum(g, column, section) + bonus
	}
	return sum
}

// total returns the sum of all points on page g.
func (p *plan) total(g *page) int {
	sum := g.further * p.paper.Again.Points
	for column := range p.columns {
		sum += p.columnSum(g, column)
	}
	return sum
}

// score returns the points of page g that decide the places: those that Paper.Final gives or, without it, the total.
func (p *plan) score(g *page) int {
	f := p.paper.Final
	if f == nil {
		return p.total(g)
	}
	points := stepPoints(f.Totals, p.total(g))
	for _, s := range f.Sums {
		if p.rowSum(g, spot{0, p.rowNamed(s.Row)}) >= s.From {
			points += s.Points
		}
	}
	for _, clean := range f.Clean {
		if p.countMarked(g, clean.Row, struck) == 0 {
			points += clean.Points
		}
	}
	return points + f.Each.Points*p.countMarked(g, f.Each.Row, written)
}

// countMarked returns how many places of the row called name have the mark m on page g.
func (p *plan) countMarked(g *page, name string, m mark) int {
	n, r := 0, p.rowNamed(name)
	first := p.firstPlace(spot{0, r})
	for place := first; place < first+p.rows[r].count; place++ {
		if g.cells[place].mark == m {
			n++
		}
	}
	return n
}

// filledPlaces returns how many places are not open.
func (g *page) filledPlaces() int {
	n := 0
	for _, c := range g.cells {
		if c.mark != open {
			n++
		}
	}
	return n
}
