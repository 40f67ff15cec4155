package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/store"
)

// made is a room that Anna has made and Ben has come into, both with a page open.
type made struct {
	t             *testing.T
	w             *Web
	b             *pretend
	url           string // the server
	at            string // the room
	anna, ben     *http.Client
	annaIs, benIs visitor
	page          *stream // Ben's
}

func twoInARoom(t *testing.T) *made {
	t.Helper()
	m := &made{t: t, w: New(Config{}), b: &pretend{}}
	m.url = serve(t, m.w, m.b)
	m.anna, m.annaIs = enter(t, m.w, m.url)
	m.ben, m.benIs = enter(t, m.w, m.url)
	m.at = m.url + makes(t, m.anna, m.url)
	send[self](t, m.anna, m.at+"/people", change{Rename: &person{0, "Anna"}})
	send[self](t, m.ben, m.at+"/people", change{Rename: &person{0, "Ben"}})
	m.anna, m.annaIs = m.knownAs(m.anna)
	m.ben, m.benIs = m.knownAs(m.ben)
	listen(t, m.anna, m.at, "").next()
	m.page = listen(t, m.ben, m.at, "")
	return m
}

// knownAs is a browser's visitor by now.
func (m *made) knownAs(c *http.Client) (*http.Client, visitor) {
	m.t.Helper()
	res, _ := do(m.t, c, "POST", m.at+"/me", "")
	return c, cookieOf(m.t, m.w, res)
}

// here is who is in the room, as a browser is told.
func (m *made) here(c *http.Client) map[string]present {
	m.t.Helper()
	_, n, _ := listen(m.t, c, m.at, "").next()
	all := map[string]present{}
	for _, p := range n.Here {
		all[p.Name] = p
	}
	return all
}

// shows waits until Ben's page shows a line.
func (m *made) shows(text string) {
	m.t.Helper()
	for {
		_, n, ok := m.page.next()
		if !ok {
			m.t.Fatalf("the page never shows %q", text)
		}
		if slices.Contains(told(n), text) {
			return
		}
	}
}

func TestPagesKnowWhoIsHere(t *testing.T) {
	m := twoInARoom(t)
	table := board(1, "Ben is to throw.")
	table.People = []chat.Person{{Seat: 0, User: m.benIs.user(0), Name: "Ben"},
		{Seat: 1, User: "web:0123456789abcdef0123:0", Name: "Clara"}, {Seat: 2, Name: "House", House: true}}
	must(m.w.Post(t.Context(), "web:r-1", table))
	here := m.here(m.anna)
	ids := map[string]string{}
	for name, p := range here {
		ids[p.ID] = name
		if strings.Contains(p.ID, "web") || p.ID == "" {
			t.Errorf("%s is named %q", name, p.ID)
		}
		p.ID = ""
		here[name] = p
	}
	want := map[string]present{"Anna": {Name: "Anna", You: true, Host: true}, "Ben": {Name: "Ben", Seated: true},
		"Clara": {Name: "Clara", Seated: true, Away: true}}
	if diff := cmp.Diff(want, here, cmp.AllowUnexported(present{}), cmp.FilterPath(func(p cmp.Path) bool {
		return slices.Contains([]string{"user", "seat"}, p.Last().String()[1:])
	}, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
	if len(ids) != 3 {
		t.Errorf("the three are named %v", ids)
	}
}

// A visitor is gone a moment after closing their last page.
func TestWhoHasNoPageIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{}).newRoom("web:r-1")
		v := newVisitor("Anna")
		began := time.Now()
		r.comes(v, began)
		r.comes(v, began)
		r.goes(v, began)
		if all := r.presents(); len(all) != 1 {
			t.Errorf("with a page open: %v", all)
		}
		r.goes(v, began)
		if all := r.presents(); len(all) != 1 {
			t.Errorf("a moment after: %v", all)
		}
		_, _, _, next := r.since(0)
		<-next
		if all := r.presents(); len(all) != 0 || time.Since(began) != linger {
			t.Errorf("%v after: %v", time.Since(began), all)
		}
	})
}

