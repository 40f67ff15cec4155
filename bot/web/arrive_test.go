package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
)

// beginningOf reads what a page of a room begins with.
func beginningOf(t *testing.T, c *http.Client, url string) beginning {
	t.Helper()
	res, body := do(t, c, "GET", url, "")
	want(t, res, http.StatusOK)
	if got := res.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page for one visitor is kept as %q says", got)
	}
	_, rest, _ := strings.Cut(body, `<script type="application/json" id="begin">`)
	text, _, found := strings.Cut(rest, "</script>")
	if !found {
		t.Fatalf("the page begins with nothing: %s", body)
	}
	var b beginning
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

func TestAPageComesWithItsVisitorAndTheBoardInPlay(t *testing.T) {
	w, _, at, c, v := enters(t, Config{})
	w.room.retire(w.room.post(board(1, "over")))
	w.room.post(chat.Message{Head: "a notice"})
	m := board(2, "in play </script><b>")
	m.People = []chat.Person{{Seat: 4, User: v.user(0), Name: "Anna"}}
	m.Steps = []chat.Step{{Turn: 1}}
	ref := w.room.post(m)
	b := beginningOf(t, c, at+"/table")
	if b.Self == nil || len(b.Self.People) != 1 || b.Self.People[0] != v.People[0] {
		t.Errorf("the visitor is %v, want %v", b.Self, v.People)
	}
	if diff := cmp.Diff([]opening{{"/shutbox", "Shut the Box", true, true}}, b.Games); diff != "" {
		t.Error(diff)
	}
	if b.Feed == nil || !cmp.Equal([]chat.Ref{ref}, b.Feed.All) ||
		!cmp.Equal([]string{m.Head}, told(news{Entries: b.Feed.Entries})) {
		t.Fatalf("the boards in play are %+v", b.Feed)
	}
	if e := b.Feed.Entries[0]; !cmp.Equal(map[int]int{4: 0}, e.Mine) || e.Message.Steps != nil {
		t.Errorf("the board is not the visitor's own: %+v", e)
	}
	w.room.post(board(3, "after"))
	rest := url.Values{"after": {b.Feed.At}, "has": {string(ref)}}
	_, n, _ := listen(t, c, at, "", rest).next()
	if diff := cmp.Diff([]string{"over", "a notice", "after"}, told(n)); diff != "" || len(n.All) != 4 {
		t.Error("the stream brings what the page has not come with:", diff)
	}
	if len(n.Here) != 1 {
		t.Errorf("here are %v", n.Here)
	}
	rest.Set("after", "elsewhere.9")
	if _, n, _ = listen(t, c, at, "", rest).next(); len(n.Entries) != 4 {
		t.Errorf("a page from before a restart gets %v", told(n))
	}
}
