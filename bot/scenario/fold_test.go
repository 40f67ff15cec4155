package scenario

import (
	"strings"
	"testing"
)

// On Telegram what is read at leisure is folded where it is long; lists whose lines people compare, and boards, never
// are.
func TestLongTextsAreFoldedOnTelegram(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		g := s.Place.(*Group)
		s.Sit("/shutbox stake=5", anna, ben)
		s.Play(anna, ben)
		for line, folds := range map[string]bool{
			"/privacy": true, "/rules": true, "/help shutbox": true, "/fair": true,
			"/help playing": false, "/leaderboard": false, "/settings": false, "/settle": false, "/help": false,
		} {
			answer := anna.Asks(line)
			m, _ := g.Message(numberOf(answer.ID))
			if folded := strings.Contains(m.HTML, "<blockquote expandable>"); folded != folds {
				t.Errorf("%s is folded: %v, in\n%s", line, folded, m.HTML)
			}
		}
		for _, m := range g.Chat.Messages() {
			if strings.Contains(m.HTML, "blockquote") && strings.Contains(m.HTML, "🏆") {
				t.Errorf("a board is folded:\n%s", m.HTML)
			}
		}
	})
}
