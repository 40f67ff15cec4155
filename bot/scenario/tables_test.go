package scenario

import (
	"strings"
	"testing"
)

// Telegram draws lists and the sheet as tables, and neither texts nor boards.
func TestTelegramDrawsTables(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		g := s.Place.(*Group)
		s.Debtor(anna, ben)
		rich := func(m Message) bool {
			chat := g.Chat
			if m.Alone {
				chat = g.Own(anna.who)
			}
			stands, _ := chat.Message(numberOf(strings.TrimPrefix(m.ID, own)))
			return stands.Rich
		}
		for line, head := range map[string]string{"/leaderboard": "Player", "/settle": "Pays", "/history": "Results"} {
			if m := anna.Asks(line); !rich(m) || !strings.Contains(m.Text, head) {
				t.Errorf("%s is answered by\n%s", line, m.Text)
			}
		}
		if m := anna.Asks("/rules"); rich(m) {
			t.Error("a text is sent as a table")
		}

		s.Sit("/wuerfelpoker", anna, ben)
		s.Says(anna.Presses("Sheet"), "The sheet is in our own chat.")
		if m := anna.Last(); !rich(m) || !strings.Contains(m.Text, "Small straight · ·") {
			t.Errorf("the sheet is\n%s", m.Text)
		}
		if m := s.Board(); rich(m) {
			t.Errorf("a board is rich:\n%s", m.Text)
		}
	})
}
