package lease_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/lease"
	"knobel/store"
)

// replica is a Holder under test, with its clock and its log. It runs until end is called.
type replica struct {
	*lease.Holder
	stop   context.CancelFunc
	ended  sync.WaitGroup
	paused *pausing
	log    fakes.Journal
}

// pausing is a clock that can be stopped together with all that wait for it, as on a machine that sleeps.
type pausing struct {
	chat.Clock
	mu   sync.Mutex
	away chan struct{} // closed when the clock runs again; nil: it runs
}

// After returns a channel that gets the time after d or, if the clock is stopped then, when it runs again.
func (p *pausing) After(d time.Duration) <-chan time.Time {
	after := make(chan time.Time, 1)
	go func() {
		at := <-p.Clock.After(d)
		p.mu.Lock()
		away := p.away
		p.mu.Unlock()
		if away != nil {
			<-away
		}
		after <- at
	}()
	return after
}

// pause stops the clock until goOn.
func (p *pausing) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = make(chan struct{})
}

// goOn lets the clock run again.
func (p *pausing) goOn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.away)
	p.away = nil
}

// startReplica starts the replica called name, which shares the database s.
func startReplica(t *testing.T, s *store.Store, name string) *replica {
	t.Helper()
	clock := &pausing{Clock: chat.SystemClock{}}
	r := &replica{paused: clock}
	r.Holder = lease.New(lease.Config{Store: s, Name: name, Clock: clock,
		Log: slog.New(slog.NewTextHandler(&r.log, nil))})
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	check(t, r.Start(ctx))
	r.ended.Go(func() { r.Run(ctx) })
	return r
}

// end stops a replica in the usual way, so that it gives its leases back.
func (r *replica) end() {
	r.stop()
	r.ended.Wait()
}

// check ends the test on an error.
var check = fakes.Check

// chats holds so many chats that each lease has some.
var chats = func() (all []string) {
	for i := range 1000 {
		all = append(all, fmt.Sprint("test:", i))
	}
	return all
}()

// wantShared checks that exactly one replica runs the loops of each chat, and returns how many leases each holds.
func wantShared(t *testing.T, replicas ...*replica) (n []int) {
	t.Helper()
	for _, id := range chats {
		holds := 0
		for _, r := range replicas {
			if r.Holds(id) {
				holds++
			}
		}
		if holds != 1 {
			t.Fatalf("the loops of %s run at %d replicas", id, holds)
		}
	}
	for _, r := range replicas {
		n = append(n, r.Held()["chats"])
	}
	return n
}

// inBubble runs test with a new database and fake time (see testing/synctest).
func inBubble(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
		check(t, err)
		test(t, s)
		wait(time.Second) // until all waiting goroutines have ended
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// wait advances the fake time of the bubble.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestSharesAreLevelledAsReplicasComeAndGo(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a := startReplica(t, s, "a")
		if n := wantShared(t, a); n[0] != lease.Shares || a.Part("").Replicas != 1 {
			t.Fatalf("one alone holds %v", n)
		}
		if a.Chats() != nil {
			t.Error("one that holds all asks for each chat")
		}
		b := startReplica(t, s, "b")
		wait(3 * time.Second)
		if n := wantShared(t, a, b); n[0] != 32 || n[1] != 32 {
			t.Errorf("two hold %v", n)
		}
		c := startReplica(t, s, "c")
		wait(3 * time.Second)
		n := wantShared(t, a, b, c)
		if slices.Min(n) < 21 || slices.Max(n) > 22 || c.Part("").Replicas != 3 {
			t.Errorf("three hold %v, and know of %d", n, c.Part("").Replicas)
		}
		b.end() // returns its leases at once
		wait(time.Second)
		if n := wantShared(t, a, c); n[0] != 32 || n[1] != 32 {
			t.Errorf("after one has ended the others hold %v", n)
		}
		c.paused.pause() // like a dead replica
		wait(10 * time.Second)
		if n := wantShared(t, a, c); n[0] != lease.Shares {
			t.Errorf("after one has died the other holds %v", n)
		}
		said := a.log.String()
		if strings.Count(said, "replica gone") != 2 || !strings.Contains(said, "leases=32 ") {
			t.Errorf("of those that are gone it logs\n%s", said)
		}
		c.paused.goOn()
		wait(5 * time.Second)
		if n := wantShared(t, a, c); n[0] != 32 || n[1] != 32 {
			t.Errorf("with the one that was away they hold %v", n)
		}
		a.end()
		c.end()
	})
}

