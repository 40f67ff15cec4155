package sheet

// mark says what stands in a place of a page.
type mark uint8

const (
	open mark = iota
	written
	struck
)

// cell is one place of one seat. It keeps the dice that it was written with, and the points that follow from them.
type cell struct {
	mark   mark
	hand   hand
	moment moment // throw is 1, or the number that the row's points ask for; else 0
	points int    // 0 where nothing is written
}

// page is what one seat has written.
type page struct {
	cells   []cell // shared by matches, changed in a copy
	further int    // turns that ended with all dice equal while their row held points
	saved   int    // throws left for later turns
}

// writes returns a place of a row that is written with a hand, at a moment as the row keeps it.
func (p *plan) writes(r int, h hand, kept moment) cell {
	points, there := p.points(r, p.counts(h), kept)
	if !there { // a joker
		points = p.rows[r].Points.Plus
	}
	return cell{written, h, kept, points}
}

// rowAt returns the row of a place.
func (p *plan) rowAt(at int) int {
	at %= p.places / len(p.columns)
	for r := range p.rows {
		if at < p.rows[r].first+p.rows[r].count {
			return r
		}
	}
	return len(p.rows) - 1
}

// rowSum adds up the places of a spot.
func (p *plan) rowSum(g *page, s spot) int {
	sum, first := 0, p.place(s)
	for at := first; at < first+p.rows[s.row].count; at++ {
		sum += g.cells[at].points
	}
	return sum
}

// openPlace returns the first open place of a spot, and false where it is full.
func (p *plan) openPlace(g *page, s spot) (at int, there bool) {
	first := p.place(s)
	for at := first; at < first+p.rows[s.row].count; at++ {
		if g.cells[at].mark == open {
			return at, true
		}
	}
	return 0, false
}

// holds reports whether a row has points in some column.
func (p *plan) holds(g *page, r int) bool {
	for column := range p.columns {
		if p.rowSum(g, spot{column, r}) > 0 {
			return true
		}
	}
	return false
}

// full reports whether a row has no open place.
func (p *plan) full(g *page, r int) bool {
	for column := range p.columns {
		if _, there := p.openPlace(g, spot{column, r}); there {
			return false
		}
	}
	return true
}

// sectionSum adds up the rows of a section in a column, without its bonus.
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

// bonus returns what a section brings in a column beside its rows, and whether that is certain: whatever its open rows
// are written with, it is no less; or no more, where it costs points.
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

// sure returns the bonus that all sums between two have at least, and whether it brings points, or costs some.
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

// beforehand returns what the total has of bonuses that are certain, while their sections are not whole.
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

// wholeBonus returns what a section brings in a column once all its rows are written, and whether that is so.
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

// bonusFor returns the bonus of a whole section with this sum.
func (s Section) bonusFor(sum int) int { return stepFor(s.Bonus, sum) }

// stepFor returns what the steps give for a sum: nothing below the first.
func stepFor(steps []Step, sum int) (points int) {
	for _, step := range steps {
		if sum >= step.From {
			points = step.Points
		}
	}
	return points
}

// columnSum adds up everything in a column.
func (p *plan) columnSum(g *page, column int) int {
	sum := 0
	for section := range p.paper.Sections {
		bonus, _ := p.bonus(g, column, section)
		sum += p.sectionSum(g, column, section) + bonus
	}
	return sum
}

// total adds up everything on a page.
func (p *plan) total(g *page) int {
	sum := g.further * p.paper.Again.Points
	for column := range p.columns {
		sum += p.columnSum(g, column)
	}
	return sum
}

// score returns what places go by: the points of the final map where there is one, else the total.
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

// marked counts the places of a row with a mark.
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

// filled counts the places that are not open.
func (g *page) filled() int {
	n := 0
	for _, c := range g.cells {
		if c.mark != open {
			n++
		}
	}
	return n
}
