package postgres

// One transaction, as the seam has it: statements wait in a pipeline until an answer is needed.

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"knobel/store/engine"
)

// maxQueued is how many statements wait for their answers at most.
const maxQueued = 256

// Tx is one transaction on a connection.
type Tx struct {
	db      *DB
	on      *connection
	pipe    *pgconn.Pipeline
	named   bool     // statements are given names
	view    bool     // it only reads
	queued  []queued // statements whose answers are still to come, the oldest first
	failed  error    // the first statement that failed
	has     bool     // it has read a row
	found   bool     // what has failed is what a query was to find, or not
	refused bool     // the server has said that one has, so that it commits nothing

	expected expected
	wanted   []*query
	guesses  map[queryKey]*guess
	unasked  bool // what has failed was asked ahead

	numbers *numbers // that the change has taken for new rows

	hints  []string // to be told once it is committed
	turned func()   // is called once a lock is answered; nil: nobody wants to know
}

// queued is a statement, or its preparation, whose answer is still to come.
type queued struct {
	text     string
	prepares *statement                     // what is prepared; nil: it runs
	none     error                          // what a division by zero means, with which the server refuses it
	each     func(row []driver.Value) error // what is to become of its rows; nil: nothing
	guess    *guess                         // that it answers; nil: none
	unasked  bool                           // it is for what nobody has asked for yet
	locks    bool                           // until it is answered others may hold what it locks
}

var _ engine.Tx = (*Tx)(nil)

// begin begins a transaction with statements, such as BEGIN, that are sent with the first one that needs an answer.
func (d *DB) begin(ctx context.Context, conn *pgx.Conn, statements ...string) *Tx {
	on := connectionOf(conn, d.options)
	tx := &Tx{db: d, on: on, pipe: on.raw.StartPipeline(ctx), named: d.named.Load()}
	for _, statement := range statements {
		tx.send(statement, arguments{})
	}
	return tx
}

// holds has the server refuse the transaction unless a lease is held. Until the transaction has ended nobody can take
// the lease over or delete it, as the fence is part of a key; it can be renewed.
func (tx *Tx) holds(l *lease) {
	_ = tx.Need(l.missing(), heldLease, l.name, l.holder, l.fence)
}

// Run is as of engine.Tx: the statement waits for the next that needs an answer.
func (tx *Tx) Run(text string, args ...any) error {
	_, err := tx.queue(text, text, args)
	return err
}

// Must is as of engine.Tx. The server itself refuses what changes nothing: the commit may be on its way already when
// the answer comes.
func (tx *Tx) Must(none error, text string, args ...any) error {
	last, err := tx.queue(text, `WITH changed AS (`+text+` RETURNING 1) SELECT 1 / COUNT(*) FROM changed`, args)
	if err == nil {
		last.none = none
	}
	return err
}

// Need is as of engine.Tx. The server itself refuses a transaction that lacks the row, by a division by zero: the
// commit may be on its way already when the answer comes.
func (tx *Tx) Need(none error, query string, args ...any) error {
	last, err := tx.queue(query, needed(query), args)
	if err == nil {
		last.none = none
	}
	return err
}

// Never is as of engine.Tx, in the way of Need.
func (tx *Tx) Never(some error, query string, args ...any) error {
	last, err := tx.queue(query, `SELECT 1 / CASE WHEN EXISTS (`+query+`) THEN 0 ELSE 1 END`, args)
	if err == nil {
		last.none = some
	}
	return err
}

// Number is as of engine.Tx. It is never asked ahead, and a change that runs again gets the numbers that it had taken
// before: otherwise they would have holes that nobody has asked for.
func (tx *Tx) Number(table string) (id int64, err error) {
	if id = tx.numbers.again(table); id != 0 {
		return id, nil
	}
	const next = `SELECT nextval(pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident($1), 'id'))`
	err = tx.rows(next, []any{table}, false, func(row []driver.Value) error { return tx.Scan(row, []any{&id}) })
	return id, tx.numbers.took(table, id, err)
}

