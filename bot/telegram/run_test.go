package telegram

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/loop"
	"knobel/bot/telegram/telegramtest"
)

func TestCommandsBecomeEvents(t *testing.T) {
	s := open(t).run()
	group := s.server.Group("Friends")
	group.Say(anna, "good evening")
	group.Say(anna, "/shutbox@OtherBot 10")
	group.Say(anna, "/weather")
	group.Say(ben, "/ShutBox@knobelbot 10 golf one-die=never")
	events := s.events(1)
	if len(events) != 1 {
		t.Fatalf("events: %+v", events)
	}
	ev := events[0]
	if ev.Command != "shutbox" || ev.Text != "10 golf one-die=never" || ev.Name != "Ben O'Neill" || ev.Locale != "en" ||
		ev.User != "telegram:12" || ev.Chat != chat.Chat(fmt.Sprintf("telegram:%d", group.ID())) ||
		ev.Place != chat.Place(fmt.Sprintf("telegram:%d:0", group.ID())) ||
		!strings.HasPrefix(ev.ID, "telegram:4839574812:") {
		t.Errorf("%+v", ev)
	}
	if ev.Admin(t.Context()) {
		t.Error("Ben runs nothing")
	}
	group.Admin(ben)
	if !ev.Admin(t.Context()) {
		t.Error("Ben runs the group now")
	}
}

// TestFirstVisit checks that in a private chat, /start is the command help, and the core gets unknown commands, too.
func TestFirstVisit(t *testing.T) {
	s := open(t)
	s.core.answer = func(ev chat.Event) chat.Reply {
		return chat.Reply{Private: &chat.Message{Head: "Dice games.", Lines: []string{"Try /shutbox."}}}
	}
	s.run()
	chat := s.server.Private(anna)
	chat.Say(anna, "/start")
	s.until("the answer is there", func() bool { _, ok := chat.Find("Dice games."); return ok })
	if ev := s.events(1)[0]; ev.Command != "help" || !ev.Admin(t.Context()) {
		t.Errorf("%+v", ev)
	}
	chat.Say(anna, "/dance")
	if ev := s.events(2)[1]; ev.Command != "dance" {
		t.Errorf("%+v: in a private chat the bot is meant", ev)
	}
}

