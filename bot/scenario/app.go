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
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/cmd/wiring"
)

// pages serves the embedded pages of a place's running bot.
type pages struct {
	mu   sync.Mutex
	wire *fakes.Wire // network to them
}

// serve returns a platform that serves the pages of a door's clients.
func (p *pages) serve(log *slog.Logger, b *wiring.Bot, door chat.Door) chat.Platform {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wire = fakes.NewWire("localhost:80")
	w := web.New(web.Config{Listener: p.wire, Key: bytes.Repeat([]byte{7}, 32), Words: pageWords(), Log: log,
		Store: b.Store, Call: b.Calls.Sent, Pages: b.Pages()})
	w.Embed(web.Embedding{Origin: "http://localhost", Doors: []chat.Door{door}})
	b.Outbox.Embed(w)
	return w
}

// transport returns the way to the pages of the running bot.
func (p *pages) transport() *fakes.Wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wire
}

// AppGroup is a group on Telegram whose boards open as a Mini App.
type AppGroup struct {
	*Group
	pages
}

// Beside returns a platform that serves the pages of the Mini App.
func (g *AppGroup) Beside(log *slog.Logger, b *wiring.Bot, adapter chat.Platform) chat.Platform {
	return g.serve(log, b, adapter.(*telegram.Telegram))
}

// InApp runs a test in a group whose boards open as a Mini App.
func InApp(t *testing.T, story func(*Stage, *AppGroup)) { Setting{}.InApp(t, story) }

// InApp runs a test in a group whose boards open as a Mini App.
func (set Setting) InApp(t *testing.T, story func(*Stage, *AppGroup)) {
	t.Helper()
	set.inBubble(t, func(t *testing.T, file string) {
		g := &AppGroup{Group: OnTelegram(t, inMemory(t))}
		g.app = telegram.App{Name: "dice", URL: "http://localhost/embed/telegram", Words: pageWords()}
		story(set.stage(t, file, g), g)
	})
}

// ActivityChannel is a channel on Discord whose boards open as an activity.
type ActivityChannel struct {
	*Channel
	pages
}

// Beside returns a platform that serves the pages of the activity.
func (c *ActivityChannel) Beside(log *slog.Logger, b *wiring.Bot, adapter chat.Platform) chat.Platform {
	return c.serve(log, b, adapter.(*discord.Discord))
}

// InActivity runs a test in a channel whose boards open as an activity.
func InActivity(t *testing.T, story func(*Stage, *ActivityChannel)) {
	t.Helper()
	Setting{}.inBubble(t, func(t *testing.T, file string) {
		n := inMemory(t)
		n.Discord.Secret, n.Discord.Embedded = "a client secret", true
		c := &ActivityChannel{Channel: OnDiscord(t, n)}
		c.activity = discord.Activity{Secret: n.Discord.Secret, URL: "http://localhost", Words: pageWords()}
		story(Setting{}.stage(t, file, c), c)
	})
}

// App is the embedded page of a person, with what it shows.
type App struct {
	*Person
	pages  *pages
	tell   func() // wakes those who wait for the platform
	bearer string
	Table  int64 // the table that it showed first, 0: none

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
	return g.Enters(p, g.Launch((*g.People)[p.who], map[string]string{"start_param": start}))
}

// Enters lets p sign in to the Mini App with launch data, and returns it or the status of the refusal.
func (g *AppGroup) Enters(p *Person, launch string) (a *App, status int) {
	p.Helper()
	return g.enter(p, g.Server.Tell, "telegram", launch)
}

// Launch lets p open the activity by the button of the newest board, and returns it.
func (c *ActivityChannel) Launch(s *Stage, p *Person) *discordtest.Activity {
	p.Helper()
	on, b := p.Finds(":!app")
	i := c.Channel.Channel.Press((*c.People)[p.who], on.ID, b.Data)
	s.Until("the activity opens", i.Answered)
	a, err := i.Answer(context.Background())
	check(p, err)
	return a.Activity
}

// Opens lets the page of p sign in from an activity, and returns it or the status of the refusal.
func (c *ActivityChannel) Opens(p *Person, instance string) (a *App, status int) {
	p.Helper()
	signed := must(json.Marshal(map[string]string{"code": c.Server.Code((*c.People)[p.who]), "instance": instance}))
	return c.enter(p, c.Server.Tell, "discord", string(signed))
}

// enter signs in a page of p with a body, and returns it or the status of the refusal.
func (p *pages) enter(who *Person, tell func(), door, body string) (a *App, status int) {
	a = &App{Person: who, pages: p, tell: tell, boards: map[chat.Ref]AppBoard{}}
	var in struct {
		Bearer string
		Table  int64
	}
	status = a.post(door, body, &in)
	a.bearer, a.Table = in.Bearer, in.Table
	return a, status
}

// post sends a body to the server, decodes the JSON of its answer into answer, and returns the status.
func (a *App) post(path, body string, answer any) int {
	a.Helper()
	wire := a.pages.transport()
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
	status := a.post("ticket", "{}", &got)
	for ; status == http.StatusServiceUnavailable; status = a.post("ticket", "{}", &got) { // the bot has just started
		time.Sleep(time.Second)
	}
	if status != http.StatusOK {
		a.Fatalf("%s gets no ticket: %d", a.Name, status)
	}
	wire, at := a.pages.transport(), "localhost/embed/events?ticket="+got.Ticket
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
	a.tell()
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
