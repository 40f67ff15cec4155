package engine

// What tables there are, and how they are filled with the rows of another database.

import "slices"

// Table is a table of the schema, but for those by which an engine sees to the schema itself and to who works with it.
type Table struct {
	Name    string
	Columns []Column // by name
	Key     []string // the columns that tell its rows apart, in their order
	Last    int64    // the last number that it has given to a row by itself; 0: none, or it gives none

	sequence string // gives its numbers, on a server; "": none does
}

// Column is a column of a table.
type Column struct {
	Name     string
	Truth    bool // it holds truths, which are integers in rows
	Bytes    bool
	Required bool // it is never NULL
}

// Loader fills tables in one transaction.
type Loader struct{ tx *Tx }

// Empty removes all rows of all tables.
func (l Loader) Empty() error {
	all, err := l.tx.Tables()
	if err != nil {
		return err
	}
	return l.tx.on.empty(l.tx, all)
}

// Fill returns a function that adds a row to a table, of the values of its columns in their order, and one that is
// called behind the last row.
func (l Loader) Fill(t Table) (add func(row []any) error, end func() error) {
	return l.tx.on.fill(l.tx, t)
}

// Numbered has a table give numbers above the last that it, or the table that it is a copy of, has given.
func (l Loader) Numbered(t Table) error { return l.tx.on.numbered(l.tx, t) }

// names returns the names of the columns.
func (t Table) names() []string {
	all := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		all[i] = c.Name
	}
	return all
}

// stored returns a copy of a row in which truths are truths, and empty bytes are there.
func (t Table) stored(row []any) []any {
	all := slices.Clone(row)
	for i, c := range t.Columns {
		if number, ok := all[i].(int64); ok && c.Truth {
			all[i] = number != 0
		}
		if all[i] == nil && c.Bytes && c.Required {
			all[i] = []byte{}
		}
	}
	return all
}
