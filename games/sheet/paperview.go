package sheet

import (
	"slices"

	"knobel/games"
)

// sheet returns the paper with everybody's columns: each section with its sum and its bonus, the total.
func (m match) sheet() *games.Sheet {
	p := m.plan
	paper := &games.Sheet{}
	if slices.ContainsFunc(p.rows, func(r row) bool { return r.doubles() }) {
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
	if p.paper.Again.Points > 0 {
		paper.Rows = append(paper.Rows, m.sumRow("further", false, func(g *page) int {
			return g.further * p.paper.Again.Points
		}))
	}
	paper.Rows = append(paper.Rows, m.sumRow("total", false, p.total))
	if p.paper.Final != nil {
		paper.Rows = append(paper.Rows, m.sumRow("points", false, p.score))
	}
	return paper
}

// touch puts the moves that write or strike a row into the cells of whoever is to move.
func (m match) touch(paper *games.Sheet, buttons [][]games.Button) {
	fills := map[string]games.Button{}
	for _, b := range slices.Concat(buttons...) {
		for r := range m.plan.rows {
			if at := (spot{0, r}); b.Move == m.plan.write(at) || b.Move == m.plan.strike(at) {
				fills[m.plan.set.Name+".row."+m.plan.rows[r].Name] = b
			}
		}
	}
	for _, row := range paper.Rows {
		if b, ok := fills[row.Name.Key]; ok {
			row.Cells[m.turn].Fill, row.Cells[m.turn].Label = b.Move, b.Label
		}
	}
}

// paperRow is a row that is written.
func (m match) paperRow(r int) games.SheetRow {
	p, name := m.plan, m.plan.rows[r].Name
	return m.row(p.say("row."+name, nil), p.say("short."+name, nil), p.rows[r].signed(), func(seat int) games.Cell {
		g, first := &m.pages[seat], p.place(spot{0, r})
		c := g.cells[first]
		cell := games.Cell{Mark: games.Written, Points: p.cellPoints(first, c)}
		switch {
		case c.mark == open:
			cell.Mark = m.unfilled(seat)
		case c.mark == struck:
			cell.Mark = games.Struck
		case c.moment.throw == 1 && p.rows[r].doubles():
			cell.Mark = games.Doubled
		}
		return cell
	})
}

// unfilled is the mark of what a seat has not filled: after its last turn, where turns may be given up, it is a dash.
func (m match) unfilled(seat int) games.Mark {
	if m.plan.paper.Misses && m.played(seat) == m.plan.rounds() {
		return games.Struck
	}
	return games.Open
}

// sumRows are the sum of a section and its bonus.
func (m match) sumRows(section int) []games.SheetRow {
	p, of := m.plan, m.plan.paper.Sections[section]
	rows := []games.SheetRow{m.sumRow(of.Name, of.signed(), func(g *page) int { return p.sectionSum(g, 0, section) })}
	if len(of.Bonus) == 0 {
		return rows
	}
	bonus := m.row(p.say("sum.bonus", nil), p.say("short.bonus", nil), of.signed(), func(seat int) games.Cell {
		points, booked := p.bonus(&m.pages[seat], 0, section)
		if !booked {
			return games.Cell{Mark: m.unfilled(seat)}
		}
		return games.Cell{Mark: games.Written, Points: points}
	})
	bonus.Sum = true
	return append(rows, bonus)
}

func (m match) sumRow(name string, signed bool, sum func(*page) int) games.SheetRow {
	p := m.plan
	total := m.row(p.say("sum."+name, nil), p.say("short."+name, nil), signed, func(seat int) games.Cell {
		return games.Cell{Mark: games.Written, Points: sum(&m.pages[seat])}
	})
	total.Sum = true
	return total
}

func (m match) row(name, short games.Line, signed bool, cell func(seat int) games.Cell) games.SheetRow {
	r := games.SheetRow{Name: name, Short: short, Signed: signed, Cells: make([]games.Cell, len(m.pages))}
	for seat := range r.Cells {
		r.Cells[seat] = cell(seat)
	}
	return r
}
