package discordtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// A session hears on where it stopped, and nothing but that.
func TestGateway(t *testing.T) {
	b := newBench(t, Options{})
	if f := b.reads(); f["t"] != "GUILD_CREATE" {
		t.Errorf("after READY comes %v", f["t"])
	}
	i := b.hall.Slash(b.anna, "help")
	first := b.reads()
	if first["t"] != "INTERACTION_CREATE" || first["s"] != 3.0 {
		t.Errorf("%v", first)
	}
	b.says(opHeartbeat, 3)
	if f := b.reads(); f["op"] != 11.0 || b.Beats() != 1 {
		t.Errorf("a heartbeat is answered by %v", f)
	}
	b.Server.mu.Lock()
	session := b.gateway.present(0).id
	b.Server.mu.Unlock()
	b.Drop()
	missed := b.hall.Slash(b.anna, "rules")
	b.socket = b.dial()
	b.says(opResume, map[string]any{"token": "Bot " + b.token, "session_id": session, "seq": 3})
	if f := b.reads(); f["t"] != "INTERACTION_CREATE" || f["s"] != 4.0 {
		t.Errorf("%v", f)
	}
	if f := b.reads(); f["t"] != "RESUMED" {
		t.Errorf("%v", f)
	}
	b.callback(i, word)
	b.callback(missed, word)
	b.Invalidate(true)
	if f := b.reads(); f["op"] != 9.0 || f["d"] != true {
		t.Errorf("%v", f)
	}
	b.says(opResume, map[string]any{"token": "Bot " + b.token, "session_id": session, "seq": 3})
	if f := b.reads(); f["op"] != 9.0 || f["d"] != false {
		t.Errorf("%v", f)
	}
	b.identify(3)
	b.reads()
	b.violated("intents")
	b.AskReconnect()
	for f := b.reads(); f["op"] != 7.0; f = b.reads() {
		if f["t"] != "GUILD_CREATE" {
			t.Errorf("%v", f)
		}
	}
	opened, identified, resumed := b.Connections()
	if opened != 2 || identified != 2 || resumed != 1 {
		t.Errorf("%d, %d, %d", opened, identified, resumed)
	}
	b.socket, b.token = b.dial(), "another"
	b.identify(intentGuilds)
	_, _, err := b.socket.ReadMessage()
	if !websocket.IsCloseError(err, 4004) {
		t.Errorf("another token: %v", err)
	}
}

// witness is a test that is told what went wrong.
type witness struct {
	told []string
	ends []func()
}

func (*witness) Helper()              {}
func (w *witness) Cleanup(end func()) { w.ends = append(w.ends, end) }
func (w *witness) Errorf(format string, args ...any) {
	w.told = append(w.told, fmt.Sprintf(format, args...))
}
func (w *witness) Fatalf(format string, args ...any) { w.Errorf(format, args...) }

// A test ends badly when the bot did something wrong or left somebody waiting.
func TestStartTellsTheTest(t *testing.T) {
	w := &witness{}
	b := newBench(t, Options{})
	s := Start(w, Options{Spec: b.o.Spec})
	b.Server, b.token = s, s.Token()
	b.hall = s.Guild("The Dice").Channel("table")
	b.socket = b.dial()
	b.identify(intentGuilds)
	b.reads()
	b.hall.Slash(b.anna, "help")
	b.does("GET", "/nothing", "")
	for _, end := range w.ends {
		end()
	}
	if told := strings.Join(w.told, "\n"); len(w.told) != 2 || !strings.Contains(told, "nobody answered Anna: /help") ||
		!strings.Contains(told, "no such path") {
		t.Errorf("the test is told:\n%s", told)
	}
}

// Of a connection that the bot has given up, what it wrote may be read when
// another is open already: that one is told everything all the same.
func TestAConnectionThatWasGivenUpIsReadLate(t *testing.T) {
	b := newBench(t, Options{})
	b.reads() // GUILD_CREATE
	present := b.socket
	b.socket = b.dial()
	b.identify(1)
	b.reads() // READY
	between := b.hall.Slash(b.anna, "help")
	if err := b.socket.NetConn().Close(); err != nil {
		t.Fatal(err)
	}
	b.socket = present
	if f := b.reads(); f["t"] != "INTERACTION_CREATE" {
		t.Errorf("the open connection reads %v", f)
	}
	b.callback(between, word)
	if err := b.Wait(t.Context(), func() bool { return b.Sockets() == 1 && b.Listening() }); err != nil {
		t.Fatal(err)
	}
	behind := b.hall.Slash(b.anna, "rules")
	if f := b.reads(); f["t"] != "INTERACTION_CREATE" {
		t.Errorf("once the other is closed, it reads %v", f)
	}
	b.callback(behind, word)
}

// Who gives an answer twice has a fault, and who says something else the second
// time in any case; the same again may come of a machine that has other work.
func TestASecondAnswer(t *testing.T) {
	another := strings.Replace(word, `"x"`, `"y"`, 1)
	for _, c := range []struct {
		repeats bool
		second  string
		fault   bool
	}{{false, word, true}, {false, another, true}, {true, word, false}, {true, another, true}} {
		b := newBench(t, Options{Repeats: c.repeats})
		i := b.hall.Slash(b.anna, "help")
		b.callback(i, word)
		if status, code := b.callback(i, c.second); status != 400 || code != 40060 {
			t.Errorf("%+v: answered %d, %d", c, status, code)
		}
		if wrong := b.Forgive(); (len(wrong) == 1) != c.fault || len(wrong) == 1 && !strings.Contains(wrong[0].String(),
			"answered twice") {
			t.Errorf("%+v: %v", c, wrong)
		}
	}
}
