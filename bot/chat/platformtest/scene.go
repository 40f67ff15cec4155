// Package platformtest checks the promises of a platform to the bot. Run acts as the bot; a Venue is the platform over
// a test server with one person. Each failure names the broken promise.
package platformtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/games"
)

// Venue is a channel or chat of a platform, as one person there sees it.
type Venue struct {
	// New returns the platform over the same server, again after each restart. If people connect to the platform,
	// New discards the texts that they have read, and they count as connected once they get the platform's first line.
	// Texts stay readable after the platform has ended.
	New func() chat.Platform
	// Place is the person's place.
	Place chat.Place
	// Write sends a command with its text: "rules", "golf". Its one option is called "variant".
	Write func(command, text string)
	// Press presses the button with a label, on the newest message that has one.
	Press func(label string)
	// Shows reports whether the person can read a text, in a message or a private answer.
	Shows func(text string) bool
	// Stored means that the platform reads its boards from the database after a restart. This check has no database.
	Stored bool
	// Remove deletes the newest board; nil: that is impossible.
	Remove func()
}

// scene is a running platform with a fake bot, for one check.
type scene struct {
	Core
	*testing.T
	Venue
	platform chat.Platform
	stop     func() // ends the platform's Run and waits for that

	mu     sync.Mutex
	events []chat.Event // the commands and presses received
	answer func(chat.Event) chat.Reply
	drawn  int        // how often Draw was called since the last event
	refs   []chat.Ref // the messages of all boards, as Post and Edit returned them
}

// command is the person's command.
const command = "rules"

// board returns a board with a button.
func board(head string) chat.Message {
	return chat.Message{
		Table: 7, Lang: "en", Head: head, Accent: -1,
		People:  []chat.Person{{Name: "Anna", Text: "12", State: games.ToMove}},
		Buttons: [][]chat.Button{{{Label: "Throw", Press: maxPress, Style: games.Primary}}},
	}
}

// before is the head of each scene's first board; maxPress is its button's data, of the greatest length.
const (
	before   = "Anna throws the first dice."
	maxPress = "1:999999999999999999:999999999:shut 1+2+3+4+5+6+7+8+9+10+11+12+1"
)

// open runs a platform until the check is over.
func open(t *testing.T, v Venue) *scene {
	s := &scene{T: t, Venue: v}
	s.run()
	return s
}

// run starts the platform, or starts it again after stop.
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

// until waits until holds returns true. what names this condition if the test fails.
func (s *scene) until(what string, holds func() bool) {
	s.Helper()
	timeout := time.After(fakes.Patience)
	for !holds() {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-timeout:
			s.Fatalf("never came: %s", what)
		}
	}
}

// reads waits until the person can read text. what names the text if the test fails.
func (s *scene) reads(text, what string) {
	s.Helper()
	s.until(what, func() bool { return s.Shows(text) })
}

// setAnswer sets the function that returns the bot's replies.
func (s *scene) setAnswer(answer func(chat.Event) chat.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// event waits for the n-th event of the check and returns it.
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

// post posts a board as the bot does, and waits until the person can read it.
func (s *scene) post(m chat.Message) chat.Ref {
	s.Helper()
	ref, err := s.platform.Post(s.Context(), s.Place, m)
	if err != nil || ref == "" {
		s.Fatalf("Post returns %q, %v: post the board, and return what Edit and Retire find it by", ref, err)
	}
	s.storeRef(ref)
	s.reads(m.Head, "a board that was posted")
	for _, told := range m.Told {
		s.reads(told, "what a posted board tells")
	}
	return ref
}

// storeRef stores the message of a board for later checks.
func (s *scene) storeRef(ref chat.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refs = append(s.refs, ref)
}

// Handle stores a command or press of the check and returns the reply of setAnswer. Other events get a board as reply.
func (s *scene) Handle(_ context.Context, ev chat.Event) chat.Reply {
	s.mu.Lock()
	answer := s.answer
	if ours := ev.Command == command || ev.Press == maxPress; !ours {
		s.mu.Unlock()
		return chat.Reply{Board: 7} // the platform opens a table by itself
	}
	s.events, s.drawn = append(s.events, ev), 0
	s.mu.Unlock()
	if answer == nil {
		return chat.Reply{Toast: "Done."}
	}
	return answer(ev)
}

// Draw draws a board with draw, and counts the call.
func (s *scene) Draw(ctx context.Context, _ int64, _ bool, draw chat.Drawer) error {
	ref, _, err := draw(ctx, board(before), "")
	s.storeRef(ref)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn++
	return err
}

// DrawPuzzle draws a board with draw instead of a puzzle.
func (s *scene) DrawPuzzle(ctx context.Context, puzzle int64, draw chat.Drawer) error {
	return s.Draw(ctx, puzzle, false, draw)
}

// drawCount returns how often Draw was called since the last event.
func (s *scene) drawCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drawn
}

// Redraw posts a board again in the place.
func (s *scene) Redraw(ctx context.Context, place chat.Place) error {
	ref, err := s.platform.Post(ctx, place, board(before))
	s.storeRef(ref)
	return err
}

// Commands returns the one command of the checks.
func (s *scene) Commands() []chat.Command {
	about := map[string]string{"en": "what one may do"}
	return []chat.Command{{Name: command, About: about,
		Options: []chat.CommandOption{{Name: "variant", About: about}}}}
}
