// Package fakes holds what the fake platforms of the tests share: waiting for states, a network in memory, and
// network faults.
package fakes

import (
	"context"
	"flag"
	"strconv"
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

// Running runs something until stop is called, at the test's end at the latest, waits for its end, and fails on an
// error.
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

// Patience is how long a test waits for a state before it fails. It only bounds hangs: no machine is that slow.
const Patience = 10 * time.Minute

// AtOnce sets how many parallel tests of a package run at once, whatever the flags. It is for a TestMain of tests
// that mostly wait: more of them may run than there are processors.
func AtOnce(tests int) {
	flag.Parse()
	if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
		panic(err)
	}
}
