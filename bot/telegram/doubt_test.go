package telegram

import (
	"slices"
	"testing"
	"time"

	"knobel/bot/chat/platformtest"
	"knobel/bot/telegram/telegramtest"
)

// said returns the texts in a group, in order.
func said(group *telegramtest.Chat) (all []string) {
	for _, m := range group.Messages() {
		all = append(all, m.Text)
	}
	slices.Sort(all)
	return all
}

// While the database is away for all, longer than the polling lease, presses and commands get the apology and are
// never carried out. Other news are handled once it is back.
func TestWhileTheDatabaseIsAwayPeopleReadTheSentence(t *testing.T) {
	airy(t, well, func(s *stage, _ *platformtest.Leases, all []*replica) {
		one := all[0]
		time.Sleep(time.Minute) // budgets are as empty as those of a fresh process
		group := s.server.Group("Friends")
		ref, err := one.tele.Post(s.t.Context(), placeID(group.ID(), 0), lobby("A board."))
		if err != nil {
			s.t.Fatal(err)
		}
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

// A replica that is cut off alone stops polling at once, and disturbs neither the other nor its updates. It polls
// again when it gets the lease.
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
		// It may begin a poll at the moment when the other ends: that is one clash.
		if n := len(one.core.seen()); n != 1 || s.server.Clashes() > 2 || s.server.Pending() != 0 {
			s.t.Errorf("it has got %d presses, %d clashes, %d left", n, s.server.Clashes(), s.server.Pending())
		}
	})
}
