package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/gametest/coin"
)

// fakeDoor is a platform whose clients embed pages. It signs nothing: what a page sends is a fakeLaunch in JSON, maybe
// with fields for the page alone behind it.
type fakeDoor struct {
	mu   sync.Mutex
	bars map[string]chat.Barred // by user or chat: why they may not look
	told []string
	at   string // the origins that may frame the page, with spaces between them
	name string
	is   chat.Client // what Client returns besides the Frames
}

// fakeLaunch is what a page sends to sign in.
type fakeLaunch struct {
	chat.Guest
	Table int64
	Lost  bool
	Key   string
	Why   chat.Barred // a refusal
}

func (d *fakeDoor) Name() string { return d.name }

func (d *fakeDoor) Client() chat.Client {
	c := d.is
	c.Frames = strings.Fields(d.at)
	return c
}

func (d *fakeDoor) Enter(_ context.Context, signed []byte) (chat.Guest, error) {
	var l fakeLaunch
	signed, _, _ = bytes.Cut(signed, []byte("&"))
	var in struct{ Code *string }
	if json.Unmarshal(signed, &in) == nil && in.Code != nil {
		signed = []byte(*in.Code)
	}
	if json.Unmarshal(signed, &l) != nil {
		return chat.Guest{}, chat.Forged
	}
	g := l.Guest
	g.Table, g.Lost, g.Key, g.Until = l.Table, l.Lost, l.Key, time.Now().Add(time.Minute)
	if l.Why != "" {
		return g, l.Why
	}
	return g, nil
}

func (d *fakeDoor) Admit(_ context.Context, g chat.Guest) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, of := range []string{string(g.User), string(g.Chat)} {
		if why := d.bars[of]; why != "" {
			return why
		}
	}
	return nil
}

// bar makes Admit refuse a person or a chat from now on, or "" admit them.
func (d *fakeDoor) bar(of string, why chat.Barred) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bars[of] = why
}

func (d *fakeDoor) Act(g chat.Guest) chat.Event {
	return chat.Event{Chat: g.Chat, Place: g.Place, User: g.User, Name: g.Name, Locale: g.Locale,
		Traits: chat.Traits{Pages: true, Whispers: true, Install: "https://platform.test/install"}}
}

func (d *fakeDoor) Tell(g chat.Guest, m chat.Message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.told = append(d.told, string(g.Place)+": "+m.Head)
}

// embedded is a browser table with a real bot, whose page the clients of a fake platform embed.
type embedded struct {
	*testing.T
	w       *Web
	door    *fakeDoor
	url     string
	refused chan string
}

// serveEmbedded serves such a table until the test ends, for a platform called "test".
func serveEmbedded(t *testing.T, c Config, all ...games.Game) *embedded {
	t.Helper()
	return servePlatform(t, "test", c, all...)
}

// servePlatform is serveEmbedded for a platform with a name.
func servePlatform(t *testing.T, name string, c Config, all ...games.Game) *embedded {
	t.Helper()
	e := &embedded{T: t, door: &fakeDoor{name: name, bars: map[string]chat.Barred{}, at: "https://client.test",
		is: chat.Client{Origin: "https://7.proxy.test", App: "7", Opening: []string{"frame_id"}}},
		refused: make(chan string, 1000)}
	e.w, e.url = serveBotWith(t, c, Embedding{Doors: []chat.Door{e.door},
		Refused: func(door, why string) { e.refused <- door + " " + why }}, true, append(all, coin.Game{})...)
	return e
}

// launch returns what the page of a person sends, who plays in the group "test:group" at the place "test:group/1".
func launch(name string) fakeLaunch {
	return fakeLaunch{Guest: chat.Guest{User: chat.User("test:1" + name), Name: name, Locale: "en", Chat: "test:group",
		Place: "test:group/1"}}
}

// post sends a body with a bearer, unless "", and returns the status and the answer.
func (e *embedded) post(bearer, path, body string, head ...string) (int, string) {
	e.Helper()
	if bearer != "" {
		head = append(head, "Authorization", "Bearer "+bearer)
	}
	res, text := do(e.T, http.DefaultClient, "POST", e.url+"/embed/"+path, body, head...)
	return res.StatusCode, text
}

// enter signs in and returns the status and the answer.
func (e *embedded) enter(l fakeLaunch, head ...string) (int, string) {
	e.Helper()
	return e.post("", "test", string(must(json.Marshal(l))), head...)
}

// bearerOf signs a person in and returns the bearer.
func (e *embedded) bearerOf(l fakeLaunch) string {
	e.Helper()
	status, text := e.enter(l)
	var in entered
	if err := json.Unmarshal([]byte(text), &in); err != nil || status != http.StatusOK || in.Bearer == "" {
		e.Fatalf("signing in answers %d %s", status, text)
	}
	return in.Bearer
}

// ticketOf returns a ticket for a stream.
func (e *embedded) ticketOf(bearer string) string {
	e.Helper()
	status, text := e.post(bearer, "ticket", "")
	var got struct{ Ticket string }
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK {
		e.Fatalf("the ticket is %d %s", status, text)
	}
	return got.Ticket
}

// act sends a press or command and returns the answer.
func (e *embedded) act(bearer, path string, a act) answer {
	e.Helper()
	a.ID = drawToken()
	status, text := e.post(bearer, path, string(must(json.Marshal(a))))
	var got answer
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK {
		e.Fatalf("%s %+v answers %d %s", path, a, status, text)
	}
	return got
}

// forget deletes what is stored of the person with a bearer.
func (e *embedded) forget(bearer string) {
	e.Helper()
	asks := e.act(bearer, "command", act{Text: "/forget"})
	e.act(bearer, "press", act{Press: asks.Private.Buttons[0][1].Press})
}

// socketOf opens a stream by a WebSocket.
func (e *embedded) socketOf(bearer string) *websocket.Conn {
	e.Helper()
	at := strings.Replace(e.url, "http", "ws", 1) + "/embed/events?ticket=" + e.ticketOf(bearer)
	socket, res, err := websocket.DefaultDialer.DialContext(e.Context(), at, nil)
	done(e.T, err)
	res.Body.Close()
	e.Cleanup(func() { socket.Close() })
	return socket
}

// until reads events of a socket until a feed shows a board whose heading contains part, and returns its entry.
func (e *embedded) until(socket *websocket.Conn, part string) pageMessage {
	e.Helper()
	for {
		var m struct {
			ID, Event string
			Data      news
		}
		done(e.T, socket.ReadJSON(&m))
		for _, entry := range m.Data.Entries {
			if m.Event == "feed" && m.ID != "" && strings.Contains(entry.Message.Head, part) {
				return entry
			}
		}
	}
}

// wantRefused fails the test unless the answer has the status and names why, with a sentence.
func (e *embedded) wantRefused(status int, text string, wantStatus int, why chat.Barred) {
	e.Helper()
	var got struct {
		Refused chat.Barred
		Say     string
	}
	_ = json.Unmarshal([]byte(text), &got)
	if status != wantStatus || got.Refused != why || got.Say == "" {
		e.Errorf("it answers %d %s, want %d %s", status, text, wantStatus, why)
	}
}
