package telegram

import (
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// A server that refuses some markup gets texts without it, at once and from then on, and nothing else is lost.
func TestOldServersGetLessMarkup(t *testing.T) {
	lines := strings.Split("1 2 3 4 5 expandable", " ")
	for _, c := range []struct {
		api, want string
		asks      int // requests for three messages, each a text and a deadline
	}{
		{"", "<blockquote expandable>1\n2\n3\n4\n5\nexpandable</blockquote>\nThe house plays " +
			`<tg-time unix="1790000000" format="r">at 21:40</tg-time>.`, 3},
		{"7.4", "1\n2\n3\n4\n5\nexpandable\nThe house plays at 21:40.", 4},
		{"6.9", "1\n2\n3\n4\n5\nexpandable\nThe house plays at 21:40.", 4},
	} {
		t.Run("Bot API "+c.api, func(t *testing.T) {
			s := openWith(t, telegramtest.Options{API: c.api})
			s.core.answer = func(chat.Event) chat.Reply {
				late := chat.Deadline{At: 1790000000, Before: "The house plays ", After: ".", Clock: "at 21:40"}
				m := chat.Message{Head: "The rules.", Lines: lines, Folds: true, Deadline: &late}
				return chat.Reply{Private: &m, Public: true}
			}
			s.run()
			group := s.server.Group("Friends")
			for n := range 3 {
				group.Say(anna, "/rules")
				s.until("it is answered", func() bool { return len(group.Messages()) == n+1 })
			}
			for _, m := range group.Messages() {
				if m.HTML != "The rules.\n"+c.want {
					t.Errorf("it is sent as\n%s\nwant\n%s", m.HTML, c.want)
				}
			}
			if asks := len(s.server.Calls("sendMessage")); asks != c.asks {
				t.Errorf("%d requests, want %d", asks, c.asks)
			}
			logged := strings.Count(s.log.String(), "rejected newer markup")
			if want := map[bool]int{true: 1}[c.asks > 3]; logged != want {
				t.Errorf("it is logged %d times, want %d", logged, want)
			}
		})
	}
}
