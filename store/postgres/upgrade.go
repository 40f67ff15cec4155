package postgres

// Whether a database is one of ours, how its schema is brought up to date, and what is done while nobody works with
// it.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"knobel/migrations"
	"knobel/store/engine"
)

// inspect refuses what is not a database of this program, before anything in it is changed: its schema must have this
// version (with older also an earlier one, or none), and the store must accept it. It returns the version of the
// schema, 0 for none.
func (d *DB) inspect(ctx context.Context, older bool) (version int64, err error) {
	known, err := migrations.Newest(d.more...)
	if err != nil {
		return 0, err
	}
	if version, err = d.version(ctx); err != nil {
		return 0, err
	}
	if version < known && !older {
		if err := d.begins(ctx); err != nil {
			return 0, err
		}
	}
	switch {
	case version > known:
		return 0, fmt.Errorf("the database %s was written by a newer version of knobel "+
			"(its schema is %d, this version knows %d): run that version", d.name, version, known)
	case version == 0 && !older:
		return 0, fmt.Errorf("the database %s is empty: %w", d.name, engine.ErrEmpty)
	case version < known && !older:
		return 0, fmt.Errorf("the database %s was written by an older version of knobel (its schema is %d, this "+
			"version's is %d): knobel serve brings it up to date; knobel doctor checks the rest then",
			d.name, version, known)
	}
	if d.options.Accept == nil || version == 0 {
		return version, nil
	}
	return version, d.View(ctx, func(tx engine.Tx) error { return d.options.Accept(tx, d.name, version, !older) })
}

// begins returns an error where there is only the beginning of a copy, whose schema is not whole.
func (d *DB) begins(ctx context.Context) error {
	leases, err := d.texts(ctx, `SELECT table_name FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_name = 'leases'`)
	if err != nil || len(leases) == 0 {
		return err
	}
	if unfinished, err := d.Unfinished(ctx); err != nil || !unfinished {
		return err
	}
	return fmt.Errorf("the database %s is %w", d.name, engine.ErrUnfinished)
}

// version is the version of the schema, 0 for none. It refuses another program's.
func (d *DB) version(ctx context.Context) (version int64, err error) {
	var tables, ours int64
	err = d.ask(ctx, `
		SELECT COUNT(*), COUNT(CASE WHEN table_name = $1 THEN 1 END) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_name <> $2`, migrations.Table, migrations.Lock).Scan(&tables, &ours)
	if err != nil {
		return 0, d.explain(asEngine(err))
	}
	if ours == 0 {
		if tables > 0 {
			return 0, fmt.Errorf("the database %s is of another program: give Knobel a database of its own, "+
				"or a schema of its own by ?search_path=knobel", d.name)
		}
		return 0, nil
	}
	err = d.ask(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM `+migrations.Table+` WHERE is_applied`).
		Scan(&version)
	return version, d.explain(asEngine(err))
}

// upgrade brings the schema up to date, and prepares the database.
func (d *DB) upgrade(ctx context.Context, version int64) error {
	newest, err := migrations.Newest(d.more...)
	if err != nil {
		return err
	}
	d.upgraded = engine.Upgrade{From: version, To: newest}
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
	if err == nil && d.options.Prepare != nil {
		err = d.options.Prepare(offline{ctx, d})
	}
	if err == nil && d.options.Shared { // others may have been faster, by another version or with another key
		_, err = d.inspect(ctx, false)
	}
	return err
}

// waits tells what is waited for.
func (d *DB) waits(what string) {
	if d.options.Waiting != nil {
		d.options.Waiting(what)
	}
}

// migrate applies the scripts that the database lacks, or waits until another replica has. Others may work with the
// database meanwhile: a script that has to wait for a table for long gives up, as all who come after would wait behind
// it, and is tried again.
func (d *DB) migrate(ctx context.Context, from, to int64) error {
	d.waits(fmt.Sprintf("the schema of the database %s is brought up to date, from %d to %d, by this replica or by "+
		"another", d.name, from, to))
	defer d.waits("")
	mark := ""
	if d.options.Filled {
		mark = markUnfinished
	}
	config := d.pool.Config().ConnConfig
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // it is all done once
	for {
		db := stdlib.OpenDB(*config)
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

// Offline brings a database up to date and has it changed by use.
func Offline(ctx context.Context, address string, o engine.Options, use func(engine.Offline) error) (err error) {
	d, err := connect(ctx, address, o)
	if err != nil {
		return err
	}
	defer d.close()
	version, err := d.inspect(ctx, true)
	if err != nil {
		return err
	}
	if version == 0 {
		return fmt.Errorf("the database %s is empty: %w", d.name, engine.ErrEmpty)
	}
	if err := d.upgrade(ctx, version); err != nil {
		return err
	}
	return use(offline{ctx, d})
}

// offline is a database with which nobody else works.
type offline struct {
	ctx context.Context
	db  *DB
}

// Change is as of engine.Offline: references are looked at only when all is done. Replicas that open a database
// together prepare it one after the other.
func (o offline) Change(change func(engine.Tx) error) error {
	statements := []string{`SET CONSTRAINTS ALL DEFERRED`}
	if o.db.options.Shared {
		statements = append(statements, `SELECT 1 FROM leases WHERE name = '`+instance+`' FOR NO KEY UPDATE`)
	}
	return o.db.change(o.ctx, viewWithin, &tries{}, change, statements...)
}

// Clean is as of engine.Offline.
func (o offline) Clean() error { return o.db.Clean(o.ctx) }