// TestWhoWasCutOffWritesNothing makes a change under a lease that another replica has taken: it stores nothing.
func TestWhoWasCutOffWritesNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a := startReplica(t, s, "a")
		old, held := a.Share("test:1")
		if !held {
			t.Fatal("it is not held")
		}
		writes := func(l store.Lease) error {
			return s.UpdateOf(t.Context(), store.OfChat("test:1").Under(l), func(tx *store.Tx) error {
				return tx.Chats.SaveSetting("written", "yes")
			})
		}
		if err := writes(old); err != nil {
			t.Error(err)
		}
		a.paused.pause()
		b := startReplica(t, s, "b")
		wait(10 * time.Second)
		if err := writes(old); !a.Fenced(err) || a.Refusals() != 1 {
			t.Errorf("it was written: %v", err)
		}
		l, held := b.Share("test:1")
		if err := writes(l); err != nil || !held {
			t.Errorf("who has taken it over cannot write: %v", err)
		}
		a.paused.goOn()
		wait(5 * time.Second)
		a.end()
		b.end()
	})
}

// TestHold checks that a lease got by Hold goes to another replica when it is returned, and when its replica dies.
func TestHold(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a, b := startReplica(t, s, "a"), startReplica(t, s, "b")
		holds := func(r *replica) (context.Context, func(time.Duration)) {
			held, done, err := r.Hold(t.Context(), "polling", 1, 0)
			if err != nil {
				t.Error(err)
			}
			return held, done
		}
		held, done := holds(a)
		var second context.Context
		var end func(time.Duration)
		go func() { second, end = holds(b) }()
		wait(20 * time.Second)
		if second != nil || held.Err() != nil {
			t.Fatal("two have it at once, or it wanders")
		}
		done(0)
		if wait(time.Second); second == nil || second.Err() != nil {
			t.Fatal("it was given back, and nobody has it a second later")
		}
		var third context.Context
		go func() { third, _ = holds(a) }()
		b.paused.pause()
		if wait(10 * time.Second); third == nil {
			t.Error("its replica is dead, and nobody has it")
		}
		b.paused.goOn()
		if wait(5 * time.Second); second.Err() == nil || third.Err() != nil {
			t.Errorf("who was away goes on: %v, who has it now: %v", second.Err(), third.Err())
		}
		end(0)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := b.Hold(ctx, "polling", 1, 0); err == nil {
			t.Error("who does not wait any more has it")
		}
		a.end()
		b.end()
		if third.Err() == nil {
			t.Error("the end of the replica does not end what it holds")
		}
	})
}

// TestKindsAreSharedByThoseWhoWantThem checks that the replicas that call Hold for a kind share its leases.
func TestKindsAreSharedByThoseWhoWantThem(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a, b, c := startReplica(t, s, "a"), startReplica(t, s, "b"), startReplica(t, s, "c")
		var mu sync.Mutex
		n := map[*replica]int{}
		ctx, cancel := context.WithCancel(t.Context())
		runs := func(r *replica, i int) {
			for {
				held, done, err := r.Hold(ctx, "shard", 5, i)
				if err != nil {
					return
				}
				count := func(more int) {
					mu.Lock()
					defer mu.Unlock()
					n[r] += more
				}
				count(1)
				<-held.Done()
				count(-1)
				done(0)
			}
		}
		for i := range 5 {
			go runs(a, i)
		}
		wait(3 * time.Second)
		if n[a] != 5 {
			t.Errorf("one alone has %d", n[a])
		}
		for i := range 5 {
			go runs(b, i)
		}
		wait(5 * time.Second)
		if n[a]+n[b] != 5 || min(n[a], n[b]) != 2 || n[c] != 0 {
			t.Errorf("they have %d and %d", n[a], n[b])
		}
		cancel()
		wait(time.Second)
		a.end()
		b.end()
		c.end()
	})
}

// TestAPauseKeepsALeaseFromOthers returns a lease with a pause: until the pause ends, no replica can get the lease.
func TestAPauseKeepsALeaseFromOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, s *store.Store) {
		a, b := startReplica(t, s, "a"), startReplica(t, s, "b")
		var began []time.Time
		for _, r := range []*replica{a, b, a} {
			go func() {
				_, done, err := r.Hold(t.Context(), "identify", 1, 0)
				if err != nil {
					t.Error(err)
					return
				}
				began = append(began, time.Now())
				done(5 * time.Second)
			}()
		}
		wait(30 * time.Second)
		if len(began) != 3 {
			t.Fatalf("%d have had it", len(began))
		}
		for i := range 2 {
			if apart := began[i+1].Sub(began[i]); apart < 5*time.Second || apart > 7*time.Second {
				t.Errorf("they had it %v apart", apart)
			}
		}
		a.end()
		b.end()
	})
}

// TestNoHolder checks that a nil Holder runs the loops of all chats.
func TestNoHolder(t *testing.T) {
	var none *lease.Holder
	all := chat.Part{Replicas: 1, Holds: true}
	if _, held := none.Share("test:1"); !held || none.Chats() != nil || none.Held()["chats"] != lease.Shares ||
		none.Part("test:1") != all {
		t.Error("something is not held")
	}
}
