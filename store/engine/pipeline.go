package engine

// Use of pgx below database/sql: pipelined statements of a transaction, and receiving hints.

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// maxQueued is the number of queued statements at which they are sent without waiting for a further one.
const maxQueued = 256

// pipeline runs the statements of a transaction on a server. Statements are queued and sent with the next one whose
// answer is needed, in one round trip.
type pipeline struct {
	db      *Server
	conn    *sql.Conn
	reads   bool     // it belongs to a view
	queued  []queued // statements to be sent
	known   map[string]*known
	answer  pgconn.CommandTag // of the last statement, with the number of changed rows
	has     bool              // a query has returned a row
	found   bool              // a statement failed because its answer was not the wanted one
	refused bool              // the server has reported a failure, so it commits nothing
	turned  func()            // called once the server has granted a row lock; nil: not called
}

// queued is a statement to be sent.
type queued struct {
	statement
	ahead *known // gets the answer of a query that Ahead has queued; nil for others
}

// begin returns a transaction on conn, and its pipeline. It begins with statements, such as BEGIN, which are sent
// together with the first statement that needs an answer.
func (d *Server) begin(ctx context.Context, conn *sql.Conn, statements ...string) (*Tx, *pipeline) {
	p := &pipeline{db: d, conn: conn}
	for _, query := range statements {
		p.queued = append(p.queued, queued{statement: statement{query: query}})
	}
	return &Tx{ctx: ctx, on: p, convert: d.options.Convert, Stale: true}, p
}

// exec sends the queued statements and this one, and returns the number of rows that this one has changed.
func (p *pipeline) exec(ctx context.Context, query string, args []any) (int64, error) {
	if err := p.queue(ctx, statement{query: query, args: args}); err != nil {
		return 0, err
	}
	err := p.send(ctx)
	return p.answer.RowsAffected(), err
}

// query calls each for the rows of a query, from the answer that Ahead has asked for, if there is one; otherwise it
// sends the queued statements and this one.
func (p *pipeline) query(ctx context.Context, query string, args []any, each func(Row) error) error {
	var k *known
	if len(p.known) > 0 {
		k = p.known[keyOf(query, args)]
	}
	if k == nil {
		p.queued = append(p.queued, queued{statement: statement{query: query, args: args, each: each}})
		return p.send(ctx)
	}
	if k.fields == nil {
		if err := p.send(ctx); err != nil {
			return err
		}
	}
	return eachOf(Row{&knownRows{known: k, now: -1}, p.db.options.Convert}, each)
}

// later queues s, with FOR UPDATE if it locks rows.
func (p *pipeline) later(ctx context.Context, s statement) error {
	if s.locks {
		s.query += ` FOR UPDATE`
	}
	return p.queue(ctx, s)
}

// queue queues s and drops the answers to earlier calls of ahead that s may change. A table's name inside another name
// also counts, which costs at most a round trip. In a view it returns ErrReadOnly.
func (p *pipeline) queue(ctx context.Context, s statement) error {
	if p.reads {
		return ErrReadOnly // at once, since the statement might never be sent
	}
	if len(p.known) > 0 && s.wants != finds && s.wants != findsNone {
		of := writing.FindStringSubmatch(s.query)
		maps.DeleteFunc(p.known, func(key string, _ *known) bool { return of == nil || strings.Contains(key, of[1]) })
	}
	p.queued = append(p.queued, queued{statement: s})
	if len(p.queued) < maxQueued {
		return nil
	}
	return p.send(ctx)
}

// ahead queues a query whose answer is stored for the same query later. An error in args is left to that query.
func (p *pipeline) ahead(tx *Tx, query string, args []any) {
	args, err := tx.bind(args)
	if err != nil {
		return
	}
	key := keyOf(query, args)
	if p.known[key] != nil {
		return
	}
	if p.known == nil {
		p.known = map[string]*known{}
	}
	k := &known{}
	p.known[key] = k
	p.queued = append(p.queued, queued{statement{query: query, args: args}, k})
}

// writing matches statements that change the rows of one table only, and captures the name of the table.
var writing = regexp.MustCompile(`^\s*(?:INSERT INTO|UPDATE) (\w+)`)

// keyOf returns the key in pipeline.known for a query with its arguments.
func keyOf(query string, args []any) string { return fmt.Sprintf("%s %q", query, args) }

// send sends all queued statements and reads the answers, in one round trip. failed is the first error.
func (p *pipeline) send(ctx context.Context) (failed error) {
	p.db.count(func(all *Commits) { all.RoundTrips++ })
	all := p.queued
	p.queued = nil
	raw := p.conn.Raw(func(conn any) error {
		batch := &pgx.Batch{}
		for _, s := range all {
			batch.Queue(s.words(), s.args...)
		}
		answers := conn.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
		for i := 0; i < len(all) && failed == nil; i++ {
			failed = p.read(answers, all[i])
		}
		closed := answers.Close()
		if failed == nil && closed != nil {
			failed = p.fails(statement{}, closed)
		}
		return nil
	})
	if raw != nil {
		return asServer(raw)
	}
	return failed
}

