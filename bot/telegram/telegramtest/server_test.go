package telegramtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"knobel/bot/fakes"
)

var anna = Person{ID: 11, First: "Anna", Language: "de"}

// reply is Telegram's envelope.
type reply struct {
	OK          bool            `json:"ok"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Result      json.RawMessage `json:"result"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		Migrate    int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

func ask(t *testing.T, s *Server, method string, pairs ...string) reply {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	resp, err := http.PostForm(s.URL()+"/bot"+s.Token()+"/"+method, form)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%s: %v in %s", method, err, raw)
	}
	return r
}

func refused(t *testing.T, r reply, code int, part string) {
	t.Helper()
	if r.OK || r.Code != code || !strings.Contains(r.Description, part) {
		t.Fatalf("got %+v, want %d %q", r, code, part)
	}
}

// updatesOf asks for updates and returns their ids.
func updatesOf(t *testing.T, s *Server, offset int64) []int64 {
	t.Helper()
	r := ask(t, s, "getUpdates", "offset", fmt.Sprint(offset), "timeout", "0")
	var list []struct {
		ID int64 `json:"update_id"`
	}
	if err := json.Unmarshal(r.Result, &list); err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, u := range list {
		ids = append(ids, u.ID)
	}
	return ids
}

// Whatever this server tells a bot is an update as the description has it.
func TestUpdatesAreTrue(t *testing.T) {
	s := Start(t, Options{})
	forum := s.Supergroup("Dice", true)
	forum.SayIn(forum.Topic("Games"), anna, "/shutbox 10")
	forum.SayAsGroup("/shutbox")
	forum.PressData(anna, 4711, "gone")
	group := s.Group("Friends")
	group.Upgrade(NewFirst)
	private := s.Private(anna)
	private.Close()
	private.Reopen()
	r := ask(t, s, "sendMessage", "chat_id", fmt.Sprint(forum.ID()), "text", "x",
		"reply_markup", `{"inline_keyboard":[[{"text":"Sit","callback_data":"sit"}]]}`)
	if !r.OK {
		t.Fatal(r)
	}
	m, ok := forum.With("Sit")
	if !ok {
		t.Fatal("the button is not there")
	}
	if _, err := forum.Press(anna, m.ID, "Sit"); err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(ask(t, s, "getUpdates").Result, &list); err != nil || len(list) != 8 {
		t.Fatalf("%d updates, %v", len(list), err)
	}
	for _, raw := range list {
		if wrong := s.spec.update(raw); len(wrong) > 0 {
			t.Errorf("%s: %q", raw, wrong)
		}
	}
}

func TestOffsets(t *testing.T) {
	s := Start(t, Options{})
	g := s.Group("Friends")
	for range 3 {
		g.Say(anna, "/help")
	}
	first := updatesOf(t, s, 0)
	if again := updatesOf(t, s, 0); len(first) != 3 || len(again) != 3 {
		t.Fatalf("got %v, then %v; unacknowledged updates come again", first, again)
	}
	if rest := updatesOf(t, s, first[0]+1); len(rest) != 2 {
		t.Fatalf("got %v after one was acknowledged", rest)
	}
	if rest := updatesOf(t, s, first[2]+1); len(rest) != 0 || s.Pending() != 0 {
		t.Fatalf("got %v after all were acknowledged", rest)
	}
	s.Rewind(2)
	if back := updatesOf(t, s, 0); len(back) != 2 {
		t.Fatalf("got %v after two acknowledgements were taken back", back)
	}
	updatesOf(t, s, first[2]+1)
	s.Again(first[0])
	if back := updatesOf(t, s, first[2]+1); len(back) != 1 || back[0] != first[0] {
		t.Fatalf("got %v, want %d once more", back, first[0])
	}
}

func TestSecondPollerEndsTheFirst(t *testing.T) {
	s := Start(t, Options{})
	first := make(chan reply, 1)
	go func() { first <- ask(t, s, "getUpdates", "timeout", "50") }()
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	defer cancel()
	if err := s.Wait(ctx, func() bool { return len(s.Calls("getUpdates")) == 1 && s.polling() }); err != nil {
		t.Fatal(err)
	}
	updatesOf(t, s, 0)
	refused(t, <-first, 409, "terminated by other getUpdates")
}

