package engine

// Leases: either one process has the database alone, or replicas share it. Each holds a lease, a row of the table
// leases, and renews it.
//
// A process that wants the database alone takes the lease "instance", whose fence counts the processes that have had
// it. Each replica has its own lease, "replica" and its holder, with the fence that "instance" had when it joined:
// while the fence is the same, no process has had the database alone meanwhile.
//
// - Each change checks in its own transaction that its lease still holds, and locks the lease's key until it ends. No
//   process can take over or delete a lease before that.
// - A process that takes "instance" looks for replicas in the same transaction. If one is alive, it gives up; otherwise
//   it deletes their expired leases, after which they can change nothing. A joining process locks "instance" first, so
//   that neither overlooks the other.
// - A joining process takes an expired lease of "instance" from its holder, which raises the fence. Otherwise that
//   holder could continue beside the replicas.
// - A replica whose lease has expired or was deleted joins again by itself while the fence is the same. Otherwise its
//   data in memory may be wrong, and its lease is lost for good.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// leaseLasts is the duration of a lease that is not renewed: after a process has died, others wait so long for its
	// database.
	leaseLasts = 10 * time.Second
	// renewEvery is the interval between renewals of a lease.
	renewEvery = 3 * time.Second
	// askEvery is the interval between tries to take a lease that another process holds.
	askEvery = 200 * time.Millisecond
	// leaseWithin is the timeout of taking a lease, which waits for changes that have begun.
	leaseWithin = 2 * changeWithin
	// instance is the name of the lease of the whole database.
	instance = "instance"
)

// now is the SQL for the server's time in Unix milliseconds.
const now = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT`

const (
	// takeLease takes the free or expired lease $1 for the holder $2 and $3 milliseconds, and returns the new fence, or
	// no row if another process holds it. The next three find the lease only with the same holder and fence: renewLease
	// extends it by $4 milliseconds, returnLease lets it expire at once, and heldLease selects it.
	takeLease = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, 1, ` + now + ` + $3)
		ON CONFLICT (name) DO UPDATE SET holder = $2, fence = leases.fence + 1, ends = ` + now + ` + $3
		WHERE leases.ends <= ` + now + `
		RETURNING fence`
	renewLease  = `UPDATE leases SET ends = ` + now + ` + $4 WHERE name = $1 AND holder = $2 AND fence = $3`
	returnLease = `UPDATE leases SET ends = 0 WHERE name = $1 AND holder = $2 AND fence = $3`
	heldLease   = `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
	// heldInstance and heldReplicas select leases that have not expired: their names and ends.
	heldInstance = `SELECT name, ends FROM leases WHERE name = $1 AND ends > ` + now
	heldReplicas = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND ends > ` + now
)

// lease is this process's lease of a database: of all of it, or as a replica.
type lease struct {
	of      *Server
	name    string
	holder  string
	fence   int64
	shared  bool   // it is that of a replica
	renews  string // the statement that renews it
	returns string // the statement that returns it
	missing error  // of a change that finds no such lease; a replica may be able to join again
	joining sync.Mutex
	lost    atomic.Pointer[error] // why it is lost for good; nil: it is held
	stop    context.CancelFunc
	stopped chan struct{}
}

// errInUse means that leases of other processes are in the way.
var errInUse = errors.New("another instance is working with the database")

