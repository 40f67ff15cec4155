package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// filter is a log handler that passes on the records for which a function returns true, which may change them.
type filter struct {
	slog.Handler
	about string // what all lines of this log are about
	lets  func(about string, r *slog.Record) bool
}

// Handle passes a record on if it is let through.
func (f filter) Handle(ctx context.Context, r slog.Record) error {
	if !f.lets(f.about, &r) {
		return nil
	}
	return f.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler with the same function.
func (f filter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return filter{f.Handler.WithAttrs(attrs), f.about + fmt.Sprint(attrs), f.lets}
}

// WithGroup returns a handler with the same function.
func (f filter) WithGroup(name string) slog.Handler {
	return filter{f.Handler.WithGroup(name), f.about + name, f.lets}
}

// deduplicated returns a log handler that drops repetitions: the same warning or error, for the same
// reason, is logged at once, then after a minute at the earliest and ever more seldom while it goes
// on, with the number of times.
func deduplicated(h slog.Handler, met *troubles) slog.Handler {
	return filter{Handler: h, lets: func(about string, r *slog.Record) bool {
		if r.Level < slog.LevelWarn {
			return true
		}
		told, times := met.meet(about + r.Message + reason(*r))
		if times > 1 {
			*r = r.Clone()
			r.AddAttrs(slog.Int("times", times))
		}
		return told
	}}
}

// reason returns the innermost text of a line's error, without the tables and places that wrap it.
func reason(r slog.Record) string {
	if err := failure(r); err != nil {
		return innermost(err).Error()
	}
	return ""
}

// failure returns the error in a line, or nil.
func failure(r slog.Record) (err error) {
	r.Attrs(func(a slog.Attr) bool {
		err, _ = a.Value.Any().(error)
		return err == nil
	})
	return err
}

// innermost returns the error at the bottom of another, the first of several: a server that is away refuses each
// connection of each try, and only the reason has no ports in its text.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			inner = several.Unwrap()[0]
		}
		if inner == nil {
			return err
		}
		err = inner
	}
}

// The pauses between lines of one trouble, and the most troubles known at once.
const (
	firstPause  = time.Minute
	maxPause    = time.Hour
	maxTroubles = 256
)

// troubles holds the recent warnings and errors by their text.
type troubles struct {
	mu  sync.Mutex
	by  map[string]*repeated
	now func() time.Time
}

func newTroubles() *troubles { return &troubles{by: map[string]*repeated{}, now: time.Now} }

// repeated is one trouble.
type repeated struct {
	until time.Time // when it may be told again
	pause time.Duration
	times int // how often it was met since it was told
}

// meet counts a trouble. It reports whether to log it now, and how often it was met since it was logged.
func (t *troubles) meet(what string) (told bool, times int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	one := t.by[what]
	switch {
	case one == nil && len(t.by) >= maxTroubles && !t.forget(now):
		return true, 1
	case one == nil:
		t.by[what] = &repeated{until: now.Add(firstPause), pause: firstPause}
		return true, 1
	}
	one.times++
	if now.Before(one.until) {
		return false, 0
	}
	if times = one.times; times > 1 {
		one.pause = min(2*one.pause, maxPause)
	} else {
		one.pause = firstPause
	}
	one.times, one.until = 0, now.Add(one.pause)
	return true, times
}

// forget drops troubles that may be logged again anyway, and reports whether there is room now.
func (t *troubles) forget(now time.Time) bool {
	for what, one := range t.by {
		if !now.Before(one.until) {
			delete(t.by, what)
		}
	}
	return len(t.by) < maxTroubles
}
