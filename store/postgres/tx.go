package postgres

// One transaction, as the seam has it: statements wait in a pipeline until an answer is needed.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"knobel/store/engine"
)

// maxQueued is how many statements wait for their answers at most.
const maxQueued = 256

// Tx is one transaction on a connection.
type Tx struct {
	on      *connection
	convert engine.Converter
	pipe    *pgconn.Pipeline
	named   bool // statements are given names
	trips   *counter
	queued  []queued // statements whose answers are still to come, the oldest first
	failed  error    // the first statement that failed
}

// queued is a statement, or its preparation, whose answer is still to come.
type queued struct {
	query    string
	prepares *statement // what is prepared; nil: it runs
	unless   error      // that it returns a row; nil: it need not
}

var _ engine.Tx = (*Tx)(nil)

// begin begins a transaction with a statement, such as BEGIN, that is sent with the first one that needs an answer.
func begin(ctx context.Context, on *connection, d *DB, statements ...string) *Tx {
	tx := &Tx{on: on, convert: converter(d.options), pipe: on.raw.StartPipeline(ctx), named: d.named.Load(),
		trips: &d.trips}
	for _, statement := range statements {
		tx.send(statement, arguments{})
	}
	return tx
}

// holds has the transaction fail unless a lease is held, and no other change have its turn until it ends.
func (tx *Tx) holds(l *lease) {
	bound, err := bind(nil, []any{instance, l.holder, l.fence})
	if err != nil {
		_ = tx.fails(err)
		return
	}
	tx.send(checkLease, bound)
	tx.queued[len(tx.queued)-1].unless = l.taken()
}

// Run is as of engine.Tx: the statement waits for the next that needs an answer.
func (tx *Tx) Run(query string, args ...any) error {
	if err := tx.queue(query, args); err != nil {
		return err
	}
	if len(tx.queued) < maxQueued {
		return nil
	}
	return tx.answers()
}

// Exec is as of engine.Tx.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	if err := tx.queue(query, args); err != nil {
		return 0, err
	}
	if err := tx.flush(); err != nil {
		return 0, err
	}
	for len(tx.queued) > 1 {
		if _, err := tx.answer(); err != nil {
			return 0, err
		}
	}
	tag, err := tx.answer()
	return tag.RowsAffected(), err
}

// Rows is as of engine.Tx.
func (tx *Tx) Rows(query string, args []any, each func(row []driver.Value) error) error {
	if err := tx.queue(query, args); err != nil {
		return err
	}
	if err := tx.flush(); err != nil {
		return err
	}
	for len(tx.queued) > 1 {
		if _, err := tx.answer(); err != nil {
			return err
		}
	}
	tx.queued = tx.queued[:0]
	results, err := tx.pipe.GetResults()
	if err != nil {
		return tx.fail(query, err)
	}
	reader, ok := results.(*pgconn.ResultReader)
	if !ok {
		return tx.fail(query, fmt.Errorf("the server answers a query by %T", results))
	}
	given := tx.read(query, reader, each)
	if _, err := reader.Close(); err != nil {
		return tx.fail(query, err)
	}
	if errors.Is(given, engine.ErrStop) {
		return nil
	}
	return tx.fails(given)
}

