package telegram

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// hooked returns a stage with a webhook and the server of its hook. The adapter does not run yet.
func hooked(t *testing.T) (*stage, *httptest.Server) {
	t.Helper()
	s := open(t)
	return s, s.hook()
}

// hook lets Telegram deliver updates to the stage's adapter, and returns the server that serves its Hook.
func (s *stage) hook() *httptest.Server {
	o := s.options()
	o.Webhook = "https://dice.example.org/telegram"
	s.tele = New(o)
	mux := http.NewServeMux()
	mux.Handle(HookPath, s.tele.Hook())
	front := httptest.NewServer(mux)
	s.t.Cleanup(front.Close)
	s.server.Proxy(front.URL)
	return front
}

func TestUpdatesAreDelivered(t *testing.T) {
	s, front := hooked(t)
	s.core.answer = func(ev chat.Event) chat.Reply { return chat.Reply{Toast: "Heard."} }
	if status := s.deliver(front.URL, "", "application/json", `{"update_id":1}`); status != http.StatusForbidden {
		t.Errorf("status %d before anybody listens", status)
	}
	found := s.tele.examine(t.Context())
	if found[1].Wrong || !strings.Contains(found[1].Text, "knobel serve registers it") {
		t.Errorf("%+v", found)
	}
	s.end = s.begin(s.tele, s.core)
	group := s.server.Group("Friends")
	group.Say(ben, "/shutbox 10")
	s.until("it is answered", func() bool { _, ok := group.Find("Heard."); return ok })
	if _, err := s.tele.Post(t.Context(), s.events(1)[0].Place, lobby("Anna opens a table.")); err != nil {
		t.Fatal(err)
	}
	board, _ := group.With("Sit")
	query, err := group.Press(ben, board.ID, "Sit")
	check(t, err)
	if a := s.answer(query); a.Text != "Heard." {
		t.Errorf("%+v", a)
	}
	if n := len(s.server.Calls("getUpdates")); n > 0 {
		t.Errorf("polled %d times", n)
	}
	if found := s.tele.examine(t.Context()); found[1].Wrong ||
		!strings.Contains(found[1].Text, "receives updates at https://dice.example.org/telegram") {
		t.Errorf("%+v", found)
	}

	// Updates wait at Telegram while the bot is stopped.
	s.end()
	group.Say(ben, "/rules")
	s.until("it could not be delivered", func() bool {
		found := s.tele.examine(t.Context())
		return found[1].Wrong && strings.Contains(found[1].Text, "delivery of 1 updates to ") || touch(s)
	})
	before := s.secret()
	s.end = s.begin(s.tele, s.core)
	s.until("it is delivered", func() bool { return s.last().Command == "rules" || touch(s) })
	if after := s.secret(); after == before || after == "" {
		t.Errorf("the secret of a new registration is %q, and was %q", after, before)
	}
	if status := s.deliver(front.URL, before, "application/json", `{"update_id":99}`); status != http.StatusForbidden {
		t.Errorf("status %d with the secret of before", status)
	}
	s.end()

	// The webhook does not stop a bot that polls again.
	s.tele = s.adapter()
	group.Say(ben, "/help")
	s.run()
	s.until("it is polled", func() bool { return s.last().Command == "help" })
}

// last returns the newest event. While a webhook is set again, an update may come twice; the core knows it by its id.
func (s *stage) last() chat.Event {
	events := s.core.seen()
	return events[len(events)-1]
}

// secret returns the secret of the last setWebhook request, "" for none.
func (s *stage) secret() string {
	calls := s.server.Calls("setWebhook")
	if len(calls) == 0 {
		return ""
	}
	return calls[len(calls)-1].Params["secret_token"]
}

