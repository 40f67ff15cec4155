package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/bot/push"
	"knobel/bot/push/pushtest"
	"knobel/store"
)

// pushing is a browser table with a push service.
type pushing struct {
	*testing.T
	w       *Web
	service *pushtest.Service
	url     string // of the server
	base    string // of a room that Anna has made
	place   chat.Place
	anna    *http.Client
	user    chat.User // Anna
	browser *pushtest.Browser
	turns   int
}

// newPushing serves a browser table with a room of Anna's, whose browser has subscribed. muted may be nil.
func newPushing(t *testing.T, muted func(context.Context, chat.Chat) (bool, error)) *pushing {
	t.Helper()
	p := &pushing{T: t, service: pushtest.New(t)}
	sender := must(push.New(push.Config{Key: push.NewKey(), Roots: p.service.Roots(),
		Public: func(netip.Addr) bool { return true }}))
	p.w = New(Config{})
	p.w.Notify(sender, muted)
	p.url = serve(t, p.w, &fakeBot{})
	t.Cleanup(p.w.pushing.Wait)
	p.anna = newClient(t)
	p.base = p.url + makeRoom(t, p.anna, p.url)
	v := visitorAt(t, p.w, p.anna, p.base)
	p.user = v.user(0)
	_ = postJSON[self](t, p.anna, p.base+"/people", change{Rename: &person{0, "Anna"}})
	p.saves(p.user, "Anna")
	p.place = p.w.rooms.all()[0].place
	for _, room := range p.w.rooms.all() {
		if room != p.w.room {
			p.place = room.place
		}
	}
	p.browser = p.subscribes(p.anna, p.base)
	return p
}

// saves stores a person's name, as the bot does after their first command.
func (p *pushing) saves(user chat.User, name string) {
	p.Helper()
	done(p, p.w.config.Store.Update(p.Context(), func(tx *store.Tx) error {
		return tx.Chats.SavePlayer(store.Player{ID: string(user), Name: name})
	}))
}

// subscribes lets a browser subscribe at a room, and returns it as the push service knows it.
func (p *pushing) subscribes(c *http.Client, base string) *pushtest.Browser {
	p.Helper()
	b := p.service.Subscribe(p.w.sender.PublicKey())
	res, body := do(p.T, c, "POST", base+"/push", b.JSON())
	if res.StatusCode != http.StatusOK || !strings.Contains(body, `"on":true`) {
		p.Fatalf("it cannot subscribe: %d %s", res.StatusCode, body)
	}
	return b
}

// calls calls a person for a new turn, or for the last one again, and waits for the pushes.
func (p *pushing) calls(user chat.User, again bool) chat.Ref {
	p.Helper()
	if !again {
		p.turns++
	}
	ref := must(p.w.Call(p.Context(), p.place, chat.Ping{To: user, Name: "Anna", After: ": du bist dran.",
		Turn: strings.Repeat("x", p.turns), In: func(lang string) (said, off string) {
			return "Anna, it is your turn (" + lang + ").", "Never"
		}}))
	p.w.pushing.Wait()
	return ref
}

// posts posts a message and waits for the pushes.
func (p *pushing) posts(m chat.Message) {
	p.Helper()
	must(p.w.Post(p.Context(), p.place, m))
	p.w.pushing.Wait()
}

// wantTexts fails the test unless a browser got messages with these sentences since the last time that it was asked.
func (p *pushing) wantTexts(b *pushtest.Browser, texts ...string) {
	p.Helper()
	var got []string
	for _, m := range b.Takes() {
		var one pushed
		if err := json.Unmarshal([]byte(m.Text), &one); err != nil {
			p.Errorf("%s: %v", m.Text, err)
		}
		got = append(got, one.Text)
	}
	if diff := cmp.Diff(texts, got); diff != "" {
		p.Error(diff)
	}
}

// announced returns a message to all.
func announced(head, once string) chat.Message {
	return chat.Message{Lang: "en", Head: head, State: chat.State{Posting: chat.Posting{Once: once}}}
}

// wantCounts fails the test unless so many pushes were sent and refused, and so many subscriptions removed and left.
func (p *pushing) wantCounts(sent, refused, removed, left int64) {
	p.Helper()
	done(p, p.w.config.Store.View(p.Context(), func(tx *store.Tx) error {
		outcomes, n, err := tx.Rooms.PushCounts()
		if outcomes["sent"] != sent || outcomes["refused"] != refused || outcomes["removed"] != removed || n != left {
			p.Errorf("counted are %v, and %d are left", outcomes, n)
		}
		return err
	}))
}

