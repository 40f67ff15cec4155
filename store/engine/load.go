package engine

// Filling a database with the rows of another.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	// noLimits removes the timeouts of a load.
	noLimits = `SELECT set_config('statement_timeout', '0', TRUE),
		set_config('idle_in_transaction_session_timeout', '0', TRUE)`
	rulesOf = `
		SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace ORDER BY 1, 2`
)

// Load implements DB. Foreign keys are dropped meanwhile and made again at the end: to check them row by row the server
// would remember each.
func (d *Server) Load(ctx context.Context, load func(*Tx) error) error {
	if d.options.Shared {
		return fmt.Errorf("the database %s is shared: whoever fills it has to have it alone", d.name)
	}
	// In a transaction of its own: a failed load loses its rows, and the mark stays.
	err := d.Update(ctx, unfinished, func(tx *Tx) error { return tx.Run(markUnfinished) })
	if err != nil {
		return d.explain(err)
	}
	err = d.long(ctx, func(tx *Tx) error {
		var make []string
		err := tx.Rows(rulesOf, nil, func(row Row) error {
			var table, name, says string
			err := row.Scan(&table, &name, &says)
			make = append(make, `ALTER TABLE `+table+` ADD CONSTRAINT `+name+` `+says)
			return err
		})
		for _, rule := range make {
			drop, _, _ := strings.Cut(strings.Replace(rule, ` ADD CONSTRAINT `, ` DROP CONSTRAINT `, 1), ` FOREIGN KEY `)
			err = errors.Join(err, tx.Run(drop))
		}
		if err == nil {
			err = load(tx)
		}
		for _, rule := range make {
			if err == nil {
				err = tx.Run(rule)
			}
		}
		return err
	}, noLimits)
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err) // the connection is then closed, and the writer gets only that error
	}
	return err
}

// finishTries is how often Finish tries if the server does not answer.
const finishTries = 3

// Finish implements DB. It waits for an answer before the commit, so that only an unanswered commit is uncertain;
// repeating it does no harm.
func (d *Server) Finish(ctx context.Context) error {
	var unsure error
	for range finishTries {
		err := d.Update(ctx, unfinished, func(tx *Tx) error {
			_, err := tx.Exec(`DELETE FROM leases WHERE name = $1`, unfinished)
			return err
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, ErrUncertain) {
			return d.explain(cmp.Or(unsure, err))
		}
		unsure = err
	}
	return d.explain(unsure)
}

// Table is a table of the schema, except those that an engine uses for the schema itself and for leases.
type Table struct {
	Name    string
	Columns []Column // by name
	Key     []string // the columns of the primary key, in order
	Last    int64    // the last number that it has given to a row; 0: none, or it gives none

	sequence string // gives its numbers, which are never used again; "": none does
}

// Column is a column of a table.
type Column struct {
	Name     string
	Truth    bool // it holds booleans, which are integers in rows
	Bytes    bool
	Required bool // it is never NULL
}

// Empty removes all rows of all tables.
func (tx *Tx) Empty() error {
	all, err := tx.Tables()
	if err != nil {
		return err
	}
	return tx.on.empty(tx, all)
}

// Fill returns a function that adds a row to a table, given the values of its columns in order, and one to call after
// the last row.
func (tx *Tx) Fill(t Table) (add func(row []any) error, end func() error) { return tx.on.fill(tx, t) }

// Numbered makes a table give numbers above its last one, or that of the table that it is a copy of.
func (tx *Tx) Numbered(t Table) error { return tx.on.numbered(tx, t) }

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
