package fakes

import (
	"context"
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
