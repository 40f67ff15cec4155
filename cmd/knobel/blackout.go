package main

// What the log and the metrics tell of a time in which the database cannot be reached, or takes no changes: a line when
// it begins and one when it ends.

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// blackout is a time in which the database fails, or none.
type blackout struct {
	log  *slog.Logger     // takes the two lines
	away func(error) bool // reports whether an error shows that an outage has begun

	mu    sync.Mutex
	since time.Time // zero: there is none
}

// began notes an error that shows that the database is away.
func (o *blackout) began(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = time.Now()
		o.log.Error("database is read-only", "error", err)
	}
}

// ended notes that the database works.
func (o *blackout) ended() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		o.log.Info("database is writable again", "after", time.Since(o.since))
		o.since = time.Time{}
	}
}

// lasts reports whether there is an outage.
func (o *blackout) lasts() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero()
}

// troubled begins an outage with an error, and ends it with nil.
func (o *blackout) troubled(err error, _ time.Duration) {
	if err != nil {
		o.began(err)
		return
	}
	o.ended()
}

// probeAgain is the pause between probes of the database in an outage.
const probeAgain = time.Second

// watch ends outages by probing the database, until ctx is done.
func (o *blackout) watch(ctx context.Context, probe func(context.Context) error) {
	every(ctx, probeAgain, func() {
		if o.lasts() && probe(ctx) == nil {
			o.ended()
		}
	})
}

// every calls look again and again, until ctx is done.
func every(ctx context.Context, pause time.Duration, look func()) {
	ticks := time.NewTicker(pause)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			look()
		case <-ctx.Done():
			return
		}
	}
}

// silenced returns a log handler that drops the database's errors while an outage lasts. fails reports whether an error
// is one.
func silenced(h slog.Handler, outage *blackout, fails func(error) bool) slog.Handler {
	return filter{Handler: h, lets: func(_ string, r *slog.Record) bool {
		err := failure(*r)
		if r.Level < slog.LevelWarn || err == nil || !fails(err) {
			return true
		}
		if outage.away(err) {
			outage.began(err)
		}
		return !outage.lasts()
	}}
}
