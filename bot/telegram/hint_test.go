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
		q, _ := e.server.Query(e.press(who, ends))
		if q.Answers[0].Alert {
			window = q.Answers[0].Text
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

	refused, _ := e.server.Query(e.press(ben, ":/hint"))
	if a := refused.Answers[0]; a.Text != "It is Anna's turn." {
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
		query := e.group.PressData(who, asked.ID, data)
		e.answered(query)
		if q, _ := e.server.Query(query); q.Answers[0].Alert || strings.Contains(q.Answers[0].Text, "best") {
			t.Errorf("somebody else reads %q", q.Answers[0].Text)
		}
	}
	query := e.group.PressData(anna, asked.ID, data)
	e.answered(query)
	if q, _ := e.server.Query(query); !q.Answers[0].Alert || !strings.HasPrefix(q.Answers[0].Text, "Am besten: ") {
		t.Errorf("behind the button stands %q", q.Answers[0].Text)
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
