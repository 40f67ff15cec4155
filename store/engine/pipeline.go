package engine

// The parts that use pgx directly, below database/sql: pipelined statements of a transaction, and listening.

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

// maxQueued is the largest number of statements waiting to be sent.
const maxQueued = 256

// pipeline is the session of a transaction on a server: statements are sent with the next one whose answer is needed,
// in one round trip.
type pipeline struct {
	db      *Server
	conn    *sql.Conn
	reads   bool     // it is a view
	queued  []queued // still to be sent
	known   map[string]*known
	answer  pgconn.CommandTag // of the last statement
	has     bool              // it has read a row
	found   bool              // the failure is a query's wanted or unwanted row
	refused bool              // the server has reported a failure, so it commits nothing
	turned  func()            // called once a lock is answered; nil: not called
}

// queued is a statement still to be sent.
type queued struct {
	statement
	ahead *known // stores the answer of a query that was asked ahead; nil: it was not
}

// begin returns a transaction that begins with statements, such as BEGIN, which are sent with the first one that needs
// an answer.
func (d *Server) begin(ctx context.Context, conn *sql.Conn, statements ...string) (*Tx, *pipeline) {
	p := &pipeline{db: d, conn: conn}
	for _, query := range statements {
		p.queued = append(p.queued, queued{statement: statement{query: query}})
	}
	return &Tx{ctx: ctx, on: p, convert: d.options.Convert, Stale: true}, p
}

func (p *pipeline) exec(ctx context.Context, query string, args []any) (int64, error) {
	if err := p.queue(ctx, statement{query: query, args: args}); err != nil {
		return 0, err
	}
	err := p.send(ctx)
	return p.answer.RowsAffected(), err
}

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

func (p *pipeline) later(ctx context.Context, s statement) error {
	if s.locks {
		s.query += ` FOR UPDATE`
	}
	return p.queue(ctx, s)
}

// queue adds a statement that may change something, and drops the answers asked ahead that it may have changed. A table
// name inside another name also counts, which costs a round trip at most.
func (p *pipeline) queue(ctx context.Context, s statement) error {
	if p.reads {
		return ErrReadOnly // here, since it might never be sent
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

// ahead sends a query with the next statement.
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

// writing matches statements that change rows of one table only.
var writing = regexp.MustCompile(`^\s*(?:INSERT INTO|UPDATE) (\w+)`)

// keyOf returns a key for a query with its arguments.
func keyOf(query string, args []any) string { return fmt.Sprintf("%s %q", query, args) }

// send sends all queued statements and reads the answers, in one round trip.
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

// read reads the answer of a statement.
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

// fails notes the meaning of an error of the server, or of the connection to it, and returns it with the beginning of
// the statement.
func (p *pipeline) fails(s statement, err error) error {
	switch {
	case isPooled(err):
		p.db.pooled.Store(true)
		p.db.reset()
	case isOutdated(err):
		p.db.reset() // each connection has prepared it
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

// maxUnsent is the largest number of rows waiting to be sent.
const maxUnsent = 256

// fill copies rows to the server while the next ones are read. INSERT statements would take twice the time for a large
// database.
func (p *pipeline) fill(tx *Tx, t Table) (add func(row []any) error, end func() error) {
	rows, done := make(chan []any, maxUnsent), make(chan error, 1)
	go func() {
		err := p.send(tx.ctx) // send what is queued
		if err == nil {
			err = asServer(p.conn.Raw(func(conn any) error {
				_, err := conn.(*stdlib.Conn).Conn().CopyFrom(tx.ctx, pgx.Identifier{t.Name}, t.names(),
					pgx.CopyFromFunc(func() ([]any, error) { return <-rows, nil })) // nil ends the rows
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

// commit commits the transaction. If the server does not answer, the error is of the kind ErrUncertain.
func (p *pipeline) commit(ctx context.Context) error {
	p.queued = append(p.queued, queued{statement: statement{query: "COMMIT"}})
	err := p.send(ctx)
	if err == nil && p.answer.String() != "COMMIT" {
		p.refused = true
		err = asServer(fmt.Errorf("the server has answered COMMIT by %s", p.answer))
	}
	_, unsent := errors.AsType[pgx.ErrPreprocessingBatch](err) // all is prepared before any of it is sent
	if err != nil && !p.refused && !unsent {                   // also for an unreadable earlier answer
		return &Error{Err: err, Kind: ErrUncertain}
	}
	return err
}

// rollback ends the transaction if it has begun. If that fails, the connection is closed.
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

// hear receives hints on one connection until that is lost, and reports whether it is a pooler's.
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
		if pooled = err == nil && process != conn.PgConn().PID(); pooled { // a pooler reports its own number
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

// hearNext waits for a hint and passes it on.
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
