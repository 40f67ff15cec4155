package postgres

// Who changes and who reads.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"knobel/store/engine"
)

const (
	// changeWithin is how long a change may take, and waits for others: then its connection is given up.
	changeWithin = 30 * time.Second
	// viewWithin is how long a view may take: exports and checks of all there is are views, too.
	viewWithin = 12 * time.Hour
	// committedWithin is how long the server has for what waits in front of a commit, and for that. What becomes of one
	// that is not answered is not known.
	committedWithin = 10 * time.Second
	// What a transaction says first. What a change reads after it has its turn is what those before it have committed.
	beginChange = `BEGIN ISOLATION LEVEL READ COMMITTED`
	beginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// setLimits has nobody wait for ever for a process that is cut off in the middle of a transaction.
	setLimits = `SELECT set_config('lock_timeout', '10s', TRUE),
		set_config('idle_in_transaction_session_timeout', '10s', TRUE)`
)

var (
	errClosed = errors.New("the database is closed")
	errLost   = errors.New("the connection to the server is lost")
)

// Update is as of engine.DB. The lease keeps other processes away; who takes it over waits for changes under way.
func (d *DB) Update(ctx context.Context, name string, change func(engine.Tx) error) error {
	if d.reads {
		return engine.ErrReadOnly
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if !d.enter() {
		return errClosed
	}
	defer d.leave()
	came := time.Now()
	done, err := d.turn(ctx, name)
	if err != nil {
		return err
	}
	all := tries{turned: sync.OnceFunc(func() { d.counted.Waited(time.Since(came)) })}
	if name == "" {
		all.turned() // else once its chat is locked, which other replicas may hold
	}
	defer func() { all.then(done) }()
	err = d.carryOut(context.WithoutCancel(ctx), &all, change) // what has begun is carried through
	if err != nil {
		d.trouble.fails(err, d.options.Trouble)
	} else {
		d.trouble.succeeds(d.options.Trouble)
	}
	return err
}

// turn waits until a change may begin, before it has a connection, which others may use meanwhile. Changes without a
// name may have to wait for rows that others have locked: some connections are left for the rest.
func (d *DB) turn(ctx context.Context, name string) (done func(), err error) {
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

// tries are those of one change.
type tries struct {
	turned    func() // is called once the server has answered a lock; nil: nobody wants to know
	undone    bool   // some were rolled back
	rollbacks sync.WaitGroup
	numbers   numbers // for new rows
}

// then calls done once all rollbacks have ended. Nobody waits for them but the next change of the same name.
func (t *tries) then(done func()) {
	if !t.undone {
		done()
		return
	}
	go func() {
		t.rollbacks.Wait()
		done()
	}()
}

// carryOut runs a change until it is committed, or has failed of itself.
func (d *DB) carryOut(ctx context.Context, all *tries, change func(engine.Tx) error) error {
	ends := time.Now().Add(changeWithin)
	var left patience
	for {
		err := d.change(ctx, time.Until(ends), all, change)
		failed, again := errors.AsType[*repeatable](err)
		if !again {
			return err
		}
		if !left.take(failed) || time.Now().After(ends) {
			return failed.last()
		}
		d.counted.RunsAgain()
		all.rollbacks.Wait()
		switch failed.why {
		case byConnection:
			d.pool.Reset() // the others are likely to be lost, too
		case byLease:
			if err := d.stands(ctx); err != nil {
				return err
			}
		case byOthers:
			time.Sleep(rand.N(time.Duration(left[byOthers]) * pause))
		}
	}
}

// stands makes sure that the lease stands.
func (d *DB) stands(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	err := d.held.stands(ctx)
	if err != nil && d.held.there() == nil {
		d.own.Reset() // its connections may have been lost while nobody used them
		err = d.held.stands(ctx)
	}
	return err
}

// change runs a change once, in a transaction that says some statements before, and may take that long. Its error is a
// repeatable one where nothing was committed and another run may do better.
func (d *DB) change(
	ctx context.Context, within time.Duration, all *tries, change func(engine.Tx) error, statements ...string,
) error {
	if err := d.held.there(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	conn, err := d.connection(ctx)
	if err != nil {
		cancel()
		return err
	}
	tx := d.begin(ctx, conn.Conn(), append([]string{beginChange, setLimits}, statements...)...)
	all.numbers.used = map[string]int{}
	tx.turned, tx.numbers = all.turned, &all.numbers
	tx.holds(d.held)
	committing := false
	defer func() {
		if !committing { // it has failed, panicked, or ended its goroutine
			all.undone = true
			all.rollbacks.Add(1)
			d.giveUp(ctx, conn, tx, func() { cancel(); all.rollbacks.Done() })
		}
	}()
	err = change(tx)
	if err == nil {
		err = tx.failed
	}
	if err != nil {
		return asRepeatable(err, tx.failed)
	}
	committing = true
	defer cancel()
	defer conn.Release() // it closes one in which a transaction is left open
	if within <= changeWithin {
		defer time.AfterFunc(committedWithin, cancel).Stop()
	}
	began := time.Now()
	err = tx.commit(ctx)
	if !tx.found { // else the change itself was wrong
		d.counted.Commit(1, time.Since(began), err == nil)
	}
	tx.habit()
	if failed, is := errors.AsType[*engine.Error](err); err == nil || is && failed.Kind == engine.ErrUncertain {
		d.hint(tx.hints)
	}
	if err != nil {
		return asRepeatable(fmt.Errorf("commit: %w", err), err)
	}
	return nil
}

// giveUp rolls a transaction back, and calls done. Nobody waits for that: whatever becomes of it, nothing is committed.
func (d *DB) giveUp(ctx context.Context, conn *pgxpool.Conn, tx *Tx, done func()) {
	tx.habit()
	tx.abandon() // whoever wanted these answers has gone on
	go func() {
		defer done()
		defer conn.Release() // it closes one in which a transaction is left open
		tx.rollback(ctx)
	}()
}

// Clock is as of engine.DB.
func (d *DB) Clock() string { return now }

// Concurrent is as of engine.DB.
func (d *DB) Concurrent() bool { return true }

// View is as of engine.DB. One that finds out that there is a pooler, or that the schema has changed, before it has
// read anything, begins anew.
func (d *DB) View(ctx context.Context, read func(engine.Tx) error) error {
	if !d.enter() {
		return errClosed
	}
	defer d.leave()
	named := d.named.Load()
	has, err := d.view(ctx, read)
	if err != nil && !has && named && (isPooled(err) || isOutdated(err)) {
		_, err = d.view(ctx, read)
	}
	return err
}

// view runs a view, and reports whether it has read anything.
func (d *DB) view(ctx context.Context, read func(engine.Tx) error) (has bool, err error) {
	conn, err := d.connection(ctx)
	if err != nil {
		return false, err
	}
	// ctx may end as soon as read has returned, and the transaction ends after that.
	reads, cancel := context.WithTimeout(context.WithoutCancel(ctx), viewWithin)
	stop := context.AfterFunc(ctx, cancel)
	tx := d.begin(reads, conn.Conn(), beginView)
	tx.view = true
	defer func() {
		stop()
		d.giveUp(reads, conn, tx, cancel)
	}()
	if err = read(tx); err == nil {
		err = tx.failed
	}
	return tx.has, err
}

// enter reports whether a change or a view may begin: the database is not closed. Whoever enters leaves.
func (d *DB) enter() bool {
	d.closing.RLock()
	defer d.closing.RUnlock()
	if d.closed {
		return false
	}
	d.inside.Add(1)
	return true
}

func (d *DB) leave() { d.inside.Done() }

// connection returns a connection of the pool.
func (d *DB) connection(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := d.pool.Acquire(ctx)
	if err != nil && strings.Contains(err.Error(), "closed pool") {
		return nil, errClosed
	}
	if err != nil {
		return nil, fmt.Errorf("begin: %w", asEngine(oneLine{err}))
	}
	return conn, nil
}

// readersWithin is how long those who read the state of before may take to end before the tables are cleaned. Most are
// presses under way, which take milliseconds.
const readersWithin = 5 * time.Second

// errRead says why the tables cannot be cleaned yet.
var errRead = errors.New("somebody still reads what was there before, such as a backup or an export")

const (
	// begun is the first transaction that has not begun yet.
	begun = `SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::TEXT`
	// readers are the connections for which the server keeps rows that were replaced or deleted before a transaction.
	// Those of other roles do not tell.
	readers = `SELECT pid::TEXT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
		AND GREATEST(AGE(backend_xmin), AGE(backend_xid)) > AGE($1::xid)`
)

// Clean is as of engine.DB: rows that nobody can read any longer leave their tables and indexes. What they held may
// stay in unused parts of pages until these are written again, and in the server's log and its backups as long as these
// are kept. It fails as long as somebody reads who has begun before.
func (d *DB) Clean(ctx context.Context) error {
	if d.reads {
		return engine.ErrReadOnly
	}
	d.habits.forgetAll() // which hold ids of people
	tables, err := d.texts(ctx, `SELECT quote_ident(table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1`)
	if err != nil || len(tables) == 0 {
		return err
	}
	if err := d.readersEnd(ctx); err != nil {
		return err
	}
	// By itself VACUUM leaves indexes alone where few rows have gone: their keys are ids of people.
	_, err = d.tell(ctx, `VACUUM (INDEX_CLEANUP ON) `+strings.Join(tables, ", "))
	return d.explain(asEngine(err))
}

// readersEnd waits until nobody reads any longer who has begun before.
func (d *DB) readersEnd(ctx context.Context) error {
	now, err := d.texts(ctx, begun)
	if err != nil {
		return err
	}
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for ends := time.Now().Add(readersWithin); ; {
		left, err := d.texts(ctx, readers, now[0])
		if err != nil || len(left) == 0 {
			return err
		}
		if time.Now().After(ends) {
			return &engine.Error{Err: errRead}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

// unsound are the indexes and rules that the server does not rely on.
const unsound = `
	SELECT 'the index ' || c.relname || ' is not to be relied on: REINDEX INDEX ' || c.relname || ' mends it'
	FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
	WHERE NOT i.indisvalid AND c.relnamespace = quote_ident(current_schema())::regnamespace
	UNION ALL
	SELECT 'the rule ' || conname || ' of the table ' || conrelid::regclass || ' was not checked for all rows'
	FROM pg_constraint WHERE NOT convalidated AND connamespace = quote_ident(current_schema())::regnamespace
	ORDER BY 1`

// Faults is as of engine.DB.
func (d *DB) Faults(ctx context.Context) ([]string, error) { return d.texts(ctx, unsound) }
