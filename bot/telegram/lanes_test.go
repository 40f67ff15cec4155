package telegram

import (
	"slices"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/telegram/telegramtest"
)

// lanes are a slow chat, whose work waits at a gate, and a fast one.
type lanes struct {
	*stage
	slow, quick *telegramtest.Chat
	open        func() // opens the gate
}

// newLanes starts a bot, polled or by webhook, in whose slow chat the bot or Telegram's answers wait at the gate.
func newLanes(t *testing.T, hooked, bot bool) *lanes {
	t.Helper()
	gate := make(chan struct{})
	l := &lanes{open: sync.OnceFunc(func() { close(gate) })}
	l.stage = openIn(t, func(s *stage, method string, params map[string]string) {
		if q, _ := s.server.Query(params["callback_query_id"]); !bot && method == "answerCallbackQuery" &&
			q.From == anna.ID {
			<-gate
		}
	})
	l.core.answer = l.waits(gate, bot)
	t.Cleanup(l.open)
	if hooked {
		l.hook()
	}
	l.end = l.begin(l.tele, l.core)
	l.slow, l.quick = l.server.Group("Slow"), l.server.Group("Quick")
	return l
}

// waits returns a bot that answers with the press.
func (l *lanes) waits(gate chan struct{}, waits bool) func(chat.Event) chat.Reply {
	return func(ev chat.Event) chat.Reply {
		if waits && ev.User == userID(anna.ID) {
			<-gate
		}
		return chat.Reply{Toast: ev.Press}
	}
}

// A slow chat holds up no other: their presses are served in order meanwhile; those of the slow one are answered
// afterwards, in order, once, and acknowledged only then.
func TestASlowChatHoldsUpNoOther(t *testing.T) {
	for name, c := range map[string]struct{ hooked, bot bool }{
		"the bot is slow, polled": {false, true}, "Telegram is slow, polled": {false, false},
		"the bot is slow, told": {true, true}, "Telegram is slow, told": {true, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLanes(t, c.hooked, c.bot)
			late := []string{l.slow.PressData(anna, 7, "1"), l.slow.PressData(anna, 7, "2")}
			for _, data := range []string{"3", "4", "5"} {
				if a := l.answer(l.quick.PressData(ben, 8, data)); a.Text != data {
					t.Errorf("%+v", a)
				}
			}
			if l.server.Pending() < len(late) {
				t.Error("what is not answered is acknowledged")
			}
			if waiting := slices.Sorted(slices.Values(l.server.Unanswered())); !slices.Equal(waiting, late) {
				t.Errorf("%q wait, not %q", waiting, late)
			}
			l.open()
			for i, query := range late {
				if a := l.answer(query); a.Text != []string{"1", "2"}[i] {
					t.Errorf("%+v", a)
				}
			}
			l.until("all are acknowledged", func() bool { return l.server.Pending() == 0 })
			var slow []string
			for _, ev := range l.core.seen() {
				if ev.Chat == chatID(l.slow.ID()) {
					slow = append(slow, ev.Press)
				}
			}
			if !slices.Equal(slow, []string{"1", "2"}) || len(l.core.seen()) != 5 {
				t.Errorf("the slow chat pressed %q, of %d", slow, len(l.core.seen()))
			}
		})
	}
}
