package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"

	"knobel/bot/chat"
	"knobel/store"
)

// Signing in refuses with a status, a word and a sentence in the person's language, in the order of the checks.
func TestEmbeddedSignIn(t *testing.T) {
	e := serveEmbedded(t, Config{Secret: "0123456789abcdef", Proxies: Proxies{netip.MustParsePrefix("127.0.0.0/8")}})
	e.w.entries.setRate(1000, 1000)
	e.door.bar("test:1Eve", chat.Stranger)
	e.door.bar("test:away", chat.Busy)
	with := func(change func(*fakeLaunch)) fakeLaunch {
		l := launch("Anna")
		change(&l)
		return l
	}
	for name, c := range map[string]struct {
		launch fakeLaunch
		status int
		why    chat.Barred
	}{
		"forged":              {with(func(l *fakeLaunch) { l.Why = chat.Forged }), 401, chat.Forged},
		"aged":                {with(func(l *fakeLaunch) { l.Why = chat.Aged }), 401, chat.Aged},
		"a stranger":          {launch("Eve"), 403, chat.Stranger},
		"of no table":         {with(func(l *fakeLaunch) { l.Table = 999 }), 403, chat.Stranger},
		"of nothing":          {with(func(l *fakeLaunch) { l.Lost = true }), 403, chat.Stranger},
		"a platform is away":  {with(func(l *fakeLaunch) { l.Chat = "test:away" }), 503, chat.Busy},
		"a door that is busy": {with(func(l *fakeLaunch) { l.Why = chat.Busy }), 503, chat.Busy},
	} {
		t.Run(name, func(t *testing.T) {
			status, text := e.enter(c.launch)
			e.wantRefused(status, text, c.status, c.why)
			if got := <-e.refused; got != "test "+string(c.why) {
				t.Errorf("counted as %q", got)
			}
		})
	}
	status, text := e.post("", "test", strings.Repeat("x", 4097))
	e.wantRefused(status, text, http.StatusRequestEntityTooLarge, chat.Forged)
	if _, text := e.enter(with(func(l *fakeLaunch) { l.Why, l.Locale = chat.Aged, "de" })); !strings.Contains(text,
		"Das lag zu lange offen.") {
		t.Errorf("in German it says %s", text)
	}
	key := with(func(l *fakeLaunch) { l.Key = "signed" })
	for from, want := range []struct {
		address string
		status  int
	}{{"192.0.2.1", 200}, {"192.0.2.1", 200}, {"192.0.2.2", 401}, {"192.0.2.1", 200}} {
		if status, text := e.enter(key, "X-Forwarded-For", want.address); status != want.status {
			t.Errorf("use %d, from %s: %d %s", from, want.address, status, text)
		}
	}
	for _, head := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.test"}, {"Origin", "null"}} {
		if status, text := e.enter(launch("Anna"), head...); status != http.StatusForbidden {
			t.Errorf("from %s: %d %s", head, status, text)
		}
	}
	for _, head := range [][]string{{"Sec-Fetch-Site", "same-origin", "Origin", e.url},
		{"Origin", "https://7.proxy.test"}, {"Sec-Fetch-Site", "cross-site", "Origin", "https://7.proxy.test"}} {
		if status, _ := e.enter(launch("Anna"), head...); status != 200 {
			t.Errorf("from the page itself, %s: %d", head, status)
		}
	}
	e.door.is.Origin, e.door.is.App = "https://*.proxy.test", "" // as after a start while the platform is away
	status, text = e.enter(launch("Anna"), "Origin", "https://7.proxy.test")
	e.wantRefused(status, text, http.StatusServiceUnavailable, chat.Busy)
	for _, origin := range []string{"https://evil.test", "https://7.proxy.test.evil.test", "http://7.proxy.test",
		"https://evil.test/.proxy.test"} {
		if status, text := e.enter(launch("Anna"), "Origin", origin); status != http.StatusForbidden {
			t.Errorf("from %s: %d %s", origin, status, text)
		}
	}
	e.door.is.Origin = ""
	if status, text := e.enter(launch("Anna"), "Sec-Fetch-Site", "cross-site"); status != http.StatusForbidden {
		t.Errorf("from nowhere: %d %s", status, text)
	}
	german := with(func(l *fakeLaunch) { l.Locale = "de-AT" })
	if _, text := e.enter(german, "Accept-Language", "en"); !strings.Contains(text, `"lang":"de"`) {
		t.Errorf("a person who speaks German gets %s", text)
	}
}

