package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/standin"
	"knobel/store"
)

// square is a stage on which people can be called.
type square struct {
	*stage
	mu    sync.Mutex
	calls map[bot.Ref]bot.Summons // that stand
	said  []string                // all, as they were said
	fault error                   // of the next call
	stop  func()                  // ends the run
	clock *standin.Clock          // of the house

	// waits, where it is not nil, keeps calls waiting for the budget: it is told
	// when one begins to wait.
	waits chan struct{}
}

func newSquare(h *house) *square {
	return &square{stage: newStage(), calls: map[bot.Ref]bot.Summons{}, clock: h.clock}
}

// Ready keeps calls waiting for as long as anybody waits for them.
func (s *square) Ready(ctx context.Context, _ bot.Place, need bot.Need) error {
	if need != bot.ToCall || s.waits == nil {
		return ctx.Err()
	}
	s.waits <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (s *square) Call(_ context.Context, place bot.Place, call bot.Summons) (bot.Ref, error) {
	s.mu.Lock()
	ref := bot.Ref(fmt.Sprint("test:c", len(s.said)+1))
	err := s.fault
	s.fault = nil
	if err == nil {
		s.calls[ref] = call
		s.said = append(s.said, call.Before+call.Name+call.After)
	}
	s.mu.Unlock()
	if err != nil {
		_ = s.note("call failed", place, "")
		return "", err
	}
	return ref, s.note("call", place, ref)
}

func (s *square) Dismiss(_ context.Context, place bot.Place, ref bot.Ref) error {
	s.mu.Lock()
	delete(s.calls, ref)
	s.mu.Unlock()
	return s.note("dismiss", place, ref)
}

// standing are the calls that stand, and whether there were so many in all.
func (s *square) standing() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, c := range s.calls {
		all = append(all, c.Before+c.Name+c.After)
	}
	slices.Sort(all)
	return all
}

// wantCalls waits until exactly these calls stand, and so many were made. The
// clock may have moved while the loop set its alarm: it goes on for a minute, and
// then slowly: a busy machine is not to come to where the house plays.
func (s *square) wantCalls(t *testing.T, made int, standing ...string) {
	t.Helper()
	steps, step := 60, time.Second
	s.until(t, fmt.Sprintf("%d calls, standing %q", made, standing), func([]string) bool {
		now := s.standing()
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.said) == made && slices.Equal(now, standing) {
			return true
		}
		if steps--; steps < 0 {
			step = 50 * time.Millisecond
		}
		if len(s.said) < made {
			s.clock.Advance(step)
		}
		return false
	})
}

// lookedAt waits until every call that is due by now has been looked at: it is
// put off, or will not be sent.
func (h *house) lookedAt(s *square) {
	h.t.Helper()
	s.until(h.t, "no call is due", func([]string) bool {
		due := 1
		err := h.store.View(context.Background(), func(tx *store.Tx) error {
			calls, err := tx.DueCalls(h.time().UnixMilli(), 9)
			due = len(calls)
			return err
		})
		return err == nil && due == 0
	})
}

// drawn waits until the board of a place shows its table as it is.
func (s *square) drawn(p *person) {
	p.t.Helper()
	s.until(p.t, "the board is drawn", func([]string) bool {
		t := p.table()
		return t.Drawn == t.Version && t.Board != ""
	})
}

// begun is a table of coin that has begun on a square: they throw in turn.
func begun(t *testing.T, line string, names ...string) (*house, *square, []*person) {
	h := newHouse(t)
	s := newSquare(h)
	return h, s, h.begin(s, line, names...)
}

// begin runs a bot on a square, and begins its first table there.
func (h *house) begin(s *square, line string, names ...string) []*person {
	h.t.Helper()
	s.stop = h.onStage(s)
	var people []*person
	for i, name := range names {
		people = append(people, h.person(name))
		if i == 0 {
			people[i].writes(line)
		} else {
			people[i].sends("1:1:0:!join")
		}
	}
	people[0].sends("1:1:0:!start")
	s.drawn(people[0])
	return people
}
