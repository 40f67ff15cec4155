package scenario

// The browser table, as people with their own browsers see it. page.go has the page.

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/web"
	"knobel/bot/words"
	"knobel/cmd/wiring"
)

// Browsers have the one room of a browser table open.
type Browsers struct {
	t    *testing.T
	news fakes.News
	ends context.Context
	open sync.WaitGroup // pages

	mu     sync.Mutex
	wire   *fakes.Wire // to the running bot
	at     string      // the page's address, "": it does not listen yet
	run    int         // the number of that bot
	next   time.Time   // the time of the next press at the earliest
	looker *page       // the page of a viewer who does not play
	people []*page
}

// OnWeb opens a browser table.
func OnWeb(t *testing.T) *Browsers {
	b := &Browsers{t: t}
	var closes context.CancelFunc
	b.ends, closes = context.WithCancel(context.Background())
	t.Cleanup(func() {
		closes()
		b.open.Wait()
	})
	b.looker = b.page("en")
	return b
}

// pageWords are read once for all tests.
var pageWords = sync.OnceValue(func() *words.Words {
	said, err := words.New()
	if err != nil {
		panic(err) // every test finds that
	}
	return said
})

// Connect returns a new browser table, which recognizes its visitors.
func (b *Browsers) Connect(log *slog.Logger, bot *wiring.Bot) chat.Platform {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.run++
	b.at, b.wire = "", fakes.NewWire("localhost:80")
	return web.New(web.Config{
		Listener: b.wire, Key: bytes.Repeat([]byte{7}, 32), Words: pageWords(), Log: log,
		Listening: func(url string) { b.do(func() { b.at = strings.TrimSuffix(url, "/") }) },
		Store:     bot.Store, Call: bot.Calls.Sent,
	})
}

// do changes the state and wakes the waiting.
func (b *Browsers) do(change func()) {
	b.mu.Lock()
	change()
	b.mu.Unlock()
	b.news.Tell()
}

// dial connects to the running bot.
func (b *Browsers) dial(ctx context.Context, network, address string) (net.Conn, error) {
	b.mu.Lock()
	wire := b.wire
	b.mu.Unlock()
	if wire == nil {
		return nil, errors.New("no bot listens")
	}
	return wire.Dial(ctx, network, address)
}

// Listening reports whether all pages follow the running bot.
func (b *Browsers) Listening() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.run == b.run })
}

// CatchUp reports whether all pages show what a newly opened one would.
func (b *Browsers) CatchUp() bool {
	read, closes, err := b.looker.stream("")
	if err != nil {
		return false
	}
	defer closes()
	newest, _ := read(&struct{}{})
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.heard == newest })
}

// all reports whether a condition holds for all pages. The lock is held.
func (b *Browsers) all(holds func(*page) bool) bool {
	return holds(b.looker) && !slices.ContainsFunc(b.people, func(p *page) bool { return !holds(p) })
}

// Wait waits for an event of a page, and until all pages have received the same events.
func (b *Browsers) Wait(ctx context.Context, holds func() bool) error {
	return b.news.Wait(ctx, func() bool { return b.alike() && holds() })
}

// alike reports whether all pages that follow the bot show the same.
func (b *Browsers) alike() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.run == 0 || b.looker.run == 0 || p.heard == b.looker.heard })
}

// Meet adds a person, who opens the page and enters a name.
func (b *Browsers) Meet(name, language string) int {
	p := b.page(language)
	late, cancel := context.WithTimeout(b.ends, fakes.Patience)
	defer cancel()
	err := b.news.Wait(late, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return p.run > 0
	})
	if err == nil {
		err = p.post("/people", map[string]any{"rename": map[string]any{"n": 0, "name": name}}, &struct{}{})
	}
	if err != nil {
		b.t.Errorf("%s opens the page: %v", name, err)
	}
	b.do(func() { b.people = append(b.people, p) })
	return len(b.people) - 1
}

// ID returns a person's id.
func (b *Browsers) ID(who int) string { return b.people[who].user }

// Messages returns the room's messages on a person's page and, behind them, private ones; for -1 those on the first
// page, with the buttons that any page has.
func (b *Browsers) Messages(who int) []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	if who >= 0 {
		return b.people[who].sees()
	}
	first := b.looker
	if len(b.people) > 0 {
		first = b.people[0]
	}
	var all []Message
	for _, ref := range first.feed {
		all = append(all, first.boards[ref])
	}
	return b.offered(all, first.feed)
}

// offered returns the room's messages with the buttons of all pages, first those of the page that has most. refs are
// the messages' names in the stream. The lock is held.
func (b *Browsers) offered(all []Message, refs []string) []Message {
	all = slices.Clone(all)
	for i, m := range all[:min(len(all), len(refs))] {
		pages := []Message{m}
		for _, p := range b.people {
			pages = append(pages, p.boards[refs[i]])
		}
		slices.SortStableFunc(pages, func(one, other Message) int { return len(other.Buttons) - len(one.Buttons) })
		all[i].Buttons = nil
		for _, page := range pages {
			for _, button := range page.Buttons {
				alike := func(other Button) bool { return other.Data == button.Data }
				if !slices.ContainsFunc(all[i].Buttons, alike) {
					all[i].Buttons = append(all[i].Buttons, button)
				}
			}
		}
	}
	return all
}

// Write types a command.
func (b *Browsers) Write(who int, line string) Deed {
	stood := b.Messages(who)
	heard := b.people[who].act("/command", map[string]any{"text": line}, "")
	return func() (string, bool) {
		told, answered := heard()
		if told != "" || !answered {
			return told, answered
		}
		return came(stood, b.Messages(who))
	}
}

// came returns the first new message.
func came(before, now []Message) (text string, ok bool) {
	for _, m := range now {
		if !slices.ContainsFunc(before, func(old Message) bool { return old.ID == m.ID }) {
			return m.Text, true
		}
	}
	return "", false
}

// Press presses a button.
func (b *Browsers) Press(who int, on, data string) Deed {
	p, what := b.people[who], map[string]any{"press": data}
	b.mu.Lock()
	if _, inRoom := p.boards[on]; inRoom {
		what["on"] = on
	}
	b.mu.Unlock()
	return p.act("/press", what, on)
}

// Name returns the platform's name.
func (b *Browsers) Name() string { return "web" }
