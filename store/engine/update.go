package engine

// Changes and views of a database on a server, and repeating changes.

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
	// changeWithin is the timeout of a change, its waits for other changes included; after that its connection is
	// closed.
	changeWithin = 30 * time.Second
	// viewWithin is the timeout of a view; long, because exports and checks of all data are views, too.
	viewWithin = 12 * time.Hour
	// committedWithin is the timeout of a commit and the statements sent with it. An unanswered commit is uncertain.
	committedWithin = 10 * time.Second
	// beginChange and beginView are the first statements of a change and of a view. With READ COMMITTED a change sees
	// what others commit until each of its statements runs; a view sees one state.
	beginChange = `BEGIN ISOLATION LEVEL READ COMMITTED`
	beginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// setLimits ends a transaction after 10 seconds of waiting for a lock or of idling: otherwise changes would wait
	// for ever for a process that is cut off.
	setLimits = `SELECT set_config('lock_timeout', '10s', TRUE),
		set_config('idle_in_transaction_session_timeout', '10s', TRUE)`
)

// Update runs change in a transaction that checks the lease, repeats it after conflicts and lost connections, and
// returns once it is committed or has failed. A process that takes the lease over waits for changes that have begun.
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
		turned() // for a name this is called once its chat is locked, which other replicas may delay
	}
	err = d.carryOut(context.WithoutCancel(ctx), turned, change) // a change that has begun is completed
	if err == nil {
		d.trouble.ends(func() bool { return true })
	} else if failed, ok := errors.AsType[*Error](err); ok && failed.Kind != ErrRefused && !isCrowded(err) {
		d.trouble.begins(err) // the failure is the database's, not the change's
	}
	return err
}

// turn waits until a change called name may begin, before it takes a connection; done must be called at its end.
// Changes of one name run one at a time. Changes without a name may wait for locked rows, and so may use only some of
// the connections.
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

// carryOut runs change until it is committed, has failed in a way that repeating does not help, or has been repeated
// too often. turned is called once the change has its locks.
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
			d.reset() // the idle ones are probably lost, too
		}
		if !left.take(failed) || time.Now().After(ends) {
			return failed.last()
		}
		d.count(func(all *Commits) { all.Again++ })
		switch failed.why {
		case byLease:
			asking, cancel := context.WithTimeout(ctx, askWithin)
			err := d.held.renewNow(asking)
			if err != nil && d.held.there() == nil { // an idle connection for the lease may have been lost
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

// change runs the function change once, in a transaction that begins with further statements and has the timeout
// within. Its error is *repeatable if nothing was committed and another run may succeed.
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
	if !p.found { // otherwise the change failed, not the commit
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

// Rewrite runs change in a transaction that checks references at its end. Replicas rewrite the database one after the
// other, since each locks the lease of the whole database.
func (d *Server) Rewrite(ctx context.Context, change func(*Tx) error) error {
	statements := []string{`SET CONSTRAINTS ALL DEFERRED`}
	if d.options.Shared {
		statements = append(statements, `SELECT 1 FROM leases WHERE name = '`+instance+`' FOR NO KEY UPDATE`)
	}
	return d.long(ctx, change, statements...)
}

// long runs a change once that may take hours. It is not repeated.
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

// View runs read in a transaction that reads one state. It runs read again if that fails because of a pooler or a
// changed schema before it got a row.
func (d *Server) View(ctx context.Context, read func(*Tx) error) error {
	has, err := d.view(ctx, d.pool, read)
	if err != nil && !has && (isPooled(err) || isOutdated(err)) {
		_, err = d.view(ctx, d.pool, read)
	}
	return err
}

// view runs read once, on a connection of pool, and ends its transaction in the background. has reports whether read
// got a row, so that it must not run again; err is the error of read or of the connection.
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

// take returns a connection of pool, and waits until one is free or ctx is done.
func take(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", asServer(oneLine{err}))
	}
	return conn, nil
}

// readersWithin is how long Clean waits for transactions that read an older state. Most belong to presses and take
// milliseconds.
const readersWithin = 5 * time.Second

// errReading means that a transaction still reads an older state, so that the tables cannot be cleaned.
var errReading = errors.New("somebody still reads what was there before, such as a backup or an export")

const (
	// begun selects the id of the next transaction.
	begun = `SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::TEXT`
	// readingNow selects the other connections to this database for which the server keeps rows that were replaced or
	// deleted before transaction $1. The server hides these numbers of connections of other roles.
	readingNow = `SELECT pid::TEXT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		AND GREATEST(AGE(backend_xmin), AGE(backend_xid)) > AGE($1::xid)`
)

// Clean removes dead rows from tables and indexes by VACUUM. Their bytes may stay in unused parts of pages until these
// are rewritten, and in the server's log and its backups while these are kept. It fails if a transaction reads an older
// state for longer than readersWithin.
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
	// By default VACUUM skips indexes if few rows have gone, and their keys include ids of people.
	_, err = d.tell(ctx, `VACUUM (INDEX_CLEANUP ON) `+strings.Join(tables, ", "))
	return d.explain(asServer(err))
}

// readersEnd waits until no transaction reads an older state, or returns errReading, wrapped, after readersWithin.
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

// unsound selects a sentence about each index and each constraint that the server itself marks as not valid.
const unsound = `
	SELECT 'the index ' || c.relname || ' is not to be relied on: REINDEX INDEX ' || c.relname || ' mends it'
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	WHERE NOT i.indisvalid AND c.relnamespace = quote_ident(current_schema())::regnamespace
	UNION ALL
	SELECT 'the rule ' || conname || ' of the table ' || conrelid::regclass || ' was not checked for all rows'
	FROM pg_constraint WHERE NOT convalidated AND connamespace = quote_ident(current_schema())::regnamespace
	ORDER BY 1`

// Faults returns these sentences; none: the database is sound.
func (d *Server) Faults(ctx context.Context) ([]string, error) { return d.texts(ctx, unsound) }

// repeatable is the error of a change that committed nothing and may succeed when it runs again, for the reason why.
type repeatable struct {
	error
	why reason
}

func (r *repeatable) Unwrap() error { return r.error }

// last returns the error of the last run for the caller of Update: ErrAgain becomes an *Error without a kind.
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

// pause limits the pause after a conflict: it is random, and after the nth conflict at most n times as long.
const pause = 5 * time.Millisecond

// runs is how often a change may be repeated for each reason.
var runs = [reasons]int{byOthers: 8, byRules: 1, byConnection: 2, byLease: 2}

// patience counts the repetitions of one change by reason.
type patience [reasons]int

// take counts a failed run and reports whether the change may run again.
func (p *patience) take(failed *repeatable) bool {
	p[failed.why]++
	return p[failed.why] <= runs[failed.why]
}

// asRepeatable returns err, the error of a change, as a *repeatable if another run may succeed, or else unchanged.
// failed is the error of its failed statement; nil: none has failed.
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

// isOutdated reports whether err means that the schema has changed since a statement was prepared.
func isOutdated(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == codeNotSupported && failed.Routine == "RevalidateCachedQuery"
}

// isGoing reports whether err means that the server closes the connection.
func isGoing(err *pgconn.PgError) bool {
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}
