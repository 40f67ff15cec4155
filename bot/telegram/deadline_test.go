package telegram

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// TestADeadlineCountsByItself: no board is drawn anew for it, and a client that
// cannot count shows the clock.
func TestADeadlineCountsByItself(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Anna is to throw.", Deadline: &chat.Deadline{
		At: 1700000600, Before: "<b>@anna</b> is out ", After: ", and the stake is lost.", Clock: "at 22:23",
	}}
	text := draw(m)
	if want := `is out <tg-time unix="1700000600" format="r">at 22:23</tg-time>, and the stake is lost.`; !strings.Contains(text, want) {
		t.Errorf("no %s in\n%s", want, text)
	}
	seen, err := telegramtest.ParseHTML(text)
	if want := "<b>@\u2060anna</b> is out at 22:23, and the stake is lost."; err != nil ||
		!strings.HasSuffix(seen, want) {
		t.Errorf("people see\n%s\n%v", seen, err)
	}
	m.Deadline.Before = strings.Repeat("x", 5000) // longer than a line: the text alone
	if seen, err := telegramtest.ParseHTML(draw(m)); err != nil || len(seen) > 1000 {
		t.Errorf("%d characters, %v", len(seen), err)
	}
}
