package scenario

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/cmd/wiring"
	"knobel/store/storetest"
)

// AppGroup is a group on Telegram whose boards open as a Mini App.
type AppGroup struct {
	*Group
	mu   sync.Mutex
	wire *fakes.Wire // network to the pages of the running bot
}

// InApp runs a test in a group whose boards open as a Mini App.
func InApp(t *testing.T, story func(*Stage, *AppGroup)) { Setting{}.InApp(t, story) }

// InApp runs a test in a group whose boards open as a Mini App.
func (set Setting) InApp(t *testing.T, story func(*Stage, *AppGroup)) {
	t.Helper()
	file := storetest.Empty(t)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(beginning))
		t.Cleanup(func() { time.Sleep(10 * time.Minute) }) // idle connections end
		g := &AppGroup{Group: OnTelegram(t, inMemory(t))}
		g.app = telegram.App{Name: "dice", URL: "http://localhost/embed/telegram", Words: pageWords()}
		story(set.stage(t, file, g), g)
	})
}

// Beside returns a platform that serves the pages of the Mini App.
func (g *AppGroup) Beside(log *slog.Logger, b *wiring.Bot, adapter chat.Platform) chat.Platform {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wire = fakes.NewWire("localhost:80")
	w := web.New(web.Config{Listener: g.wire, Key: bytes.Repeat([]byte{7}, 32), Words: pageWords(), Log: log,
		Store: b.Store, Call: b.Calls.Sent, Pages: b.Pages()})
	w.Embed(web.Embedding{Origin: "http://localhost", Doors: []chat.Door{adapter.(*telegram.Telegram)}})
	b.Outbox.Embed(w)
	return w
}

// transport returns the way to the pages of the running bot.
func (g *AppGroup) transport() *fakes.Wire {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.wire
}

// App is the Mini App of a person, with what its page shows.
type App struct {
	*Person
	group  *AppGroup
	bearer string

	mu     sync.Mutex
	boards map[chat.Ref]AppBoard
	newest chat.Ref
	ended  bool // the stream has said that the person may not look any more
}

// AppBoard is a board as the page gets it.
type AppBoard struct {
	Ref     chat.Ref
	Message chat.Message
	Mine    map[int]int
}

// Opens lets p open the Mini App from the group, at a table (0: none), and returns it or the status of the refusal.
func (g *AppGroup) Opens(p *Person, table int64) (a *App, status int) {
	p.Helper()
	start := "-"
	if table != 0 {
		start = fmt.Sprint("t", table)
	}
	a = &App{Person: p, group: g, boards: map[chat.Ref]AppBoard{}}
	var in struct{ Bearer string }
	status = a.post("telegram", g.Launch((*g.People)[p.who], map[string]string{"start_param": start}), &in)
	a.bearer = in.Bearer
	return a, status
}

// post sends a body to the server, decodes the JSON of its answer into answer, and returns the status.
func (a *App) post(path, body string, answer any) int {
	a.Helper()
	wire := a.group.transport()
	client := &http.Client{Transport: &http.Transport{DialContext: wire.Dial, DisableKeepAlives: true}}
	r, err := http.NewRequest("POST", "http://localhost/embed/"+path, strings.NewReader(body))
	check(a, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+a.bearer)
	res, err := client.Do(r)
	check(a, err)
	defer res.Body.Close()
	check(a, json.NewDecoder(res.Body).Decode(answer))
	return res.StatusCode
}

// Follows opens the event stream until the test or the bot ends.
func (a *App) Follows() {
	a.Helper()
	var got struct{ Ticket string }
	if status := a.post("ticket", "{}", &got); status != http.StatusOK {
		a.Fatalf("%s gets no ticket: %d", a.Name, status)
	}
	wire, at := a.group.transport(), "localhost/embed/events?ticket="+got.Ticket
	ctx, cancel := context.WithCancel(context.Background())
	a.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+at, nil)
	check(a, err)
	res, err := (&http.Client{Transport: &http.Transport{DialContext: wire.Dial, DisableKeepAlives: true}}).Do(r)
	check(a, err)
	go func() {
		defer res.Body.Close()
		lines, event := bufio.NewScanner(res.Body), ""
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch field {
			case "event":
				event = value
			case "data":
				a.hears(event, []byte(value))
			}
		}
	}()
}

// hears takes an event of the stream.
func (a *App) hears(event string, data []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = a.ended || event == "out"
	var news struct{ Entries []AppBoard }
	if event == "feed" && json.Unmarshal(data, &news) == nil {
		for _, b := range news.Entries {
			a.boards[b.Ref], a.newest = b, b.Ref
		}
	}
	a.group.Server.Tell()
}

// Board returns the newest board of the page.
func (a *App) Board() AppBoard {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.boards[a.newest]
}

// Ended reports whether the stream has said that the person may not look any more.
func (a *App) Ended() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

// Button returns the button of the newest board whose data ends with this, the zero value if there is none.
func (a *App) Button(data string) (on chat.Ref, b chat.Button) {
	board := a.Board()
	for _, row := range board.Message.Buttons {
		for _, b := range row {
			if strings.HasSuffix(b.Press, data) {
				return board.Ref, b
			}
		}
	}
	return board.Ref, chat.Button{}
}

// Presses waits for a button whose data ends with this, presses it, and returns the toast and the status.
func (a *App) Presses(data string) (toast string, status int) {
	a.Helper()
	a.Until(a.Name+"'s page has a button "+data, func() bool { _, b := a.Button(data); return b.Press != "" })
	time.Sleep(leisure)
	on, b := a.Button(data)
	return a.Sends("press", map[string]any{"press": b.Press, "on": on})
}

// Sends sends a press or a command, and returns the toast and the status.
func (a *App) Sends(path string, what map[string]any) (toast string, status int) {
	a.Helper()
	what["id"] = fmt.Sprint(time.Now().UnixNano())
	var got struct{ Toast, Say string }
	status = a.post(path, string(must(json.Marshal(what))), &got)
	return got.Toast + got.Say, status
}

// must returns the value, and panics on an error, which is a fault of the test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