// Many people may come in at once from one address, but not for ever.
func TestEmbeddedSignInIsLimited(t *testing.T) {
	e := serveEmbedded(t, Config{})
	e.w.entries.setRate(0, 20)
	for range 20 {
		e.bearerOf(launch("Anna"))
	}
	res, text := do(t, http.DefaultClient, "POST", e.url+"/embed/test", "{}")
	e.wantRefused(res.StatusCode, text, http.StatusTooManyRequests, slowly)
	if res.Header.Get("Retry-After") != "5" {
		t.Errorf("the pause is %s", res.Header.Get("Retry-After"))
	}
}

// Inside, limits count people: all come from the address of the client's proxy.
func TestEmbeddedRequestsAreLimited(t *testing.T) {
	e := serveEmbedded(t, Config{})
	anna, ben := e.bearerOf(launch("Anna")), e.bearerOf(launch("Ben"))
	e.w.asks.setRate(0, 1)
	for i, c := range []struct {
		bearer string
		status int
	}{{anna, 400}, {anna, 429}, {ben, 400}} {
		if status, _ := e.get(c.bearer, "record"); status != c.status {
			t.Errorf("request %d is answered %d", i, status)
		}
	}
}

// Two people play in the pages of one group: each sees every state at once, by a WebSocket or by server-sent events.
func TestEmbeddedPagesPlay(t *testing.T) {
	e := serveEmbedded(t, Config{})
	anna, ben := e.bearerOf(launch("Anna")), e.bearerOf(launch("Ben"))
	socket := e.socketOf(anna)
	res, err := http.Get(e.url + "/embed/events?ticket=" + e.ticketOf(ben))
	done(t, err)
	defer res.Body.Close()
	if kind := res.Header.Get("Content-Type"); res.StatusCode != 200 || kind != "text/event-stream" {
		t.Fatalf("the stream is %d %s", res.StatusCode, kind)
	}
	e.act(anna, "command", act{Text: "/coin 10"})
	lobby := e.until(socket, "Anna invites you")
	if len(lobby.Mine) != 1 || lobby.Message.Table != 1 || len(lobby.Message.Houses) == 0 {
		t.Errorf("the lobby of its opener is %+v", lobby)
	}
	if got := e.act(ben, "press", act{Press: "1:1:0:!join", On: lobby.Ref}); got.Refused {
		t.Errorf("Ben cannot join: %+v", got)
	}
	e.until(socket, "Anna invites you") // again, with Ben
	e.act(anna, "press", act{Press: "1:1:0:!start", On: lobby.Ref})
	if board := e.until(socket, ""); len(board.Message.People) != 2 || board.Mine[0] != 0 {
		t.Errorf("the board is %+v", board)
	}
	if !e.w.Follows("test:group/1", "test:1Anna") || e.w.Follows("test:group/1", "test:1Clara") ||
		e.w.Follows("test:group/2", "test:1Anna") || e.w.Embedded()["test"] != 2 {
		t.Errorf("pages are open by door: %v", e.w.Embedded())
	}
	bens := stream{t, res, bufio.NewScanner(res.Body)}
	if id, _, ok := bens.next(); !ok || id == "" || len(res.Cookies()) > 0 {
		t.Errorf("Ben's stream begins with %q and sets %v", id, res.Cookies())
	}
	in := entered{}
	_, text := e.enter(fakeLaunch{Guest: chat.Guest{User: "test:1Clara", Chat: "test:1Clara", Place: "test:1Clara"},
		Table: 1})
	if err := json.Unmarshal([]byte(text), &in); err != nil || in.Table != 1 {
		t.Errorf("a link to the table leads to %s", text)
	}
	elsewhere := e.bearerOf(fakeLaunch{Guest: chat.Guest{User: "test:1Dora", Chat: "test:2", Place: "test:2/1"}})
	if got := e.act(elsewhere, "press", act{Press: "1:1:0:!join"}); !got.Refused ||
		got.Toast != "This table belongs to another chat." {
		t.Errorf("a press on the table of another chat: %+v", got)
	}
	if status, games := e.get(anna, "games"); status != 200 || !strings.Contains(games, "/coin") {
		t.Errorf("the games: %d %s", status, games)
	}
}

// get requests a path with a bearer.
func (e *embedded) get(bearer, path string) (int, string) {
	e.Helper()
	res, text := do(e.T, http.DefaultClient, "GET", e.url+"/embed/"+path, "", "Authorization", "Bearer "+bearer)
	return res.StatusCode, text
}

