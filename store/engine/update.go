package engine

// Changes and views of a server, and repeating changes.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// changeWithin is the timeout of a change, waiting for others included: then its connection is closed.
	changeWithin = 30 * time.Second
	// viewWithin is the timeout of a view: exports and checks of everything are views, too.
	viewWithin = 12 * time.Hour
	// committedWithin is the timeout of a commit and the statements before it. An unanswered one is uncertain.
	committedWithin = 10 * time.Second
	// The first statement of a transaction. A change reads what earlier changes have committed.
	beginChange = `BEGIN ISOLATION LEVEL READ COMMITTED`
	beginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// setLimits ends transactions that wait for a process that is cut off.
	setLimits = `SELECT set_config('lock_timeout', '10s', TRUE),
		set_config('idle_in_transaction_session_timeout', '10s', TRUE)`
)

// Update implements DB. The lease keeps other processes away; a process that takes it over waits for changes under way.
func (d *Server) Update(ctx context.Context, name string, change func(*Tx) error) error {
	if d.reads {
		return ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	came := time.Now()
	done, err := d.turn(ctx, name)
	if err != nil {
		return err
	}
	defer done()
	turned := sync.OnceFunc(func() {
		d.count(func(all *Commits) { all.Waits.add(time.Since(came).Microseconds()) })
	})
	if name == "" {
		turned() // otherwise once its chat is locked, which other replicas may hold
	}
	err = d.carryOut(context.WithoutCancel(ctx), turned, change) // a change that has begun is completed
	if err == nil {
		d.trouble.ends(func() bool { return true })
	} else if failed, ok := errors.AsType[*Error](err); ok && failed.Kind != ErrRefused && !isCrowded(err) {
		d.trouble.begins(err) // which is not the change's own fault
	}
	return err
}

// turn waits until a change may begin, before it takes a connection. Changes without a name may have to wait for locked
// rows: some connections are left for the rest.
func (d *Server) turn(ctx context.Context, name string) (done func(), err error) {
	if name != "" {
		return d.turns.Lock(ctx, name)
	}
	select {
	case d.nameless <- struct{}{}:
		return func() { <-d.nameless }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// carryOut runs a change until it is committed or has failed by its own fault.
func (d *Server) carryOut(ctx context.Context, turned func(), change func(*Tx) error) error {
	ends := time.Now().Add(changeWithin)
	var left patience
	for {
		err := d.change(ctx, time.Until(ends), turned, change)
		failed, again := errors.AsType[*repeatable](err)
		if !again {
			return err
		}
		if failed.why == byConnection {
			d.reset() // the others are probably lost, too
		}
		if !left.take(failed) || time.Now().After(ends) {
			return failed.last()
		}
		d.count(func(all *Commits) { all.Again++ })
		switch failed.why {
		case byLease:
			asking, cancel := context.WithTimeout(ctx, askWithin)
			err := d.held.renewNow(asking)
			if err != nil && d.held.there() == nil { // its idle connections may have been lost
				err = d.held.renewNow(asking)
			}
			if cancel(); err != nil {
				return err
			}
		case byOthers:
			time.Sleep(rand.N(time.Duration(left[byOthers]) * pause))
		}
	}
}

// change runs a change once, in a transaction that begins with some statements and has a timeout. Its error is a
// repeatable one if nothing was committed and another run may succeed.
func (d *Server) change(
	ctx context.Context, within time.Duration, turned func(), change func(*Tx) error, statements ...string,
) error {
	if err := d.held.there(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := take(ctx, d.pool)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, p := d.begin(ctx, conn, append([]string{beginChange, setLimits}, statements...)...)
	p.turned = turned
	defer p.rollback(ctx) // unless committed
	_ = tx.Need(d.held.missing, heldLease, d.held.name, d.held.holder, d.held.fence)
	err = change(tx)
	if err == nil {
		err = tx.Failed
	}
	if err != nil {
		return asRepeatable(err, tx.Failed)
	}
	if within <= changeWithin {
		defer time.AfterFunc(committedWithin, cancel).Stop()
	}
	began := time.Now()
	err = p.commit(ctx)
	if !p.found { // otherwise the change itself was wrong
		d.commit(1, time.Since(began), err == nil)
	}
	if failed, is := errors.AsType[*Error](err); err == nil || is && failed.Kind == ErrUncertain {
		d.hint(tx.hints)
	}
	if err != nil {
		return asRepeatable(fmt.Errorf("commit: %w", err), err)
	}
	return nil
}

// Rewrite implements DB. Replicas that rewrite a database run one after the other.
func (d *Server) Rewrite(ctx context.Context, change func(*Tx) error) error {
	statements := []string{`SET CONSTRAINTS ALL DEFERRED`}
	if d.options.Shared {
		statements = append(statements, `SELECT 1 FROM leases WHERE name = '`+instance+`' FOR NO KEY UPDATE`)
	}
	return d.long(ctx, change, statements...)
}

// long runs a change once that may take hours.
func (d *Server) long(ctx context.Context, change func(*Tx) error, statements ...string) error {
	if d.reads {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	err := d.change(ctx, viewWithin, nil, change, statements...)
	if failed, ok := errors.AsType[*repeatable](err); ok {
		return failed.last()
	}
	return err
}

// View implements DB. One that notices a pooler, or a changed schema, before it has read anything begins again.
func (d *Server) View(ctx context.Context, read func(*Tx) error) error {
	has, err := d.view(ctx, d.pool, read)
	if err != nil && !has && (isPooled(err) || isOutdated(err)) {
		_, err = d.view(ctx, d.pool, read)
	}
	return err
}

// view runs a view on a connection of a pool, ends its transaction in the background, and reports whether it has read
// anything.
func (d *Server) view(ctx context.Context, pool *sql.DB, read func(*Tx) error) (has bool, err error) {
	if !d.work.Begin() {
		return false, errClosed
	}
	conn, err := take(ctx, pool)
	if err != nil {
		d.work.Done()
		return false, err
	}
	// ctx may end as soon as read has returned, and the transaction ends after that.
	reads, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
	stop := context.AfterFunc(ctx, cancel)
	tx, p := d.begin(reads, conn, beginView)
	p.reads = true
	defer func() {
		stop()
		go func() {
			defer d.work.Done()
			p.rollback(reads)
			cancel()
			_ = conn.Close()
		}()
	}()
	if err = read(tx); err == nil {
		err = tx.Failed
	}
	return p.has, err
}

// take returns a connection of a pool.
func take(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", asServer(oneLine{err}))
	}
	return conn, nil
}

// readersWithin is the timeout for readers of an older state before the tables are cleaned. Most are presses under way,
// which take milliseconds.
const readersWithin = 5 * time.Second

// errReading says why the tables cannot be cleaned yet.
var errReading = errors.New("somebody still reads what was there before, such as a backup or an export")

const (
	// begun returns the id of the next transaction.
	begun = `SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::TEXT`
	// readingNow finds the connections for which the server keeps rows that were replaced or deleted before a
	// transaction. Those of other roles are not visible.
	readingNow = `SELECT pid::TEXT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		AND GREATEST(AGE(backend_xmin), AGE(backend_xid)) > AGE($1::xid)`
)

// Clean implements DB: dead rows leave their tables and indexes. Their bytes may stay in unused parts of pages until
// these are rewritten, and in the server's log and its backups while these are kept. It fails while a reader reads an
// older state.
func (d *Server) Clean(ctx context.Context) error {
	if d.reads {
		return ErrReadOnly
	}
	tables, err := d.texts(ctx, `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`)
	if err != nil || len(tables) == 0 {
		return err
	}
	if err := d.readersEnd(ctx); err != nil {
		return err
	}
	// By default VACUUM skips indexes if few rows have gone: their keys are ids of people.
	_, err = d.tell(ctx, `VACUUM (INDEX_CLEANUP ON) `+strings.Join(tables, ", "))
	return d.explain(asServer(err))
}

// readersEnd waits until no reader reads an older state.
func (d *Server) readersEnd(ctx context.Context) error {
	now, err := d.texts(ctx, begun)
	if err != nil {
		return err
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for ends := time.Now().Add(readersWithin); ; {
		left, err := d.texts(ctx, readingNow, now[0])
		if err != nil || len(left) == 0 {
			return err
		}
		if time.Now().After(ends) {
			return &Error{Err: errReading}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

// unsound finds the indexes and constraints that the server does not rely on.
const unsound = `
	SELECT 'the index ' || c.relname || ' is not to be relied on: REINDEX INDEX ' || c.relname || ' mends it'
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	WHERE NOT i.indisvalid AND c.relnamespace = quote_ident(current_schema())::regnamespace
	UNION ALL
	SELECT 'the rule ' || conname || ' of the table ' || conrelid::regclass || ' was not checked for all rows'
	FROM pg_constraint WHERE NOT convalidated AND connamespace = quote_ident(current_schema())::regnamespace
	ORDER BY 1`

// Faults implements DB.
func (d *Server) Faults(ctx context.Context) ([]string, error) { return d.texts(ctx, unsound) }

// repeatable is the error of a change that committed nothing and may succeed when it runs again.
type repeatable struct {
	error
	why reason
}

func (r *repeatable) Unwrap() error { return r.error }

// last returns the error of the last run, of the kind that a retry may clear.
func (r *repeatable) last() error {
	if errors.Is(r.error, ErrAgain) {
		return &Error{Err: r.error}
	}
	return r.error
}

// reason is why a change runs again.
type reason int

const (
	byOthers     reason = iota // concurrent changes were in its way
	byRules                    // it violates the schema, perhaps because of a concurrent change
	byConnection               // the connection was lost before the commit, or is stale
	byLease                    // the replica was away for long and has to join again
	reasons
)

// pause is the longest pause of a change after a conflict, and grows with each.
const pause = 5 * time.Millisecond

// runs is the largest number of repetitions of a change, by the reason.
var runs = [reasons]int{byOthers: 8, byRules: 1, byConnection: 2, byLease: 2}

// patience counts the repetitions of a change.
type patience [reasons]int

// take reports whether the change may run again.
func (p *patience) take(failed *repeatable) bool {
	p[failed.why]++
	return p[failed.why] <= runs[failed.why]
}

// asRepeatable returns the error of a change as a repeatable one if it is, judged by the error of the failed statement;
// nil: none has failed.
func asRepeatable(err, failed error) error {
	if errors.Is(err, ErrAgain) || errors.Is(failed, ErrAgain) {
		return &repeatable{err, byOthers}
	}
	if errors.Is(failed, errMissing) {
		return &repeatable{err, byLease}
	}
	of, ours := errors.AsType[*Error](failed)
	if !ours || of.Kind == ErrUncertain {
		return err
	}
	said, answered := errors.AsType[*pgconn.PgError](of.Err)
	switch {
	case !answered && of.Kind != nil:
		return err
	case !answered, isPooled(said), isOutdated(said), isGoing(said):
		return &repeatable{err, byConnection}
	case said.Code == codeSerialization, said.Code == codeDeadlock:
		return &repeatable{err, byOthers}
	case strings.HasPrefix(said.Code, classIntegrity):
		return &repeatable{err, byRules}
	}
	return err
}

// isOutdated reports whether a statement was prepared before the schema was changed.
func isOutdated(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == codeNotSupported && failed.Routine == "RevalidateCachedQuery"
}

// isGoing reports whether the server is closing the connection.
func isGoing(err *pgconn.PgError) bool {
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}