// acquire takes the lease of the whole database or, with Options.Shared, adds this process to the replicas, and renews
// that from then on. It waits for the leases of dead holders to expire; one that is renewed meanwhile is an error.
func (d *Server) acquire(ctx context.Context) (*lease, error) {
	l := &lease{of: d, name: instance, holder: rand.Text(), shared: d.options.Shared, renews: renewLease,
		returns: returnLease, stopped: make(chan struct{})}
	take := l.alone
	l.missing = l.taken()
	if l.shared {
		l.name, take = replica+l.holder, l.join
		l.renews, l.returns, l.missing = renewReplica, returnReplica, errMissing
	}
	var first map[string]int64
	for {
		var held map[string]int64
		err := d.leasing(ctx, func(tx *Tx) (err error) {
			l.fence = 0 // a failed try may have set it
			held, err = take(tx)
			return err
		})
		if err == nil {
			break
		}
		if !errors.Is(err, errInUse) {
			return nil, d.explain(err)
		}
		if first == nil {
			first = held
			d.waits(fmt.Sprintf("another instance works with the database %s, or has died: then its lease ends soon",
				d.name))
			defer d.waits("")
		}
		for name, ends := range held {
			if ends > first[name] {
				return nil, fmt.Errorf("another instance is working with the database %s: stop it first", d.name)
			}
		}
		select {
		case <-time.After(askEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go l.renew(ctx, renewEvery)
	return l, nil
}

// leasing runs take in a transaction on a connection reserved for leases, and again after a conflict or a lost
// connection.
func (d *Server) leasing(ctx context.Context, take func(*Tx) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseWithin)
	defer cancel()
	once := func() error {
		conn, err := d.own.Conn(ctx)
		if err != nil {
			return asServer(oneLine{err})
		}
		defer conn.Close()
		tx, p := d.begin(ctx, conn, beginChange)
		defer p.rollback(ctx) // unless committed
		if err = take(tx); err == nil {
			err = tx.Failed
		}
		if err != nil {
			return asRepeatable(err, tx.Failed)
		}
		err = p.commit(ctx)
		return asRepeatable(err, err)
	}
	var left patience
	for {
		err = once()
		again, is := errors.AsType[*repeatable](err)
		if !is {
			return err
		}
		if !left.take(again) {
			return again.last()
		}
	}
}

// alone takes the database for this process alone and sets l.fence. If leases are in the way, it returns errInUse and
// held, their ends in Unix milliseconds by name.
func (l *lease) alone(tx *Tx) (held map[string]int64, err error) {
	for taken := false; !taken; { // it may expire between the try to take it and the query of its end
		err = tx.Rows(takeLease, []any{instance, l.holder, leaseLasts.Milliseconds()}, func(row Row) error {
			taken = true
			return row.Scan(&l.fence)
		})
		if err == nil && !taken {
			held, err = tx.held(heldInstance, instance)
		}
		if err != nil {
			return held, err
		}
	}
	if held, err = tx.held(heldReplicas); err != nil {
		return held, err
	}
	if err := tx.Run(dropReplicas); err != nil { // waits for their changes under way
		return nil, err
	}
	return tx.held(heldReplicas) // one of them may have been renewed before it was deleted
}

// held returns the ends of the leases that query finds, in Unix milliseconds by name, and errInUse if there are any.
func (tx *Tx) held(query string, args ...any) (held map[string]int64, err error) {
	held = map[string]int64{}
	err = tx.Rows(query, args, func(row Row) error {
		var name string
		var ends int64
		err := row.Scan(&name, &ends)
		held[name] = ends
		return err
	})
	if err == nil && len(held) > 0 {
		err = errInUse
	}
	return held, err
}

// renew renews the lease periodically until ctx is done or the lease is lost.
func (l *lease) renew(ctx context.Context, every time.Duration) {
	defer close(l.stopped)
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for l.lost.Load() == nil {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		asking, cancel := context.WithTimeout(ctx, renewEvery)
		_ = l.renewNow(asking) // a failure is tried again
		cancel()
	}
}

// renewNow renews the lease, and returns nil or why that failed. A replica whose lease is missing joins again, if no
// process has had the database alone meanwhile.
func (l *lease) renewNow(ctx context.Context) error {
	l.joining.Lock()
	defer l.joining.Unlock()
	if err := l.there(); err != nil {
		return err
	}
	renewed, err := l.of.tell(ctx, l.renews, l.name, l.holder, l.fence, leaseLasts.Milliseconds())
	switch {
	case err != nil:
		return asServer(oneLine{err})
	case renewed > 0:
		return nil
	case l.shared:
		return l.rejoin(ctx)
	}
	return l.loses(l.taken())
}

// loses marks the lease as lost for good, for the reason why, which it returns.
func (l *lease) loses(why error) error {
	l.lost.Store(&why)
	return why
}

// there returns why the lease is lost for good and changes are refused, or nil. A nil lease is never lost.
func (l *lease) there() error {
	if l == nil {
		return nil
	}
	if why := l.lost.Load(); why != nil {
		return *why
	}
	return nil
}

// taken returns the error of a change after another process has taken the lease or, for a replica, the whole database.
func (l *lease) taken() error {
	if l.shared {
		return fmt.Errorf("somebody has had the database %s alone while this replica could not reach it: start it anew",
			l.of.name)
	}
	return fmt.Errorf("another instance has taken the database %s over while this one could not reach it: "+
		"stop one of the two, and start anew", l.of.name)
}

// release ends the renewal and returns the lease, so that other processes need not wait until it expires.
func (l *lease) release() {
	l.stop()
	<-l.stopped
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	// If this fails the lease expires by itself.
	_, _ = l.of.tell(ctx, l.returns, l.name, l.holder, l.fence)
}

// unfinished is the name of a lease without a holder, which exists while a load is unfinished.
const unfinished = "unfinished"

// markUnfinished adds that lease, unless it exists.
const markUnfinished = `INSERT INTO leases (name, holder, fence, ends) VALUES ('` + unfinished + `', '', 1, 0)
	ON CONFLICT (name) DO NOTHING`

// Unfinished returns true if that lease exists: a load has begun and was not finished.
func (d *Server) Unfinished(ctx context.Context) (stands bool, err error) {
	err = d.ask(ctx, `SELECT EXISTS (SELECT 1 FROM leases WHERE name = $1)`, unfinished).Scan(&stands)
	return stands, d.explain(asServer(err))
}

const (
	// replica is the prefix of the name of a replica's lease.
	replica = "replica "
	// isReplica is the SQL condition that a lease is that of a replica.
	isReplica = `name LIKE 'replica %'`
)

const (
	// makeInstance adds the lease of the whole database without a holder, unless it exists.
	makeInstance = `INSERT INTO leases (name, holder, fence, ends) VALUES ($1, '', 1, 0) ON CONFLICT (name) DO NOTHING`
	// lockInstance selects that lease and locks it until the transaction ends: others can neither take it nor join. It
	// does not wait for changes of its holder.
	lockInstance = `SELECT fence, ends FROM leases WHERE name = $1 FOR NO KEY UPDATE`
	// passInstance takes that lease from a dead holder, once the holder's changes have ended, and returns the new
	// fence. otherReplica selects the replicas' leases except the lease $1.
	passInstance = `UPDATE leases SET holder = '', fence = fence + 1, ends = 0 WHERE name = $1 RETURNING fence`
	otherReplica = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND name <> $1`
	// dropReplicas deletes expired leases of replicas, once their changes have ended. joinReplicas adds a replica's
	// lease, or extends it if it exists.
	dropReplicas = `DELETE FROM leases WHERE ` + isReplica + ` AND ends <= ` + now
	joinReplicas = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, $3, ` + now + ` + $4)
		ON CONFLICT (name) DO UPDATE SET ends = ` + now + ` + $4`
	// renewReplica is renewLease for a replica. It also deletes replicas' leases that expired more than an hour ago,
	// except locked ones, for which it would have to wait.
	renewReplica = `
		WITH untidy AS (DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE ` + isReplica + `
			AND name <> $1 AND ends < ` + now + ` - 3600000 FOR UPDATE SKIP LOCKED)) ` + renewLease
	returnReplica = `DELETE FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
)

// errMissing is the error of a change of a replica whose lease is missing.
var errMissing = &Error{Err: errors.New("the database does not know this replica any longer: try again")}

// join adds this replica to those that share the database, or adds it again, and sets l.fence. If another process has
// the database alone, it returns errInUse and held, the end of that lease in Unix milliseconds by name.
func (l *lease) join(tx *Tx) (held map[string]int64, err error) {
	if err := tx.Run(makeInstance, instance); err != nil {
		return nil, err
	}
	var fence, ends int64
	err = tx.Rows(lockInstance, []any{instance}, func(row Row) error { return row.Scan(&fence, &ends) })
	if err == nil {
		held, err = tx.held(heldInstance, instance)
	}
	switch {
	case err != nil:
		return held, err
	case l.fence != 0 && l.fence != fence:
		return nil, l.taken()
	case ends != 0: // the holder has died without returning it
		err = tx.Rows(passInstance, []any{instance}, func(row Row) error { return row.Scan(&fence) })
	}
	if err != nil {
		return nil, err
	}
	others, err := l.others(tx)
	if err != nil {
		return nil, err
	}
	err = tx.Run(joinReplicas, l.name, l.holder, fence, leaseLasts.Milliseconds())
	if err == nil && l.of.options.Join != nil {
		err = l.of.options.Join(tx, others)
	}
	if err == nil {
		l.fence = fence
	}
	return nil, err
}

// others reports whether other replicas are alive. If none is, it deletes their expired leases: they have to join again
// before they change anything.
func (l *lease) others(tx *Tx) (some bool, err error) {
	_, err = tx.held(otherReplica+` AND ends > `+now, l.name)
	if err == nil {
		err = tx.Run(dropReplicas)
	}
	if err == nil { // one may have been renewed before it was deleted
		_, err = tx.held(otherReplica, l.name)
	}
	if errors.Is(err, errInUse) {
		return true, nil
	}
	return false, err
}

// rejoin adds a replica again. If that is refused, or another process has had the database alone, the lease is lost for
// good; after a failure of the server or the connection, the next renewal tries again.
func (l *lease) rejoin(ctx context.Context) error {
	err := l.of.leasing(ctx, func(tx *Tx) error {
		_, err := l.join(tx)
		if errors.Is(err, errInUse) {
			return l.taken() // another process has it alone now
		}
		return err
	})
	if _, passing := errors.AsType[*Error](err); err == nil || passing || ctx.Err() != nil {
		return err
	}
	return l.loses(err)
}