// A session leads to where it was opened: to a table, to where people last played, or to the person's own place.
func TestEmbeddedPageLeads(t *testing.T) {
	e := serveEmbedded(t, Config{})
	done(t, e.w.config.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		for _, at := range [][2]string{{"test:group", "test:group/1"}, {"test:group", "test:group/2"},
			{"other:group", "other:group/1"}, {"test:inline", "test:inline/m"}} {
			if _, err := tx.Tables.AddTable(store.Table{Chat: at[0], Place: at[1], State: store.Lobby,
				Game: "coin"}); err != nil {
				return err
			}
		}
		err := errors.Join(tx.Chats.SavePlayer(store.Player{ID: "test:1Anna", Name: "Anna"}),
			tx.Chats.SaveChat(store.Chat{ID: "test:1Anna", Owner: "test:1Anna"}))
		if err != nil {
			return err
		}
		return tx.Upkeep.Pair("test:instance", "test:group")
	}))
	own := chat.Guest{User: "test:1Anna", Chat: "test:1Anna", Place: "test:1Anna"}
	seen := func(in chat.Chat) chat.Guest {
		g := own
		g.Seen = in
		return g
	}
	for _, c := range []struct {
		name string
		l    fakeLaunch
		want string
	}{
		{"alone", fakeLaunch{Guest: own}, "test:1Anna test:1Anna false"},
		{"by a table", fakeLaunch{Guest: own, Table: 1}, "test:group test:group/1 false"},
		{"by a table seen in its group", fakeLaunch{Guest: seen("test:instance"), Table: 1},
			"test:group test:group/1 true"},
		{"in a group", fakeLaunch{Guest: seen("test:instance")}, "test:group test:group/2 true"},
		{"in an unknown group", fakeLaunch{Guest: seen("test:new")}, "test:1Anna test:1Anna false"},
		{"in a chat without the bot", fakeLaunch{Guest: seen("test:inline"), Table: 4},
			"test:inline test:inline/m true"},
		{"by a table of another chat", fakeLaunch{Guest: seen("test:inline"), Table: 1},
			"test:group test:group/1 false"},
		{"by a table elsewhere", fakeLaunch{Guest: own, Table: 3}, "stranger"},
		{"by no table", fakeLaunch{Guest: own, Table: 5}, "stranger"},
	} {
		g, err := e.door.Enter(t.Context(), must(json.Marshal(c.l)))
		done(t, err)
		got := ""
		if g, err = e.w.lead(t.Context(), e.door, g); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(g.Chat, " ", g.Place, " ", g.At)
			if g.Own != (g.Chat == "test:1Anna") {
				t.Errorf("%s it is their own: %v", c.name, g.Own)
			}
		}
		if got != c.want {
			t.Errorf("%s it leads to %s, want %s", c.name, got, c.want)
		}
	}
}

// Bearers and tickets end: by use, by time, by leaving, by /forget, and when a person has too many.
func TestEmbeddedSessionsEnd(t *testing.T) {
	e := serveEmbedded(t, Config{})
	anna := e.bearerOf(launch("Anna"))
	stream := func(ticket string) int {
		res, _ := do(t, http.DefaultClient, "GET", e.url+"/embed/events?ticket="+ticket, "")
		return res.StatusCode
	}
	used := e.ticketOf(anna)
	socket, res, err := websocket.DefaultDialer.Dial(strings.Replace(e.url, "http", "ws", 1)+"/embed/events?ticket="+
		used, nil)
	done(t, err)
	res.Body.Close()
	socket.Close()
	for _, ticket := range []string{used, "", "none", anna} {
		if status := stream(ticket); status != http.StatusUnauthorized {
			t.Errorf("the ticket %q opens a stream: %d", ticket, status)
		}
	}
	for _, bearer := range []string{"", "none", used} {
		if status, text := e.post(bearer, "ticket", ""); status != http.StatusUnauthorized {
			t.Errorf("the bearer %q is taken: %d %s", bearer, status, text)
		}
	}
	at := strings.Replace(e.url, "http", "ws", 1) + "/embed/events?ticket=" + e.ticketOf(anna)
	_, res, err = websocket.DefaultDialer.Dial(at, http.Header{"Origin": {"https://evil.test"}})
	if err == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("another site opens a socket: %v", err)
	}
	e.door.bar("test:1Anna", chat.Stranger)
	status, text := e.post(anna, "press", `{"id":"1","press":"1:1:0:!join"}`)
	e.wantRefused(status, text, http.StatusForbidden, chat.Stranger)
	g := guest{Guest: launch("Anna").Guest, door: e.door, session: store.Session{Print: fingerprint(anna)}}
	r := httptest.NewRequest("GET", "/events", nil)
	r = r.WithContext(context.WithValue(r.Context(), guestKey{}, g))
	if last, leaves := e.w.endOfVisit(r); !leaves ||
		last != `event: out`+"\n"+`data: {"say":"This table is for members of its group."}`+"\n\n" {
		t.Errorf("the open stream of somebody who has left ends with %q, %v", last, leaves)
	}
	e.door.bar("test:1Anna", "")
	if status, _ := e.post(anna, "ticket", ""); status != http.StatusOK {
		t.Errorf("whoever comes back is refused: %d", status)
	}
	for range store.MaxSessions {
		e.bearerOf(launch("Anna"))
	}
	status, text = e.post(anna, "ticket", "")
	e.wantRefused(status, text, http.StatusUnauthorized, chat.Aged)
	again := e.bearerOf(launch("Anna"))
	e.forget(again)
	status, text = e.post(again, "ticket", "")
	e.wantRefused(status, text, http.StatusUnauthorized, chat.Aged)
	g.session.Print = fingerprint(again)
	if err := e.w.stillIn(t.Context(), g); !errors.Is(err, chat.Aged) {
		t.Errorf("the session of a forgotten person: %v", err)
	}
}