// The host alone may change a made room; in the main room all may.
func TestTheHostAloneChangesARoom(t *testing.T) {
	m := twoInARoom(t)
	for _, c := range []struct {
		who           *http.Client
		at            string
		admin, equals bool
	}{{m.anna, m.at, true, false}, {m.ben, m.at, false, false}, {m.anna, m.url, true, true},
		{m.ben, m.url, true, true}} {
		send[answer](t, c.who, c.at+"/command", act{Text: "/settings"})
		ev, _ := m.b.last()
		if got := ev.Admin(t.Context()); got != c.admin || ev.Equals != c.equals || ev.Hosted == c.equals {
			t.Errorf("%s: admin %v, equals %v, hosted %v", c.at, got, ev.Equals, ev.Hosted)
		}
		_, listed := do(t, c.who, "GET", c.at+"/complete?text=/help", "")
		about := map[bool]string{true: "what can be done", false: "what the host can do"}
		if !strings.Contains(listed, about[c.equals]) {
			t.Errorf("%s: /help is offered as %s", c.at, listed)
		}
	}
	ben := m.here(m.anna)["Ben"].ID
	for path, body := range map[string]any{"/renew": struct{}{}, "/host": asked{ben}, "/out": asked{ben}} {
		for _, at := range []string{m.at, m.url} {
			res, said := do(t, m.ben, "POST", at+path, must(jsonText(body)))
			want(t, res, http.StatusForbidden)
			if !strings.Contains(said, "Only the host") {
				t.Errorf("%s says %q", path, said)
			}
		}
	}
	send[struct{}](t, m.anna, m.at+"/host", asked{ben})
	m.shows("Ben is the host of this room now.")
	if here := m.here(m.ben); !here["Ben"].Host || here["Anna"].Host {
		t.Errorf("who is host: %+v", here)
	}
	res, _ := do(t, m.anna, "POST", m.at+"/renew", "{}")
	want(t, res, http.StatusForbidden)
}

// A new address ends the old one at once. The host and seated people follow, also with their page closed; spectators do
// not.
func TestARoomMoves(t *testing.T) {
	m := twoInARoom(t)
	clara, claraIs := enter(t, m.w, m.url)
	watching := listen(t, clara, m.at, "")
	watching.next()
	sleeper, dora := enter(t, m.w, m.url)
	table := board(1, "Ben is to throw.")
	table.People = []chat.Person{{Seat: 0, User: m.benIs.user(0), Name: "Ben"},
		{Seat: 1, User: dora.user(0), Name: "Dora"}}
	sits := func() {
		t.Helper()
		must(m.w.Post(t.Context(), "web:r-1", table))
	}
	sits()
	first, old := m.at, strings.TrimPrefix(m.at, m.url+"/r/")
	to := send[roomPath](t, m.anna, m.at+"/renew", struct{}{}).Path
	m.page.event("moved", `{"path":"`+to+`"}`)
	watching.event("gone", "{}")
	if _, _, more := watching.next(); more {
		t.Error("whoever only watches follows the room on")
	}
	m.at = m.url + to
	m.shows("Anna has given this room a new address. The old link does not lead here any more.")
	to = send[roomPath](t, m.anna, m.at+"/renew", struct{}{}).Path
	m.at = m.url + to
	m.w.rooms = newRooms(m.w.room) // as after a restart
	do(t, m.anna, "GET", m.at, "")
	sits()
	for _, path := range []string{"", "/me", "/events", "/qr.svg", "/press"} {
		for _, c := range []*http.Client{clara, client(t)} {
			res, _ := do(t, c, "GET", first+path, "")
			want(t, res, http.StatusNotFound)
		}
		res, _ := do(t, m.ben, "POST", first+path, "{}")
		want(t, res, http.StatusNotFound)
	}
	_, before := m.b.last()
	m.asksOfOwn(first, clara, claraIs)
	for _, a := range []act{{Text: "/history"}, {Press: "1:0:0:/history"}} {
		for _, path := range []string{"/command", "/press"} {
			res, _ := do(t, clara, "POST", first+path, must(jsonText(a)))
			want(t, res, http.StatusNotFound)
		}
	}
	if _, n := m.b.last(); n != before+2 {
		t.Errorf("the bot was asked %d times", n-before)
	}
	for path, wanted := range map[string]string{"": to + "#was=" + old, "/fair?table=1": to + "/fair?table=1"} {
		for _, c := range []*http.Client{m.anna, m.ben, sleeper} {
			res, _ := do(t, c, "GET", first+path, "")
			if got := res.Header.Get("Location"); got != wanted || res.StatusCode != http.StatusSeeOther {
				t.Errorf("%q leads to %d %q, not %q", path, res.StatusCode, got, wanted)
			}
		}
	}
	listen(t, sleeper, first, "").event("moved", `{"path":"`+to+`"}`)
	for range maxMoves - 1 {
		m.at = m.url + send[roomPath](t, m.anna, m.at+"/renew", struct{}{}).Path
	}
	res, _ := do(t, sleeper, "GET", first, "")
	want(t, res, http.StatusNotFound)
	m.asksOfOwn(first, clara, claraIs)
}

