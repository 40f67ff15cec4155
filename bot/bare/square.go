package bare

// A platform on which people can be called.

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

// Square is a stage on which people can be called.
type Square struct {
	*Stage
	Mu    sync.Mutex
	Calls map[chat.Ref]chat.Ping // that stand
	Said  []string               // all, as they were said
	Fault error                  // of the next call
	Stop  func()                 // ends the run

	// waits, where it is not nil, keeps calls waiting for the budget: it is told when one begins to wait.
	Waits chan struct{}
}

func NewSquare() *Square {
	return &Square{Stage: NewStage(), Calls: map[chat.Ref]chat.Ping{}}
}

// Ready keeps calls waiting until their context ends.
func (s *Square) Ready(ctx context.Context, place chat.Place, need chat.Need) error {
	if need != chat.ToCall || s.Waits == nil {
		return s.Stage.Ready(ctx, place, need)
	}
	s.Waits <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (s *Square) Call(_ context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	s.Mu.Lock()
	ref := chat.Ref(fmt.Sprint("test:c", len(s.Said)+1))
	err := s.Fault
	s.Fault = nil
	if err == nil {
		s.Calls[ref] = call
		s.Said = append(s.Said, textOf(call))
	}
	s.Mu.Unlock()
	if err != nil {
		_ = s.note("call failed", place, "")
		return "", err
	}
	return ref, s.note("call", place, ref)
}

// textOf returns what a call says.
func textOf(call chat.Ping) string {
	if m := call.Offer; m != nil {
		return strings.Join(append([]string{m.Head}, m.Told...), "\n")
	}
	return call.Before + call.Name + call.After
}

func (s *Square) Retire(ctx context.Context, place chat.Place, ref chat.Ref) error {
	if !strings.HasPrefix(string(ref), "test:c") {
		return s.Stage.Retire(ctx, place, ref)
	}
	s.Mu.Lock()
	delete(s.Calls, ref)
	s.Mu.Unlock()
	return s.note("dismiss", place, ref)
}

// Standing returns the calls that stand.
func (s *Square) Standing() []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var all []string
	for _, c := range s.Calls {
		all = append(all, textOf(c))
	}
	slices.Sort(all)
	return all
}

// WantCalls fails unless, when all has come to rest, exactly these calls stand and
// so many were made. It is for tests in a bubble.
func (s *Square) WantCalls(t *testing.T, made int, standing ...string) {
	t.Helper()
	synctest.Wait()
	now := s.Standing()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if len(s.Said) != made || !slices.Equal(now, standing) {
		t.Fatalf("%d calls were made, %q stand; want %d, %q", len(s.Said), now, made, standing)
	}
}

// Drawn waits until the board of a place shows its table as it is.
func (s *Square) Drawn(p *Person) {
	p.T.Helper()
	s.Until(p.T, "the board is drawn", func([]string) bool {
		t := p.Table()
		return t.Board.Drawn == t.Version && t.Board.Message != ""
	})
}

// Begun returns a table of coin that has begun on a square: they throw in turn.
func Begun(t *testing.T, line string, names ...string) (*House, *Square, []*Person) {
	h := New(t)
	s := NewSquare()
	return h, s, h.Begin(s, line, names...)
}

// Begin runs a bot on a square, in a bubble, and begins its first table there.
func (h *House) Begin(s *Square, line string, names ...string) []*Person {
	h.T.Helper()
	s.Stop = h.OnStage(s)
	synctest.Wait() // else it may find that it was away when the turn began
	var people []*Person
	for i, name := range names {
		people = append(people, h.Person(name))
		if i == 0 {
			people[i].Writes(line)
		} else {
			people[i].Sends("1:1:0:!join")
		}
	}
	people[0].Sends("1:1:0:!start")
	s.Drawn(people[0])
	return people
}

const (
	CallsAnna = "Anna, it is your turn: Coin."
	CallsBen  = "Ben, it is your turn: Coin."
)
