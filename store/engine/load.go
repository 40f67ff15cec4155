package engine

// How a database is filled with the rows of another.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Load is as of DB. References are not looked at: to do so for rows that come before what they refer to, SQLite
// would look through whole tables, again and again. What is copied is compared, and checked as doctor does.
func (d *File) Load(ctx context.Context, load func(Loader) error) error {
	if d.writing == nil {
		return ErrReadOnly
	}
	return d.writing.alone(ctx, func() error {
		err := offlineFile{ctx, d.name}.Change(func(tx *Tx) error { return load(Loader{tx}) })
		if err != nil {
			return err
		}
		return with(ctx, d.name, "rw", forCleaning, emptyLog)
	})
}

const (
	// noLimits has a load take its time.
	noLimits = `SELECT set_config('statement_timeout', '0', TRUE),
		set_config('idle_in_transaction_session_timeout', '0', TRUE)`
	rulesOf = `
		SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace ORDER BY 1, 2`
)

// Load is as of DB. Rules by which rows refer to others are dropped meanwhile, and made anew at the end: to look
// at them row by row the server would remember each.
func (d *Server) Load(ctx context.Context, load func(Loader) error) error {
	if d.reads {
		return ErrReadOnly
	}
	if d.options.Shared {
		return fmt.Errorf("the database %s is shared: whoever fills it has to have it alone", d.name)
	}
	if !d.enter(nil) {
		return errClosed
	}
	defer d.leave()
	if err := d.begun(ctx); err != nil {
		return err
	}
	err := d.change(ctx, viewWithin, nil, func(tx *Tx) error {
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
			err = load(Loader{tx})
		}
		for _, rule := range make {
			if err == nil {
				err = tx.Run(rule)
			}
		}
		return err
	}, noLimits)
	if failed, ok := errors.AsType[*repeatable](err); ok {
		err = failed.last()
	}
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err) // the connection is closed then, and the writer hears of that alone
	}
	return err
}

// begun marks the database as unfinished in a transaction of its own: whatever ends the load that follows undoes its
// rows, and the mark stays.
func (d *Server) begun(ctx context.Context) error {
	return d.explain(d.Update(ctx, unfinished, func(tx *Tx) error { return tx.Run(markUnfinished) }))
}

// finishTries is how often Finish tries again where the server does not answer.
const finishTries = 3

// Finish is as of DB. It waits for an answer before the commit, so that one that is not answered is the only
// way not to know what has become of it; doing it again does no harm.
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
