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
	// changeTimeout is the timeout of a change with all repetitions and waits. Then the connection is closed.
	changeTimeout = 30 * time.Second
	// viewTimeout is the timeout of a view. It is long, because exports and checks of all data are also views.
	viewTimeout = 12 * time.Hour
	// commitTimeout is the timeout of a commit and the statements sent with it. After it the outcome is unknown.
	commitTimeout = 10 * time.Second
	// beginChange and beginView are the first statements of a change and of a view. With READ COMMITTED, each statement
	// of a change sees the commits of others before this statement. A view sees the same state all the time.
	beginChange = `BEGIN ISOLATION LEVEL READ COMMITTED`
	beginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// setLimits makes the server end a transaction that waits for a lock, or is idle, for 10 seconds. Otherwise changes
	// would wait for ever for a process that has lost its connection.
	setLimits = `SELECT set_config('lock_timeout', '10s', TRUE),
		set_config('idle_in_transaction_session_timeout', '10s', TRUE)`
)

// Update runs change in a transaction that checks the lease, and repeats it after conflicts and lost connections. It
// returns once change is committed or has failed. A process that takes over the lease waits for changes already begun.
func (d *Server) Update(ctx context.Context, name string, change func(*Tx) error) error {
	if d.readOnly {
		return ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	start := time.Now()
	done, err := d.waitTurn(ctx, name)
	if err != nil {
		return err
	}
	defer done()
	countWait := sync.OnceFunc(func() {
		d.count(func(all *Commits) { all.Waits.add(time.Since(start).Microseconds()) })
	})
	if name == "" {
		countWait() // for a named change, Tx.Lock calls it after waiting for rows that other replicas lock
	}
	err = d.repeatChange(context.WithoutCancel(ctx), countWait, change) // a change that has begun is completed
	if err == nil {
		d.trouble.end(func() bool { return true })
	} else if failed, ok := errors.AsType[*Error](err); ok && failed.Kind != ErrRefused && !isConflict(err) {
		d.trouble.begin(err) // the failure is the database's, not the change's
	}
	return err
}

// waitTurn waits until a change called name may begin. The caller takes a connection after that, and must call done at
// the end of the change. Changes of the same name run one at a time. Changes without a name may wait for locked rows,
// so they may use only half of the connections.
func (d *Server) waitTurn(ctx context.Context, name string) (done func(), err error) {
	if name != "" {
		return d.turns.Lock(ctx, name)
	}
	select {
	case d.unnamedSlots <- struct{}{}:
		return func() { <-d.unnamedSlots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// repeatChange runs change until it is committed, was repeated too often, or has failed with an error that will not
// pass. It calls onLock whenever the server has granted a row lock.
func (d *Server) repeatChange(ctx context.Context, onLock func(), change func(*Tx) error) error {
	deadline := time.Now().Add(changeTimeout)
	var repeats patience
	for {
		err := d.changeOnce(ctx, time.Until(deadline), onLock, change)
		failed, again := errors.AsType[*repeatable](err)
		if !again {
			return err
		}
		if failed.why == byConnection {
			d.reset() // the pool's idle connections are probably lost, too
		}
		if !repeats.mayRepeat(failed) || time.Now().After(deadline) {
			return failed.finalError()
		}
		d.count(func(all *Commits) { all.Again++ })
		switch failed.why {
		case byLease:
			asking, cancel := context.WithTimeout(ctx, queryTimeout)
			err := d.lease.renewNow(asking)
			if err != nil && d.lease.lostError() == nil { // an idle connection for the lease may have been lost
				err = d.lease.renewNow(asking)
			}
			if cancel(); err != nil {
				return err
			}
		case byOthers:
			time.Sleep(rand.N(time.Duration(repeats[byOthers]) * pause))
		}
	}
}

// changeOnce runs change once, in a transaction that begins with statements and is ended after timeout. It calls
// onLock, unless nil, whenever the server has granted a row lock. If nothing was committed and another run may succeed,
// its error is a *repeatable.
func (d *Server) changeOnce(
	ctx context.Context, timeout time.Duration, onLock func(), change func(*Tx) error, statements ...string,
) error {
	if err := d.lease.lostError(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	conn, done, err := d.takeConnection(ctx, d.pool)
	if err != nil {
		return err
	}
	defer done()
	tx, p := d.begin(ctx, conn, append([]string{beginChange, setLimits}, statements...)...)
	p.onLock = onLock
	defer p.rollback(ctx) // unless committed
	_ = tx.Need(d.lease.missing, heldLease, d.lease.name, d.lease.holder, d.lease.fence)
	err = change(tx)
	if err == nil {
		err = tx.Failed
	}
	if err != nil {
		return asRepeatable(err, tx.Failed)
	}
	if timeout <= changeTimeout {
		defer time.AfterFunc(commitTimeout, cancel).Stop()
	}
	began := time.Now()
	err = p.commit(ctx)
	if !p.wrongAnswer { // otherwise the change failed, not the commit
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

// Rewrite runs change in a transaction that checks references at its end. In a shared database it locks the lease of
// the whole database, so that replicas rewrite it one after another.
func (d *Server) Rewrite(ctx context.Context, change func(*Tx) error) error {
	statements := []string{`SET CONSTRAINTS ALL DEFERRED`}
	if d.options.Shared {
		statements = append(statements, `SELECT 1 FROM leases WHERE name = '`+instance+`' FOR NO KEY UPDATE`)
	}
	return d.changeLong(ctx, change, statements...)
}

// changeLong runs change, which may take hours, once, in a transaction that begins with statements.
func (d *Server) changeLong(ctx context.Context, change func(*Tx) error, statements ...string) error {
	if d.readOnly {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	err := d.changeOnce(ctx, viewTimeout, nil, change, statements...)
	if failed, ok := errors.AsType[*repeatable](err); ok {
		return failed.finalError()
	}
	return err
}

// View runs read in a transaction that sees one state. If read has failed because of a connection pooler or a changed
// schema, and has got no row, View runs it once more.
func (d *Server) View(ctx context.Context, read func(*Tx) error) error {
	gotRow, err := d.view(ctx, d.pool, read)
	if err != nil && !gotRow && (isPooled(err) || isOutdated(err)) {
		_, err = d.view(ctx, d.pool, read)
	}
	return err
}

// view runs read once, on a connection of pool, and ends the transaction in the background. If gotRow, read has got a
// row and must not run again. err is the error of read or of the connection.
func (d *Server) view(ctx context.Context, pool *sql.DB, read func(*Tx) error) (gotRow bool, err error) {
	if !d.work.Begin() {
		return false, errClosed
	}
	conn, done, err := d.takeConnection(ctx, pool)
	if err != nil {
		d.work.Done()
		return false, err
	}
	// The transaction ends after read has returned, when ctx may be done.
	readCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewTimeout)
	stop := context.AfterFunc(ctx, cancel)
	tx, p := d.begin(readCtx, conn, beginView)
	p.readOnly = true
	defer func() {
		stop()
		go func() {
			defer d.work.Done()
			p.rollback(readCtx)
			cancel()
			done()
		}()
	}()
	if err = read(tx); err == nil {
		err = tx.Failed
	}
	return p.gotRow, err
}

// takeConnection returns a connection of pool, and waits until one is free or ctx is done. The caller must call done to
// return the connection. Callers get connections in the order of their calls: an sql.DB alone would serve them in any
// order, and one of them might wait for long.
func (d *Server) takeConnection(ctx context.Context, pool *sql.DB) (conn *sql.Conn, done func(), err error) {
	select {
	case d.slots <- struct{}{}:
		if conn, err = pool.Conn(ctx); err == nil {
			return conn, func() { _ = conn.Close(); <-d.slots }, nil
		}
		<-d.slots
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, nil, fmt.Errorf("begin: %w", asServer(oneLine{err}))
}

// readersTimeout is how long Clean waits for transactions that read an older state. Most of them take milliseconds.
const readersTimeout = 5 * time.Second

// errReading means that a transaction reads an older state of the database, so that the tables cannot be cleaned.
var errReading = errors.New("old data is still being read, for example by a backup or an export")

const (
	// nextTransaction selects the id of the next transaction.
	nextTransaction = `SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::TEXT`
	// readerPIDs selects the process ids of other connections to this database that may still see rows replaced or
	// deleted before transaction $1. Connections of other roles are missing: the server hides their transactions.
	readerPIDs = `SELECT pid::TEXT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		AND GREATEST(AGE(backend_xmin), AGE(backend_xid)) > AGE($1::xid)`
)

// Clean removes deleted and replaced rows from tables and indexes by VACUUM. Their bytes may remain in unused parts of
// pages until those are rewritten, and in the server's log and backups. If a transaction reads an older state for
// longer than readersTimeout, Clean returns an error.
func (d *Server) Clean(ctx context.Context) error {
	if d.readOnly {
		return ErrReadOnly
	}
	tables, err := d.queryTexts(ctx, `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`)
	if err != nil || len(tables) == 0 {
		return err
	}
	if err := d.waitForReaders(ctx); err != nil {
		return err
	}
	// Without INDEX_CLEANUP, VACUUM skips indexes if few rows were deleted, but their keys include ids of people.
	_, err = d.exec(ctx, `VACUUM (INDEX_CLEANUP ON) `+strings.Join(tables, ", "))
	return d.explain(asServer(err))
}

// waitForReaders waits until no transaction reads an older state. After readersTimeout it returns errReading, wrapped.
func (d *Server) waitForReaders(ctx context.Context) error {
	next, err := d.queryTexts(ctx, nextTransaction)
	if err != nil {
		return err
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for deadline := time.Now().Add(readersTimeout); ; {
		readers, err := d.queryTexts(ctx, readerPIDs, next[0])
		if err != nil || len(readers) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return &Error{Err: errReading}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

// unsound selects a sentence about each index and each constraint that the server has marked as not valid.
const unsound = `
	SELECT 'the index ' || c.relname || ' is not to be relied on: REINDEX INDEX ' || c.relname || ' mends it'
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	WHERE NOT i.indisvalid AND c.relnamespace = quote_ident(current_schema())::regnamespace
	UNION ALL
	SELECT 'the rule ' || conname || ' of the table ' || conrelid::regclass || ' was not checked for all rows'
	FROM pg_constraint WHERE NOT convalidated AND connamespace = quote_ident(current_schema())::regnamespace
	ORDER BY 1`

// Faults returns a sentence about each index and constraint that the server has marked as not valid; none: it is sound.
func (d *Server) Faults(ctx context.Context) ([]string, error) { return d.queryTexts(ctx, unsound) }

// repeatable is the error of a change that committed nothing and may succeed if it runs again; why says why it failed.
type repeatable struct {
	error
	why reason
}

func (r *repeatable) Unwrap() error { return r.error }

// finalError returns the error for the caller of Update if the change is not repeated. ErrAgain becomes an *Error.
func (r *repeatable) finalError() error {
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
	byLease                    // the lease of the replica has expired, so that it has to join again
	reasons                    // the number of reasons
)

// pause: before the nth repetition of a change after conflicts, a random time of less than n times pause passes.
const pause = 5 * time.Millisecond

// maxRepeats is how often a change may be repeated for each reason.
var maxRepeats = [reasons]int{byOthers: 8, byRules: 1, byConnection: 2, byLease: 2}

// patience counts, by reason, how often one change has failed.
type patience [reasons]int

// mayRepeat counts a failed run and reports whether the change may run again.
func (p *patience) mayRepeat(failed *repeatable) bool {
	p[failed.why]++
	return p[failed.why] <= maxRepeats[failed.why]
}

// asRepeatable returns err, the error of a change, as a *repeatable if another run may succeed, and otherwise
// unchanged. statementErr is the error of the change's failed statement; nil: no statement has failed.
func asRepeatable(err, statementErr error) error {
	if errors.Is(err, ErrAgain) || errors.Is(statementErr, ErrAgain) {
		return &repeatable{err, byOthers}
	}
	if errors.Is(statementErr, errMissing) {
		return &repeatable{err, byLease}
	}
	engineErr, isEngineErr := errors.AsType[*Error](statementErr)
	if !isEngineErr || engineErr.Kind == ErrUncertain {
		return err
	}
	serverErr, isServerErr := errors.AsType[*pgconn.PgError](engineErr.Err)
	switch {
	case !isServerErr && engineErr.Kind != nil:
		return err
	case !isServerErr, isPooled(serverErr), isOutdated(serverErr), isDisconnect(serverErr):
		return &repeatable{err, byConnection}
	case serverErr.Code == codeSerialization, serverErr.Code == codeDeadlock:
		return &repeatable{err, byOthers}
	case strings.HasPrefix(serverErr.Code, classIntegrity):
		return &repeatable{err, byRules}
	}
	return err
}

// isOutdated reports whether err means that the schema has changed since a statement was prepared.
func isOutdated(err error) bool {
	failed, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failed.Code == codeNotSupported && failed.Routine == "RevalidateCachedQuery"
}

// isDisconnect reports whether err means that the server closes the connection.
func isDisconnect(err *pgconn.PgError) bool {
	return err.SeverityUnlocalized == "FATAL" || err.SeverityUnlocalized == "PANIC"
}