// Exec is as of engine.Tx.
func (tx *Tx) Exec(text string, args ...any) (int64, error) {
	_, err := tx.queue(text, text, args)
	if err == nil {
		err = tx.flush()
	}
	var tag pgconn.CommandTag
	for err == nil && len(tx.queued) > 0 {
		tag, err = tx.answer()
	}
	return tag.RowsAffected(), err
}

// Lock is as of engine.Tx.
func (tx *Tx) Lock(text string, args []any, each func(row []driver.Value)) error {
	for _, g := range tx.guesses { // others may write until the lock is there
		g.stale = true
	}
	return tx.later(text+` FOR UPDATE`, args, each, tx.turned != nil)
}

// Later is as of engine.Tx.
func (tx *Tx) Later(text string, args []any, each func(row []driver.Value)) error {
	return tx.later(text, args, each, false)
}

func (tx *Tx) later(text string, args []any, each func(row []driver.Value), locks bool) error {
	last, err := tx.queue(text, text, args)
	if err == nil {
		last.locks = locks
		last.each = func(row []driver.Value) error {
			each(row)
			return nil
		}
	}
	return err
}

// Rows is as of engine.Tx.
func (tx *Tx) Rows(text string, args []any, each func(row []driver.Value) error) error {
	return tx.rows(text, args, true, each)
}

// rows is Rows; ahead is that it may be asked ahead.
func (tx *Tx) rows(text string, args []any, ahead bool, each func(row []driver.Value) error) error {
	if tx.failed != nil {
		return tx.failed
	}
	bound, err := bind(tx.on.convert, args)
	if err != nil {
		return tx.fails(err)
	}
	if ahead {
		if g := tx.guessed(text, bound); g != nil {
			return tx.tell(g, each)
		}
	}
	tx.outdates(text)
	tx.send(text, bound).each = each
	return tx.answers()
}