// A person whose turn it is gets one push a turn, unless the page is visible somewhere. It names no address.
func TestATurnIsPushed(t *testing.T) {
	p := newPushing(t, nil)
	p.calls("web:somebody:0", false)
	p.calls(p.user, false)
	p.calls(p.user, true)
	got := p.browser.Takes()
	if len(got) != 1 {
		t.Fatalf("%d messages", len(got))
	}
	id := p.w.rooms.get(p.place).pushID()
	text := must(json.Marshal(pushed{id, "Anna’s room", "Anna", "Anna, it is your turn (en).", id + ":0"}))
	want := pushtest.Message{Topic: got[0].Topic, Urgency: "high", TTL: 3600,
		Contact: "https://" + strings.TrimPrefix(p.url, "http://"),
		Text:    string(text)}
	if diff := cmp.Diff(want, got[0]); diff != "" || len(want.Topic) != 32 {
		t.Error(diff)
	}
	address := strings.TrimPrefix(p.base, p.url+"/r/")
	if strings.Contains(got[0].Text, address) || address == "" {
		t.Errorf("%s names the address %s", got[0].Text, address)
	}
	p.calls(p.user, false)
	if again := p.browser.Takes(); len(again) != 1 || again[0].Topic != got[0].Topic {
		t.Errorf("the next turn has another topic: %+v", again)
	}

	at := openStream(t, p.anna, p.base, "", url.Values{"page": {"one"}})
	at.next()
	p.calls(p.user, false)
	p.wantTexts(p.browser)
	sees := func(page string, yes bool) {
		t.Helper()
		_ = postJSON[struct{}](t, p.anna, p.base+"/sight", sight{page, yes})
	}
	sees("one", false)
	p.calls(p.user, false)
	p.wantTexts(p.browser, "Anna, it is your turn (en).")
	sees("two", true)
	p.calls(p.user, false)
	p.wantTexts(p.browser)
	p.wantCounts(3, 0, 0, 1)
}

// A push that the service does not take yet is not sent any more once the person has moved.
func TestAMovedPersonGetsNoPush(t *testing.T) {
	p := newPushing(t, nil)
	sent := make(chan struct{})
	waits := make(chan time.Time)
	p.w.sender = must(push.New(push.Config{Key: push.NewKey(), Roots: p.service.Roots(),
		Public: func(netip.Addr) bool { return true },
		After:  func(time.Duration) <-chan time.Time { close(sent); return waits }}))
	b := p.subscribes(p.anna, p.base)
	_, _ = do(t, p.anna, "DELETE", p.base+"/push", "")
	res, _ := do(t, p.anna, "POST", p.base+"/push", b.JSON())
	want(t, res, http.StatusOK)
	b.Fail(pushtest.Answer{Status: http.StatusServiceUnavailable})
	ref := must(p.w.Call(t.Context(), p.place, chat.Ping{To: p.user, Turn: "1", After: "Your turn"}))
	<-sent
	done(t, p.w.Retire(t.Context(), p.place, ref))
	close(waits)
	p.w.pushing.Wait()
	p.wantTexts(b)
	p.wantCounts(0, 0, 0, 1)
}

// Messages to all in a room are pushed once to each browser, boards to those whom they call, puzzles to no one.
func TestMessagesToAllArePushed(t *testing.T) {
	muted := false
	p := newPushing(t, func(_ context.Context, id chat.Chat) (bool, error) {
		if id == roomChat {
			t.Errorf("asked about %s", id)
		}
		return muted, nil
	})
	ben := newClient(t)
	v := visitorAt(t, p.w, ben, p.base)
	_ = postJSON[self](t, ben, p.base+"/people", change{Add: "Cleo"})
	b := p.subscribes(ben, p.base)
	recap := announced("Anna won 7 chips.", "recap 1")
	recap.Silent = true
	p.posts(recap)
	p.posts(recap)
	p.wantTexts(p.browser, recap.Head)
	p.wantTexts(b, recap.Head)
	lobby := board(7, "Tonight's table is open.")
	p.posts(lobby)
	lobby.Call = []chat.User{v.user(1), "web:nobody:0"}
	p.posts(lobby)
	p.wantTexts(p.browser)
	p.wantTexts(b, lobby.Head)
	p.posts(chat.Message{Head: "A puzzle", State: chat.State{Puzzle: 1}})
	muted = true
	p.posts(announced("At night", "recap 2"))
	muted = false
	done(t, p.w.config.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.Chats.SaveUncalled(store.Player{ID: string(p.user), Name: "Anna", Uncalled: true})
	}))
	p.posts(announced("Tonight", "notice"))
	p.wantTexts(p.browser)
	p.wantTexts(b, "Tonight")
	p.wantCounts(4, 0, 0, 3)
}

