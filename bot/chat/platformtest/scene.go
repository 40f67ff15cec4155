// Package platformtest checks what every platform promises to the bot: Run plays the
// bot, a Venue is the platform over a server of the test's own, with one person there.
// What the checks say in failing is what a platform has to do.
package platformtest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
)

// Venue is a place on a platform, as a person there sees it.
type Venue struct {
	// New makes the platform, anew after each restart and over the same server. Where people hold
	// connections, New forgets what was read and with whom; a connection counts from the platform's
	// first line on. What was read stays when the platform ends.
	New func() chat.Platform
	// Place is where the person is.
	Place chat.Place
	// Write has the person write a command and what stands behind it: "rules", "golf".
	// Its one option is called "variant".
	Write func(command, text string)
	// Press has the person press the button with a label on the newest message that has it.
	Press func(label string)
	// Shows reports whether the person has read a text: in a message that stands there, or
	// in an answer to them alone.
	Shows func(text string) bool
	// Remove has the newest board taken away by somebody there; nil: nobody can.
	Remove func()
}

// scene is a platform at work, before a bot that does as a check says.
type scene struct {
	Core
	*testing.T
	Venue
	platform chat.Platform
	stop     func() // ends the platform's Run and waits for it

	mu     sync.Mutex
	events []chat.Event // of commands and presses that a check has made
	answer func(chat.Event) chat.Reply
	drawn  int        // how often the platform has drawn the board by Draw since the last event
	refs   []chat.Ref // of all boards, as the platform has returned them
}

// command is the one that the person writes.
const command = "rules"

// board is a board with a button.
func board(head string) chat.Message {
	return chat.Message{
		Table: 7, Lang: "en", Head: head, Accent: -1,
		People:  []chat.Person{{Name: "Anna", Text: "12", State: games.ToMove}},
		Buttons: [][]chat.Button{{{Label: "Throw", Press: thrown, Style: games.Primary}}},
	}
}

// The first board of each scene, and what its button carries: as much as one can.
const (
	before = "Anna throws the first dice."
	thrown = "1:999999999999999999:999999999:shut 1+2+3+4+5+6+7+8+9+10+11+12+1"
)

// open has a platform run until the check is over.
func open(t *testing.T, v Venue) *scene {
	s := &scene{T: t, Venue: v}
	s.run()
	return s
}

// run starts the platform, anew where it was stopped.
func (s *scene) run() {
	s.Helper()
	s.platform = s.New()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.platform.Run(ctx, s) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				s.Errorf("Run returns %v once its context is done: return nil, it was no fault", err)
			}
		case <-time.After(fakes.Patience):
			s.Error("Run does not end with its context: have all that it waits for end, too")
		}
	})
	s.Cleanup(func() { s.stop() })
	s.until("Link tells that people are heard: Turn(true) once they are, or embed chat.Basics", func() bool {
		return s.platform.Link().Up
	})
}

// until waits until something holds.
func (s *scene) until(what string, holds func() bool) {
	s.Helper()
	late := time.After(fakes.Patience)
	for !holds() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-late:
			s.Fatalf("never came: %s", what)
		}
	}
}

// shown waits until the person has read a text.
func (s *scene) shown(text, what string) {
	s.Helper()
	s.until(what, func() bool { return s.Shows(text) })
}

// answers is what the bot answers from now on.
func (s *scene) answers(by func(chat.Event) chat.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = by
}

// event waits for the event of what was done last, the n-th of the check.
func (s *scene) event(n int) chat.Event {
	s.Helper()
	var all []chat.Event
	s.until("the bot hears what was done: call Handle, also while another event is handled", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		all = s.events
		return len(all) >= n
	})
	return all[n-1]
}

// posts has the bot post a board.
func (s *scene) posts(m chat.Message) chat.Ref {
	s.Helper()
	ref, err := s.platform.Post(s.Context(), s.Place, m)
	if err != nil || ref == "" {
		s.Fatalf("Post returns %q, %v: post the board, and return what Edit and Retire find it by", ref, err)
	}
	s.keep(ref)
	s.shown(m.Head, "a board that was posted")
	for _, told := range m.Told {
		s.shown(told, "what a posted board tells")
	}
	return ref
}

// keep notes what a board is found by.
func (s *scene) keep(ref chat.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refs = append(s.refs, ref)
}

// knows reports whether the platform has returned a Ref for some board.
func (s *scene) knows(ref chat.Ref) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.refs, ref)
}

// Handle is the bot's.
func (s *scene) Handle(_ context.Context, ev chat.Event) chat.Reply {
	s.mu.Lock()
	answer := s.answer
	if ours := ev.Command == command || ev.Press == thrown; !ours {
		s.mu.Unlock()
		return chat.Reply{Board: 7} // a platform that opens a table by itself
	}
	s.events, s.drawn = append(s.events, ev), 0
	s.mu.Unlock()
	if answer == nil {
		return chat.Reply{Toast: "Done."}
	}
	return answer(ev)
}

// Draw is the bot's.
func (s *scene) Draw(ctx context.Context, _ int64, _ bool, by chat.Drawer) error {
	ref, err := by(ctx, board(before), "")
	s.keep(ref)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn++
	return err
}

// DrawPuzzle is the bot's.
func (s *scene) DrawPuzzle(ctx context.Context, puzzle int64, by chat.Drawer) error {
	return s.Draw(ctx, puzzle, false, by)
}

// draws is how often the board was drawn by Draw since the last event.
func (s *scene) draws() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn
}

// Redraw is the bot's.
func (s *scene) Redraw(ctx context.Context, place chat.Place) error {
	ref, err := s.platform.Post(ctx, place, board(before))
	s.keep(ref)
	return err
}

// Commands are the bot's.
func (s *scene) Commands() []chat.Command {
	about := map[string]string{"en": "what one may do"}
	return []chat.Command{{Name: command, About: about,
		Options: []chat.CommandOption{{Name: "variant", About: about}}}}
}
