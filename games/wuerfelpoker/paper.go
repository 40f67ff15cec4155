package wuerfelpoker

import (
	"slices"

	"knobel/games"
)

// sheet returns the paper with everybody's columns: the school with its sum
// and its bonus, the combinations with their sum, the total.
func (m match) sheet() *games.Sheet {
	paper := &games.Sheet{Star: say("star", nil)}
	for w := ones; w <= sixes; w++ {
		paper.Rows = append(paper.Rows, m.paperRow(w))
	}
	paper.Rows = append(paper.Rows, m.sumRow("school", true, m.rules.school))
	if m.rules.plus || m.rules.minus {
		paper.Rows = append(paper.Rows, m.bonusRow())
	}
	for w := pair; w <= chance; w++ {
		paper.Rows = append(paper.Rows, m.paperRow(w))
	}
	combinations := func(s *sheet) int { return m.rules.sum(s, pair, chance) }
	paper.Rows = append(paper.Rows, m.sumRow("combinations", false, combinations),
		m.sumRow("total", false, m.rules.total))
	return paper
}

// touch puts the moves that write or strike a row into the cells of whoever is to move.
func (m match) touch(paper *games.Sheet, buttons [][]games.Button) {
	fills := map[string]games.Button{}
	for _, b := range slices.Concat(buttons...) {
		if w, ok := rowOf[b.Move]; ok {
			fills[string(w.name())] = b
		}
	}
	for _, row := range paper.Rows {
		if b, ok := fills[row.Name.Key]; ok {
			row.Cells[m.turn].Fill, row.Cells[m.turn].Label = b.Move, b.Label
		}
	}
}

// rowOf are the rows that moves write or strike.
var rowOf = func() map[games.Move]row {
	all := map[games.Move]row{}
	for w := ones; w <= chance; w++ {
		all[writes[w]], all[strikeMoves[w]] = w, w
	}
	return all
}()

// paperRow is a row that is written.
func (m match) paperRow(w row) games.SheetRow {
	return m.row(games.Say(string(w.name()), nil), w.short(), w.school(), func(seat int) games.Cell {
		s := &m.sheets[seat]
		cell := games.Cell{Mark: games.Written, Points: m.rules.cellPoints(s, w)}
		switch s[w].mark {
		case open:
			cell.Mark = m.unfilled(seat)
		case struck:
			cell.Mark = games.Struck
		case writtenFirst:
			if m.rules.doubles(w) {
				cell.Mark = games.Doubled
			}
		}
		return cell
	})
}

// unfilled is the mark of what a seat has not filled: after its last round,
// with miss=deferred, it is a dash.
func (m match) unfilled(seat int) games.Mark {
	if m.played(seat) == rows {
		return games.Struck
	}
	return games.Open
}

func (m match) bonusRow() games.SheetRow {
	bonus := m.row(say("sum.bonus", nil), say("short.bonus", nil), true, func(seat int) games.Cell {
		points, booked := m.rules.bonus(&m.sheets[seat])
		if !booked {
			return games.Cell{Mark: m.unfilled(seat)}
		}
		return games.Cell{Mark: games.Written, Points: points}
	})
	bonus.Sum = true
	return bonus
}

func (m match) sumRow(name string, signed bool, sum func(*sheet) int) games.SheetRow {
	total := m.row(say("sum."+name, nil), say("short."+name, nil), signed, func(seat int) games.Cell {
		return games.Cell{Mark: games.Written, Points: sum(&m.sheets[seat])}
	})
	total.Sum = true
	return total
}

func (m match) row(name, short games.Line, signed bool, cell func(seat int) games.Cell) games.SheetRow {
	r := games.SheetRow{Name: name, Short: short, Signed: signed, Cells: make([]games.Cell, len(m.sheets))}
	for seat := range r.Cells {
		r.Cells[seat] = cell(seat)
	}
	return r
}
