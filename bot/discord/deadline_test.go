package discord

import (
	"strings"
	"testing"

	"knobel/bot/chat"
)

// TestADeadlineCountsByItself: no board is drawn anew for it.
func TestADeadlineCountsByItself(t *testing.T) {
	m := chat.Message{Table: 7, Head: "Anna is to throw.", Deadline: &chat.Deadline{
		At: 1700000600, Before: "*Anna* @everyone is out ", After: ", and the stake is lost.", Clock: "at 22:23",
	}}
	b := (*album)(nil).layout(m, 0)
	fits(t, b)
	if said := texts(b); !strings.Contains(said, ` is out <t:1700000600:R>, and the stake is lost.`) ||
		strings.Contains(said, "*Anna*") {
		t.Errorf("it says\n%s", said)
	}
}
