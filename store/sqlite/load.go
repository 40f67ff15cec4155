package sqlite

// What tables there are, and how they are filled.

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"knobel/migrations"
	"knobel/store/engine"
)

const (
	columnsOf = `
		SELECT t.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT IN ($1, 'leases')
		ORDER BY t.name, c.name`
	// numberedTables are those whose numbers are never given again.
	numberedTables = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`
)

// Tables is as of engine.Tx.
func (tx *Tx) Tables() ([]engine.Table, error) {
	all, err := tables(tx)
	if err != nil {
		return nil, err
	}
	return all, lastNumbers(tx, all)
}

func tables(tx engine.Tx) (all []engine.Table, err error) {
	err = tx.Rows(columnsOf, []any{migrations.Table}, func(row []driver.Value) error {
		var table, name, kind string
		var required, position int64
		if err := tx.Scan(row, []any{&table, &name, &kind, &required, &position}); err != nil {
			return err
		}
		c := engine.Column{Name: name, Truth: kind == "BOOLEAN", Bytes: kind == "BLOB", Required: required != 0}
		all = engine.AddColumn(all, table, c, position)
		return nil
	})
	return all, err
}

// lastNumbers reads the last numbers that tables have given.
func lastNumbers(tx engine.Tx, all []engine.Table) error {
	kept := map[string]int64{}
	err := tx.Rows(`SELECT name, seq FROM sqlite_sequence`, nil, func(row []driver.Value) error {
		var name string
		var last int64
		err := tx.Scan(row, []any{&name, &last})
		kept[name] = last
		return err
	})
	for i := range all {
		t := &all[i]
		if len(t.Key) != 1 || t.Key[0] != "id" || err != nil {
			continue
		}
		err = tx.Rows(`SELECT COALESCE(MAX(id), 0) FROM `+t.Name+` WHERE TYPEOF(id) = 'integer'`, nil,
			func(row []driver.Value) error { return tx.Scan(row, []any{&t.Last}) })
		t.Last = max(t.Last, kept[t.Name])
	}
	return err
}

// Load is as of engine.DB. References are not looked at: to do so for rows that come before what they refer to, SQLite
// would look through whole tables, again and again. What is copied is compared, and checked as doctor does.
func (d *DB) Load(ctx context.Context, load func(engine.Loader) error) error {
	if d.writing == nil {
		return engine.ErrReadOnly
	}
	return d.writing.alone(ctx, func() error {
		err := offline{ctx, d.file}.Change(func(tx engine.Tx) error { return load(loader{ctx, tx}) })
		if err != nil {
			return err
		}
		return with(ctx, d.file, "rw", forCleaning, func(tx *Tx) error { return tx.emptyLog() })
	})
}

// Unfinished is as of engine.DB: a file has its name only once it is finished.
func (d *DB) Unfinished(context.Context) (bool, error) { return false, nil }

// Finish is as of engine.DB.
func (d *DB) Finish(context.Context) error { return nil }

// loader fills tables.
type loader struct {
	ctx context.Context
	tx  engine.Tx
}

// Empty is as of engine.Loader.
func (l loader) Empty() error {
	all, err := tables(l.tx)
	for _, t := range all {
		if err == nil {
			err = l.tx.Run(`DELETE FROM ` + t.Name)
		}
	}
	return err
}

// Fill is as of engine.Loader.
func (l loader) Fill(t engine.Table) (add func([]driver.Value) error, end func() error) {
	names, places := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i], places[i] = c.Name, fmt.Sprint("$", i+1)
	}
	insert := `INSERT INTO ` + t.Name + ` (` + strings.Join(names, ", ") + `) VALUES (` + strings.Join(places, ", ") + `)`
	args := make([]any, len(t.Columns))
	add = func(row []driver.Value) error {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		for i, value := range row {
			if args[i] = value; value == nil && t.Columns[i].Bytes && t.Columns[i].Required {
				args[i] = []byte{}
			}
		}
		return l.tx.Run(insert, args...)
	}
	return add, func() error { return nil }
}

// Numbered is as of engine.Loader: of those tables whose numbers are never given again.
func (l loader) Numbered(t engine.Table) error {
	numbered := false
	err := l.tx.Rows(numberedTables, nil, func(row []driver.Value) error {
		numbered = numbered || row[0] == t.Name
		return nil
	})
	if err != nil || !numbered {
		return err
	}
	if err := l.tx.Run(`DELETE FROM sqlite_sequence WHERE name = $1`, t.Name); err != nil {
		return err
	}
	return l.tx.Run(`INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)`, t.Name, t.Last)
}
