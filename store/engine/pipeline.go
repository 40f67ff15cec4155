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

// maxQueued is the number of queued statements at which all of them are sent.
const maxQueued = 256

// maxAnnounced is the maximum number of answers to announced queries (Tx.Ahead) that a transaction keeps: more than a
// button press needs, and little memory even in a transaction that reads all tables.
const maxAnnounced = 64

// pipeline runs the statements of a transaction on a server. It queues statements and sends them together with the next
// statement whose answer is needed, in one round trip.
type pipeline struct {
	db          *Server
	conn        *sql.Conn
	readOnly    bool                    // it belongs to a view
	queued      []queued                // statements that were not sent yet
	announced   map[string]*earlyAnswer // answers of announced queries, by keyOf
	answer      pgconn.CommandTag       // to the last statement, with the number of changed rows
	gotRow      bool                    // a query has returned a row
	wrongAnswer bool                    // a statement failed because its answer was not the wanted one
	refused     bool                    // the server has reported a failure, so it commits nothing
	onLock      func()                  // called once the server has granted a row lock; nil: not called
}

// queued is a statement that waits to be sent.
type queued struct {
	statement
	ahead *earlyAnswer // gets the answer of an announced query; nil for other statements
}

// begin returns a transaction on conn, and its pipeline. The transaction begins with statements, such as BEGIN. They
// are sent together with the first further statement whose answer is needed.
func (d *Server) begin(ctx context.Context, conn *sql.Conn, statements ...string) (*Tx, *pipeline) {
	p := &pipeline{db: d, conn: conn}
	for _, query := range statements {
		p.queued = append(p.queued, queued{statement: statement{query: query}})
	}
	return &Tx{ctx: ctx, on: p, convert: d.options.Convert, Stale: true}, p
}

// exec sends the queued statements and then query, and returns the number of rows that query has changed.
func (p *pipeline) exec(ctx context.Context, query string, args []any) (int64, error) {
	if err := p.queue(ctx, statement{query: query, args: args}); err != nil {
		return 0, err
	}
	err := p.send(ctx)
	return p.answer.RowsAffected(), err
}

// query calls onRow for each row of a query. If Ahead has announced the same query, it uses the early answer. Otherwise
// it sends the queued statements and then the query.
func (p *pipeline) query(ctx context.Context, query string, args []any, onRow func(Row) error) error {
	var answer *earlyAnswer
	if len(p.announced) > 0 {
		answer = p.announced[keyOf(query, args)]
	}
	if answer == nil {
		p.queued = append(p.queued, queued{statement: statement{query: query, args: args, onRow: onRow}})
		return p.send(ctx)
	}
	if answer.fields == nil {
		if err := p.send(ctx); err != nil {
			return err
		}
	}
	return eachRow(Row{&earlyRows{earlyAnswer: answer, index: -1}, p.db.options.Convert}, onRow)
}

// later queues s. If s locks rows, it adds FOR UPDATE to the SQL of s.
func (p *pipeline) later(ctx context.Context, s statement) error {
	if s.locks {
		s.query += ` FOR UPDATE`
	}
	return p.queue(ctx, s)
}

// queue queues s. It drops the early answers that s may change: those to queries whose text contains the name of the
// table that s changes, even as a part of another name. In a view it returns ErrReadOnly.
func (p *pipeline) queue(ctx context.Context, s statement) error {
	if p.readOnly {
		return ErrReadOnly // at once, since the statement might never be sent
	}
	if len(p.announced) > 0 && s.wants != finds && s.wants != findsNone {
		table := writing.FindStringSubmatch(s.query)
		maps.DeleteFunc(p.announced,
			func(key string, _ *earlyAnswer) bool { return table == nil || strings.Contains(key, table[1]) })
	}
	p.queued = append(p.queued, queued{statement: s})
	if len(p.queued) < maxQueued {
		return nil
	}
	return p.send(ctx)
}

// ahead queues a query early. If the same query is run later, it gets this answer. If args are invalid, ahead is a
// no-op, and the later query returns the error.
func (p *pipeline) ahead(tx *Tx, query string, args []any) {
	args, err := tx.bind(args)
	if err != nil {
		return
	}
	key := keyOf(query, args)
	if p.announced[key] != nil {
		return
	}
	if p.announced == nil || len(p.announced) == maxAnnounced {
		p.announced = map[string]*earlyAnswer{}
	}
	answer := &earlyAnswer{}
	p.announced[key] = answer
	p.queued = append(p.queued, queued{statement{query: query, args: args}, answer})
}

// writing matches a statement that changes the rows of one table only, and captures the name of the table.
var writing = regexp.MustCompile(`^\s*(?:INSERT INTO|UPDATE) (\w+)`)

// keyOf returns the key in pipeline.announced for a query with its arguments. It does not use %q, which formats every
// number that is not a valid character as the same text.
func keyOf(query string, args []any) string { return fmt.Sprintf("%s %#v", query, args) }

// send sends all queued statements and reads their answers, in one round trip. It returns the first error.
func (p *pipeline) send(ctx context.Context) (firstErr error) {
	p.db.count(func(all *Commits) { all.RoundTrips++ })
	all := p.queued
	p.queued = nil
	connErr := p.conn.Raw(func(conn any) error {
		batch := &pgx.Batch{}
		for _, s := range all {
			batch.Queue(s.serverSQL(), s.args...)
		}
		answers := conn.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
		for i := 0; i < len(all) && firstErr == nil; i++ {
			firstErr = p.readAnswer(answers, all[i])
		}
		closed := answers.Close()
		if firstErr == nil && closed != nil {
			firstErr = p.describeFailure(statement{}, closed)
		}
		return nil
	})
	if connErr != nil {
		return asServer(connErr)
	}
	return firstErr
}

