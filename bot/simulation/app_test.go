package simulation

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/telegram"
	"knobel/bot/web"
	"knobel/bot/words"
	"knobel/store"
)

// app returns the settings of the Mini App, none for a town without one.
func (w *town) app(said *words.Words) telegram.App {
	if !w.fate.trouble.app {
		return telegram.App{}
	}
	return telegram.App{Name: "dice", URL: "http://localhost/embed/telegram", Words: said}
}

// servePages returns the platform that serves the pages of the Mini App for r.
func (w *town) servePages(r *replica, said *words.Words, log *slog.Logger) chat.Platform {
	wire := fakes.NewWire("localhost:80")
	w.pages.Store(r.n, wire)
	c := web.Config{Listener: wire, Key: bytes.Repeat([]byte{7}, 32), Words: said, Log: log, Store: w.store,
		Call: r.bot.Calls.Sent, Pages: r.bot.Pages()}
	if w.replicas > 0 {
		c.Alone = func() bool { return false }
	}
	p := web.New(c)
	p.Embed(web.Embedding{Origin: "http://localhost", Doors: []chat.Door{r.bureau}})
	r.bot.Outbox.Embed(p)
	return p
}

// page is a group as a person sees it in the Mini App.
type page struct {
	*group
	of *person

	mu     sync.Mutex
	bearer string
	from   int // number of the replica that is asked first
	boards []message
	moved  int // presses that were carried out
}

// openPage lets p play in the Mini App from now on, until ctx is done.
func (w *town) openPage(ctx context.Context, g *group, p *person) *page {
	a := &page{group: g, of: p, from: p.number}
	p.at = a
	go func() {
		for ctx.Err() == nil {
			a.follow(ctx)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
		}
	}()
	return a
}

func (a *page) messages(*person) []message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.boards)
}

func (a *page) press(p *person, on, data string) *deed {
	return a.send("press", map[string]string{"press": data, "on": on}, &deed{who: p, data: data, on: a})
}

func (a *page) say(_ *person, command string, options ...option) *deed {
	a.send("command", map[string]string{"text": typed(command, options)}, &deed{})
	return nil
}

func (*page) repeat() {}

// send sends a press or a command until it is answered, for a minute, and returns d with its answer.
func (a *page) send(path string, what map[string]string, d *deed) *deed {
	what["id"] = "page-" + decimal(int64(a.of.number)) + "-" + decimal(time.Now().UnixNano())
	body, _ := json.Marshal(what) // texts
	said, answered := "", false
	d.answer = func() (string, bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		return said, answered
	}
	go func() {
		for try := range 60 {
			var got struct {
				Toast   string
				Refused bool
				Board   int64
			}
			status, err := a.post(path, string(body), &got)
			if err != nil || status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
				time.Sleep(time.Second)
				continue
			}
			a.mu.Lock()
			defer a.mu.Unlock()
			if said, answered = got.Toast, true; said == "" && (status != http.StatusOK || got.Refused || try > 0) {
				said = "refused, or done before"
			}
			if got.Board != 0 && !got.Refused {
				a.moved++
			}
			return
		}
	}()
	return d
}

// request sends a request to one of the replicas. If there is none, it asks the next one the next time.
func (a *page) request(ctx context.Context, method, path, body string) (*http.Response, error) {
	a.w.fate.gate.pass("page " + a.of.called + " " + path)
	a.mu.Lock()
	from, bearer := a.from, a.bearer
	a.mu.Unlock()
	wire, ok := a.w.pages.Load(from % max(a.w.replicas, 1))
	if !ok {
		return nil, errors.New("no replica is there")
	}
	client := &http.Client{Transport: &http.Transport{DialContext: wire.(*fakes.Wire).Dial, DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost/embed/"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+bearer)
	res, err := client.Do(r)
	if err != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.from++
	}
	return res, err
}

// post sends a request and decodes its answer into answer.
func (a *page) post(path, body string, answer any) (status int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	res, err := a.request(ctx, "POST", path, body)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		err = json.NewDecoder(res.Body).Decode(answer)
	}
	return res.StatusCode, err
}

// link returns the start parameter of the newest link to the Mini App in the group, "" if there is none.
func (a *page) link() (start string) {
	for _, m := range a.chat.Messages() {
		for _, b := range slices.Concat(m.Keyboard...) {
			if at, err := url.Parse(b.URL); err == nil && at.Query().Has("startapp") {
				start = at.Query().Get("startapp")
			}
		}
	}
	return start
}