// What is for all goes to the chat, and stays in the page of the person who asked.
func TestEmbeddedAnswersForAll(t *testing.T) {
	e := serveEmbedded(t, Config{})
	anna := e.bearerOf(launch("Anna"))
	got := e.act(anna, "command", act{Text: "/hello"})
	if got.Private == nil || len(e.door.told) != 1 || !strings.HasPrefix(e.door.told[0], "test:group/1: ") {
		t.Errorf("the answer is %+v, the chat is told %q", got, e.door.told)
	}
	if got := e.act(anna, "command", act{Text: "/rules"}); got.Private == nil || len(e.door.told) != 1 {
		t.Errorf("the rules are %+v, the chat is told %q", got, e.door.told)
	}
	got = e.act(anna, "command", act{Text: "/help"})
	if strings.Contains(string(must(json.Marshal(got))), "https://") {
		t.Errorf("the help is %+v", got)
	}
}

// The page may be framed by the clients of its door alone, other pages by no one; without doors there is no such page.
func TestEmbeddedPageIsFramed(t *testing.T) {
	e := serveEmbedded(t, Config{Secret: "0123456789abcdef"})
	res, text := do(t, http.DefaultClient, "GET", e.url+"/embed/test?lang=de", "", "Cookie", lookCookie+"=en.dark")
	frames := func(res *http.Response) string {
		_, frames, _ := strings.Cut(res.Header.Get("Content-Security-Policy"), "frame-ancestors ")
		return frames
	}
	if want := "https://client.test"; res.StatusCode != 200 || frames(res) != want || len(res.Cookies()) > 0 {
		t.Errorf("the page is %d, in frames of %s", res.StatusCode, frames(res))
	}
	if !strings.Contains(text, `<html lang="de" data-base="/embed" data-door="test" data-frames="https://client.test" data-app="7"`) {
		t.Errorf("the page is %.400s", text)
	}
	res, opened := do(t, http.DefaultClient, "GET", e.url+"/?frame_id=1&lang=de", "", "Cookie", lookCookie+"=en.dark")
	if opened != text || frames(res) != "https://client.test" {
		t.Errorf("opened by a client it is %.400s", opened)
	}
	for _, path := range []string{"/", "/?frame_id="} {
		if res, _ = do(t, http.DefaultClient, "GET", e.url+path, ""); frames(res) != "'none'" {
			t.Errorf("the front page %s is in frames of %s", path, frames(res))
		}
	}
	url := serve(t, New(Config{}), &fakeBot{})
	for _, path := range []string{"/embed/test", "/embed/events"} {
		if res, _ := do(t, http.DefaultClient, "GET", url+path, ""); res.StatusCode != http.StatusNotFound {
			t.Errorf("without doors %s is %d", path, res.StatusCode)
		}
	}
	if diff := cmp.Diff(map[string]int{}, New(Config{}).Embedded()); diff != "" {
		t.Error("without doors pages are open:", diff)
	}
}

// While the platform does not answer, a person does not learn either which tables exist.
func TestABusyDoorTellsNothingOfTables(t *testing.T) {
	e := serveEmbedded(t, Config{})
	e.act(e.bearerOf(launch("Anna")), "command", act{Text: "/coin 10"})
	eve := chat.Guest{User: "test:1Eve", Chat: "test:1Eve", Place: "test:1Eve"}
	for _, why := range []chat.Barred{chat.Busy, chat.Stranger} {
		for _, of := range []string{"test:group", ""} {
			e.door.bar(of, why)
		}
		for _, table := range []int64{1, 999} {
			status, text := e.enter(fakeLaunch{Guest: eve, Table: table})
			e.wantRefused(status, text, statuses[why], why)
		}
	}
}

// Invented tickets are refused although the database accepts no changes at present: they wait for nothing.
func TestInventedTicketsOnlyRead(t *testing.T) {
	e := serveEmbedded(t, Config{})
	done(t, e.w.config.Store.Update(t.Context(), func(*store.Tx) error {
		for _, ticket := range []string{"", drawToken()} {
			res, text := do(t, http.DefaultClient, "GET", e.url+"/embed/events?ticket="+ticket, "")
			e.wantRefused(res.StatusCode, text, http.StatusUnauthorized, chat.Aged)
		}
		return nil
	}))
}