// A removed visitor has left and cannot return, also by the new address.
func TestSomebodyIsShownOut(t *testing.T) {
	m := twoInARoom(t)
	here := m.here(m.anna)
	res, _ := do(t, m.anna, "POST", m.at+"/out", must(jsonText(asked{here["Anna"].ID})))
	want(t, res, http.StatusBadRequest)
	send[struct{}](t, m.anna, m.at+"/out", asked{here["Ben"].ID})
	m.page.event("out", "{}")
	ev, _ := m.b.last()
	if diff := cmp.Diff([]chat.User{m.benIs.user(0)}, ev.Left); diff != "" || ev.Place != "web:r-1" {
		t.Errorf("the bot is told of %s: %s", ev.Place, diff)
	}
	refused := func() {
		t.Helper()
		for path, method := range map[string]string{"": "GET", "/me": "GET", "/events": "GET", "/record?table=1": "GET",
			"/fair": "GET", "/press": "POST", "/command": "POST", "/people": "POST", "/react": "POST"} {
			res, said := do(t, m.ben, method, m.at+path, `{"id":"a","press":"t","text":"/help"}`)
			want(t, res, http.StatusForbidden)
			if !strings.Contains(said, "The host has asked you to leave this room.") {
				t.Errorf("%s says %q", path, said)
			}
		}
	}
	refused()
	m.at = m.url + send[roomPath](t, m.anna, m.at+"/renew", struct{}{}).Path
	refused()
	m.asksOfOwn(m.at, m.ben, m.benIs)
	if here := m.here(m.anna); len(here) != 1 {
		t.Errorf("in the room are %v", here)
	}
	m.w.rooms = newRooms(m.w.room) // as after a restart
	refused()
}

// asksOfOwn checks that a person without access to the room can see and delete their stored data.
func (m *made) asksOfOwn(at string, c *http.Client, is visitor) {
	m.t.Helper()
	_, page := do(m.t, c, "GET", at, "")
	if !strings.Contains(page, `data-as="0" data-text="/forget"`) {
		m.t.Errorf("the page says %s", page)
	}
	yes := chat.Press{What: "/forget yes 1a2b"}.String()
	for path, a := range map[string]act{
		"/command": {Text: "/mydata"}, "/press": {Press: yes},
	} {
		send[answer](m.t, c, at+path, a)
		ev, _ := m.b.last()
		if ev.User != is.user(0) || ev.Press != a.Press || a.Text != "" && ev.Command != "mydata" {
			m.t.Errorf("the bot is asked %+v", ev)
		}
	}
}

// Only a person with an open page becomes host: no removed person, and none who is only seated.
func TestNobodyWhoIsNotHereBecomesHost(t *testing.T) {
	m := twoInARoom(t)
	table := board(1, "Ben is to throw.")
	table.People = []chat.Person{{Seat: 0, User: m.benIs.user(0), Name: "Ben"},
		{Seat: 1, User: "web:0123456789abcdef0123:0", Name: "Clara"}}
	must(m.w.Post(t.Context(), "web:r-1", table))
	room := m.w.rooms.at("web:r-1")
	ben, clara := m.here(m.anna)["Ben"].ID, m.here(m.anna)["Clara"].ID
	send[struct{}](t, m.anna, m.at+"/out", asked{ben})
	room.comes(m.benIs, time.Now().Add(-time.Hour)) // a page that was asked for the moment before
	if here := m.here(m.anna); !here["Ben"].Away {
		t.Errorf("whoever was shown out is here: %+v", here)
	}
	for _, id := range []string{ben, clara, "0123456789abcdef", ""} {
		res, said := do(t, m.anna, "POST", m.at+"/host", must(jsonText(asked{id})))
		want(t, res, http.StatusNotFound)
		if !strings.Contains(said, "not here any more") {
			t.Errorf("to hand the room to %q is answered %q", id, said)
		}
	}
	anna := m.annaIs.Prefix
	room.mu.Lock()
	delete(room.here, anna)
	room.mu.Unlock()
	if next, _ := room.looks(time.Now().Add(2*hostAway), time.Now().Add(-2*hostAway)); next.user != "" {
		t.Errorf("after two days %s would be host", next.Name)
	}
}

func TestSignsAreShownAndForgotten(t *testing.T) {
	m := twoInARoom(t)
	m.page.next()
	ben := m.here(m.anna)["Ben"].ID
	send[struct{}](t, m.ben, m.at+"/react", reaction{Sign: "clap"})
	m.page.event("sign", `{"id":"`+ben+`","sign":"clap"}`)
	for wrong, status := range map[reaction]int{{Sign: "<b>"}: http.StatusBadRequest, {}: http.StatusBadRequest,
		{As: 7, Sign: "clap"}: http.StatusForbidden} {
		res, _ := do(t, m.ben, "POST", m.at+"/react", must(jsonText(wrong)))
		want(t, res, status)
	}
	late := listen(t, m.anna, m.at, "")
	late.next()
	for range 40 {
		m.w.rooms.at("web:r-1").shows(m.benIs, m.benIs.People[0], "fire")
	}
	late.event("sign", `{"id":"`+ben+`","sign":"fire"}`)
	if n := len(m.w.rooms.at("web:r-1").signs); n > maxSigns {
		t.Errorf("%d signs are kept", n)
	}
	status := 0
	for range 10 {
		res, _ := do(t, m.ben, "POST", m.at+"/react", must(jsonText(reaction{Sign: "wow"})))
		status = res.StatusCode
	}
	if status != http.StatusTooManyRequests {
		t.Errorf("the tenth sign in a row is answered %d", status)
	}
}

