package engine

// Leases: either one process has exclusive access, or several processes (replicas) share it. Each process holds a
// lease, a row of the table leases, and renews it.
//
// A process that needs exclusive access takes the lease "instance", which raises the fence of that lease, a number.
// Each replica has its own lease, named "replica boards " and then its holder. It stores the fence that "instance" had
// when the replica joined: while both fences are the same, no process has had exclusive access since then.
//
// - Each change checks in its own transaction that the lease of its process still holds, and locks the key of that
//   row until the transaction ends. No process can take over or delete the lease before that.
// - A process that takes "instance" looks for replicas in the same transaction. If one is alive, the process gives up.
//   Otherwise it deletes their expired leases, and these replicas can change nothing any longer. A joining replica
//   locks "instance" first, so that neither overlooks the other.
// - A joining replica that finds "instance" expired raises the fence of that lease. Otherwise its holder could
//   continue beside the replicas.
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
	// leaseDuration is how long a lease lasts after it was last renewed. Others wait as long for a dead process.
	leaseDuration = 10 * time.Second
	// renewEvery is the interval between renewals of a lease.
	renewEvery = 3 * time.Second
	// retryEvery is the interval between tries to take a lease that another process holds.
	retryEvery = 200 * time.Millisecond
	// leaseTimeout is the timeout of taking a lease, which waits for changes that have begun.
	leaseTimeout = 2 * changeTimeout
	// instance is the name of the lease of the whole database.
	instance = "instance"
)

// now is the SQL for the server's time in Unix milliseconds.
const now = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT`

const (
	// takeLease gives the lease $1, if it is free or has expired, to the holder $2 for $3 milliseconds. It returns the
	// new fence, or no row if another process holds the lease. The next three find the lease $1 only with holder $2 and
	// fence $3: renewLease lets it end in $4 milliseconds, returnLease ends it at once, and heldLease selects it.
	takeLease = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, 1, ` + now + ` + $3)
		ON CONFLICT (name) DO UPDATE SET holder = $2, fence = leases.fence + 1, ends = ` + now + ` + $3
		WHERE leases.ends <= ` + now + `
		RETURNING fence`
	renewLease  = `UPDATE leases SET ends = ` + now + ` + $4 WHERE name = $1 AND holder = $2 AND fence = $3`
	returnLease = `UPDATE leases SET ends = 0 WHERE name = $1 AND holder = $2 AND fence = $3`
	heldLease   = `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
	// heldInstance selects the name and end of the lease $1 unless it has expired, and heldReplicas those of replicas.
	heldInstance = `SELECT name, ends FROM leases WHERE name = $1 AND ends > ` + now
	heldReplicas = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND ends > ` + now
)

// lease is this process's right to use a database: alone, or together with others as a replica.
type lease struct {
	server    *Server
	name      string
	holder    string                // a random text that marks this process
	fence     int64                 // raised whenever a process takes exclusive access
	shared    bool                  // it is the lease of a replica
	renewSQL  string                // the statement that renews it
	returnSQL string                // the statement that returns it
	missing   error                 // error of a change after this lease was taken over or deleted
	joining   sync.Mutex            // held while the lease is renewed
	lost      atomic.Pointer[error] // why it is lost for good; nil: it is held
	stop      context.CancelFunc    // ends the renewal
	stopped   chan struct{}         // closed when the renewal has ended
}

// errInUse means that this process cannot take a lease, because other processes hold theirs.
var errInUse = errors.New("another instance is using the database")

