package main

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes"
)

// TestKilledInItsFirstStart kills the program at every moment of its first start,
// while it makes the database: the next start takes what lies there.
func TestKilledInItsFirstStart(t *testing.T) {
	t.Parallel()
	const atOnce = 3
	rounds, program := kills(t, 60), build(t)
	listen, began := freePort(t), time.Now()
	s := launch(t, program, []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + filepath.Join(t.TempDir(), "knobel.db")})
	if !s.comes(listen) {
		t.Fatalf("it does not start: %v\n%s", s.err, s.said)
	}
	within := time.Since(began) // how long a first start takes on this machine
	s.kill()
	var next, unmade, hot atomic.Int64
	var workers sync.WaitGroup
	for range atOnce {
		listen := freePort(t)
		workers.Go(func() {
			for n := next.Add(1); n <= int64(rounds) && !t.Failed(); n = next.Add(1) {
				db := filepath.Join(t.TempDir(), "knobel.db")
				env := []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}
				s := launch(t, program, env)
				time.Sleep(within * time.Duration(2*n-1) / time.Duration(2*rounds)) // which is what is tried
				s.kill()
				if !exists(db) {
					unmade.Add(1)
				}
				if info, err := os.Stat(db + "-journal"); err == nil && info.Size() > 0 {
					hot.Add(1)
				}
				s = launch(t, program, env)
				if !s.comes(listen) {
					t.Errorf("killed after %d parts of %d of %v, it does not start again: %v\n%s", n, rounds, within,
						s.err, s.said)
				}
				s.kill()
			}
		})
	}
	workers.Wait()
	t.Logf("%d kills, %d before there was a file, %d left a journal", rounds, unmade.Load(), hot.Load())
	if rounds > 1 && int(unmade.Load()) == rounds {
		t.Error("it was always killed before it had begun")
	}
}

// comes reports whether the program is well before it ends.
func (s *serving) comes(listen string) bool {
	late := time.After(fakes.Patience)
	for healthy(context.Background(), listen) != nil {
		select {
		case <-s.ended:
			return false
		case <-late:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return true
}
