package engine

// Who works with the database: one process that has it alone, or replicas that share it. Each holds a lease and says so
// again and again.
//
// Whoever wants the database alone takes the lease "instance", whose fence counts those who have had it so. Each
// replica has a lease of its own, "replica" and its holder, with the fence that "instance" had when it joined: as long
// as that is still so, nobody has had the database alone meanwhile.
//
//   - Each change looks in its own transaction whether the lease that it was begun under still stands, and locks its
//     key until it has ended. Nobody can take a lease over, or delete it, before that.
//   - Who takes "instance" looks in the same transaction for replicas, gives up while one lives, and deletes the
//     others, which ends what they may change. Who joins locks "instance" first. So neither overlooks the other.
//   - The lease of "instance" that has ended without having been given back is taken from its holder by whoever joins:
//     its fence goes up. Otherwise that holder could go on beside the replicas.
//   - A replica whose lease has ended, or is gone, joins anew by itself while the fence is the same. Otherwise what it
//     knows of the database may be wrong, and it is lost for good.

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
	// leaseLasts is how long a lease lasts that is not renewed: so long a database is closed to others after its
	// process has died.
	leaseLasts = 10 * time.Second
	// renewEvery is how often a lease is renewed.
	renewEvery = 3 * time.Second
	// askEvery is how often a process asks for a lease that another holds.
	askEvery = 200 * time.Millisecond
	// leaseWithin is how long taking a lease may take, which waits for changes under way.
	leaseWithin = 2 * changeWithin
	// instance is the lease of the whole database.
	instance = "instance"
)

// now is the time by the clock of the server, in Unix milliseconds.
const now = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT`

const (
	takeLease = `
		INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, 1, ` + now + ` + $3)
		ON CONFLICT (name) DO UPDATE SET holder = $2, fence = leases.fence + 1, ends = ` + now + ` + $3
		WHERE leases.ends <= ` + now + `
		RETURNING fence`
	renewLease  = `UPDATE leases SET ends = ` + now + ` + $4 WHERE name = $1 AND holder = $2 AND fence = $3`
	returnLease = `UPDATE leases SET ends = 0 WHERE name = $1 AND holder = $2 AND fence = $3`
	heldLease   = `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`
	// heldInstance and heldReplicas name leases that have not ended.
	heldInstance = `SELECT name, ends FROM leases WHERE name = $1 AND ends > ` + now
	heldReplicas = `SELECT name, ends FROM leases WHERE ` + isReplica + ` AND ends > ` + now
)

// lease is the lease of a database that this process holds.
type lease struct {
	of      *Server
	name    string
	holder  string
	fence   int64
	shared  bool // it is a replica's
	joining sync.Mutex
	lost    atomic.Pointer[error] // why it is lost for good; nil: it is not
	stop    context.CancelFunc
	stopped chan struct{}
}

// errInUse is the error of taking a lease that others are in the way of.
var errInUse = errors.New("another instance is working with the database")

// acquire takes the lease of the database, or joins those who share it. Those whose holder has died are waited for; one
// in the way that is being renewed is an error.
func (d *Server) acquire(ctx context.Context) (*lease, error) {
	l := &lease{of: d, name: instance, holder: rand.Text(), shared: d.options.Shared, stopped: make(chan struct{})}
	take := l.alone
	if l.shared {
		l.name, take = replica+l.holder, l.join
	}
	var first map[string]int64
	for {
		var held map[string]int64
		err := d.leasing(ctx, func(tx *Tx) (err error) {
			l.fence = 0 // whatever became of the last try
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

// leasing runs take in a transaction on one of the connections that changes and views leave alone, and again where that
// may help.
func (d *Server) leasing(ctx context.Context, take func(*Tx) error) (err error) {
	ctx, cancel := context.WithTimeout(ctx, leaseWithin)
	defer cancel()
	var left patience
	for {
		err = d.leaseOnce(ctx, take)
		again, is := errors.AsType[*repeatable](err)
		if !is {
			return err
		}
		if !left.take(again) {
			return again.last()
		}
	}
}

func (d *Server) leaseOnce(ctx context.Context, take func(*Tx) error) error {
	conn, err := d.own.Conn(ctx)
	if err != nil {
		return asServer(oneLine{err})
	}
	defer conn.Close()
	tx, p := d.begin(ctx, conn, beginChange)
	defer p.rollback(ctx) // unless it is committed
	if err = take(tx); err == nil {
		err = tx.failed
	}
	if err != nil {
		return asRepeatable(err, tx.failed)
	}
	err = p.commit(ctx)
	return asRepeatable(err, err)
}

// alone takes the database for this process alone. With errInUse it returns when the leases in the way end.
func (l *lease) alone(tx *Tx) (held map[string]int64, err error) {
	for taken := false; !taken; { // it may end between a try to take it and the look at when it does
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
	if err := tx.Run(dropReplicas); err != nil { // which waits for their changes under way
		return nil, err
	}
	return tx.held(heldReplicas) // one of them may have been renewed before it was to be deleted
}

// held returns when the leases that a query names end, with errInUse where there are any.
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

// renew renews the lease again and again, until ctx is done or the lease is lost.
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
		_ = l.stands(asking) // what has failed is tried again
		cancel()
	}
}

// stands renews the lease, and returns why it could not. A replica whose lease is gone joins anew, if nobody has had
// the database alone meanwhile.
func (l *lease) stands(ctx context.Context) error {
	l.joining.Lock()
	defer l.joining.Unlock()
	if err := l.there(); err != nil {
		return err
	}
	statement := renewLease
	if l.shared {
		statement = renewReplica
	}
	renewed, err := l.of.tell(ctx, statement, l.name, l.holder, l.fence, leaseLasts.Milliseconds())
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

// loses notes that the lease is lost for good.
func (l *lease) loses(why error) error {
	l.lost.Store(&why)
	return why
}

// there returns why changes are refused.
func (l *lease) there() error {
	if l == nil {
		return nil
	}
	if why := l.lost.Load(); why != nil {
		return *why
	}
	return nil
}

// taken is the error of a change that finds the lease in other hands.
func (l *lease) taken() error {
	if l.shared {
		return fmt.Errorf("somebody has had the database %s alone while this replica could not reach it: start it anew",
			l.of.name)
	}
	return fmt.Errorf("another instance has taken the database %s over while this one could not reach it: "+
		"stop one of the two, and start anew", l.of.name)
}

// missing is the error of a transaction that does not find the lease. A replica may be able to join anew.
func (l *lease) missing() error {
	if l.shared {
		return errMissing
	}
	return l.taken()
}

// release gives the lease back, so that nobody has to wait for its end.
func (l *lease) release() {
	l.stop()
	<-l.stopped
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	statement := returnLease
	if l.shared {
		statement = returnReplica
	}
	// Where this fails the lease ends by itself.
	_, _ = l.of.tell(ctx, statement, l.name, l.holder, l.fence)
}

// unfinished is the name of a lease that nobody holds: it stands there while what was loaded is not finished.
const unfinished = "unfinished"

// markUnfinished has a database count as unfinished.
const markUnfinished = `INSERT INTO leases (name, holder, fence, ends) VALUES ('` + unfinished + `', '', 1, 0)
	ON CONFLICT (name) DO NOTHING`

// Unfinished is as of DB.
func (d *Server) Unfinished(ctx context.Context) (stands bool, err error) {
	err = d.ask(ctx, `SELECT EXISTS (SELECT 1 FROM leases WHERE name = $1)`, unfinished).Scan(&stands)
	return stands, d.explain(asServer(err))
}
