package discord

import (
	"strings"
	"testing"

	"knobel/bot/discord/discordtest"
)

// A stake is raised while somebody sits down: they agree to it by a button of the
// board, and not by one of before.
func TestAChangedStakeIsAgreedTo(t *testing.T) {
	s := open(t, discordtest.Options{Pace: -1})
	anna, ben := s.server.Person("Anna", "en-US"), s.server.Person("Ben", "en-GB")
	s.answer(s.hall.Slash(anna, "shutbox", discordtest.Option{Name: "stake", Value: 5}))
	s.press(ben, "Sit down")
	old := s.board().Buttons()[0] // to sit down
	s.press(anna, "⚙ Rules")
	s.press(anna, "Stake +")
	s.press(anna, "Back")
	if a := s.answer(s.hall.Press(ben, s.board().ID, old.CustomID)); !private(a, "Look at the newest board") {
		t.Errorf("an old button answers %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(anna, "Start"); !private(a, "Not agreed yet: Ben") {
		t.Errorf("starting answers %d: %q", a.Type, a.Message.Text())
	}
	if text := s.board().Text(); !strings.Contains(text, "to agree") {
		t.Errorf("the board is\n%s", text)
	}
	if a := s.press(ben, "Agree"); a.Type != 7 || strings.Contains(a.Message.Text(), "to agree") {
		t.Errorf("agreeing answers %d: %q", a.Type, a.Message.Text())
	}
	if a := s.press(anna, "Start"); a.Type != 7 || !strings.Contains(a.Message.Text(), "Pool 20 chips") {
		t.Errorf("starting answers %d: %q", a.Type, a.Message.Text())
	}
	s.sound()
}