// Subscriptions end with their browser, at the person's wish, and with the link to the room.
func TestSubscriptionsEnd(t *testing.T) {
	p := newPushing(t, nil)
	p.browser.Fail(pushtest.Answer{Status: http.StatusGone})
	p.calls(p.user, false)
	p.calls(p.user, false)
	p.wantTexts(p.browser)
	p.wantCounts(0, 0, 1, 0)

	p.browser = p.subscribes(p.anna, p.base)
	if s := getJSON[pushState](t, p.anna, p.base+"/push"); !s.On || s.Asks || s.ID == "" ||
		s.Key != p.w.sender.PublicKey() {
		t.Errorf("she has %+v", s)
	}
	other := p.subscribes(p.anna, p.url)
	res, body := do(t, p.anna, "DELETE", p.base+"/push", "")
	if want(t, res, http.StatusOK); !strings.Contains(body, `"on":false`) {
		t.Errorf("she has %s", body)
	}
	p.calls(p.user, false)
	p.wantTexts(p.browser)
	p.wantCounts(0, 0, 1, 1)
	must(p.w.Post(t.Context(), roomPlace, chat.Message{Head: "In the main room"}))
	p.w.pushing.Wait()
	p.wantTexts(other, "In the main room")

	ben := newClient(t)
	_ = visitorAt(t, p.w, ben, p.base)
	b := p.subscribes(ben, p.base)
	p.browser = p.subscribes(p.anna, p.base)
	_ = postJSON[roomPath](t, p.anna, p.base+"/renew", struct{}{})
	p.posts(chat.Message{Head: "For those who know the link"})
	p.wantTexts(b)
	p.wantTexts(p.browser, "For those who know the link")

	cleo := newClient(t)
	p.base = p.url + p.w.rooms.get(p.place).path
	v := visitorAt(t, p.w, cleo, p.base)
	b = p.subscribes(cleo, p.base)
	openStream(t, cleo, p.base, "").next()
	one := p.w.rooms.get(p.place).publicID(v.user(0))
	_ = postJSON[struct{}](t, p.anna, p.base+"/out", map[string]string{"person": one})
	p.posts(chat.Message{Head: "For those who were not removed"})
	p.calls(v.user(0), false)
	p.wantTexts(b)
	p.wantCounts(3, 0, 1, 2)
}

// Endpoints are not to be trusted: private ones are refused with a sentence, or removed when they are used.
func TestPrivateEndpoints(t *testing.T) {
	p := newPushing(t, nil)
	p.w.sender = must(push.New(push.Config{Key: push.NewKey(), Roots: p.service.Roots()}))
	b := p.service.Subscribe(p.w.sender.PublicKey())
	for body, says := range map[string]string{
		b.JSON(): "push service",
		strings.Replace(b.JSON(), "https:", "http:", 1): "push service",
		`{}`: "push service",
		`{"endpoint":"https://push.example/x","keys":{"p256dh":"AAAA","auth":"AAAA"}}`: "keys",
	} {
		res, said := do(t, p.anna, "POST", p.base+"/push", body)
		if want(t, res, http.StatusUnprocessableEntity); !strings.Contains(said, says) {
			t.Errorf("%s: %s", body, said)
		}
	}
	p.calls(p.user, false) // the subscription of before the check
	p.wantTexts(p.browser)
	p.wantCounts(0, 5, 1, 0)
	for _, request := range [][2]string{{"GET", ""}, {"DELETE", ""}, {"POST", b.JSON()}} {
		res, _ := do(t, newClient(t), request[0], p.base+"/push", request[1])
		want(t, res, http.StatusPreconditionRequired)
	}
	for _, origin := range []string{"https://elsewhere.example", "null"} {
		res, _ := do(t, p.anna, "POST", p.base+"/push", b.JSON(), "Origin", origin)
		want(t, res, http.StatusForbidden)
	}
	res, _ := do(t, p.anna, "POST", p.base+"/push", `{"endpoint":"`+strings.Repeat("x", maxBody)+`"}`)
	want(t, res, http.StatusRequestEntityTooLarge)
}

// finishes stores a finished game of a person in a room.
func (p *pushing) finishes(r *room, user chat.User) {
	p.Helper()
	done(p, p.w.config.Store.UpdateOf(p.Context(), store.OfChat(string(r.chat)), func(tx *store.Tx) error {
		id, err := tx.Tables.AddTable(store.Table{Chat: string(r.chat), Place: string(r.place), Game: "coin",
			Unit: "chips", State: store.Over, Origin: store.Origin{Opener: string(user)}, Match: []byte("{}"),
			Dice:  store.Dice{Seed: make([]byte, 32)},
			Seats: []store.Seat{{Player: string(user), Name: "Anna", Entropy: "a"}}})
		return errors.Join(err, tx.Tables.Finish(id, 5, 1, []store.Result{{Place: 1, Threw: true}}))
	}))
}

// Only a person who has finished two games in the room is asked about notifications.
func TestWhoIsAskedAboutNotifications(t *testing.T) {
	p := newPushing(t, nil)
	r := p.w.rooms.get(p.place)
	for games := range gamesBefore + 2 {
		s := getJSON[pushState](t, p.anna, p.base+"/push")
		if s.Asks != (games >= gamesBefore) {
			t.Errorf("after %d games she is asked: %t", games, s.Asks)
		}
		p.finishes(r, p.user)
	}
	res := httptest.NewRecorder()
	off := New(Config{})
	serve(t, off, &fakeBot{})
	off.roomRoutes().ServeHTTP(res, httptest.NewRequest("GET", "/push", nil))
	if res.Code != http.StatusNotFound {
		t.Errorf("without a key the answer is %d", res.Code)
	}
}

// getJSON returns the decoded JSON answer to a GET request.
func getJSON[T any](t *testing.T, c *http.Client, url string) (answer T) {
	t.Helper()
	res, body := do(t, c, "GET", url, "")
	want(t, res, http.StatusOK)
	done(t, json.Unmarshal([]byte(body), &answer))
	return answer
}
