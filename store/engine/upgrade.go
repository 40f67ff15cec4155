package engine

// Checking a database of a server, and upgrading its schema.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"knobel/migrations"
)

// inspect refuses what is not a database of this program, before anything in it is changed: its schema must have this
// version (with older also an earlier one, or none), and the store must accept it. It returns the version of the
// schema, 0 for none.
func (d *Server) inspect(ctx context.Context, older bool) (version int64, err error) {
	known, err := migrations.Newest(d.more...)
	if err != nil {
		return 0, err
	}
	err = d.View(ctx, func(tx *Tx) (err error) {
		version, err = d.options.inspect(tx, `SELECT table_name::TEXT FROM information_schema.tables
			WHERE table_schema = current_schema() AND table_name <> '`+migrations.Lock+`'`, d.name, known, older)
		return err
	})
	if err != nil && version < known && !older { // the schema of the beginning of a copy is incomplete
		if unfinished, failed := d.Unfinished(ctx); failed == nil && unfinished {
			err = fmt.Errorf("the database %s is %w", d.name, ErrUnfinished)
		}
	}
	if errors.Is(err, errForeign) {
		err = fmt.Errorf("the database %s is of another program: give Knobel a database of its own, "+
			"or a schema of its own by ?search_path=knobel", d.name)
	}
	if _, failed := errors.AsType[*Error](err); failed {
		err = d.explain(err)
	}
	return version, err
}

// upgrade brings the schema up to date.
func (d *Server) upgrade(ctx context.Context, version int64) error {
	newest, err := migrations.Newest(d.more...)
	if err != nil {
		return err
	}
	d.upgraded = Upgrade{From: version, To: newest}
	if version > 0 {
		if d.held, err = d.acquire(ctx); err != nil {
			return err
		}
	}
	if version != newest {
		err = d.migrate(ctx, version, newest)
	}
	if err == nil && d.held == nil {
		d.held, err = d.acquire(ctx)
	}
	if err == nil && d.options.Shared { // others may have been faster, by another version or with another key
		_, err = d.inspect(ctx, true)
	}
	return err
}

// waits reports what opening waits for.
func (d *Server) waits(what string) {
	if d.options.Waiting != nil {
		d.options.Waiting(what)
	}
}

// migrate applies the missing scripts, or waits until another replica has. Other processes may use the database
// meanwhile: a script that waits too long for a table gives up, since all later ones would wait behind it, and is tried
// again.
func (d *Server) migrate(ctx context.Context, from, to int64) error {
	d.waits(fmt.Sprintf("the schema of the database %s is brought up to date, from %d to %d, by this replica or by "+
		"another", d.name, from, to))
	defer d.waits("")
	mark := ""
	if d.options.Filled {
		mark = markUnfinished
	}
	for {
		db := stdlib.OpenDB(*d.unnamed())
		err := d.explain(errors.Join(migrations.UpPostgres(ctx, db, mark, d.more...), db.Close()))
		if !isCrowded(err) {
			return err
		}
		select {
		case <-time.After(rand.N(2 * time.Second)):
		case <-ctx.Done():
			return err
		}
	}
}