// A host away for a day is replaced by the person who has been present longest.
func TestAHostWhoStaysAwayIsHostNoMore(t *testing.T) {
	w := New(kept(t, Config{}))
	w.began = time.Now().Add(-48 * time.Hour)
	ctx, anna, ben, clara := t.Context(), newVisitor("Anna"), newVisitor("Ben"), newVisitor("Clara")
	now := time.Now().Truncate(time.Millisecond) // as it is stored
	address := keepsRoom(t, w, anna.user(0), now)
	kept, _, _ := w.roomAtAddress(ctx, address)
	room := w.open(kept)
	room.comes(ben, now)
	room.comes(clara, now.Add(time.Second))
	host := func() chat.User {
		kept, _, _ := w.roomAtAddress(context.Background(), address)
		return kept.Host
	}
	if err := w.keep(ctx, now.Add(hostAway)); err != nil || host() != anna.user(0) {
		t.Errorf("after a day: %v, %v", host(), err)
	}
	if err := w.keep(ctx, now.Add(hostAway+time.Minute)); err != nil || host() != ben.user(0) {
		t.Errorf("after more than a day: %v, %v", host(), err)
	}
	_, entries, _, _ := room.since(0)
	drawn, _ := w.draw(ctx, &pretend{}, reader{lang: "en"}, entries)
	const said = "The host was away for a day: Ben is the host of this room now."
	if len(drawn) != 1 || drawn[0].Message.Head != said {
		t.Errorf("all are told %+v", drawn)
	}
}

// An unused room leaves memory, and comes back with the next visitor.
func TestRoomsLeaveMemory(t *testing.T) {
	t.Parallel() // it waits until a page that has gone counts as gone
	w, _, url, c, v := enters(t, Config{})
	at := url + makes(t, c, url)
	do(t, c, "GET", at, "")
	room := w.rooms.at("web:r-1")
	room.comes(v, time.Now())
	later := func(after time.Duration) {
		t.Helper()
		done(t, w.keep(t.Context(), time.Now().Add(after)))
	}
	later(2 * unusedIn)
	if w.rooms.at("web:r-1") != room {
		t.Fatal("a room that is followed leaves memory")
	}
	room.goes(v, time.Now())
	for room.followed() {
		_, _, _, next := room.since(0)
		if room.followed() {
			<-next
		}
	}
	later(3 * unusedIn)
	if w.rooms.by["web:r-1"] != nil {
		t.Fatal("a room that nobody follows stays in memory")
	}
	if _, err := w.Post(t.Context(), "web:r-1", board(1, "While nobody looks.")); err != nil {
		t.Errorf("post into a room that is not in memory: %v", err)
	}
	do(t, c, "GET", at, "")
	if again := w.rooms.at("web:r-1"); again == room || !again.isDrawn {
		t.Error("the room is not drawn for the next visitor")
	}
}

// Rooms unused for thirty days are deleted, once an hour.
func TestIdleRoomsAreForgotten(t *testing.T) {
	w := New(kept(t, Config{}))
	now := time.Now()
	for _, c := range []struct {
		used, after time.Duration
		there       bool
	}{{-idleFor, -time.Minute, true}, {-idleFor, 0, true}, {-2 * idleFor, 58 * time.Minute, true},
		{-2 * idleFor, time.Hour, false}} {
		address := keepsRoom(t, w, "", now.Add(c.used))
		done(t, w.keep(t.Context(), now.Add(c.after)))
		if _, there, err := w.roomAtAddress(t.Context(), address); there != c.there || err != nil {
			t.Errorf("%+v: %v, %v", c, there, err)
		}
	}
}

// keepsRoom stores a room with a host who was last there at a time, and returns its address.
func keepsRoom(t testing.TB, w *Web, host chat.User, at time.Time) (address string) {
	t.Helper()
	address = rand.Text()
	kept := store.WebRoom{Print: printOf(address), Host: string(host), Made: at.UnixMilli(), Used: at.UnixMilli(),
		Seen: at.UnixMilli()}
	must(w.update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Rooms.MakeWebRoom(kept, func(number int64) string { return string(chatOf(number)) })
		return err
	}))
	return address
}
