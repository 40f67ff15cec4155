package postgres

// Who works with the database: one process, which holds a lease of it and says so again and again. A process that was
// cut off for longer than its lease lasts has lost it, and changes nothing any longer.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// leaseLasts is how long a lease lasts that is not renewed: so long a database is closed to others after its
	// process has died.
	leaseLasts = 10 * time.Second
	// renewEvery is how often a lease is renewed.
	renewEvery = 3 * time.Second
	// askEvery is how often a process asks for a lease that another holds.
	askEvery = 200 * time.Millisecond
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
	readLease   = `SELECT fence, ends FROM leases WHERE name = $1`
	// checkLease divides by zero where the lease is in other hands, so that the server itself refuses the change. Until
	// the change has ended nobody can take the lease over, as the fence is part of a key; it can be renewed.
	checkLease = `SELECT 1 / COUNT(*) FROM (SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3
		FOR KEY SHARE) held`
)

// lease is the lease of a database that this process holds.
type lease struct {
	of      *DB
	holder  string
	fence   int64
	lost    atomic.Bool
	stop    context.CancelFunc
	stopped chan struct{}
}

// acquire takes the lease of the database. One whose holder has died is waited for; one that is being renewed is an
// error.
func (d *DB) acquire(ctx context.Context) (*lease, error) {
	l := &lease{of: d, holder: rand.Text(), stopped: make(chan struct{})}
	var first, fence, ends int64
	for {
		err := d.ask(ctx, takeLease, instance, l.holder, leaseLasts.Milliseconds()).Scan(&l.fence)
		if err == nil {
			break
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return nil, d.explain(asEngine(err))
		}
		err = d.ask(ctx, readLease, instance).Scan(&fence, &ends)
		if err != nil {
			return nil, d.explain(asEngine(err))
		}
		if first == 0 {
			first = ends
		}
		if ends > first {
			return nil, fmt.Errorf("another instance is working with the database %s: stop it first", d.name)
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

// renew renews the lease again and again, until ctx is done or the lease is lost.
func (l *lease) renew(ctx context.Context, every time.Duration) {
	defer close(l.stopped)
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		asking, cancel := context.WithTimeout(ctx, renewEvery)
		renewed, err := l.of.tell(asking, renewLease, instance, l.holder, l.fence, leaseLasts.Milliseconds())
		cancel()
		if err == nil && renewed == 0 {
			l.lost.Store(true)
			return
		}
	}
}

// there returns why changes are refused.
func (l *lease) there() error {
	if l == nil || !l.lost.Load() {
		return nil
	}
	return l.taken()
}

// taken is the error of a change that finds the lease in other hands.
func (l *lease) taken() error {
	return fmt.Errorf("another instance has taken the database %s over while this one could not reach it: "+
		"stop one of the two, and start anew", l.of.name)
}

// release gives the lease back, so that nobody has to wait for its end.
func (l *lease) release() {
	l.stop()
	<-l.stopped
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	// Where this fails the lease ends by itself.
	_, _ = l.of.tell(ctx, returnLease, instance, l.holder, l.fence)
}
