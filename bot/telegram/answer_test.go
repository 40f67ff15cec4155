package telegram

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
)

// table posts a board into a new group and returns the group, the message and its reference.
func (s *stage) table() (*telegramtest.Chat, telegramtest.Message, chat.Ref) {
	s.t.Helper()
	group := s.server.Group("Friends")
	ref, err := s.tele.Post(s.t.Context(), placeID(group.ID(), 0), lobby("Anna opens a table."))
	check(s.t, err)
	board, _ := group.With("Sit")
	return group, board, ref
}

// press presses the button of board as person and returns the id of the query.
func (s *stage) press(group *telegramtest.Chat, person telegramtest.Person, board telegramtest.Message) string {
	s.t.Helper()
	query, err := group.Press(person, board.ID, "Sit")
	check(s.t, err)
	return query
}

func TestEachPressHasOneAnswer(t *testing.T) {
	long := strings.Repeat("word ", 60)
	for _, c := range []struct {
		name   string
		reply  chat.Reply
		want   telegramtest.Answer
		writes string // the bot's message in the chat besides the toast
	}{
		{"silently", chat.Reply{}, telegramtest.Answer{}, ""},
		{"a toast", chat.Reply{Toast: "You sit."}, telegramtest.Answer{Text: "You sit."}, ""},
		{"hostile", chat.Reply{Toast: "<b>*_[x](y)@everyone\x00\n\u202e"},
			telegramtest.Answer{Text: "<b>*_[x](y)@everyone "}, ""},
		{"too long", chat.Reply{Toast: strings.Repeat("x", 400)},
			telegramtest.Answer{Text: strings.Repeat("x", 199) + "…"}, ""},
		{"a look", chat.Reply{Private: &chat.Message{Head: "Dice.", Lines: []string{"4 4 1"}}},
			telegramtest.Answer{Text: "Dice.\n4 4 1", Alert: true}, ""},
		{"a long look", chat.Reply{Private: &chat.Message{Head: "Rules.", Lines: []string{long}}},
			telegramtest.Answer{}, "Rules."},
		{"a look with buttons", chat.Reply{Private: &chat.Message{Head: "More?",
			Buttons: [][]chat.Button{{{Label: "Yes", Press: "y"}}}}},
			telegramtest.Answer{}, "More?"},
		{"a sheet", chat.Reply{Private: &chat.Message{Head: "Sheet.", Sheet: &chat.Sheet{}}}, telegramtest.Answer{},
			"Sheet."},
		{"news for all", chat.Reply{Private: &chat.Message{Head: "Paid."}, Public: true}, telegramtest.Answer{},
			"Paid."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			s.core.answer = func(chat.Event) chat.Reply { return c.reply }
			s.run()
			group, board, _ := s.table()
			if got := s.answer(s.press(group, ben, board)); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if c.writes != "" {
				s.until("the message is there", func() bool {
					m, ok := group.Find(c.writes)
					return ok && m.ReplyTo == board.ID
				})
			}
		})
	}
}

func TestPressesOfAllKinds(t *testing.T) {
	s := open(t)
	s.core.answer = func(ev chat.Event) chat.Reply {
		if ev.Press == "boom" {
			panic("boom")
		}
		return chat.Reply{Toast: ev.Name}
	}
	s.run()
	group, board, ref := s.table()

	gone := group.PressData(anna, 4711, "1:7:0:sit")
	if got := s.answer(gone); got.Text != "Anna" {
		t.Errorf("on a message that is gone: %+v", got)
	}
	if got := s.answer(group.PressData(clara, board.ID, "boom")); got.Text != "" {
		t.Errorf("a panic: %+v", got)
	}

	old := s.press(group, ben, board)
	s.server.Expire(old)
	s.answer(old)

	var together []string
	for _, who := range []telegramtest.Person{anna, ben, clara, anna, ben} {
		together = append(together, s.press(group, who, board))
	}
	for _, query := range together {
		s.answer(query)
	}
	s.until("all are acknowledged", func() bool { return s.server.Pending() == 0 })

	q, _ := s.server.Query(together[0])
	s.server.Again(q.Update)
	s.until("the redelivered press is answered again", func() bool {
		q, _ := s.server.Query(together[0])
		return len(q.Answers) == 2
	})
	var same int
	events := s.core.seen()
	for _, ev := range events {
		if ev.ID == events[len(events)-1].ID {
			same++
		}
		if ev.Press != "boom" && ev.On != ref && ev.On != refID(group.ID(), 4711) {
			t.Errorf("on %s", ev.On)
		}
	}
	if same != 2 {
		t.Errorf("a redelivered press came %d times under one id", same)
	}
	if left := s.server.Unanswered(); len(left) != 0 {
		t.Errorf("unanswered: %v", left)
	}
	if strings.Contains(s.log.String(), "answer button press failed") {
		t.Errorf("a late answer is no trouble: %s", s.log)
	}
}

// TestFloodOfCommands checks that a flood of commands leaves writes in the group's budget for boards.
func TestFloodOfCommands(t *testing.T) {
	s := open(t)
	s.clock = fakes.NewClock(false) // no time passes during the flood
	s.tele = s.adapter()
	s.core.answer = func(ev chat.Event) chat.Reply { return chat.Reply{Toast: "Heard."} }
	s.run()
	group := s.server.Group("Friends")
	for range 100 {
		group.Say(anna, "/help")
	}
	s.events(100)
	written := s.clock.Pass(time.Second, func() bool {
		s.tele.mu.Lock()
		defer s.tele.mu.Unlock()
		return len(s.tele.pending) == 0
	})
	if n := len(s.server.Calls("sendMessage")); !written || n < maxPending || n > groupBurst+maxPending {
		t.Errorf("%d answers", n)
	}
}
