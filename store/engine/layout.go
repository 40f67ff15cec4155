package engine

// What tables there are, and how they are filled with the rows of another database.

import "database/sql/driver"

// Table is a table of the schema, but for those by which an engine sees to the schema itself and to who works with it.
type Table struct {
	Name    string
	Columns []Column // by name
	Key     []string // the columns that tell its rows apart, in their order
	Last    int64    // the last number that it has given to a row by itself; 0: none, or it gives none
}

// Column is a column of a table.
type Column struct {
	Name     string
	Truth    bool // it holds truths, which are integers in rows
	Bytes    bool
	Required bool // it is never NULL
}

// AddColumn adds a column to the tables that are known, the last of which is its own or the one before. position is its
// position in the key, from 1 on, 0 where it is not of that.
func AddColumn(all []Table, table string, c Column, position int64) []Table {
	if len(all) == 0 || all[len(all)-1].Name != table {
		all = append(all, Table{Name: table})
	}
	t := &all[len(all)-1]
	t.Columns = append(t.Columns, c)
	if position > 0 {
		for int64(len(t.Key)) < position {
			t.Key = append(t.Key, "")
		}
		t.Key[position-1] = c.Name
	}
	return all
}

// Loader fills tables in one transaction.
type Loader interface {
	// Empty removes all rows of all tables.
	Empty() error
	// Fill returns a function that adds a row to a table, of the values of its columns in their order, and one that is
	// called behind the last row. Rows are the caller's again once add returns.
	Fill(t Table) (add func(row []driver.Value) error, end func() error)
	// Numbered has a table give numbers above the last that it, or the table that it is a copy of, has given.
	Numbered(t Table) error
}