// read reads the answer of s, and stores its rows for a query asked ahead or passes them to s.each. Its error is that
// of s.each, the server or the connection.
func (p *pipeline) read(all pgx.BatchResults, s queued) error {
	rows, err := all.Query()
	if err == nil {
		var given error
		switch {
		case s.ahead != nil:
			s.ahead.types, s.ahead.fields = rows.Conn().TypeMap(), slices.Clone(rows.FieldDescriptions())
			for rows.Next() {
				row := slices.Clone(rows.RawValues())
				for i := range row {
					row[i] = bytes.Clone(row[i])
				}
				s.ahead.rows = append(s.ahead.rows, row)
			}
		case s.each != nil:
			given = eachOf(Row{serverRows{rows}, p.db.options.Convert}, func(row Row) error {
				p.has = true
				return s.each(row)
			})
		}
		rows.Close()
		if err = rows.Err(); err == nil && given != nil {
			return given
		}
	}
	if err != nil {
		return p.fails(s.statement, err)
	}
	p.answer = rows.CommandTag()
	if s.locks && p.turned != nil {
		p.turned()
	}
	return nil
}

// fails returns err, of the server or the connection, with the beginning of statement s, or s.wrong if the answer was
// not the wanted one. It also stores whether there is a pooler, and whether the server has refused the transaction, and
// replaces connections with stale prepared statements.
func (p *pipeline) fails(s statement, err error) error {
	switch {
	case isPooled(err):
		p.db.pooled.Store(true)
		p.db.reset()
	case isOutdated(err):
		p.db.reset() // every connection may have prepared it
	}
	if said, is := errors.AsType[*pgconn.PgError](err); is && !isGoing(said) {
		p.refused = true
	}
	if s.wrong != nil && stateOf(err) == codeDivision {
		p.found = true
		return s.wrong
	}
	if s.query != "" {
		words := strings.Fields(s.query)
		err = fmt.Errorf("%s: %w", strings.Join(words[:min(len(words), 6)], " "), err)
	}
	return asServer(oneLine{err})
}

// maxUnsent is the largest number of rows waiting to be sent by fill.
const maxUnsent = 256

// fill copies rows to the server by COPY, in the background: INSERT statements would take twice the time for a large
// database. add takes the next row of t; end, called after the last one, waits for the copy and returns its error.
func (p *pipeline) fill(tx *Tx, t Table) (add func(row []any) error, end func() error) {
	rows, done := make(chan []any, maxUnsent), make(chan error, 1)
	go func() {
		err := p.send(tx.ctx) // the queued statements come before the rows
		if err == nil {
			err = asServer(p.conn.Raw(func(conn any) error {
				_, err := conn.(*stdlib.Conn).Conn().CopyFrom(tx.ctx, pgx.Identifier{t.Name}, t.names(),
					pgx.CopyFromFunc(func() ([]any, error) { return <-rows, nil })) // nil, once closed, ends the rows
				return err
			}))
		}
		done <- tx.fail(err)
		close(done)
	}()
	add = func(row []any) error {
		select {
		case rows <- t.stored(row):
			return nil
		case err := <-done:
			return errors.Join(err, tx.ctx.Err())
		}
	}
	return add, func() error {
		close(rows)
		return <-done
	}
}

// commit sends the queued statements and COMMIT. Its error is of the kind ErrUncertain if the server may have committed
// without its answer arriving.
func (p *pipeline) commit(ctx context.Context) error {
	p.queued = append(p.queued, queued{statement: statement{query: "COMMIT"}})
	err := p.send(ctx)
	if err == nil && p.answer.String() != "COMMIT" {
		p.refused = true
		err = asServer(fmt.Errorf("the server has answered COMMIT by %s", p.answer))
	}
	_, unsent := errors.AsType[pgx.ErrPreprocessingBatch](err) // all are prepared before one is sent
	if err != nil && !p.refused && !unsent {                   // also if an earlier answer cannot be read
		return &Error{Err: err, Kind: ErrUncertain}
	}
	return err
}

// rollback rolls the transaction back if one is open. If that fails, the connection is closed.
func (p *pipeline) rollback(ctx context.Context) {
	_ = p.conn.Raw(func(conn any) error {
		c := conn.(*stdlib.Conn).Conn()
		if c.IsClosed() {
			return driver.ErrBadConn
		}
		if c.PgConn().TxStatus() == 'I' {
			return nil
		}
		if _, err := c.Exec(ctx, "ROLLBACK"); err != nil {
			return driver.ErrBadConn
		}
		return nil
	})
}

// hear receives hints on a new connection until that is lost or ctx is done. pooled reports whether the connection is a
// pooler's, through which no hints arrive; hear then returns at once.
func (d *Server) hear(ctx context.Context) (pooled bool) {
	db := stdlib.OpenDB(*d.unnamed())
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.Raw(func(raw any) error {
		conn := raw.(*stdlib.Conn).Conn()
		asking, cancel := context.WithTimeout(ctx, askWithin)
		defer cancel()
		var process uint32
		var name string
		err := conn.QueryRow(asking, `SELECT pg_backend_pid(), `+channel).Scan(&process, &name)
		if pooled = err == nil && process != conn.PgConn().PID(); pooled { // a pooler has given another process id
			return driver.ErrBadConn
		}
		if err == nil {
			_, err = conn.Exec(asking, `LISTEN `+pgx.Identifier{name}.Sanitize())
		}
		for err == nil {
			err = d.hearNext(ctx, conn)
		}
		return driver.ErrBadConn
	})
	return pooled
}

// hearNext waits for one hint and passes it to the listeners, unless this process has sent it. If none arrives for
// long, it pings the server instead. An error means that the connection is lost, or ctx is done.
func (d *Server) hearNext(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, d.hints.silence)
	defer cancel()
	said, err := conn.WaitForNotification(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		asking, cancel := context.WithTimeout(ctx, connectWithin)
		defer cancel()
		return conn.Ping(asking)
	}
	if err != nil {
		return err
	}
	if from, text, _ := strings.Cut(said.Payload, " "); from != d.hints.self && isHint(text) {
		d.hints.tell(text)
	}
	return nil
}
