package discord

import (
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

func TestHintsAreForOneAlone(t *testing.T) {
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-GB")
	s.answer(s.hall.Slash(anna, "shutbox", discordtest.Option{Name: "hints", Value: "yes"}))
	s.press(ben, "Sit down")
	s.press(anna, "Start")
	s.press(anna, "Throw")

	if a := s.press(ben, "Hint"); !private(a, "It is Anna's turn; the board says when it is yours.") {
		t.Errorf("who is not to move is answered %d: %q", a.Type, a.Message.Text())
	}
	if a := s.answer(s.hall.Slash(ben, "hint")); !private(a, "It is Anna's turn; the board says when it is yours.") {
		t.Errorf("who is not to move is answered %d: %q", a.Type, a.Message.Text())
	}
	asks := map[string]func() discordtest.Answer{
		"a button":  func() discordtest.Answer { return s.press(anna, "Hint") },
		"a command": func() discordtest.Answer { return s.answer(s.hall.Slash(anna, "hint")) },
	}
	for what, ask := range asks {
		s.until("a hint is there", func() bool {
			a := ask()
			if !a.Message.Private() {
				t.Errorf("%s is answered for all: %q", what, a.Message.Text())
			}
			return strings.Contains(a.Message.Text(), "Best: close ") && strings.Contains(a.Message.Text(), " chips on average.")
		})
	}
	if n := len(s.hall.Messages()); n != 1 {
		t.Errorf("%d messages stand in the channel", n)
	}
	s.sound()
}

func TestAPerfectHousePlaysALittleLater(t *testing.T) {
	s := open(t, discordtest.Options{Pace: -1})
	anna := s.server.Person("Anna", "en-US")
	s.answer(s.hall.Slash(anna, "shutbox"))
	s.press(anna, "+ House")
	s.press(anna, "+ perfect")
	s.press(anna, "Start")
	if last := s.play(anna); !strings.Contains(last.Text(), "House") {
		t.Errorf("the game ends with:\n%s", last.Text())
	}
	s.sound()
}
