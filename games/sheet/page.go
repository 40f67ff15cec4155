package sheet

// mark is the state of a place on a page.
type mark uint8

const (
	open mark = iota
	written
	struck
)

// cell is one place of one seat. It stores the dice that it was written with, and the resulting points.
type cell struct {
	mark   mark
	hand   hand
	moment moment // throw is 1, or a later one if the row's points depend on it; else 0
	points int    // 0 unless mark is written
}

// page is the sheet of one seat.
type page struct {
	cells   []cell // shared by matches, so it is copied before a change
	further int    // turns that ended with all dice equal while their row held points
	saved   int    // throws left for later turns
}

// writes returns a place of row r that is written with a hand; kept is the moment as plan.kept returns it.
func (p *plan) writes(r int, h hand, kept moment) cell {
	points, there := p.points(r, p.counts(h), kept)
	if !there { // a joker
		points = p.rows[r].Points.Plus
	}
	return cell{written, h, kept, points}
}

// rowAt returns the row that a place belongs to.
func (p *plan) rowAt(at int) int {
	at %= p.places / len(p.columns)
	for r := range p.rows {
		if at < p.rows[r].first+p.rows[r].count {
			return r
		}
	}
	return len(p.rows) - 1
}

// rowSum returns the sum of the places of a spot.
func (p *plan) rowSum(g *page, s spot) int {
	sum, first := 0, p.place(s)
	for at := first; at < first+p.rows[s.row].count; at++ {
		sum += g.cells[at].points
	}
	return sum
}

// openPlace returns the first open place of a spot, and false if it is full.
func (p *plan) openPlace(g *page, s spot) (at int, there bool) {
	first := p.place(s)
	for at := first; at < first+p.rows[s.row].count; at++ {
		if g.cells[at].mark == open {
			return at, true
		}
	}
	return 0, false
}

// holds reports whether row r has points in any column.
func (p *plan) holds(g *page, r int) bool {
	for column := range p.columns {
		if p.rowSum(g, spot{column, r}) > 0 {
			return true
		}
	}
	return false
}

// full reports whether row r has no open place in any column.
func (p *plan) full(g *page, r int) bool {
	for column := range p.columns {
		if _, there := p.openPlace(g, spot{column, r}); there {
			return false
		}
	}
	return true
}

// sectionSum returns the sum of a section in a column, without its bonus.
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
			if !p.closed(g, spot{column, r}) {
				return 0
			}
		}
	}
	if times == "" {
		return sum
	}
	return max(rows[0]-rows[1], 0) * p.rowSum(g, spot{column, p.rowNamed(times)})
}

// closed reports whether a spot has no open place.
func (p *plan) closed(g *page, s spot) bool {
	_, there := p.openPlace(g, s)
	return !there
}

// bonus returns the bonus of a section in a column, and whether it is certain: its open rows can no longer make it
// less, or more if it costs points.
func (p *plan) bonus(g *page, column, section int) (points int, booked bool) {
	points, whole := p.wholeBonus(g, column, section)
	if of := p.paper.Sections[section]; whole || len(of.Bonus) == 0 || p.paper.Misses {
		return points, whole
	}
	lowest := p.sectionSum(g, column, section)
	highest := lowest
	for r := range p.rows {
		if p.rows[r].section == section && !p.closed(g, spot{column, r}) {
			lowest += p.faceWorth(r, 0)
			highest += p.faceWorth(r, p.paper.Dice)
		}
	}
	return p.paper.Sections[section].sure(lowest, highest)
}

// sure returns the bonus that is certain if the final sum is from lowest to highest, and whether there is one.
func (s Section) sure(lowest, highest int) (points int, sure bool) {
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

// beforehand returns the bonuses in the total that are certain although their sections are not complete.
func (p *plan) beforehand(g *page) (points int) {
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

// wholeBonus returns the bonus of a section in a column, and false if not all of its rows are written.
func (p *plan) wholeBonus(g *page, column, section int) (points int, whole bool) {
	for r := range p.rows {
		if p.rows[r].section != section {
			continue
		}
		first := p.place(spot{column, r})
		for at := first; at < first+p.rows[r].count; at++ {
			if g.cells[at].mark != written {
				return 0, false
			}
		}
	}
	return p.paper.Sections[section].bonusFor(p.sectionSum(g, column, section)), true
}

// bonusFor returns the bonus of a complete section with this sum.
func (s Section) bonusFor(sum int) int { return stepFor(s.Bonus, sum) }

// stepFor returns the points of the last step that sum reaches, 0 if it reaches none.
func stepFor(steps []Step, sum int) (points int) {
	for _, step := range steps {
		if sum >= step.From {
			points = step.Points
		}
	}
	return points
}

// columnSum returns the sum of all sections in a column, with bonuses.
func (p *plan) columnSum(g *page, column int) int {
	sum := 0
	for section := range p.paper.Sections {
		bonus, _ := p.bonus(g, column, section)
		sum += p.sectionSum(g, column, section) + bonus
	}
	return sum
}

// total returns the sum of everything on a page.
func (p *plan) total(g *page) int {
	sum := g.further * p.paper.Again.Points
	for column := range p.columns {
		sum += p.columnSum(g, column)
	}
	return sum
}

// score returns the points that decide the places: those of Paper.Final if there is one, else the total.
func (p *plan) score(g *page) int {
	f := p.paper.Final
	if f == nil {
		return p.total(g)
	}
	points := stepFor(f.Totals, p.total(g))
	for _, s := range f.Sums {
		if p.rowSum(g, spot{0, p.rowNamed(s.Row)}) >= s.From {
			points += s.Points
		}
	}
	for _, clean := range f.Clean {
		if p.marked(g, clean.Row, struck) == 0 {
			points += clean.Points
		}
	}
	return points + f.Each.Points*p.marked(g, f.Each.Row, written)
}

// marked returns how many places of the row called name have mark m.
func (p *plan) marked(g *page, name string, m mark) int {
	n, r := 0, p.rowNamed(name)
	first := p.place(spot{0, r})
	for at := first; at < first+p.rows[r].count; at++ {
		if g.cells[at].mark == m {
			n++
		}
	}
	return n
}

// filled returns how many places are not open.
func (g *page) filled() int {
	n := 0
	for _, c := range g.cells {
		if c.mark != open {
			n++
		}
	}
	return n
}
