package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
)

// stream is an open stream of events.
type stream struct {
	t     *testing.T
	res   *http.Response
	lines *bufio.Scanner
}

// openStream opens the event stream of the server with the URL server. last is the id of the last event received or
// is empty; query is the URL query that a page with initial data sends.
func openStream(t *testing.T, c *http.Client, server, last string, query ...url.Values) *stream {
	t.Helper()
	asks := "/events"
	for _, with := range query {
		asks += "?" + with.Encode()
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", server+asks, nil)
	done(t, err)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	res := must(c.Do(r))
	t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		t.Fatalf("the stream is %d %s", res.StatusCode, kind)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return &stream{t, res, lines}
}

// next returns the next event about boards and people; ok is false if the stream has ended.
func (s *stream) next() (id string, n news, ok bool) {
	s.t.Helper()
	said := false // a line of a person
	for s.lines.Scan() {
		line := s.lines.Text()
		if text, is := strings.CutPrefix(line, "id: "); is {
			id = text
		}
		if kind, is := strings.CutPrefix(line, "event: "); is {
			said = kind == "said"
		}
		if text, is := strings.CutPrefix(line, "data: "); is && !said {
			if err := json.Unmarshal([]byte(text), &n); err != nil {
				s.t.Fatalf("event %q: %v", text, err)
			}
			return id, n, true
		}
	}
	return "", news{}, false
}

// headsIn returns the first lines of the messages in an event.
func headsIn(n news) []string {
	list := []string{}
	for _, e := range n.Entries {
		list = append(list, e.Message.Head)
	}
	return list
}

func TestAPageFollowsTheRoom(t *testing.T) {
	w, _, url, c, v := serveWithBrowser(t, Config{})
	w.room.post(board(1, "before"))
	s := openStream(t, c, url, "")
	_, n, _ := s.next()
	if diff := cmp.Diff([]string{"before"}, headsIn(n)); diff != "" {
		t.Fatal(diff)
	}
	m := board(2, "after")
	m.People = []chat.Person{{Seat: 4, User: v.user(0), Name: "Anna"}, {Seat: 5, User: "web:somebody:0", Name: "Ben"}}
	ref := w.room.post(m)
	id, n, _ := s.next()
	if diff := cmp.Diff([]string{"after"}, headsIn(n)); diff != "" {
		t.Fatal("only what is new is told:", diff)
	}
	if diff := cmp.Diff(map[int]int{4: 0}, n.Entries[0].Mine); diff != "" {
		t.Error("who of this screen sits there:", diff)
	}
	if len(n.All) != 2 {
		t.Errorf("the feed is %v", n.All)
	}
	w.room.retire(ref)
	w.room.post(board(2, "below"))
	again := openStream(t, c, url, id)
	_, n, _ = again.next()
	if len(n.All) != 2 || !cmp.Equal([]string{"below"}, headsIn(n)) {
		t.Errorf("after a broken connection: %v %v", n.All, headsIn(n))
	}
	old := openStream(t, c, url, "elsewhere.99")
	_, n, _ = old.next()
	if diff := cmp.Diff([]string{"before", "below"}, headsIn(n)); diff != "" {
		t.Error("a page from before a restart gets everything:", diff)
	}
}

// A call has the language of the page that shows it, even if the chat has another.
func TestACallSpeaksThePagesLanguage(t *testing.T) {
	w, _, url, c, v := serveWithBrowser(t, Config{})
	ping := chat.Ping{To: v.user(0), Name: "Anna", After: ", it is your turn.",
		Off: chat.Button{Label: "Do not call me", Press: "1:1:0:/notify off"}}
	ping.In = func(lang string) (said, off string) {
		if lang == "de" {
			return "Anna, du bist dran.", "Nicht erinnern"
		}
		return "Anna, it is your turn.", "Do not call me"
	}
	must(w.Call(t.Context(), roomPlace, ping))
	for lang, want := range map[string][2]string{"de": {"Anna, du bist dran.", "Nicht erinnern"},
		"en": {"Anna, it is your turn.", "Do not call me"}} {
		res, _ := do(t, c, "POST", url+"/look", `{"lang":"`+lang+`"}`)
		if res.StatusCode != http.StatusNoContent {
			t.Fatalf("the language is not changed: %d", res.StatusCode)
		}
		_, n, _ := openStream(t, c, url, "").next()
		if len(n.Calls) != 1 || n.Calls[0].Text != want[0] || n.Calls[0].Off.Label != want[1] ||
			n.Calls[0].Off.Press != ping.Off.Press {
			t.Errorf("in %s a page is told %+v", lang, n.Calls)
		}
	}
}

func TestAUserIdNeverReachesAPage(t *testing.T) {
	w, _, url, c, v := serveWithBrowser(t, Config{})
	m := board(1, "x")
	m.People = []chat.Person{{User: v.user(0), Name: "Anna"}}
	w.room.post(m)
	text, _ := w.room.feedEvent(t.Context(), v, w.room.snapshot(v, pageState{}), pageState{})
	if strings.Contains(text, v.Prefix) || strings.Contains(text, v.ID) {
		t.Errorf("the stream tells %s", text)
	}
	_, body := do(t, c, "GET", url+"/me", "")
	if strings.Contains(body, v.ID) || strings.Contains(body, v.Prefix) {
		t.Errorf("the page is told %s", body)
	}
}

// The end of the server closes streams, but presses that it has accepted are answered.
func TestClosingEndsStreamsAndKeepsPresses(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w := New(withStore(t, Config{}))
	b := &slowBot{arrived: make(chan struct{}), release: make(chan struct{})}
	l, ended := must(Listen(ctx, "127.0.0.1:0", "")), make(chan error, 1)
	go func() { ended <- Serve(ctx, l, w.handler(ctx, b)) }()
	url := "http://" + l.Addr().String()
	c, _ := openPage(t, w, url)
	s := openStream(t, c, url, "")
	s.next()
	pressed := make(chan answer, 1)
	go func() { pressed <- postJSON[answer](t, c, url+"/press", act{Press: "p"}) }()
	<-b.arrived
	began := time.Now()
	stop()
	if _, _, more := s.next(); more {
		t.Error("the stream goes on")
	}
	close(b.release)
	if got := <-pressed; got.Toast != "done" {
		t.Errorf("a press that had been accepted was answered %+v", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("closing: %v", err)
	}
	if took := time.Since(began); took > shutdownWithin {
		t.Errorf("closing took %s", took)
	}
}

// slowBot is a fake bot that answers only when the test allows it.
type slowBot struct {
	fakeBot
	arrived, release chan struct{}
}

// Handle waits until the test closes s.release.
func (s *slowBot) Handle(ctx context.Context, _ chat.Event) chat.Reply {
	close(s.arrived)
	select {
	case <-s.release:
		return chat.Reply{Toast: "done"}
	case <-ctx.Done():
		return chat.Reply{Toast: "cut off"}
	}
}

// failingBot is a fake bot whose database is unavailable until the test restores it.
type failingBot struct {
	fakeBot
	back atomic.Bool
}

// View fails until the test sets f.back.
func (f *failingBot) View(_ context.Context, table int64, _ chat.Viewer) (chat.Message, error) {
	if !f.back.Load() {
		return chat.Message{}, errors.New("the database is away")
	}
	return board(table, "for you"), nil
}

// A board that could not be drawn for a page is sent again without a request, even if the page reconnects in between.
func TestAPageIsToldAgainWhatCouldNotBeDrawn(t *testing.T) {
	t.Parallel()
	b := &failingBot{}
	w := New(Config{})
	url := serve(t, w, b)
	c, _ := openPage(t, w, url)
	w.room.post(board(1, "for all"))
	s := openStream(t, c, url, "")
	id, n, _ := s.next()
	if diff := cmp.Diff([]string{"for all"}, headsIn(n)); diff != "" {
		t.Fatal(diff)
	}
	b.back.Store(true)
	again := func(from *stream) {
		t.Helper()
		for head := "for all"; head != "for you"; {
			_, n, ok := from.next()
			if !ok || len(n.Entries) != 1 {
				t.Fatalf("told again is %v, %v", headsIn(n), ok)
			}
			head = n.Entries[0].Message.Head
		}
	}
	again(s)
	again(openStream(t, c, url, id))
}
