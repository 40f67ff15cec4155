package telegram

import (
	"slices"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/telegram/telegramtest"
)

// said returns the texts of all messages in group, sorted.
func said(group *telegramtest.Chat) (all []string) {
	for _, m := range group.Messages() {
		all = append(all, m.Text)
	}
	slices.Sort(all)
	return all
}

// TestWhileTheDatabaseIsAwayPeopleReadTheSentence checks that while no replica can reach the database, for longer than
// the polling lease, presses and commands get only the apology. Other updates are handled once it is back.
func TestWhileTheDatabaseIsAwayPeopleReadTheSentence(t *testing.T) {
	airy(t, well, func(s *stage, _ *platformtest.Leases, all []*replica) {
		one := all[0]
		time.Sleep(time.Minute) // a new process starts with used-up budgets; they refill
		group := s.server.Group("Friends")
		ref, err := one.tele.Post(s.t.Context(), placeID(group.ID(), 0), lobby("A board."))
		check(s.t, err)
		_, board, _ := parseRef(ref)
		all[0].Doubt(true)
		all[1].Doubt(true)
		for range 3 {
			query := group.PressData(anna, board, "1:7:0:sit")
			group.Say(anna, "/shutbox 1")
			time.Sleep(5 * time.Second)
			q, _ := s.server.Query(query)
			if len(q.Answers) != 1 || q.Answers[0].Text != "Sorry." || q.Answered.Sub(q.Asked) > time.Second {
				s.t.Errorf("a press is answered with %+v", q)
			}
		}
		group.Join(anna, ben)
		time.Sleep(time.Minute) // the group's budget limits answers to commands
		if n := len(one.core.seen()); n != 0 || s.server.Pending() != 0 {
			s.t.Errorf("%d events are handed on, %d updates wait", n, s.server.Pending())
		}
		if got := said(group); len(got) != 2 || got[1] != "Sorry." {
			s.t.Errorf("people read %q", got)
		}
		all[0].Doubt(false)
		all[1].Doubt(false)
		query := group.PressData(anna, board, "1:7:0:sit")
		time.Sleep(time.Minute)
		if seen := one.core.seen(); len(seen) != 2 || len(seen[0].Joined)+len(seen[1].Joined) != 1 {
			s.t.Errorf("afterwards %+v are handed on", seen)
		}
		if q, _ := s.server.Query(query); len(q.Answers) != 1 || q.Answers[0].Text == "Sorry." {
			s.t.Errorf("afterwards a press is answered with %+v", q)
		}
	})
}

// TestWhoIsCutOffAloneStandsBack checks that the only replica without the database stops polling at once, and disturbs
// neither the other replica's polls nor its updates. It polls again when it gets the lease.
func TestWhoIsCutOffAloneStandsBack(t *testing.T) {
	airy(t, well, func(s *stage, leases *platformtest.Leases, all []*replica) {
		one, two := all[0], all[1]
		time.Sleep(time.Minute)
		group := s.server.Group("Friends")
		one.Doubt(true)
		group.Say(anna, "/shutbox 1")
		time.Sleep(5 * time.Second)
		leases.Lapse(pollingLease, 0)
		s.has(leases, two)
		time.Sleep(5 * time.Second)
		for i := range 20 {
			group.PressData(anna, 1, "1:7:0:sit")
			time.Sleep(time.Duration(i) * time.Second)
		}
		if n := len(two.core.seen()); n != 20 || len(one.core.seen()) != 0 {
			s.t.Errorf("the other has got %d of 20 presses, this one %d", n, len(one.core.seen()))
		}
		if got := said(group); !slices.Equal(got, []string{"Sorry."}) || s.server.Clashes() != 1 {
			s.t.Errorf("people read %q, %d polls were in another's way", got, s.server.Clashes())
		}
		one.Doubt(false)
		time.Sleep(time.Second)
		leases.Give(pollingLease, 0, one.Replica)
		s.has(leases, one)
		group.PressData(anna, 1, "1:7:0:sit")
		time.Sleep(5 * time.Second)
		// The first poll of this replica may clash with the last of the other: a second clash.
		if n := len(one.core.seen()); n != 1 || s.server.Clashes() > 2 || s.server.Pending() != 0 {
			s.t.Errorf("it has got %d presses, %d clashes, %d left", n, s.server.Clashes(), s.server.Pending())
		}
	})
}

// lanes holds a slow chat, in which work waits at a gate, and a fast chat.
type lanes struct {
	*stage
	slow, quick *telegramtest.Chat
	open        func() // opens the gate
}

// newLanes starts a bot that polls, or if hooked has a webhook. In its slow chat, the bot waits at the gate (botWaits),
// or else Telegram's answers do.
func newLanes(t *testing.T, hooked, botWaits bool) *lanes {
	t.Helper()
	gate := make(chan struct{})
	l := &lanes{open: sync.OnceFunc(func() { close(gate) })}
	l.stage = openIn(t, func(s *stage, method string, params map[string]string) {
		if q, _ := s.server.Query(params["callback_query_id"]); !botWaits && method == "answerCallbackQuery" &&
			q.From == anna.ID {
			<-gate
		}
	})
	l.core.answer = l.waits(gate, botWaits)
	t.Cleanup(l.open)
	if hooked {
		l.hook()
	}
	l.end = l.begin(l.tele, l.core)
	l.slow, l.quick = l.server.Group("Slow"), l.server.Group("Quick")
	return l
}

// waits returns a core's handler that answers a press with its data. If waits is true, Anna's presses wait at the gate.
func (l *lanes) waits(gate chan struct{}, waits bool) func(chat.Event) chat.Reply {
	return func(ev chat.Event) chat.Reply {
		if waits && ev.User == userID(anna.ID) {
			<-gate
		}
		return chat.Reply{Toast: ev.Press}
	}
}

// TestASlowChatHoldsUpNoOther checks that a slow chat does not delay others: their button presses are answered in order
// meanwhile; those of the slow chat are answered afterwards, in order, once, and acknowledged only then.
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
