package bare

// A platform that supports pings.

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

// Square is a Stage that supports pings (chat.Platform.Call).
type Square struct {
	*Stage
	Mu    sync.Mutex
	Calls map[chat.Ref]chat.Ping // pings that have not been deleted
	Said  []string               // texts of all pings, in order
	Fault error                  // error of the next ping
	Stop  func()                 // ends the bot's run

	// Waits, if not nil, gets a value when a ping begins to wait for the write limit, where it then waits for ever.
	Waits chan struct{}
}

func NewSquare() *Square {
	return &Square{Stage: NewStage(), Calls: map[chat.Ref]chat.Ping{}}
}

// Ready blocks pings until ctx ends, if Waits is set.
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
		s.Said = append(s.Said, pingText(call))
	}
	s.Mu.Unlock()
	if err != nil {
		_ = s.note("call failed", place, "")
		return "", err
	}
	return ref, s.note("call", place, ref)
}

// pingText returns the text of a ping.
func pingText(ping chat.Ping) string {
	if m := ping.Offer; m != nil {
		return strings.Join(append([]string{m.Head}, m.Told...), "\n")
	}
	return ping.Before + ping.Name + ping.After
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

// Standing returns the texts of all pings that have not been deleted, sorted.
func (s *Square) Standing() []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var all []string
	for _, c := range s.Calls {
		all = append(all, pingText(c))
	}
	slices.Sort(all)
	return all
}

// WantCalls waits, in a bubble, until all work is done. It fails the test unless made is the number of posted pings,
// and standing holds the sorted texts of the pings that have not been deleted.
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

// Drawn waits until the board of the person's place shows the newest version of its table.
func (s *Square) Drawn(p *Person) {
	p.T.Helper()
	s.Until(p.T, "the board is drawn", func([]string) bool {
		t := p.Table()
		return t.Board.Drawn == t.Version && t.Board.Message != ""
	})
}

// Begun starts a table of coin on a new Square, and returns the house, the Square and the people.
func Begun(t *testing.T, line string, names ...string) (*House, *Square, []*Person) {
	h := New(t)
	s := NewSquare()
	return h, s, h.Begin(s, line, names...)
}

// Begin runs the bot on a Square, in a bubble, and opens and starts its first table there.
func (h *House) Begin(s *Square, line string, names ...string) []*Person {
	h.T.Helper()
	s.Stop = h.OnStage(s)
	synctest.Wait() // else the bot may believe that it was away when the turn began
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
	CallsAnna = "Anna, it's your turn: Coin."
	CallsBen  = "Ben, it's your turn: Coin."
)
