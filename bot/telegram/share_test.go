package telegram

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// TestSharesAreAWhole checks that each replica has a share, and that all add up to at most the share of a single one.
func TestSharesAreAWhole(t *testing.T) {
	for _, alone := range []share{groupShare, privateShare} {
		for n := 1; n <= 19; n++ {
			var all share
			for i := range n {
				s := alone.forPart(chat.Part{Replicas: n, Holds: i == 0})
				if s.burst < 1 || s.rate <= 0 {
					t.Errorf("one of %d has %+v", n, s)
				}
				all.burst, all.rate = all.burst+s.burst, all.rate+s.rate
			}
			if whole := float64(alone.burst) + alone.rate; float64(all.burst)+all.rate > whole+0.001 {
				t.Errorf("%d replicas have %+v, one has %+v", n, all, alone)
			}
			holder, other := alone.forPart(chat.Part{Replicas: n, Holds: true}), alone.forPart(chat.Part{Replicas: n})
			if n > 1 && (holder.rate < all.rate/2 || other.rate > holder.rate) {
				t.Errorf("of %d the holder has %+v, others %+v", n, holder, other)
			}
		}
	}
}

// crowd is a set of replicas that write into the same chats as fast as they may, in fake time.
type crowd struct {
	t      *testing.T
	chance *rand.Rand
	ctx    context.Context
	all    []*writer
	holder *writer

	mu      sync.Mutex
	writes  map[int64][]time.Time
	writing sync.WaitGroup
}

// writer is one replica of a crowd.
type writer struct {
	budget *budget
	end    func()
	mu     sync.Mutex
	part   chat.Part
}

// learn sets the replica's part in serving its chats.
func (w *writer) learn(p chat.Part) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.part = p
}

// join adds a replica to the crowd.
func (c *crowd) join() {
	w := &writer{budget: newBudget(chat.SystemClock{}), part: chat.Part{Replicas: len(c.all) + 1, Since: time.Now()}}
	ctx, end := context.WithCancel(c.ctx)
	w.end = end
	w.budget.part = func(chat.Chat) chat.Part {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.part
	}
	c.all = append(c.all, w)
	seed := c.chance.Uint64()
	for _, id := range []int64{-1, 7} {
		chance := rand.New(rand.NewPCG(seed, uint64(id)))
		c.writing.Go(func() {
			for c.write(ctx, w, id) {
				if chance.IntN(12) == 0 {
					time.Sleep(time.Duration(chance.IntN(90)) * time.Second)
				}
			}
		})
	}
}

// write counts a write of w into the chat id once its budget allows it. It returns false if ctx is done earlier.
func (c *crowd) write(ctx context.Context, w *writer, id int64) bool {
	return w.budget.writeAnswer(ctx, id, func() error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.writes[id] = append(c.writes[id], time.Now())
		return nil
	}) == nil
}

// leave ends a random replica and removes it from the crowd.
func (c *crowd) leave() {
	i := c.chance.IntN(len(c.all))
	c.all[i].end()
	if c.holder == c.all[i] {
		c.holder = nil
	}
	c.all = slices.Delete(c.all, i, i+1)
}

// settle sets the parts of all replicas, each a little later than the one before. Only one of them holds the chats.
func (c *crowd) settle() {
	if c.holder != nil && c.chance.IntN(2) == 0 {
		c.holder = nil
	}
	if c.holder == nil {
		c.holder = c.all[c.chance.IntN(len(c.all))]
	}
	for _, w := range c.all {
		if w != c.holder {
			w.learn(chat.Part{Replicas: len(c.all), Since: time.Now()})
			time.Sleep(time.Duration(c.chance.IntN(600)) * time.Millisecond)
		}
	}
	c.holder.learn(chat.Part{Replicas: len(c.all), Holds: true, Since: time.Now()})
}

// TestReplicasWriteNoMoreThanOne checks that replicas that start, end and take over chats keep the limits together.
func TestReplicasWriteNoMoreThanOne(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { rushed(t, seed) })
	}
}

// rushed runs a crowd that changes at random, by seed, and checks that no minute has too many writes.
func rushed(t *testing.T, seed uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	c := &crowd{t: t, chance: rand.New(rand.NewPCG(seed, 3)), ctx: ctx, writes: map[int64][]time.Time{}}
	most := 2 + int(seed%7)
	c.join()
	for range 25 {
		for range 1 + c.chance.IntN(2) {
			if c.chance.IntN(8) == 0 {
				for len(c.all) > 1 {
					c.leave()
				}
			}
			if len(c.all) > 1 && c.chance.IntN(2) == 0 {
				c.leave()
			} else if len(c.all) < most {
				c.join()
			}
		}
		c.settle()
		time.Sleep(time.Duration(c.chance.IntN(150)) * time.Second)
	}
	cancel()
	c.writing.Wait()
	for id, limit := range map[int64]int{-1: groupLimit, 7: privateLimit} {
		all := c.writes[id]
		for i := range all {
			if i >= limit && all[i].Sub(all[i-limit]) < time.Minute {
				t.Fatalf("seed %d, chat %d: %d writes in %v", seed, id, limit+1, all[i].Sub(all[i-limit]))
			}
		}
		if len(all) < 100 {
			t.Errorf("seed %d, chat %d: only %d writes", seed, id, len(all))
		}
	}
}

// TestSharesThatChange checks that a single replica keeps its share, and that grants from an earlier share are void.
func TestSharesThatChange(t *testing.T) {
	clock := fakes.NewClock(false)
	b := newBudget(clock)
	part := chat.Part{Replicas: 2, Holds: true}
	b.part = func(chat.Chat) chat.Part { return part }
	clock.Advance(time.Hour)
	left := func() int {
		a := b.pin(-5)
		defer b.release(a)
		return b.writesLeft(a, clock.Now())
	}
	if n := left(); n != 3 {
		t.Errorf("whoever holds a chat of two writes %d at once", n)
	}
	check(t, b.ready(t.Context(), -5, chat.ToMove))
	part = chat.Part{Replicas: 2, Since: clock.Now()}
	if n := left(); n != 2 {
		t.Errorf("%d are left of what was in hand", n)
	}
	if _, granted := b.pin(-5).takeGrant(clock.Now()); granted {
		t.Error("what was granted before is used")
	}
	part = chat.Part{Replicas: 3, Holds: true, Since: clock.Now()}
	if n := left(); n != 2 {
		t.Errorf("%d are left, and nothing has grown", n)
	}
	clock.Advance(time.Hour)
	if n := left(); n != 3 {
		t.Errorf("whoever holds a chat of three writes %d at once", n)
	}
	fresh := newBudget(clock)
	fresh.part = b.part
	part.Since = clock.Now()
	if n := fresh.writesLeft(fresh.pin(-5), clock.Now()); n != 0 {
		t.Errorf("one that has just come writes %d at once", n)
	}
	clock.Advance(6 * time.Second)
	if n := fresh.writesLeft(fresh.pin(-5), clock.Now()); n != 1 {
		t.Errorf("a little later it writes %d", n)
	}
	part = chat.Part{Replicas: 1, Holds: true}
	if n := left(); n != 3 || b.pin(-5).window.share != groupShare {
		t.Errorf("one alone writes %d at once, and %+v in a minute", n, b.pin(-5).window.share)
	}
}
