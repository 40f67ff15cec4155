package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// puzzled plays a game with costly decisions, has it reviewed, and asks for the
// puzzle, which is returned with the stage that it stands on.
func puzzled(t *testing.T, h *house, asker *person) (*stage, chat.Ref) {
	t.Helper()
	h.reviewed(h.pokered("Anna", "Ben"))
	s := newStage()
	h.onStage(s)
	if r := asker.writes("/puzzle"); r.Toast != "Here comes the puzzle." || r.Refused {
		t.Fatalf("%+v", r)
	}
	return s, s.puzzle(t, "The puzzle, from game #1. ")
}

// puzzle waits for a message that begins so.
func (s *stage) puzzle(t *testing.T, begins string) (found chat.Ref) {
	t.Helper()
	s.until(t, begins, func([]string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		for ref, m := range s.shown {
			if strings.HasPrefix(m.Head, begins) {
				found = ref
				return true
			}
		}
		return false
	})
	return found
}

// tries presses every move of a puzzle, each by somebody else, until one is the
// best, and returns how many it took.
func tries(t *testing.T, h *house, m chat.Message) int {
	t.Helper()
	for i, b := range slices.Concat(m.Buttons[:len(m.Buttons)-1]...) {
		r := h.person(string(rune('C' + i))).sends(b.Press)
		switch {
		case r.Refused || r.Board != 0:
			t.Fatalf("%s: %+v", b.Label, r)
		case strings.HasPrefix(r.Toast, "That is it: "):
			return i + 1
		case !strings.HasPrefix(r.Toast, "Not quite: to ") || !strings.HasSuffix(r.Toast, " points."):
			t.Errorf("%s: %q", b.Label, r.Toast)
		}
	}
	t.Fatalf("no move is the best:\n%s", show(m))
	return 0
}

func TestPuzzleIsTriedAndSolved(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna, ben := h.person("Anna"), h.person("Ben")
	s, ref := puzzled(t, h, anna)
	m := s.message(ref)
	proper(t, m)
	const star = "* doubled on the first throw"
	if !starShown(m) || !slices.Contains(m.Lines, star) {
		t.Errorf("no star, or nothing about it: %q\n%s", m.Lines, show(m))
	}
	for _, p := range m.People {
		if p.User != "" {
			t.Errorf("%s alone may try it", p.Name)
		}
	}
	end := m.Buttons[len(m.Buttons)-1][0].Press
	german, err := h.bot.Puzzle(t.Context(), m.Puzzle, "de")
	if err != nil || german.Lang != "de" || !strings.HasPrefix(german.Head, "Das Rätsel, aus Partie #1. ") ||
		len(german.Buttons) != len(m.Buttons) {
		t.Errorf("for a page in German it is %+v, %v", german, err)
	}
	again := anna.writes("/puzzle").Private
	if again == nil || again.Head != m.Head {
		t.Errorf("asked for again it is %+v", again)
	}
	n := tries(t, h, m)
	second := h.person(string(rune('C' + n - 1))).sends(m.Buttons[0][0].Press)
	if !strings.HasSuffix(second.Toast, " Your first try counts.") {
		t.Errorf("%+v", second)
	}
	refused(t, ben.sends(end), "Only Anna may show the answer yet. Ask, or wait a day.")
	if r := anna.sends(end); r.Toast != "The puzzle shows the answer now." {
		t.Errorf("%+v", r)
	}
	solved := s.puzzle(t, "The puzzle from game #1 is solved: the best was to ")
	if solved != ref {
		t.Error("the answer stands in another message")
	}
	m = s.message(ref)
	proper(t, m)
	if text := show(m); !strings.Contains(text, " found it on the first try, of ") || len(m.Buttons) != 1 {
		t.Error(text)
	}
	if r := ben.sends(strings.Replace(end, "close", "write chance", 1)); !r.Refused {
		t.Errorf("a solved puzzle is tried: %+v", r)
	}
	refused(t, anna.writes("/puzzle"), "There is no puzzle this week yet. Play: games make puzzles.")
	h.sound()
}

// A move that a review has explained to all is no puzzle, and one that it has explained to somebody is the last resort.
func TestPuzzleIsNoExplainedMove(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	for range 3 {
		h.reviewed(h.pokered("Anna", "Ben"))
	}
	reads := func(table int64, aloud bool) {
		ev := anna.event()
		ev.Command, ev.Text, ev.Aloud = "review", fmt.Sprint(table), aloud
		if m := h.bot.Handle(t.Context(), ev).Private; m == nil {
			t.Fatal("no review")
		}
	}
	solve := func() string {
		ev := anna.event()
		ev.Command, ev.Carries = "puzzle", true
		r := h.bot.Handle(t.Context(), ev)
		if r.Puzzle == 0 {
			return r.Toast
		}
		m, err := h.bot.Puzzle(t.Context(), r.Puzzle, "en")
		if err != nil {
			t.Fatal(err)
		}
		anna.sends(fmt.Sprintf("1:0:0:/puzzle %d close", r.Puzzle))
		return m.Head[:len("The puzzle, from game #1")]
	}
	reads(1, false)
	reads(2, true)
	reads(2, false)
	for i, want := range []string{"The puzzle, from game #3", "The puzzle, from game #1",
		"The last games are all explained. Play for a new puzzle."} {
		if got := solve(); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
	h.sound()
}

func TestPuzzleOutlivesARestartAndADay(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	h.reviewed(h.pokered("Anna"))
	anna.writes("/puzzle")
	h.restart()
	s := newStage()
	stop := h.onStage(s)
	ref := s.puzzle(t, "The puzzle, from game #1. ")
	s.until(t, "it is remembered", func([]string) bool { return anna.writes("/puzzle").Private != nil })
	tries(t, h, s.message(ref))
	stop()
	h.restart()
	h.wait(25 * time.Hour)
	s = newStage()
	h.onStage(s)
	s.puzzle(t, "The puzzle from game #1 is solved: ")
}

func TestPuzzlesAreOfOneChat(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	refused(t, anna.writes("/puzzle"), "There is no puzzle this week yet. Play: games make puzzles.")
	s, ref := puzzled(t, h, anna)
	stranger := anna.event()
	stranger.Chat, stranger.Place, stranger.Press = "test:2", "test:2/1", s.message(ref).Buttons[0][0].Press
	refused(t, h.bot.Handle(t.Context(), stranger), "There is no such puzzle here. /puzzle brings the present.")
	for _, line := range []string{"/puzzle x", "/puzzle 99 close", "/puzzle 1 shut 9", "/puzzle 1"} {
		if r := anna.writes(line); !r.Refused {
			t.Errorf("%s: %+v", line, r)
		}
	}
	elsewhere := h.person("Anna")
	elsewhere.place = "test:1/2"
	if r := elsewhere.writes("/puzzle"); !r.Refused {
		t.Errorf("the same puzzle at another place: %+v", r)
	}
}

// A puzzle whose place takes nothing at present keeps none in another place
// waiting.
func TestNoPuzzleWaitsForAnother(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	h.reviewed(h.pokered("Anna", "Ben"))
	h.reviewed(h.pokered("Anna", "Ben"))
	s := newStage()
	waits := make(chan struct{})
	wait := sync.OnceFunc(func() { close(waits) })
	s.ready = func(ctx context.Context, place chat.Place) error {
		if place != anna.place {
			return nil
		}
		wait()
		<-ctx.Done()
		return ctx.Err()
	}
	h.onStage(s)
	anna.writes("/puzzle")
	<-waits
	anna.at("test:1/2").writes("/puzzle")
	s.puzzle(t, "The puzzle, from game #")
}
