package review_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// puzzled plays a game with costly decisions, has it reviewed, and asks for the
// puzzle, which is returned with the stage that it stands on.
func puzzled(t *testing.T, h *bare.House, asker *bare.Person) (*bare.Stage, chat.Ref) {
	t.Helper()
	h.Reviewed(h.Pokered("Anna", "Ben"))
	s := bare.NewStage()
	h.OnStage(s)
	if r := asker.Writes("/puzzle"); r.Toast != "Here comes the puzzle." || r.Refused {
		t.Fatalf("%+v", r)
	}
	return s, puzzle(s, t, "The puzzle, from game #1. ")
}

// puzzle waits for a message that begins so.
func puzzle(s *bare.Stage, t *testing.T, begins string) (found chat.Ref) {
	t.Helper()
	s.Until(t, begins, func([]string) bool {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		for ref, m := range s.Shown {
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
func tries(t *testing.T, h *bare.House, m chat.Message) int {
	t.Helper()
	for i, b := range slices.Concat(m.Buttons[:len(m.Buttons)-1]...) {
		r := h.Person(string(rune('C' + i))).Sends(b.Press)
		switch {
		case r.Refused || r.Board != 0:
			t.Fatalf("%s: %+v", b.Label, r)
		case strings.HasPrefix(r.Toast, "That is it: "):
			return i + 1
		case !strings.HasPrefix(r.Toast, "Not quite: to ") || !strings.HasSuffix(r.Toast, " points."):
			t.Errorf("%s: %q", b.Label, r.Toast)
		}
	}
	t.Fatalf("no move is the best:\n%s", bare.Show(m))
	return 0
}

func TestPuzzleIsTriedAndSolved(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna, ben := h.Person("Anna"), h.Person("Ben")
	s, ref := puzzled(t, h, anna)
	m := s.Message(ref)
	bare.Proper(t, m)
	const star = "* doubled on the first throw"
	if !bare.StarShown(m) || !slices.Contains(m.Lines, star) {
		t.Errorf("no star, or nothing about it: %q\n%s", m.Lines, bare.Show(m))
	}
	for _, p := range m.People {
		if p.User != "" {
			t.Errorf("%s alone may try it", p.Name)
		}
	}
	end := m.Buttons[len(m.Buttons)-1][0].Press
	german, err := h.Bot.Puzzle(t.Context(), m.Puzzle, "de")
	if err != nil || german.Lang != "de" || !strings.HasPrefix(german.Head, "Das Rätsel, aus Partie #1. ") ||
		len(german.Buttons) != len(m.Buttons) {
		t.Errorf("for a page in German it is %+v, %v", german, err)
	}
	again := anna.Writes("/puzzle").Private
	if again == nil || again.Head != m.Head {
		t.Errorf("asked for again it is %+v", again)
	}
	n := tries(t, h, m)
	second := h.Person(string(rune('C' + n - 1))).Sends(m.Buttons[0][0].Press)
	if !strings.HasSuffix(second.Toast, " Your first try counts.") {
		t.Errorf("%+v", second)
	}
	bare.Refused(t, ben.Sends(end), "Only Anna may show the answer yet. Ask, or wait a day.")
	if r := anna.Sends(end); r.Toast != "The puzzle shows the answer now." {
		t.Errorf("%+v", r)
	}
	solved := puzzle(s, t, "The puzzle from game #1 is solved: the best was to ")
	if solved != ref {
		t.Error("the answer stands in another message")
	}
	m = s.Message(ref)
	bare.Proper(t, m)
	if text := bare.Show(m); !strings.Contains(text, " found it on the first try, of ") || len(m.Buttons) != 1 {
		t.Error(text)
	}
	if r := ben.Sends(strings.Replace(end, "close", "write chance", 1)); !r.Refused {
		t.Errorf("a solved puzzle is tried: %+v", r)
	}
	bare.Refused(t, anna.Writes("/puzzle"), "There is no puzzle this week yet. Play: games make puzzles.")
	h.Sound()
}

// A move that a review has explained to all is no puzzle, and one that it has explained to somebody is the last resort.
func TestPuzzleIsNoExplainedMove(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	for range 3 {
		h.Reviewed(h.Pokered("Anna", "Ben"))
	}
	reads := func(table int64, aloud bool) {
		ev := anna.Event()
		ev.Command, ev.Text, ev.Aloud = "review", fmt.Sprint(table), aloud
		if m := h.Bot.Handle(t.Context(), ev).Private; m == nil {
			t.Fatal("no review")
		}
	}
	solve := func() string {
		ev := anna.Event()
		ev.Command, ev.Carries = "puzzle", true
		r := h.Bot.Handle(t.Context(), ev)
		if r.Puzzle == 0 {
			return r.Toast
		}
		m, err := h.Bot.Puzzle(t.Context(), r.Puzzle, "en")
		if err != nil {
			t.Fatal(err)
		}
		anna.Sends(fmt.Sprintf("1:0:0:/puzzle %d close", r.Puzzle))
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
	h.Sound()
}

func TestPuzzleOutlivesARestartAndADay(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Reviewed(h.Pokered("Anna"))
	anna.Writes("/puzzle")
	h.Restart()
	s := bare.NewStage()
	stop := h.OnStage(s)
	ref := puzzle(s, t, "The puzzle, from game #1. ")
	s.Until(t, "it is remembered", func([]string) bool { return anna.Writes("/puzzle").Private != nil })
	tries(t, h, s.Message(ref))
	stop()
	h.Restart()
	h.Wait(25 * time.Hour)
	s = bare.NewStage()
	h.OnStage(s)
	puzzle(s, t, "The puzzle from game #1 is solved: ")
}

func TestPuzzlesAreOfOneChat(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	bare.Refused(t, anna.Writes("/puzzle"), "There is no puzzle this week yet. Play: games make puzzles.")
	s, ref := puzzled(t, h, anna)
	stranger := anna.Event()
	stranger.Chat, stranger.Place, stranger.Press = "test:2", "test:2/1", s.Message(ref).Buttons[0][0].Press
	bare.Refused(t, h.Bot.Handle(t.Context(), stranger), "There is no such puzzle here. /puzzle brings the present.")
	for _, line := range []string{"/puzzle x", "/puzzle 99 close", "/puzzle 1 shut 9", "/puzzle 1"} {
		if r := anna.Writes(line); !r.Refused {
			t.Errorf("%s: %+v", line, r)
		}
	}
	elsewhere := h.Person("Anna")
	elsewhere.Place = "test:1/2"
	if r := elsewhere.Writes("/puzzle"); !r.Refused {
		t.Errorf("the same puzzle at another place: %+v", r)
	}
}

// A puzzle whose place takes nothing at present keeps none in another place
// waiting.
func TestNoPuzzleWaitsForAnother(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	h.Reviewed(h.Pokered("Anna", "Ben"))
	h.Reviewed(h.Pokered("Anna", "Ben"))
	s := bare.NewStage()
	waits := make(chan struct{})
	wait := sync.OnceFunc(func() { close(waits) })
	s.OnReady = func(ctx context.Context, place chat.Place) error {
		if place != anna.Place {
			return nil
		}
		wait()
		<-ctx.Done()
		return ctx.Err()
	}
	h.OnStage(s)
	anna.Writes("/puzzle")
	<-waits
	anna.At("test:1/2").Writes("/puzzle")
	puzzle(s, t, "The puzzle, from game #")
}
