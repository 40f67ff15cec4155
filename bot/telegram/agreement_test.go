package telegram

import (
	"strings"
	"testing"
)

// A stake is raised while somebody sits down: they agree to it by a button of the
// board, and not by one of before.
func TestAChangedStakeIsAgreedTo(t *testing.T) {
	e := newEvening(t)
	e.group.SayIn(e.topic, anna, "/shutbox 5")
	e.until("there is a lobby", func() bool { _, _, ok := e.carries(":!join"); return ok })
	e.press(ben, ":!join")
	m, join, _ := e.carries(":!join")
	e.press(anna, ":!page rules")
	e.press(anna, ":!stake more")
	e.press(anna, ":!page")
	if a := e.answer(e.group.PressData(ben, m.ID, join)); !strings.Contains(a.Text, "Look at the newest board") {
		t.Errorf("an old button answers %q", a.Text)
	}
	if a := e.press(anna, ":!start"); !strings.Contains(a.Text, "Ben") {
		t.Errorf("starting answers %q", a.Text)
	}
	e.until("the board asks", func() bool { _, _, ok := e.carries(":!agree"); return ok })
	e.press(ben, ":!agree")
	if a := e.press(anna, ":!start"); a.Text != "" {
		t.Errorf("starting answers %q", a.Text)
	}
	e.until("the game has begun", func() bool { _, _, ok := e.carries(":throw 2"); return ok })
}
