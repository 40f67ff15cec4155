package engine

// The tables of a database, and filling them with the rows of another.

import "slices"

// Table is a table of the schema, except those that an engine uses for the schema itself and for leases.
type Table struct {
	Name    string
	Columns []Column // by name
	Key     []string // the columns of the primary key, in order
	Last    int64    // the last number that it has given to a row; 0: none, or it gives none

	sequence string // gives its numbers on a server; "": none does
}

// Column is a column of a table.
type Column struct {
	Name     string
	Truth    bool // it holds booleans, which are integers in rows
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

// Fill returns a function that adds a row to a table, given the values of its columns in order, and one to call after
// the last row.
func (l Loader) Fill(t Table) (add func(row []any) error, end func() error) {
	return l.tx.on.fill(l.tx, t)
}

// Numbered makes a table give numbers above its last one, or that of the table that it is a copy of.
func (l Loader) Numbered(t Table) error { return l.tx.on.numbered(l.tx, t) }

// names returns the names of the columns.
func (t Table) names() []string {
	all := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		all[i] = c.Name
	}
	return all
}

// stored returns a copy of a row with booleans converted and empty bytes not nil.
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