// follow signs in, unless the page has a bearer, and reads the stream until it ends.
func (a *page) follow(ctx context.Context) {
	var in struct{ Bearer, Ticket string }
	start := a.link()
	a.mu.Lock()
	bearer := a.bearer
	a.mu.Unlock()
	if bearer == "" {
		if start == "" {
			return
		}
		launch := a.chat.Launch(a.of.telegram(), map[string]string{"start_param": start})
		if status, err := a.post("telegram", launch, &in); err != nil || status != http.StatusOK {
			return
		}
		a.mu.Lock()
		a.bearer = in.Bearer
		a.mu.Unlock()
	}
	status, err := a.post("ticket", "", &in)
	if status == http.StatusUnauthorized {
		a.mu.Lock()
		a.bearer = ""
		a.mu.Unlock()
	}
	if err != nil || status != http.StatusOK {
		return
	}
	res, err := a.request(ctx, "GET", "events?ticket="+in.Ticket, "")
	if err != nil {
		return
	}
	defer res.Body.Close()
	lines, event := bufio.NewScanner(res.Body), ""
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		if field == "event" {
			event = value
		}
		if field == "data" && event == "feed" {
			a.hear(value)
		}
	}
}

// hear stores the boards of an event.
func (a *page) hear(data string) {
	var news struct {
		All     []string // the messages in order
		Entries []struct {
			Ref     string
			Message chat.Message
		}
	}
	if err := json.Unmarshal([]byte(data), &news); err != nil {
		a.w.Error(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range news.Entries {
		m := message{id: e.Ref, text: e.Message.Head}
		for _, p := range e.Message.People {
			m.text += "\n" + map[bool]string{true: "▸ "}[p.State == "to-move"] + p.Name
		}
		for _, b := range slices.Concat(e.Message.Buttons...) {
			m.buttons = append(m.buttons, button{b.Label, b.Press})
		}
		a.boards = slices.DeleteFunc(a.boards, func(old message) bool { return old.id == m.id })
		a.boards = append(a.boards, m)
	}
	a.boards = slices.DeleteFunc(a.boards, func(m message) bool { return !slices.Contains(news.All, m.id) })
	slices.SortFunc(a.boards, func(one, other message) int {
		return slices.Index(news.All, one.id) - slices.Index(news.All, other.id)
	})
}

// check fails the test unless the page shows the newest state of the group's table.
func (a *page) check() {
	a.w.Helper()
	a.w.view(func(tx *store.Tx) error {
		t, err := tx.Tables.TableHere(a.name())
		shown := a.messages(nil)
		if errors.Is(err, store.ErrNotFound) || len(shown) == 0 {
			return nil
		}
		last := shown[len(shown)-1]
		number, turn, _, ok := splitData(first(last))
		if ok && (number != t.ID || t.State == store.Playing && turn != t.Turn) {
			a.w.Errorf("seed %d: the page of %s shows table %d at turn %d, want table %d at turn %d", a.w.seed,
				a.of.called, number, turn, t.ID, t.Turn)
		}
		return err
	})
}

// TestApps lets people play in the Mini App beside others in the group, while requests and the disk fail, the bot dies
// and the group becomes a supergroup, or with two bots on one database.
func TestApps(t *testing.T) {
	seeds, lasts, moved := uint64(2), 12*time.Minute, 0
	if isLong() {
		seeds, lasts = 80, 40*time.Minute
	}
	for seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				much := trouble{lengthy: 0.4, requests: 0.06, disk: 0.01, deaths: 0.008, app: true}
				replicas := 0
				if seed%2 == 1 {
					much, replicas = trouble{lengthy: 0.4, app: true}, 2
				}
				w := newTown(t, seed, replicas, much)
				w.strict = checkInterval()
				until := time.Now().Add(lasts)
				g := &group{w: w, chat: w.telegram.Group("Friends"), grows: true}
				ctx, leave := context.WithCancel(t.Context())
				var pages []*page
				for n, p := range w.addPeople(g, 4) {
					if n%2 == 1 {
						pages = append(pages, w.openPage(ctx, g, p))
					}
					p.attend(until)
				}
				if replicas == 0 {
					w.incidents(g, until)
				} else {
					w.disturbReplicas(until)
				}
				w.live(until.Add(5 * time.Minute))
				for _, a := range pages {
					a.check()
					moved += a.moved
				}
				leave()
				w.end()
			})
		})
	}
	if moved == 0 {
		t.Error("nothing was pressed in a page")
	}
}
