package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"knobel/bot/chat"
)

// square is a stage on which people can be called.
type square struct {
	*stage
	mu    sync.Mutex
	calls map[chat.Ref]chat.Ping // that stand
	said  []string               // all, as they were said
	fault error                  // of the next call
	stop  func()                 // ends the run

	// waits, where it is not nil, keeps calls waiting for the budget: it is told
	// when one begins to wait.
	waits chan struct{}
}

func newSquare() *square {
	return &square{stage: newStage(), calls: map[chat.Ref]chat.Ping{}}
}

// Ready keeps calls waiting for as long as anybody waits for them.
func (s *square) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need != chat.ToCall || s.waits == nil {
		return s.stage.Ready(ctx, place, need)
	}
	s.waits <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (s *square) Call(_ context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	s.mu.Lock()
	ref := chat.Ref(fmt.Sprint("test:c", len(s.said)+1))
	err := s.fault
	s.fault = nil
	if err == nil {
		s.calls[ref] = call
		s.said = append(s.said, textOf(call))
	}
	s.mu.Unlock()
	if err != nil {
		_ = s.note("call failed", place, "")
		return "", err
	}
	return ref, s.note("call", place, ref)
}

// textOf is what a call says.
func textOf(call chat.Ping) string {
	if m := call.Offer; m != nil {
		return strings.Join(append([]string{m.Head}, m.Told...), "\n")
	}
	return call.Before + call.Name + call.After
}

func (s *square) Dismiss(_ context.Context, place chat.Place, ref chat.Ref) error {
	s.mu.Lock()
	delete(s.calls, ref)
	s.mu.Unlock()
	return s.note("dismiss", place, ref)
}

// standing are the calls that stand.
func (s *square) standing() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, c := range s.calls {
		all = append(all, textOf(c))
	}
	slices.Sort(all)
	return all
}

// wantCalls fails unless, when all has come to rest, exactly these calls stand and
// so many were made. It is for tests in a bubble.
func (s *square) wantCalls(t *testing.T, made int, standing ...string) {
	t.Helper()
	synctest.Wait()
	now := s.standing()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.said) != made || !slices.Equal(now, standing) {
		t.Fatalf("%d calls were made, %q stand; want %d, %q", len(s.said), now, made, standing)
	}
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
	s := newSquare()
	return h, s, h.begin(s, line, names...)
}

// begin runs a bot on a square, in a bubble, and begins its first table there.
func (h *house) begin(s *square, line string, names ...string) []*person {
	h.t.Helper()
	s.stop = h.onStage(s)
	synctest.Wait() // else it may find that it was away when the turn began
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
