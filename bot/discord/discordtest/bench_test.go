package discordtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"knobel/bot/fakes"
)

// bench is a server with a bot that a test plays by hand: no library is
// between the two.
type bench struct {
	*testing.T
	*Server
	hall   *Channel
	anna   *Person
	socket *websocket.Conn
	token  string
}

func newBench(t *testing.T, o Options) *bench {
	t.Helper()
	b := &bench{T: t, Server: Start(t, o)}
	b.token = b.Token()
	b.hall = b.Server.Guild("The Dice").Channel("table")
	b.anna = b.Person("Anna", "en-US")
	b.socket = b.dial()
	b.identify(intentGuilds)
	if b.reads()["t"] != "READY" {
		t.Fatal("no READY")
	}
	return b
}

func (b *bench) dial() *websocket.Conn {
	b.Helper()
	socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(b.URL(), "http")+gatewayPath+
		"?v=9&encoding=json", nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { socket.Close() })
	var hello map[string]any
	if err := socket.ReadJSON(&hello); err != nil || hello["op"] != 10.0 {
		b.Fatalf("%v, %v", hello, err)
	}
	return socket
}

func (b *bench) says(op int, d any) {
	b.Helper()
	if err := b.socket.WriteJSON(map[string]any{"op": op, "d": d}); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) identify(intents int) {
	b.says(opIdentify, map[string]any{"token": "Bot " + b.token, "intents": intents})
}

// reads reads the gateway's next message.
func (b *bench) reads() map[string]any {
	b.Helper()
	_ = b.socket.SetReadDeadline(time.Now().Add(fakes.Patience))
	var f map[string]any
	if err := b.socket.ReadJSON(&f); err != nil {
		b.Fatal(err)
	}
	return f
}

// does makes a request and returns status, answer and the answer's own code.
func (b *bench) does(method, path, body string) (int, map[string]any, int) {
	b.Helper()
	var raw io.Reader
	if body != "" {
		raw = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(b.Context(), method, b.URL()+"/api/v9"+path, raw)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	req.Header.Set("Authorization", "Bot "+b.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	var said map[string]any
	if len(bytes.TrimSpace(text)) > 0 && json.Unmarshal(text, &said) != nil {
		said = map[string]any{"text": string(text)}
	}
	code, _ := said["code"].(float64)
	return resp.StatusCode, said, int(code)
}

// callback answers an interaction.
func (b *bench) callback(i *Interaction, body string) (status, code int) {
	b.Helper()
	status, _, code = b.does("POST", "/interactions/"+i.id+"/"+i.token+"/callback", body)
	return status, code
}

// violated checks that exactly one violation was noted, with a part in it, and
// forgets it.
func (b *bench) violated(part string) {
	b.Helper()
	all := b.Forgive()
	if len(all) != 1 || !strings.Contains(all[0].String(), part) {
		b.Errorf("violations %v, want one of %q", all, part)
	}
}

const (
	word  = `{"type":4,"data":{"content":"x","allowed_mentions":{"parse":[]}}}`
	quiet = `"allowed_mentions":{"parse":[]}`
)

func repeat(n int, each func(int) string) string {
	var all []string
	for i := range n {
		all = append(all, each(i))
	}
	return strings.Join(all, ",")
}