// TestThreadsOutsideForumsAreNoTopics checks that neither a chain of replies nor a forum's general topic is a topic.
func TestThreadsOutsideForumsAreNoTopics(t *testing.T) {
	s := open(t).run()
	for i, thread := range []string{`4`, `1,"is_topic_message":true`} {
		s.server.Inject(func(id int64) string {
			return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":9,"message_thread_id":%s,"date":1,"text":"/help",
			"chat":{"id":-1001,"type":"supergroup"},"from":{"id":11,"is_bot":false,"first_name":"Anna"}}}`, id, thread)
		})
		if ev := s.events(i + 1)[i]; ev.Place != placeID(-1001, 0) {
			t.Errorf("%+v", ev)
		}
	}
}

func TestOddUpdatesDoNoHarm(t *testing.T) {
	s := open(t)
	s.core.answer = func(ev chat.Event) chat.Reply {
		if ev.Text == "boom" {
			panic("boom")
		}
		return chat.Reply{Toast: "Heard."}
	}
	s.run()
	for _, odd := range []string{
		`{"update_id":%d}`, `{"update_id":%d,"message":[]}`, `{"update_id":%d,"message":{"text":17}}`,
		`{"update_id":%d,"callback_query":{"id":5}}`, `{"update_id":%d,"message":{"text":"/help"}}`,
		`{"update_id":%d,"purchased_paid_media":{"from":{}}}`, `{"update_id":%d,"my_chat_member":{"chat":{"id":1}}}`,
	} {
		s.server.Inject(func(id int64) string { return fmt.Sprintf(odd, id) })
	}
	group := s.server.Group("Friends")
	group.Say(anna, "/help boom")
	group.Say(anna, "/help")
	s.until("the last is answered", func() bool { _, ok := group.Find("Heard."); return ok })
	s.until("all are acknowledged", func() bool { return s.server.Pending() == 0 })
	if !strings.Contains(s.log.String(), "panic") {
		t.Error("the panic is not in the log")
	}
}

// TestAcknowledgedOnlyWhenHandled checks that an update comes again if the bot dies while it handles it.
func TestAcknowledgedOnlyWhenHandled(t *testing.T) {
	s := open(t)
	stuck := make(chan struct{})
	dying := &script{commands: s.core.commands, answer: func(chat.Event) chat.Reply { <-stuck; return chat.Reply{} }}
	end := s.begin(s.adapter(), dying)
	group := s.server.Group("Friends")
	group.Say(anna, "/shutbox 10")
	s.until("the first has it", func() bool { return len(dying.seen()) == 1 || touch(s) })
	s.run()
	events := s.events(1)
	if events[0].ID != dying.seen()[0].ID || events[0].Text != "10" {
		t.Errorf("%+v", events)
	}
	close(stuck)
	end()
}

// touch makes a request, so that the fake server checks waiting conditions again. It returns false, for use after ||.
func touch(s *stage) bool {
	_, _ = s.tele.me(context.Background())
	return false
}

func TestTelegramAway(t *testing.T) {
	s := open(t)
	s.server.Away(true)
	s.end = s.begin(s.tele, s.core)
	s.until("it was tried thrice", func() bool { return len(s.server.Calls("getMe")) >= 3 })
	s.server.Away(false)
	group := s.server.Group("Friends")
	group.Say(anna, "/help")
	s.events(1)
	s.server.Away(true)
	n := len(s.server.Calls("getUpdates"))
	s.until("polls fail", func() bool { return len(s.server.Calls("getUpdates")) > n+3 })
	s.server.Away(false)
	s.server.Fail(
		telegramtest.Fault{On: "getUpdates", Status: 502, HTML: true},
		telegramtest.Fault{On: "getUpdates", Status: 500, Message: "Internal Server Error"},
		telegramtest.Fault{On: "getUpdates", Status: 409, Message: "Conflict: terminated by other getUpdates request"},
		telegramtest.Fault{On: "getUpdates", Status: 429, Message: "Too Many Requests", RetryAfter: 7},
	)
	group.Say(anna, "/help")
	s.events(2)
}

// TestPollsWaitAsTelegramWishes checks that polls pause as long as Telegram demands.
func TestPollsWaitAsTelegramWishes(t *testing.T) {
	for _, c := range []struct {
		fault telegramtest.Fault
		least time.Duration
	}{
		{telegramtest.Fault{On: "getUpdates", Status: 429, Message: "Too Many Requests", RetryAfter: 700},
			700 * time.Second},
		{telegramtest.Fault{On: "getUpdates", Status: 409, Message: "Conflict: terminated by other getUpdates request"},
			conflictPause},
	} {
		s := open(t)
		began := s.clock.Now()
		s.server.Fail(c.fault)
		s.run()
		s.server.Group("Friends").Say(anna, "/help")
		s.events(1)
		if waited := s.clock.Now().Sub(began); waited < c.least {
			t.Errorf("after %d it polls again in %v", c.fault.Status, waited)
		}
		s.end()
	}
}

// TestWebhookInTheWay checks that a bot that polls reports and deletes a webhook that another program has set.
func TestWebhookInTheWay(t *testing.T) {
	s := open(t)
	s.server.Webhook("https://example.org/hook")
	if found := s.tele.examine(t.Context()); len(found) != 4 || !found[1].Wrong {
		t.Errorf("found %+v", found)
	}
	s.run()
	s.server.Group("Friends").Say(anna, "/help")
	s.events(1)
	found := s.tele.examine(t.Context())
	if len(found) != 4 || found[1].Wrong || found[2].Wrong ||
		!strings.HasPrefix(found[2].Text, "guest mode is off: ") ||
		!strings.HasPrefix(found[3].Text, "inline mode is off: ") {
		t.Errorf("found %+v", found)
	}
}

// TestTokenIsNeverTold checks that the token, which is in every URL, never appears in a log or an error.
func TestTokenIsNeverTold(t *testing.T) {
	s := open(t)
	s.server.Fail(
		telegramtest.Fault{Cut: true}, telegramtest.Fault{Status: 502, HTML: true},
		telegramtest.Fault{Status: 401, Message: "Unauthorized: " + s.server.Token()},
		telegramtest.Fault{Status: 500, Message: "x"},
	)
	for range 4 {
		if _, err := s.tele.me(t.Context()); err == nil || strings.Contains(err.Error(), s.server.Token()) {
			t.Errorf("error: %v", err)
		}
	}
	s.server.Close()
	if _, err := s.tele.me(t.Context()); err == nil || strings.Contains(err.Error(), s.server.Token()) {
		t.Errorf("error: %v", err)
	}
	odd := New(Options{Token: "123:abc\x7f", URL: "http://127.0.0.1:1/%zz", Clock: s.clock})
	if _, err := odd.me(t.Context()); err == nil || strings.Contains(err.Error(), "123:abc") {
		t.Errorf("error: %v", err)
	}
}

// TestMenus checks the command menus, which list no game names.
func TestMenus(t *testing.T) {
	s := open(t).run()
	s.until("four menus are set", func() bool {
		set := s.server.Calls("setMyCommands")
		return len(set) == 4 && set[3].Status == 200
	})
	want := `[{"command":"help","description":"Zu help"},{"command":"rules","description":"Zu rules"}]`
	for _, scope := range []string{"all_private_chats", "all_group_chats"} {
		if got := s.server.Commands(scope, "de"); got != want {
			t.Errorf("%s: %s", scope, got)
		}
		if got := s.server.Commands(scope, ""); !strings.Contains(got, "About rules") {
			t.Errorf("%s: %s", scope, got)
		}
	}
	s.end()
	n := len(s.server.Calls("getMyCommands"))
	end := s.begin(s.adapter(), s.core)
	s.until("the menus are compared", func() bool { return len(s.server.Calls("getMyCommands")) == n+4 })
	end()
	if n := len(s.server.Calls("setMyCommands")); n != 4 {
		t.Errorf("set %d times", n)
	}
}

// TestTheEndPollsOnceAndAcknowledges checks that the end of Run begins no second poll and acknowledges handled updates.
func TestTheEndPollsOnceAndAcknowledges(t *testing.T) {
	t.Run("idle", func(t *testing.T) {
		s := open(t).run()
		s.server.Group("Friends").Say(anna, "/shutbox")
		s.events(1)
		s.until("the poll that waits has acknowledged it", func() bool { return s.server.Pending() == 0 })
		s.ended()
	})
	t.Run("in the middle of an answer", func(t *testing.T) {
		s := open(t)
		begun, goOn := make(chan struct{}), make(chan struct{})
		s.core.answer = func(chat.Event) chat.Reply {
			close(begun)
			<-goOn
			return chat.Reply{Toast: "Heard."}
		}
		s.run()
		group := s.server.Group("Friends")
		group.Say(anna, "/shutbox")
		<-begun
		time.AfterFunc(50*time.Millisecond, func() { close(goOn) })
		s.ended()
		if _, ok := group.Find("Heard."); !ok {
			t.Error("the answer is lost")
		}
	})
	t.Run("at any moment", func(t *testing.T) {
		for i := range 30 {
			s := open(t)
			s.core.answer = func(chat.Event) chat.Reply { return chat.Reply{Toast: "Heard."} }
			s.run()
			group := s.server.Group("Friends")
			for range 3 {
				group.Say(anna, "/shutbox")
			}
			time.Sleep(time.Duration(i) * time.Millisecond / 2) // any moment
			s.end()
			if n := s.server.Clashes(); n > 0 {
				t.Errorf("%d ms: %d polls came beside another", i, n)
			}
			// Updates that were not begun come again. Begun ones may, too, if the bot cancelled a poll before the
			// server had read it: then they do nothing twice.
			if handled, left := len(s.core.seen()), s.server.Pending(); handled+left < 3 {
				t.Errorf("%d ms: %d were handled, and %d come again", i, handled, left)
			}
		}
	})
}

// ended ends the bot and fails the test if polls clashed or updates are not acknowledged.
func (s *stage) ended() {
	s.t.Helper()
	s.end()
	if n := s.server.Clashes(); n > 0 {
		s.t.Errorf("%d polls came beside another", n)
	}
	if n := s.server.Pending(); n > 0 {
		s.t.Errorf("%d updates come again", n)
	}
}

// panicky are the leases of a single replica whose method Sure panics once, and so ends the polling.
type panicky struct {
	chat.Alone
	once sync.Once
}

// Sure panics the first time.
func (p *panicky) Sure() bool {
	p.once.Do(func() { panic("boom") })
	return true
}

// TestPollingBeginsAgainAfterAPanic checks that a new run polls again after a panic, which has released the lease.
func TestPollingBeginsAgainAfterAPanic(t *testing.T) {
	s := open(t)
	o := s.options()
	o.Leases = &panicky{}
	s.tele = New(o)
	s.end = fakes.Running(t, func(ctx context.Context) error {
		if loop.Safely(func() error { return s.tele.Run(ctx, s.core) }) == nil {
			t.Error("it does not panic")
		}
		return s.tele.Run(ctx, s.core)
	})
	s.server.Group("Friends").Say(anna, "/help")
	s.events(1)
}