// read calls each for the rows of an answer; ErrStop ends that without an error.
func (tx *Tx) read(of queued, reader *pgconn.ResultReader) error {
	fields := reader.FieldDescriptions()
	tx.on.columns(of.text, fields)
	row := make([]driver.Value, len(fields))
	for reader.NextRow() {
		tx.has = true
		for i, encoded := range reader.Values() {
			value, err := decode(fields[i].DataTypeOID, encoded)
			if err != nil {
				return fmt.Errorf("column %s: %w", fields[i].Name, err)
			}
			row[i] = value
		}
		if err := of.each(row); errors.Is(err, engine.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// Scan is as of engine.Tx.
func (tx *Tx) Scan(row []driver.Value, into []any) error {
	return engine.Scan(tx.on.convert, row, into)
}

// Columns is as of engine.Tx.
func (tx *Tx) Columns(text string) ([]string, error) { return tx.on.names[text], nil }

// Stale is as of engine.Tx: others write at any time.
func (tx *Tx) Stale() bool { return true }

// Err is as of engine.Tx.
func (tx *Tx) Err() error { return tx.failed }

// queue sends a statement in the words that the server is to read, without waiting for anything but where many wait.
func (tx *Tx) queue(text, words string, args []any) (*queued, error) {
	if tx.failed != nil {
		return nil, tx.failed
	}
	if tx.view {
		return nil, tx.fails(engine.ErrReadOnly) // here, since it might never be sent
	}
	bound, err := bind(tx.on.convert, args)
	if err != nil {
		return nil, tx.fails(err)
	}
	if len(tx.queued) >= maxQueued {
		if err := tx.answers(); err != nil {
			return nil, err
		}
	}
	tx.outdates(text)
	return tx.send(words, bound), nil
}

// send puts a statement into the pipeline, and before it its preparation where the connection has not seen it. What it
// returns is good until the next one.
func (tx *Tx) send(text string, bound arguments) *queued {
	if !tx.named {
		tx.pipe.SendQueryParams(text, bound.values, nil, bound.formats, nil)
	} else if s, known := tx.on.statement(text); s.description != nil {
		tx.pipe.SendQueryStatement(s.description, bound.values, bound.formats, nil)
	} else {
		if !known {
			tx.pipe.SendPrepare(s.name, text, nil)
			tx.queued = append(tx.queued, queued{text: text, prepares: s})
		}
		tx.pipe.SendQueryPrepared(s.name, bound.values, bound.formats, nil)
	}
	tx.queued = append(tx.queued, queued{text: text})
	return &tx.queued[len(tx.queued)-1]
}

// flush asks the server for all answers: a round trip.
func (tx *Tx) flush() error {
	tx.db.trips.Add(1)
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
	var given error
	switch results := results.(type) {
	case nil:
		if err == nil {
			err = errors.New("the server does not answer")
		}
	case *pgconn.StatementDescription:
		results.Name = of.prepares.name // the driver leaves that to us
		of.prepares.description = results
	case *pgconn.ResultReader:
		if of.each != nil {
			given = tx.read(of, results)
		}
		tag, err = results.Close()
	default:
		err = fmt.Errorf("the server answers by %T", results)
	}
	if of.locks && err == nil {
		tx.turned()
	}
	if said, is := errors.AsType[*pgconn.PgError](err); is && !isGoing(said) {
		tx.refused = true
	}
	tx.unasked = tx.unasked || err != nil && of.unasked
	switch {
	case err != nil && of.none != nil && isDivision(err):
		tx.found = true
		return tag, tx.fails(of.none)
	case err != nil:
		return tag, tx.fail(of.text, err)
	case of.guess != nil:
		of.guess.known = true
	}
	return tag, tx.fails(given)
}

// fail notes an error of the server or of the way to it, with the beginning of what was asked.
func (tx *Tx) fail(text string, err error) error {
	switch {
	case isPooled(err):
		tx.db.named.Store(false)
	case isOutdated(err):
		tx.db.pool.Reset() // each connection has prepared it
	}
	if text != "" {
		err = fmt.Errorf("%s: %w", shortened(text), err)
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

// commit ends the transaction for good. Where the server does not say whether it has, the error is of the kind
// engine.ErrUncertain.
func (tx *Tx) commit(ctx context.Context) error {
	tx.db.trips.Add(1)
	tx.send("COMMIT", arguments{})
	err := asEngine(tx.pipe.Sync())
	var tag pgconn.CommandTag
	for err == nil && len(tx.queued) > 0 {
		tag, err = tx.answer()
	}
	if err == nil && tag.String() != "COMMIT" {
		tx.refused = true
		err = asEngine(fmt.Errorf("the server has answered COMMIT by %s", tag))
	}
	if closed := tx.close(ctx); err == nil {
		err = asEngine(closed)
	}
	if err != nil && !tx.refused { // also what could not be read of an answer before
		return &engine.Error{Err: err, Kind: engine.ErrUncertain}
	}
	return err
}

// abandon has nobody hear any longer of what is still to be answered.
func (tx *Tx) abandon() {
	for i := range tx.queued {
		tx.queued[i].each, tx.queued[i].none, tx.queued[i].guess = nil, nil, nil
	}
}

// rollback ends the transaction, and leaves the connection as it was before, in one round trip: others wait for it.
func (tx *Tx) rollback(ctx context.Context) {
	if !tx.on.raw.IsClosed() {
		if tx.failed != nil || len(tx.queued) > 0 {
			tx.pipe.SendPipelineSync() // from here on the server reads again, whatever it has refused
		}
		tx.pipe.SendQueryParams("ROLLBACK", nil, nil, nil, nil)
		err := tx.pipe.Sync()
		for err == nil && len(tx.queued) > 0 && !tx.on.raw.IsClosed() {
			_, _ = tx.answer()
		}
	}
	_ = tx.close(ctx)
}

// close ends the pipeline, and a transaction that is still open. A connection that is lost is the driver's, which is
// closing it in a goroutine of its own.
func (tx *Tx) close(ctx context.Context) error {
	if tx.on.raw.IsClosed() {
		return errLost
	}
	err := tx.pipe.Close()
	tx.on.forget()
	if !tx.on.raw.IsClosed() && tx.on.raw.TxStatus() != 'I' {
		_, _ = tx.on.raw.Exec(ctx, "ROLLBACK").ReadAll() // the pool closes a connection where that fails
	}
	return err
}