func TestBudget(t *testing.T) {
	clock := fakes.NewClock(false)
	s := Start(t, Options{Now: clock.Now})
	g := s.Group("Friends")
	send := func(n int) reply {
		return ask(t, s, "sendMessage", "chat_id", fmt.Sprint(g.ID()), "text", fmt.Sprint(n))
	}
	for n := range 20 {
		if r := send(n); !r.OK {
			t.Fatal(r)
		}
		clock.Advance(time.Second)
	}
	r := send(20)
	refused(t, r, 429, "Too Many Requests")
	if r.Parameters.RetryAfter != 40 || len(s.Forgive()) != 1 {
		t.Fatalf("wait %d s", r.Parameters.RetryAfter)
	}
	clock.Advance(40 * time.Second)
	if r := send(21); !r.OK {
		t.Fatal(r)
	}
}

func TestRefusals(t *testing.T) {
	s := Start(t, Options{})
	g := s.Group("Friends")
	chat := fmt.Sprint(g.ID())
	refused(t, ask(t, s, "sendMessage", "chat_id", "5", "text", "x"), 400, "chat not found")
	refused(t, ask(t, s, "editMessageText", "chat_id", chat, "message_id", "9", "text", "x"), 400,
		"message to edit not found")
	if r := ask(t, s, "sendMessage", "chat_id", chat, "text", "x"); !r.OK {
		t.Fatal(r)
	}
	refused(t, ask(t, s, "editMessageText", "chat_id", chat, "message_id", "1", "text", "x"), 400,
		"message is not modified")
	if r := ask(t, s, "editMessageText", "chat_id", chat, "message_id", "1", "text", "y"); !r.OK {
		t.Fatal(r)
	}
	refused(t, ask(t, s, "sendMessage", "chat_id", chat, "text", "x", "message_thread_id", "7"), 400,
		"thread not found")
	refused(t, ask(t, s, "sendMessage", "chat_id", chat, "text", "x", "reply_parameters", `{"message_id":99}`), 400,
		"replied not found")
	if v := s.Violations(); len(v) > 0 {
		t.Fatalf("these are refusals only: %v", v)
	}
	refused(t, ask(t, s, "sendMessage", "chat_id", chat, "text", "a < b", "parse_mode", "HTML"), 400,
		"can't parse entities")
	refused(t, ask(t, s, "sendMessage", "chat_id", chat, "text", " "), 400, "text is empty")
	if v := s.Forgive(); len(v) != 2 {
		t.Fatalf("violations: %v", v)
	}
	g.Close()
	refused(t, ask(t, s, "sendMessage", "chat_id", chat, "text", "x"), 403, "kicked")
	g.Reopen()
	next := g.Upgrade(Silently)
	r := ask(t, s, "sendMessage", "chat_id", chat, "text", "x")
	refused(t, r, 400, "upgraded")
	if r.Parameters.Migrate != next.ID() {
		t.Fatalf("migrated to %d, want %d", r.Parameters.Migrate, next.ID())
	}
}

func TestOneAnswerForEachPress(t *testing.T) {
	s := Start(t, Options{})
	id := s.Group("Friends").PressData(anna, 1, "x")
	updatesOf(t, s, 0)
	if r := ask(t, s, "answerCallbackQuery", "callback_query_id", id, "text", "Sit down."); !r.OK {
		t.Fatal(r)
	}
	refused(t, ask(t, s, "answerCallbackQuery", "callback_query_id", id), 400, "query is too old")
	if v := s.Forgive(); len(v) != 1 || !strings.Contains(v[0].Why, "answered already") {
		t.Fatalf("violations: %v", v)
	}
}

func TestFaults(t *testing.T) {
	s := Start(t, Options{})
	s.Fail(Fault{Method: "getMe", Code: 500, Text: "Internal Server Error"}, Fault{Cut: true},
		Fault{Code: 502, HTML: true})
	refused(t, ask(t, s, "getMe"), 500, "Internal")
	if _, err := http.PostForm(s.URL()+"/bot"+s.Token()+"/getMe", nil); err == nil {
		t.Fatal("the connection was not cut")
	}
	resp, err := http.Get(s.URL() + "/bot" + s.Token() + "/getMe")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 502 || resp.Header.Get("Content-Type") != "text/html" {
		t.Fatalf("got %s", resp.Status)
	}
	g := s.Group("Friends")
	s.Fail(Fault{Method: "sendMessage", After: true, Code: 500, Text: "lost"})
	refused(t, ask(t, s, "sendMessage", "chat_id", fmt.Sprint(g.ID()), "text", "x"), 500, "lost")
	if len(g.Messages()) != 1 {
		t.Fatal("the message was to be sent before its answer was lost")
	}
}

func TestWrongToken(t *testing.T) {
	s := Start(t, Options{})
	resp, err := http.Get(s.URL() + "/bot123:wrong/getMe")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Fatalf("got %s", resp.Status)
	}
}

// polling reports whether somebody waits for updates.
func (s *Server) polling() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.updates.poller != nil
}
