package discord

import (
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

func TestAGameFromTheFirstPressToTheLast(t *testing.T) {
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-GB")

	a := s.answer(s.hall.Slash(anna, "shutbox", discordtest.Option{Name: "stake", Value: 5}))
	if a.Type != 4 || a.Message.Private() || !strings.Contains(a.Message.Text(), "Anna opens a table") {
		t.Fatalf("the lobby is %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(ben, "Sit down"); a.Type != 7 || !strings.Contains(a.Message.Text(), "Ben") {
		t.Fatalf("sitting down answers %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(ben, "Sit down"); !private(a, "sit here already") {
		t.Errorf("sitting down twice answers %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(anna, "Start"); a.Type != 7 {
		t.Fatalf("starting answers %d: %q", a.Type, a.Message.Text())
	}
	board := s.board()
	throw := board.Buttons()[0]
	if a := s.answer(s.hall.Press(ben, board.ID, throw.CustomID)); !private(a, "Anna") {
		t.Errorf("pressing for somebody else answers %d: %q", a.Type, a.Message.Text())
	}
	s.press(anna, throw.Label)
	if a := s.answer(s.hall.Press(anna, board.ID, throw.CustomID)); !private(a, "moved on") {
		t.Errorf("a stale press answers %d: %q", a.Type, a.Message.Text())
	}
	last := s.play(anna, ben)
	if !strings.Contains(last.Text(), "5") || len(s.hall.Messages()) != 1 {
		t.Errorf("%d messages, the last of them:\n%s", len(s.hall.Messages()), last.Text())
	}
	if a := s.press(ben, "Rematch"); a.Type != 4 || a.Message.Private() || !strings.Contains(a.Message.Text(), "reserved") {
		t.Errorf("the rematch is %d: %q", a.Type, a.Message.Text())
	}
	s.sound()
}