// acquire takes the lease of the whole database or, with Options.Shared, that of a new replica, and renews it until
// release. If other leases prevent that, it waits until they expire. If one is renewed instead, it returns an error.
func (d *Server) acquire(ctx context.Context) (*lease, error) {
	l := &lease{server: d, name: instance, holder: rand.Text(), shared: d.options.Shared, renewSQL: renewLease,
		returnSQL: returnLease, stopped: make(chan struct{})}
	take := l.takeInstance
	l.missing = l.takenError()
	if l.shared {
		l.name, take = replica+l.holder, l.join
		l.renewSQL, l.returnSQL, l.missing = renewReplica, returnReplica, errMissing
	}
	var first map[string]int64
	for {
		var held map[string]int64
		err := d.leaseTransaction(ctx, func(tx *Tx) (err error) {
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
			d.reportWaiting(fmt.Sprintf(
				"another instance is using database %s, or crashed and its lease ends soon", d.name))
			defer d.reportWaiting("")
		}
		for name, ends := range held {
			if ends > first[name] {
				return nil, fmt.Errorf("another instance is using database %s: stop it first", d.name)
			}
		}
		select {
		case <-time.After(retryEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go l.renew(ctx, renewEvery)
	return l, nil
}

// leaseTransaction runs take in a transaction on d.control, and repeats it after a conflict or a lost connection.
func (d *Server) leaseTransaction(ctx context.Context, take func(*Tx) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseTimeout)
	defer cancel()
	once := func() error {
		conn, err := d.control.Conn(ctx)
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
	var repeats patience
	for {
		err = once()
		again, isRepeatable := errors.AsType[*repeatable](err)
		if !isRepeatable {
			return err
		}
		if !repeats.mayRepeat(again) {
			return again.finalError()
		}
	}
}

// takeInstance takes the database for this process alone and sets l.fence. If other leases prevent that, it returns
// errInUse, and held has the times at which they expire, in Unix milliseconds, by name.
func (l *lease) takeInstance(tx *Tx) (held map[string]int64, err error) {
	for hasTaken := false; !hasTaken; { // repeats if the other process's lease expires between the two queries
		err = tx.Rows(takeLease, []any{instance, l.holder, leaseDuration.Milliseconds()}, func(row Row) error {
			hasTaken = true
			return row.Scan(&l.fence)
		})
		if err == nil && !hasTaken {
			held, err = tx.activeLeases(heldInstance, instance)
		}
		if err != nil {
			return held, err
		}
	}
	if held, err = tx.activeLeases(heldReplicas); err != nil {
		return held, err
	}
	if err := tx.Run(dropReplicas); err != nil { // waits for changes of these replicas that have begun
		return nil, err
	}
	return tx.activeLeases(heldReplicas) // a lease that was renewed just before the DELETE still exists
}

// activeLeases returns the end of each lease that query selects, in Unix ms, by name. If any exist, err is errInUse.
func (tx *Tx) activeLeases(query string, args ...any) (held map[string]int64, err error) {
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

// renew renews the lease once per interval until ctx is done or the lease is lost.
func (l *lease) renew(ctx context.Context, interval time.Duration) {
	defer close(l.stopped)
	ticks := time.NewTicker(interval)
	defer ticks.Stop()
	for l.lost.Load() == nil {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		asking, cancel := context.WithTimeout(ctx, renewEvery)
		_ = l.renewNow(asking) // after a failure the next tick tries again
		cancel()
	}
}

// renewNow renews the lease, and returns nil or why that failed. A replica whose lease is missing joins again, unless
// another process has had exclusive access since the replica joined.
func (l *lease) renewNow(ctx context.Context) error {
	l.joining.Lock()
	defer l.joining.Unlock()
	if err := l.lostError(); err != nil {
		return err
	}
	renewed, err := l.server.exec(ctx, l.renewSQL, l.name, l.holder, l.fence, leaseDuration.Milliseconds())
	switch {
	case err != nil:
		return asServer(oneLine{err})
	case renewed > 0:
		return nil
	case l.shared:
		return l.rejoin(ctx)
	}
	return l.lose(l.takenError())
}

// lose marks the lease as lost for good because of err, and returns err.
func (l *lease) lose(err error) error {
	l.lost.Store(&err)
	return err
}

// lostError returns why the lease is lost for good, the error of all further changes, or nil. A nil lease is not lost.
func (l *lease) lostError() error {
	if l == nil {
		return nil
	}
	if why := l.lost.Load(); why != nil {
		return *why
	}
	return nil
}

// takenError returns the error of changes after another process has taken this lease or, if it is shared, the database.
func (l *lease) takenError() error {
	if l.shared {
		return fmt.Errorf("a command had database %s to itself while this replica was disconnected: restart it",
			l.server.name)
	}
	return fmt.Errorf("another instance took over database %s while this one was disconnected: "+
		"stop the other one, then restart this one", l.server.name)
}

// release stops renewing the lease and gives it up, so that other processes need not wait until it expires.
func (l *lease) release() {
	l.stop()
	<-l.stopped
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	// If this fails, the lease expires by itself.
	_, _ = l.server.exec(ctx, l.returnSQL, l.name, l.holder, l.fence)
}

// unfinished is the name of a row of the table leases that marks an unfinished load. Finish deletes it.
const unfinished = "unfinished"

// markUnfinished adds the row named unfinished, unless it exists.
const markUnfinished = `INSERT INTO leases (name, holder, fence, ends) VALUES ('` + unfinished + `', '', 1, 0)
	ON CONFLICT (name) DO NOTHING`

// Unfinished reports whether the database has the mark of a load that was begun and not finished.
func (d *Server) Unfinished(ctx context.Context) (unfinishedLoad bool, err error) {
	err = d.queryRow(ctx, `SELECT EXISTS (SELECT 1 FROM leases WHERE name = $1)`, unfinished).Scan(&unfinishedLoad)
	return unfinishedLoad, d.explain(asServer(err))
}

const (
	// replica is the prefix of the name of a replica's lease. The triggers of migration 63 recognize by "boards" that
	// the replica is not of the previous version.
	replica = "replica boards "
	// isReplica is the SQL condition that a lease is that of a replica.
	isReplica = `name LIKE 'replica %'`
)

const (
	// addInstance adds the lease of the whole database, without a holder, unless it exists.
	addInstance = `INSERT INTO leases (name, holder, fence, ends) VALUES ($1, '', 1, 0) ON CONFLICT (name) DO NOTHING`
	// lockInstance selects the lease of the whole database and locks it until the transaction ends: meanwhile other
	// processes can neither take it nor join. It does not wait for changes of the lease's holder.
	lockInstance = `SELECT fence, ends FROM leases WHERE name = $1 FOR NO KEY UPDATE`
	// passInstance takes the lease of the whole database from a dead holder, after waiting for the changes of the
	// holder, and returns the new fence. otherReplicas selects the leases of all replicas except the lease $1.
	passInstance  = `UPDATE leases SET holder = '', fence = fence + 1, ends = 0 WHERE name = $1 RETURNING fence`
	otherReplicas = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND name <> $1`
	// dropReplicas deletes expired leases of replicas, after waiting for the changes of those replicas. joinReplicas
	// adds the lease of a replica, or extends it if it exists.
	dropReplicas = `DELETE FROM leases WHERE ` + isReplica + ` AND ends <= ` + now
	joinReplicas = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, $3, ` + now + ` + $4)
		ON CONFLICT (name) DO UPDATE SET ends = ` + now + ` + $4`
	// renewReplica is renewLease for a replica. It also deletes leases of other replicas that expired more than an hour
	// ago. It skips locked ones, so that it does not have to wait.
	renewReplica = `
		WITH untidy AS (DELETE FROM leases WHERE name IN (SELECT name FROM leases WHERE ` + isReplica + `
			AND name <> $1 AND ends < ` + now + ` - 3600000 FOR UPDATE SKIP LOCKED)) ` + renewLease
	returnReplica = `DELETE FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
)

// errMissing is the error of a change by a replica whose lease is missing in the database.
var errMissing = &Error{Err: errors.New("the lease of this replica has expired: try again")}

// join adds this replica to those that share the database, or adds it again, and sets l.fence. If another process has
// exclusive access, join returns errInUse, and held has the end of that lease, in Unix milliseconds, by name.
func (l *lease) join(tx *Tx) (held map[string]int64, err error) {
	if err := tx.Run(addInstance, instance); err != nil {
		return nil, err
	}
	var fence, ends int64
	err = tx.Rows(lockInstance, []any{instance}, func(row Row) error { return row.Scan(&fence, &ends) })
	if err == nil {
		held, err = tx.activeLeases(heldInstance, instance)
	}
	switch {
	case err != nil:
		return held, err
	case l.fence != 0 && l.fence != fence:
		return nil, l.takenError()
	case ends != 0: // the holder has died without returning it
		err = tx.Rows(passInstance, []any{instance}, func(row Row) error { return row.Scan(&fence) })
	}
	if err != nil {
		return nil, err
	}
	others, err := l.hasOthers(tx)
	if err != nil {
		return nil, err
	}
	err = tx.Run(joinReplicas, l.name, l.holder, fence, leaseDuration.Milliseconds())
	if err == nil && l.server.options.Join != nil {
		err = l.server.options.Join(tx, others)
	}
	if err == nil {
		l.fence = fence
	}
	return nil, err
}

// hasOthers reports whether other replicas are alive. If not, it deletes their expired leases: before those replicas
// can change anything, they have to join again.
func (l *lease) hasOthers(tx *Tx) (found bool, err error) {
	_, err = tx.activeLeases(otherReplicas+` AND ends > `+now, l.name)
	if err == nil {
		err = tx.Run(dropReplicas)
	}
	if err == nil { // a lease that was renewed just before the DELETE still exists
		_, err = tx.activeLeases(otherReplicas, l.name)
	}
	if errors.Is(err, errInUse) {
		return true, nil
	}
	return false, err
}

// rejoin registers this replica again after its lease has expired. If Options.Join refuses that, or another process has
// had exclusive access meanwhile, the lease is lost for good. After a failure of the server the next renewal tries
// again.
func (l *lease) rejoin(ctx context.Context) error {
	err := l.server.leaseTransaction(ctx, func(tx *Tx) error {
		_, err := l.join(tx)
		if errors.Is(err, errInUse) {
			return l.takenError() // another process has exclusive access now
		}
		return err
	})
	if _, mayPass := errors.AsType[*Error](err); err == nil || mayPass || ctx.Err() != nil {
		return err
	}
	return l.lose(err)
}
