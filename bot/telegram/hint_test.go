package telegram

import (
	"strings"
	"testing"

	"knobel/bot/telegram/telegramtest"
)

// hinted asks for a hint by a button until it is there, and returns the window
// that opens for who asks.
func (e *evening) hinted(who telegramtest.Person, ends string) string {
	e.t.Helper()
	window := ""
	e.until("a hint is there", func() bool {
		if a := e.press(who, ends); a.Alert {
			window = a.Text
		}
		return window != ""
	})
	return window
}

func TestHintsAreForOneAlone(t *testing.T) {
	e := newEvening(t)
	e.sit("/shutbox hints=yes", anna, ben)
	e.press(anna, ":throw 2")
	e.until("there is a set to choose", func() bool { _, _, ok := e.carries(":throw 2"); return !ok })

	if a := e.press(ben, ":/hint"); a.Text != "It is Anna's turn; the board says when it is yours." {
		t.Errorf("who is not to move is told %q", a.Text)
	}
	before := len(e.messages())
	if window := e.hinted(anna, ":/hint"); !strings.HasPrefix(window, "Am besten: ") || len([]rune(window)) > 200 {
		t.Errorf("the hint is %q", window)
	}
	if len(e.messages()) != before {
		t.Errorf("a hint stands in the chat: %q", e.messages()[before].Text)
	}

	e.group.SayIn(e.topic, anna, "/hint") // all would read the answer
	asked := e.reads("Der beste Zug ist nur für eine Person")
	data := asked.Keyboard[0][0].Data
	for _, who := range []telegramtest.Person{ben, clara} {
		if a := e.answer(e.group.PressData(who, asked.ID, data)); a.Alert || strings.Contains(a.Text, "best") {
			t.Errorf("somebody else reads %q", a.Text)
		}
	}
	if a := e.answer(e.group.PressData(anna, asked.ID, data)); !a.Alert || !strings.HasPrefix(a.Text, "Am besten: ") {
		t.Errorf("behind the button stands %q", a.Text)
	}
	for _, m := range e.messages() {
		if strings.Contains(m.Text, "Am besten") {
			t.Errorf("a hint stands in the chat: %q", m.Text)
		}
	}
}

func TestAPerfectHousePlaysALittleLater(t *testing.T) {
	e := newEvening(t)
	e.group.SayIn(e.topic, anna, "/shutbox 5")
	e.press(anna, ":!page houses")
	e.press(anna, ":!house perfect")
	e.press(anna, ":!start")
	if m := e.play(anna); !strings.Contains(m.Text, "Haus") {
		t.Errorf("the game ends with %q", m.Text)
	}
}
