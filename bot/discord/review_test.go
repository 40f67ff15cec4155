package discord

import (
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// The review comes onto the finished board and stands behind a button, page by
// page; its costliest decision is a puzzle that runs to its reveal.
func TestReviewAndPuzzle(t *testing.T) {
	t.Parallel()
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "de")
	s.sit(anna, "wuerfelpoker", nil)
	s.play(anna)
	s.until("the review is on the board", func() bool { return strings.Contains(s.board().Text(), "Anna: dice ") })
	first := s.press(anna, "Review")
	if !private(first, "Luck and decisions in game #1") {
		t.Fatalf("the review answers %d: %q", first.Type, first.Message.Text())
	}
	for label, says := range map[string]string{"Move by move": ", luck ", "As a line": "Anna began at "} {
		for _, b := range first.Message.Buttons() {
			if b.Label != label {
				continue
			}
			a, turned := s.turned(s.hall.Press(anna, first.Message.ID, b.CustomID))
			if !turned || !a.Message.Private() || !strings.Contains(a.Message.Text(), says) {
				t.Errorf("%s answers %d: %q", label, a.Type, a.Message.Text())
			}
		}
	}
	s.puzzle(anna, ben)
	s.sound()
}

// puzzle asks for the puzzle, tries its moves and has the answer shown.
func (s *stage) puzzle(asker, other *discordtest.Person) {
	s.Helper()
	if a := s.answer(s.hall.Slash(asker, "puzzle")); !private(a, "The puzzle comes right below.") {
		s.Fatalf("asked for a puzzle: %d %q", a.Type, a.Message.Text())
	}
	var m discordtest.Message
	s.until("the puzzle is there", func() bool {
		m, _ = s.hall.Last()
		return strings.Contains(m.Text(), "The puzzle, from game")
	})
	buttons := m.Buttons()
	found := 0
	for _, b := range buttons[:len(buttons)-1] {
		a := s.answer(s.hall.Press(other, m.ID, b.CustomID))
		switch {
		case private(a, "Das ist es: "):
			found++
		case !private(a, "Nicht ganz: "):
			s.Errorf("%s answers %d: %q", b.Label, a.Type, a.Message.Text())
		}
	}
	if found < 1 || found == len(buttons)-1 { // several can be equally good, but it is no puzzle where all are
		s.Errorf("%d of %d moves are the best", found, len(buttons)-1)
	}
	end := buttons[len(buttons)-1].CustomID
	if a := s.answer(s.hall.Press(other, m.ID, end)); !private(a, "Die Antwort zeigt ") {
		s.Errorf("somebody else shows the answer: %q", a.Message.Text())
	}
	if a := s.answer(s.hall.Press(asker, m.ID, end)); !private(a, "shows the answer now") {
		s.Errorf("the answer is asked for: %q", a.Message.Text())
	}
	s.until("the puzzle tells its answer", func() bool {
		now, ok := s.hall.Last()
		return ok && now.ID == m.ID && strings.Contains(now.Text(), "is solved: the best was to ")
	})
}