// deliver posts body to the hook at url, with this secret and content type, and returns the status.
func (s *stage) deliver(url, secret, contentType, body string) int {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, url+"/telegram", strings.NewReader(body))
	check(s.t, err)
	req.Header.Set("Content-Type", contentType)
	if secret != "" {
		req.Header.Set(secretHeader, secret)
	}
	resp, err := http.DefaultClient.Do(req)
	check(s.t, err)
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestOnlyTelegramIsLetIn(t *testing.T) {
	s, front := hooked(t)
	s.end = s.begin(s.tele, s.core)
	s.until("the webhook is set", func() bool { return len(s.server.Calls("setWebhook")) == 1 })
	const good = `{"update_id":7,"message":{"message_id":1,"date":1,"text":"/help","chat":{"id":-5,"type":"group"},"from":{"id":11,"is_bot":false,"first_name":"Anna"}}}`
	right := s.secret()
	for _, c := range []struct {
		name, secret, kind, body string
		status                   int
	}{
		{"no secret", "", "application/json", good, http.StatusForbidden},
		{"a wrong secret", right + "x", "application/json", good, http.StatusForbidden},
		{"a part of the secret", right[:4], "application/json", good, http.StatusForbidden},
		{"a form", right, "application/x-www-form-urlencoded", "update_id=7", http.StatusUnsupportedMediaType},
		{"too much", right, "application/json", good + strings.Repeat(" ", maxDelivered),
			http.StatusRequestEntityTooLarge},
		{"no update", right, "application/json", "<html>", http.StatusOK},
		{"an update without a number", right, "application/json", `{"message":{}}`, http.StatusOK},
		{"an update of another kind", right, "application/json", `{"update_id":6,"poll":{"id":"1"}}`, http.StatusOK},
	} {
		if status := s.deliver(front.URL, c.secret, c.kind, c.body); status != c.status {
			t.Errorf("%s: status %d, not %d", c.name, status, c.status)
		}
	}
	if events := s.core.seen(); len(events) != 0 {
		t.Errorf("%+v", events)
	}
	if status := s.deliver(front.URL, right, "application/json", good); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	if events := s.core.seen(); len(events) != 1 || events[0].Command != "help" {
		t.Errorf("%+v", events)
	}
	resp, err := http.Get(front.URL + "/telegram")
	check(t, err)
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a visitor reads status %d", resp.StatusCode)
	}
	closed := httptest.NewRecorder()
	req := httptest.NewRequest(http.MethodPost, "/telegram", strings.NewReader(good))
	req.Header.Set("Content-Type", "application/json")
	s.adapter().Hook().ServeHTTP(closed, req)
	if closed.Code != http.StatusForbidden {
		t.Errorf("a door without a secret lets in with %d", closed.Code)
	}
}

// TestAPressIsTakenOnceItIsAnswered checks that a press is acknowledged only once it is answered: if the program dies
// before, Telegram delivers it again. The chat's next update does not wait for that.
func TestAPressIsTakenOnceItIsAnswered(t *testing.T) {
	asked, gate := make(chan struct{}), make(chan struct{})
	s := openIn(t, func(_ *stage, method string, _ map[string]string) {
		if method == "answerCallbackQuery" {
			close(asked)
			<-gate
		}
	})
	front := s.hook()
	s.end = s.begin(s.tele, s.core)
	s.until("the webhook is set", func() bool { return len(s.server.Calls("setWebhook")) == 1 })
	group := s.server.Group("Friends")
	query := group.PressData(anna, 1, "1:1:0:throw 2")
	<-asked
	next := fmt.Sprintf(`{"update_id":1,"message":{"message_id":2,"date":1,"text":"/help","chat":{"id":%d,"type":"group"},"from":{"id":11,"is_bot":false,"first_name":"Anna"}}}`, group.ID())
	if status := s.deliver(front.URL, s.secret(), "application/json", next); status != http.StatusOK ||
		s.last().Command != "help" {
		t.Errorf("what comes next: status %d, %+v", status, s.last())
	}
	if n := s.server.Pending(); n != 1 {
		t.Errorf("%d updates are to come again while the press is not answered", n)
	}
	close(gate)
	s.answer(query)
	s.until("it is taken", func() bool { return s.server.Pending() == 0 })
}

func TestWebhookAddresses(t *testing.T) {
	fakes.Cases(t, "webhooks.txt", func(url string) string {
		if CheckWebhook(url) != nil {
			return "invalid"
		}
		return "valid"
	})
}
