package postgres

// What tables there are, and how they are filled.

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"knobel/migrations"
	"knobel/store/engine"
)

const (
	columnsOf = `
		SELECT c.relname, a.attname, format_type(a.atttypid, NULL), CASE WHEN a.attnotnull THEN 1 ELSE 0 END,
			COALESCE(array_position(string_to_array(i.indkey::text, ' '), a.attnum::text), 0),
			COALESCE(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident(c.relname), a.attname), '')
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
		WHERE c.relkind = 'r' AND c.relnamespace = quote_ident(current_schema())::regnamespace
			AND c.relname NOT IN ($1, $2, 'leases')
		ORDER BY c.relname COLLATE "C", a.attname COLLATE "C"`
	rulesOf = `
		SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace ORDER BY 1, 2`
)

// Tables is as of engine.Tx. Last numbers are not older than the rest.
func (tx *Tx) Tables() ([]engine.Table, error) { return tables(tx) }

func tables(tx engine.Tx) (all []engine.Table, err error) {
	sequences := map[string]string{} // by table
	err = tx.Rows(columnsOf, []any{migrations.Table, migrations.Lock}, func(row []driver.Value) error {
		var table, name, kind, sequence string
		var required, position int64
		if err := tx.Scan(row, []any{&table, &name, &kind, &required, &position, &sequence}); err != nil {
			return err
		}
		c := engine.Column{Name: name, Truth: kind == "boolean", Bytes: kind == "bytea", Required: required != 0}
		all = engine.AddColumn(all, table, c, position)
		if sequence != "" {
			sequences[table] = sequence
		}
		return nil
	})
	for i := range all {
		if sequence := sequences[all[i].Name]; sequence != "" && err == nil {
			err = tx.Rows(`SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+sequence, nil,
				func(row []driver.Value) error { return tx.Scan(row, []any{&all[i].Last}) })
		}
	}
	return all, err
}

// Load is as of engine.DB. Rules by which rows refer to others are dropped meanwhile, and made anew at the end: to look
// at them row by row the server would remember each.
func (d *DB) Load(ctx context.Context, load func(engine.Loader) error) error {
	if d.reads {
		return engine.ErrReadOnly
	}
	if d.options.Shared {
		return fmt.Errorf("the database %s is shared: whoever fills it has to have it alone", d.name)
	}
	if !d.enter() {
		return errClosed
	}
	defer d.leave()
	if err := d.begun(ctx); err != nil {
		return err
	}
	config := d.pool.Config().ConnConfig
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // no name stays where a pooler gives the connection to others
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return d.explain(asEngine(oneLine{cause(err)}))
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.Begin(ctx)
	if err != nil {
		return d.explain(asEngine(err))
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing, once it is committed
	l := &loader{ctx: ctx, tx: tx}
	if err := l.begin(d.held); err != nil {
		return d.explain(asEngine(err))
	}
	err = load(l)
	if err == nil {
		err = l.makeRules()
	}
	if err == nil {
		err = tx.Commit(ctx)
	}
	if ended := ctx.Err(); err != nil && ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err) // the connection is closed then, and whoever writes hears of that alone
	}
	if _, ours := errors.AsType[*engine.Error](err); ours || err == nil {
		return err
	}
	return d.explain(err)
}

// begun marks the database as unfinished in a transaction of its own: whatever ends the load that follows undoes its
// rows, and the mark stays.
func (d *DB) begun(ctx context.Context) error {
	return d.explain(d.Update(ctx, unfinished, func(tx engine.Tx) error { return tx.Run(markUnfinished) }))
}

// finishTries is how often Finish tries again where the server does not answer.
const finishTries = 3

// Finish is as of engine.DB. It waits for an answer before the commit, so that one that is not answered is the only
// way not to know what has become of it; doing it again does no harm.
func (d *DB) Finish(ctx context.Context) error {
	var unsure error
	for range finishTries {
		err := d.Update(ctx, unfinished, func(tx engine.Tx) error {
			_, err := tx.Exec(`DELETE FROM leases WHERE name = $1`, unfinished)
			return err
		})
		if err == nil {
			return nil
		}
		if !errors.Is(err, engine.ErrUncertain) {
			return d.explain(cmp.Or(unsure, err))
		}
		unsure = err
	}
	return d.explain(unsure)
}

// loader fills tables.
type loader struct {
	ctx   context.Context
	tx    pgx.Tx
	rules [][3]string // dropped meanwhile: the table, the name, what it says
}

// begin makes sure of the lease, and drops rules.
func (l *loader) begin(held *lease) error {
	var one int
	err := l.tx.QueryRow(l.ctx, needed(heldLease), pgx.QueryExecModeExec, held.name, held.holder, held.fence).Scan(&one)
	if err != nil && isDivision(err) {
		return held.taken()
	}
	if err != nil {
		return err
	}
	err = l.run(`SELECT set_config('statement_timeout', '0', TRUE), set_config('lock_timeout', '10s', TRUE)`)
	if err != nil {
		return err
	}
	rows, err := l.tx.Query(l.ctx, rulesOf, pgx.QueryExecModeExec)
	if err != nil {
		return err
	}
	l.rules, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (rule [3]string, err error) {
		err = row.Scan(&rule[0], &rule[1], &rule[2])
		return rule, err
	})
	for _, rule := range l.rules {
		if err == nil {
			err = l.run(`ALTER TABLE ` + rule[0] + ` DROP CONSTRAINT ` + rule[1])
		}
	}
	return err
}

func (l *loader) makeRules() error {
	for _, rule := range l.rules {
		if err := l.run(`ALTER TABLE ` + rule[0] + ` ADD CONSTRAINT ` + rule[1] + ` ` + rule[2]); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) run(statement string, args ...any) error {
	_, err := l.tx.Exec(l.ctx, statement, append([]any{pgx.QueryExecModeExec}, args...)...)
	if err != nil {
		return fmt.Errorf("%s: %w", shortened(statement), asEngine(err))
	}
	return nil
}

// Empty is as of engine.Loader.
func (l *loader) Empty() error {
	rows, err := l.tx.Query(l.ctx, `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name NOT IN ($1, $2, 'leases')`,
		pgx.QueryExecModeExec, migrations.Table, migrations.Lock)
	if err != nil {
		return asEngine(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return asEngine(err)
	}
	return l.run(`TRUNCATE ` + strings.Join(all, ", ") + ` RESTART IDENTITY`)
}

// maxUnsent is how many rows wait to be sent at most.
const maxUnsent = 256

// Fill is as of engine.Loader.
func (l *loader) Fill(t engine.Table) (add func([]driver.Value) error, end func() error) {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	rows, done := make(chan []any, maxUnsent), make(chan error, 1)
	go func() {
		_, err := l.tx.CopyFrom(l.ctx, pgx.Identifier{t.Name}, names, pgx.CopyFromFunc(func() ([]any, error) {
			return <-rows, nil // nil once there are no more
		}))
		if err != nil {
			err = fmt.Errorf("fill %s: %w", t.Name, asEngine(err))
		}
		done <- err
		close(done)
	}()
	add = func(row []driver.Value) error {
		select {
		case rows <- loaded(t, row):
			return nil
		case err := <-done:
			return errors.Join(err, l.ctx.Err())
		}
	}
	return add, func() error {
		close(rows)
		return <-done
	}
}

// loaded is a row as the server takes it.
func loaded(t engine.Table, row []driver.Value) []any {
	all := make([]any, len(row))
	for i, value := range copied(row) {
		number, isNumber := value.(int64)
		switch c := t.Columns[i]; {
		case c.Truth && isNumber:
			all[i] = number != 0
		case c.Bytes && c.Required && value == nil:
			all[i] = []byte{}
		default:
			all[i] = value
		}
	}
	return all
}

// Numbered is as of engine.Loader.
func (l *loader) Numbered(t engine.Table) error {
	if t.Last == 0 {
		return nil
	}
	return l.run(`SELECT setval(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident($1), 'id'), $2)
		WHERE pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident($1), 'id') IS NOT NULL`, t.Name,
		t.Last)
}
