package terminal

// Choosing a row of a score sheet by typing its name.

import (
	"slices"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// cell is a cell of the score sheet that can be filled now.
type cell struct {
	press, label string
	column       string   // the name of its column, if a seat has several
	verb         string   // "write", "strike" or "call"
	row          string   // the row's name, with its column if several of the row can be filled
	names        []string // all names of the row, in lower case
}

// fillableCells returns the cells of the sheet on m that can be filled now.
func fillableCells(m chat.Message) (all []cell) {
	if m.Sheet == nil {
		return nil
	}
	for _, row := range m.Sheet.Rows {
		first := len(all)
		for i, c := range row.Cells {
			if c.Press == "" {
				continue
			}
			verb, id := moveOf(c.Press)
			one := cell{press: c.Press, label: c.Label, verb: verb, row: row.Label}
			if i < len(m.Sheet.Columns) {
				one.column = m.Sheet.Columns[i].Column
			}
			for _, name := range append(rowNames(m, row, i), id, strings.ReplaceAll(id, "-", " "), c.Label) {
				one.names = append(one.names, strings.ToLower(name))
			}
			all = append(all, one)
		}
		for i := first; i < len(all) && len(all) > first+1; i++ {
			all[i].row = strings.TrimSpace(row.Label + " " + all[i].column)
		}
	}
	return all
}

// rowNames returns the names of row in column i of the sheet: its name and short name and, if seats have several
// columns, both with the name of the column.
func rowNames(m chat.Message, row chat.SheetRow, i int) []string {
	names := []string{row.Label, row.Short}
	if i < len(m.Sheet.Columns) && m.Sheet.Columns[i].Column != "" {
		for _, column := range []string{m.Sheet.Columns[i].Column, m.Sheet.Columns[i].Sign} {
			names = append(names, row.Label+" "+column, column+" "+row.Label, row.Short+" "+column)
		}
	}
	return names
}

// rowPress returns the press (text of a button) that fills the row named in o, the typed move, or a refusal. It crosses
// the row out (for no points) only if the typed verb says so. Both results are zero if o names no row.
func (o typedMove) rowPress(m chat.Message) (press string, refusal games.Line) {
	if o.name == "" || o.verb != "" && !o.fillsRow() {
		return "", games.Line{}
	}
	if o.isTooEarly(m) {
		return "", games.Say("terminal.throw-first", nil)
	}
	verb := "write"
	if o.verb != "" {
		verb = o.moves[0]
	}
	found := cellsNamed(fillableCells(m), o.name)
	if of := slices.DeleteFunc(slices.Clone(found), func(c cell) bool { return c.verb != verb }); len(of) > 0 {
		found = of
	}
	switch {
	case len(found) > 1:
		return "", games.Say("terminal.which-row", games.Args{"First": found[0].row, "Second": found[1].row})
	case len(found) == 1 && found[0].verb == verb:
		return found[0].press, games.Line{}
	case len(found) == 1:
		return "", games.Say(onlyRefusals[found[0].verb], games.Args{"Row": found[0].row})
	}
	if row, ok := o.rowLabel(m); ok {
		return "", games.Say("terminal.row-closed", games.Args{"Row": row, "Rows": openRows(m)})
	}
	return "", games.Line{}
}

// isTooEarly reports whether o fills a row although the player has not rolled yet: then no row can be filled.
func (o typedMove) isTooEarly(m chat.Message) bool {
	_, throws := buttonOf(m, "throw")
	if !throws || m.Sheet == nil || len(m.Dice) > 0 || len(fillableCells(m)) > 0 {
		return false
	}
	_, named := o.rowLabel(m)
	return o.fillsRow() || o.verb == "" && named
}

// fillsRow reports whether the typed verb of o is about rows: fill, cross out, or call (announce) a row.
func (o typedMove) fillsRow() bool {
	return slices.ContainsFunc(o.moves, func(move string) bool { return onlyRefusals[move] != "" })
}

// onlyRefusals holds, for each move that people make on a row, the key of the refusal "this row allows only this move".
var onlyRefusals = map[string]string{"write": "terminal.only-write", "strike": "terminal.only-strike",
	"call": "terminal.only-call"}

// rowLabel returns the label of the row that o names on the sheet of m; ok is false if o names none of its rows.
func (o typedMove) rowLabel(m chat.Message) (label string, ok bool) {
	is := func(name string) bool { return strings.EqualFold(name, o.name) }
	for _, row := range m.Sheet.Rows {
		for i := range row.Cells {
			if !row.Sum && slices.ContainsFunc(rowNames(m, row, i), is) {
				return row.Label, true
			}
		}
	}
	return "", false
}

// openRows returns the names of the rows on m that can be filled now, each name once.
func openRows(m chat.Message) (rows games.List) {
	last := ""
	for _, c := range fillableCells(m) {
		if c.row != last {
			rows = append(rows, games.Say("bot.text", games.Args{"Text": c.row}))
		}
		last = c.row
	}
	return rows
}

// cellsNamed returns the cells whose row is called name or, if there are none, has a name that begins with name.
func cellsNamed(cells []cell, name string) []cell {
	begins := func(of string) bool { return len(name) > 2 && strings.HasPrefix(of, name) }
	if slices.ContainsFunc(cells, func(c cell) bool { return slices.Contains(c.names, name) }) {
		begins = func(of string) bool { return of == name }
	}
	return slices.DeleteFunc(slices.Clone(cells), func(c cell) bool { return !slices.ContainsFunc(c.names, begins) })
}