// readAnswer reads the answer to s. It stores the rows of an announced query, and passes the rows of others to s.onRow.
// Its error is that of s.onRow, the server or the connection.
func (p *pipeline) readAnswer(answers pgx.BatchResults, s queued) error {
	rows, err := answers.Query()
	if err == nil {
		var eachErr error
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
		case s.onRow != nil:
			eachErr = eachRow(Row{serverRows{rows}, p.db.options.Convert}, func(row Row) error {
				p.gotRow = true
				return s.onRow(row)
			})
		}
		rows.Close()
		if err = rows.Err(); err == nil && eachErr != nil {
			return eachErr
		}
	}
	if err != nil {
		return p.describeFailure(s.statement, err)
	}
	p.answer = rows.CommandTag()
	if s.locks && p.onLock != nil {
		p.onLock()
	}
	return nil
}

// describeFailure adds the beginning of the SQL of s to err, the error of s from the server or the connection, or
// returns s.wrong if the answer was not the wanted one. It also stores whether a connection pooler was noticed and
// whether the server has refused the transaction. It makes the pool replace connections with stale prepared statements.
func (p *pipeline) describeFailure(s statement, err error) error {
	switch {
	case isPooled(err):
		p.db.pooled.Store(true)
		p.db.reset()
	case isOutdated(err):
		p.db.reset() // every connection may have prepared it
	}
	if serverErr, isServerErr := errors.AsType[*pgconn.PgError](err); isServerErr && !isDisconnect(serverErr) {
		p.refused = true
	}
	if s.wrong != nil && stateOf(err) == codeDivision {
		p.wrongAnswer = true
		return s.wrong
	}
	if s.query != "" {
		words := strings.Fields(s.query)
		err = fmt.Errorf("%s: %w", strings.Join(words[:min(len(words), 6)], " "), err)
	}
	return asServer(oneLine{err})
}

// maxUnsent is the largest number of rows that wait in fill to be sent.
const maxUnsent = 256

// fill copies rows of t to the server by COPY, in the background: INSERT statements would take twice the time for a
// large database. add queues the next row. end, called after the last row, waits for the copy and returns its error.
func (p *pipeline) fill(tx *Tx, t Table) (add func(row []any) error, end func() error) {
	rows, done := make(chan []any, maxUnsent), make(chan error, 1)
	go func() {
		err := p.send(tx.ctx) // the queued statements come before the rows
		if err == nil {
			err = asServer(p.conn.Raw(func(conn any) error {
				_, err := conn.(*stdlib.Conn).Conn().CopyFrom(tx.ctx, pgx.Identifier{t.Name}, t.names(),
					pgx.CopyFromFunc(func() ([]any, error) { return <-rows, nil })) // nil, once rows is closed, ends it
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

// commit sends the queued statements and COMMIT. If the server may have committed, the error's kind is ErrUncertain.
func (p *pipeline) commit(ctx context.Context) error {
	p.queued = append(p.queued, queued{statement: statement{query: "COMMIT"}})
	err := p.send(ctx)
	if err == nil && p.answer.String() != "COMMIT" {
		p.refused = true
		err = asServer(fmt.Errorf("the server answered COMMIT with %s", p.answer))
	}
	_, unsent := errors.AsType[pgx.ErrPreprocessingBatch](err) // all statements are prepared before the first is sent
	if err != nil && !p.refused && !unsent {                   // err may be of an earlier answer: COMMIT may be done
		return &Error{Err: err, Kind: ErrUncertain}
	}
	return err
}

// rollback rolls back the transaction, if one is open. If that fails, it closes the connection.
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

// receiveHints receives hints on a new connection until the connection is lost or ctx is done. If the connection leads
// to a pooler, through which no hints arrive, receiveHints returns at once and pooled is true.
func (d *Server) receiveHints(ctx context.Context) (pooled bool) {
	db := stdlib.OpenDB(*d.unnamed())
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.Raw(func(raw any) error {
		conn := raw.(*stdlib.Conn).Conn()
		asking, cancel := context.WithTimeout(ctx, queryTimeout)
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
			err = d.receiveHint(ctx, conn)
		}
		return driver.ErrBadConn
	})
	return pooled
}

// receiveHint waits for one hint and passes it to the listeners, unless this process has sent it. If d.hints.silence
// passes without a hint, it pings the server instead. An error means that the connection is lost, or ctx is done.
func (d *Server) receiveHint(ctx context.Context, conn *pgx.Conn) error {
	waitCtx, cancel := context.WithTimeout(ctx, d.hints.silence)
	defer cancel()
	notification, err := conn.WaitForNotification(waitCtx)
	if err != nil && waitCtx.Err() != nil && ctx.Err() == nil {
		pingCtx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return conn.Ping(pingCtx)
	}
	if err != nil {
		return err
	}
	if from, text, _ := strings.Cut(notification.Payload, " "); from != d.hints.mark && isHint(text) {
		d.hints.callAll(text)
	}
	return nil
}
