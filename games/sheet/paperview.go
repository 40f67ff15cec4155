package sheet

import (
	"slices"

	"knobel/games"
)

// sheet returns the score sheet with the columns of all seats: each section with its sum and its bonus, then the total.
func (m match) sheet() *games.Sheet {
	p := m.plan
	paper := &games.Sheet{Parts: p.parts()}
	if slices.ContainsFunc(p.rows, func(r row) bool { return r.canDouble() }) {
		paper.Star = p.say("star", nil)
	}
	for section, of := range p.paper.Sections {
		for r := range p.rows {
			if p.rows[r].section == section {
				paper.Rows = append(paper.Rows, m.paperRow(r))
			}
		}
		if of.Name != "" {
			paper.Rows = append(paper.Rows, m.sumRows(section)...)
		}
	}
	if len(p.columns) > 1 {
		paper.Rows = append(paper.Rows, m.sumRow("column", false, p.columnSum))
	}
	if p.paper.Again.Points > 0 {
		paper.Rows = append(paper.Rows, m.pageSumRow("further", func(g *page) int {
			return g.further * p.paper.Again.Points
		}))
	}
	paper.Rows = append(paper.Rows, m.pageSumRow("total", p.total))
	if p.paper.Final != nil {
		points := m.pageSumRow("points", p.score)
		for seat := range m.pages {
			if m.pages[seat].filledPlaces() < p.places {
				points.Cells[seat*p.wide] = games.Cell{Mark: games.Open}
			}
		}
		paper.Rows = append(paper.Rows, points)
	}
	return paper
}

// parts returns the names of each seat's columns on the score sheet: those of the paper or, if rows are filled several
// times, one for each place of a row. It returns nil if there is only one column.
func (p *plan) parts() []games.Part {
	var parts []games.Part
	for _, c := range p.columns {
		if len(p.columns) > 1 {
			parts = append(parts, games.Part{Name: p.say("column."+c.Name, nil), Short: p.say("sign."+c.Name, nil)})
		}
	}
	for place := range p.wide {
		if len(p.columns) == 1 && p.wide > 1 {
			args := games.Args{"N": place + 1}
			parts = append(parts, games.Part{Name: p.say("place", args), Short: p.say("sign.place", args)})
		}
	}
	return parts
}

// placeIn returns the place of row r in a seat's column with the number part, and false if there is none.
func (p *plan) placeIn(r, part int) (place int, exists bool) {
	if len(p.columns) > 1 {
		return p.firstPlace(spot{part, r}), true
	}
	return p.firstPlace(spot{0, r}) + part, part < p.rows[r].count
}

// setFills sets Fill and Label of those of the mover's cells in paper that one of buttons fills or calls.
func (m match) setFills(paper *games.Sheet, buttons [][]games.Button) {
	p := m.plan
	fills := map[int]games.Button{}
	for _, b := range slices.Concat(buttons...) {
		if place, ok := m.placeOf(b.Move); ok {
			fills[place] = b
		}
	}
	for r := range p.rows {
		key := p.name("row."+p.rows[r].Name, nil).Key
		row := paper.Rows[slices.IndexFunc(paper.Rows, func(row games.SheetRow) bool { return row.Name.Key == key })]
		for part := range p.wide {
			place, exists := p.placeIn(r, part)
			if b, fills := fills[place]; exists && fills {
				cell := &row.Cells[m.turn*p.wide+part]
				cell.Fill, cell.Label = b.Move, b.Label
			}
		}
	}
}

// paperRow returns row r of the plan for the score sheet.
func (m match) paperRow(r int) games.SheetRow {
	p, name := m.plan, m.plan.rows[r].Name
	say := func(of string) games.Line { return p.name(of+"."+name, nil) }
	return m.row(say("row"), say("short"), p.rows[r].isSigned(), func(seat, part int) games.Cell {
		place, exists := p.placeIn(r, part)
		if !exists {
			return games.Cell{Mark: games.Blank}
		}
		c := m.pages[seat].cells[place]
		cell := games.Cell{Mark: games.Written, Points: c.points}
		switch {
		case c.mark == open:
			cell.Mark = m.unfilledMark(seat)
		case c.mark == struck:
			cell.Mark = games.Struck
		case c.moment.throw == 1 && p.rows[r].canDouble():
			cell.Mark = games.Doubled
		}
		return cell
	})
}

// unfilledMark returns the mark of an open place of seat: struck if no turn is left that could fill it, else open.
func (m match) unfilledMark(seat int) games.Mark {
	if m.plan.paper.Misses && m.roundsPlayed(seat) == m.plan.places {
		return games.Struck
	}
	return games.Open
}

// sumRows returns the row with a section's sum and, if the section has a bonus, the row with the bonus.
func (m match) sumRows(section int) []games.SheetRow {
	p, of := m.plan, m.plan.paper.Sections[section]
	rows := []games.SheetRow{m.sumRow(of.Name, of.isSigned(), func(g *page, column int) int {
		return p.sectionSum(g, column, section)
	})}
	if len(of.Bonus) == 0 {
		return rows
	}
	bonus := m.row(p.say("sum.bonus", nil), p.say("short.bonus", nil), of.isSigned(), func(seat, part int) games.Cell {
		if part >= len(p.columns) {
			return games.Cell{Mark: games.Blank}
		}
		points, certain := p.bonus(&m.pages[seat], part, section)
		if !certain {
			return games.Cell{Mark: m.unfilledMark(seat)}
		}
		return games.Cell{Mark: games.Written, Points: points}
	})
	bonus.Sum = true
	return append(rows, bonus)
}

// pageSumRow returns the row with the key name that shows what sum gives for each seat's page, in its first column.
func (m match) pageSumRow(name string, sum func(*page) int) games.SheetRow {
	total := m.sumRow(name, false, func(g *page, _ int) int { return sum(g) })
	for i := range total.Cells {
		if i%m.plan.wide > 0 {
			total.Cells[i] = games.Cell{Mark: games.Blank}
		}
	}
	return total
}

// sumRow returns the row with the key name that shows what sum gives for each column; signed: with a plus or minus.
func (m match) sumRow(name string, signed bool, sum func(g *page, column int) int) games.SheetRow {
	p := m.plan
	row := m.row(p.name("sum."+name, nil), p.name("short."+name, nil), signed, func(seat, part int) games.Cell {
		if part >= len(p.columns) {
			return games.Cell{Mark: games.Blank}
		}
		return games.Cell{Mark: games.Written, Points: sum(&m.pages[seat], part)}
	})
	row.Sum = true
	return row
}

// row returns a row of the score sheet; if signed, with + or −. cell returns the cell in a seat's column number part.
func (m match) row(name, short games.Line, signed bool, cell func(seat, part int) games.Cell) games.SheetRow {
	r := games.SheetRow{Name: name, Short: short, Signed: signed}
	r.Cells = make([]games.Cell, 0, len(m.pages)*m.plan.wide)
	for seat := range m.pages {
		for part := range m.plan.wide {
			r.Cells = append(r.Cells, cell(seat, part))
		}
	}
	return r
}