// read calls each for the rows of a query.
func (tx *Tx) read(query string, reader *pgconn.ResultReader, each func(row []driver.Value) error) error {
	fields := reader.FieldDescriptions()
	tx.on.columns(query, fields)
	row := make([]driver.Value, len(fields))
	for reader.NextRow() {
		for i, encoded := range reader.Values() {
			value, err := decode(fields[i].DataTypeOID, encoded)
			if err != nil {
				return fmt.Errorf("column %s: %w", fields[i].Name, err)
			}
			row[i] = value
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return nil
}

// Scan is as of engine.Tx.
func (tx *Tx) Scan(row []driver.Value, into []any) error { return engine.Scan(tx.convert, row, into) }

// Columns is as of engine.Tx.
func (tx *Tx) Columns(query string) ([]string, error) { return tx.on.names[query], nil }

// Stale is as of engine.Tx: others write at any time.
func (tx *Tx) Stale() bool { return true }

// Err is as of engine.Tx.
func (tx *Tx) Err() error { return tx.failed }

// queue sends a statement without waiting for anything.
func (tx *Tx) queue(query string, args []any) error {
	if tx.failed != nil {
		return tx.failed
	}
	bound, err := bind(tx.convert, args)
	if err != nil {
		return tx.fails(err)
	}
	tx.send(query, bound)
	return nil
}

// send puts a statement into the pipeline, and before it its preparation where the connection has not seen it.
func (tx *Tx) send(query string, bound arguments) {
	if !tx.named {
		tx.pipe.SendQueryParams(query, bound.values, nil, bound.formats, nil)
		tx.queued = append(tx.queued, queued{query: query})
		return
	}
	s, known := tx.on.statement(query)
	switch {
	case s.description != nil:
		tx.pipe.SendQueryStatement(s.description, bound.values, bound.formats, nil)
	default:
		if !known {
			tx.pipe.SendPrepare(s.name, query, nil)
			tx.queued = append(tx.queued, queued{query: query, prepares: s})
		}
		tx.pipe.SendQueryPrepared(s.name, bound.values, bound.formats, nil)
	}
	tx.queued = append(tx.queued, queued{query: query})
}

// flush asks the server for all answers: a round trip.
func (tx *Tx) flush() error {
	tx.trips.Add(1)
	tx.pipe.SendFlushRequest()
	if err := tx.pipe.Flush(); err != nil {
		return tx.fail("", err)
	}
	return nil
}

// answers waits for the answers of all statements that are queued.
func (tx *Tx) answers() error {
	if err := tx.flush(); err != nil {
		return err
	}
	for len(tx.queued) > 0 {
		if _, err := tx.answer(); err != nil {
			return err
		}
	}
	return nil
}

// answer reads the answer of the oldest statement.
func (tx *Tx) answer() (tag pgconn.CommandTag, err error) {
	of := tx.queued[0]
	tx.queued = tx.queued[1:]
	results, err := tx.pipe.GetResults()
	if err != nil {
		return tag, tx.fail(of.query, err)
	}
	switch results := results.(type) {
	case *pgconn.StatementDescription:
		results.Name = of.prepares.name // the driver leaves that to us
		of.prepares.description = results
		return tag, nil
	case *pgconn.ResultReader:
		tag, err = results.Close()
		if err != nil {
			return tag, tx.fail(of.query, err)
		}
		if of.unless != nil && tag.RowsAffected() == 0 {
			return tag, tx.fails(of.unless)
		}
		return tag, nil
	}
	return tag, tx.fail(of.query, fmt.Errorf("the server answers by %T", results))
}

// fail notes the first error of the server or of the way to it; the name of what was asked is said with it.
func (tx *Tx) fail(query string, err error) error {
	tx.on.forget()
	if query != "" {
		err = fmt.Errorf("%s: %w", shortened(query), err)
	}
	return tx.fails(asEngine(err))
}

// fails notes the first error of a statement: no other runs, and nothing is committed.
func (tx *Tx) fails(err error) error {
	if err != nil && tx.failed == nil {
		tx.failed = err
	}
	return err
}

// end ends the transaction and the pipeline, by COMMIT or ROLLBACK. After an error the connection may be of no use.
func (tx *Tx) end(ctx context.Context, commit bool) error {
	statement := "ROLLBACK"
	if commit && tx.failed == nil {
		statement = "COMMIT"
	}
	if tx.failed != nil { // the server skips everything up to the end of the pipeline
		err := tx.pipe.Close()
		if tx.on.raw.IsClosed() || tx.on.raw.TxStatus() == 'I' {
			return err
		}
		tx.trips.Add(1)
		_, err = tx.on.raw.Exec(ctx, statement).ReadAll()
		return err
	}
	tx.send(statement, arguments{})
	tx.trips.Add(1)
	err := tx.pipe.Sync()
	var tag pgconn.CommandTag
	for err == nil && len(tx.queued) > 0 {
		tag, err = tx.answer()
	}
	if closed := tx.pipe.Close(); err == nil && closed != nil {
		err = asEngine(closed)
	}
	if err == nil && tag.String() != statement {
		err = &engine.Error{Err: fmt.Errorf("the server has answered %s by %s", statement, tag)}
	}
	return err
}
