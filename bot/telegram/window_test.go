package telegram

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Whatever comes when, in no minute is more written than Telegram takes, and nobody waits much longer than the
// steady pace.
func TestNoMinuteHasTooManyWrites(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 1))
		began := time.UnixMilli(1_700_000_000_000)
		// An earlier process has written as fast as it could, until this one began.
		earlier := newWindow(groupBurst, groupMost, began.Add(-time.Hour))
		var arrived []time.Time
		now := began.Add(-3 * time.Minute)
		write := func(w *window, leave int) {
			if wait := w.wait(now, leave); wait > 0 {
				now = now.Add(wait)
			}
			noted := now
			w.take(now)
			now = now.Add(time.Duration(chance.IntN(300)) * time.Millisecond)
			arrived = append(arrived, now)
			w.done(noted, now)
		}
		for now.Before(began) {
			write(earlier, chance.IntN(2))
			now = now.Add(time.Duration(chance.IntN(int(1+4*seed))) * 10 * time.Millisecond)
		}
		for len(arrived) > 0 && arrived[len(arrived)-1].After(began) {
			arrived = arrived[:len(arrived)-1]
		}
		now = began
		w := newWindow(groupBurst, groupMost, began)
		for now.Before(began.Add(10 * time.Minute)) {
			before := now
			write(w, kept)
			most := 4100 * time.Millisecond
			if before.Sub(began) < time.Minute {
				most = 12 * time.Second // what was written before is unknown
			}
			if waited := now.Sub(before); waited > most {
				t.Fatalf("seed %d: one waits %v", seed, waited)
			}
			now = now.Add(time.Duration(chance.IntN(int(1+4*seed))) * 10 * time.Millisecond)
		}
		for i := range arrived {
			if i >= groupLimit && arrived[i].Sub(arrived[i-groupLimit]) < time.Minute {
				t.Fatalf("seed %d: %d writes in %v", seed, groupLimit+1, arrived[i].Sub(arrived[i-groupLimit]))
			}
		}
		if n := len(arrived); seed == 0 && n < 170 {
			t.Errorf("%d writes in some twelve minutes", n)
		}
	}
}
