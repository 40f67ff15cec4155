// Package fakes holds the common parts of the fake platforms of the tests: waiting for states, a network in memory, and
// network faults.
package fakes

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"
)

// TB is the part of testing.TB for starting a platform.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Check ends the test on an error.
func Check(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Running runs run until stop is called or the test ends, and waits for its end. An error of run fails the test.
func Running(t TB, run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(Patience):
			t.Errorf("Run does not end")
		}
	})
	t.Cleanup(stop)
	return stop
}

// Patience is how long a test waits for a state before it fails. It only ends hanging tests: no machine is that slow.
const Patience = 10 * time.Minute

// AtOnce sets how many parallel tests of a package run at the same time, whatever the flags say. It is for TestMain, if
// the tests mostly wait and more of them can run than there are processors.
func AtOnce(tests int) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
		panic(err)
	}
}

// News wakes all waiting goroutines when a state may have changed. The zero value is ready.
type News struct {
	mu      sync.Mutex
	changed chan struct{} // closed and replaced by Tell; nil: no one waits
}

// Tell wakes all waiting goroutines. It may be called with any lock held.
func (n *News) Tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}

// Next returns a channel that the next Tell closes.
func (n *News) Next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// lookAgain is the interval at which Wait checks its condition even without a Tell: database changes do not call it.
const lookAgain = 20 * time.Millisecond

// Wait returns nil once holds returns true, or the error of ctx. It calls holds after every Tell and periodically.
func (n *News) Wait(ctx context.Context, holds func() bool) error {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		next := n.Next()
		if holds() {
			return nil
		}
		select {
		case <-next:
		case <-again.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Journal stores its written text, such as a log, for concurrent reading. The zero value is empty.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
	news News
}

// Write appends to the journal.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.news.Tell()
	return j.text.Write(p)
}

// String returns everything written so far.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// Log returns a logger that writes to the journal.
func (j *Journal) Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// WaitFor waits until part was written that many times, and reports whether it was before ctx or Patience ended.
func (j *Journal) WaitFor(ctx context.Context, part string, times int) bool {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	return j.news.Wait(ctx, func() bool { return strings.Count(j.String(), part) >= times }) == nil
}
