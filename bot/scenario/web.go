package scenario

// The browser table, as those see it who each have its page open in a browser of their own. page.go has the page.

import (
	"bytes"
	"context"
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
)

// Browsers are those that have the one room of a browser table open.
type Browsers struct {
	t    *testing.T
	net  Net
	news fakes.News
	ends context.Context
	open sync.WaitGroup // pages

	mu     sync.Mutex
	wire   *fakes.Wire // to the present bot, nil: this machine's loopback
	at     string      // where its page is, "": it does not listen yet
	run    int         // which bot that is
	next   time.Time   // when somebody may press
	looker *page       // of nobody who plays
	people []*page
}

// OnWeb opens a browser table.
func OnWeb(t *testing.T, n Net) *Browsers {
	b := &Browsers{t: t, net: n}
	var closes context.CancelFunc
	b.ends, closes = context.WithCancel(context.Background())
	t.Cleanup(func() {
		closes()
		b.open.Wait()
	})
	b.looker = b.page("en", nil)
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

// noRooms has none but the room that is always there.
type noRooms struct{ web.Rooms }

func (noRooms) DropIdle(context.Context, time.Time) error { return nil }

// Connect returns a new browser table, which knows its visitors again.
func (b *Browsers) Connect(log *slog.Logger) chat.Platform {
	b.mu.Lock()
	defer b.mu.Unlock()
	listen := "127.0.0.1:0"
	if b.at != "" { // where pages still look for it
		listen = strings.TrimPrefix(b.at, "http://")
	}
	b.run++
	b.at = ""
	c := web.Config{
		Listen: listen, Key: bytes.Repeat([]byte{7}, 32), Words: pageWords(), Log: log,
		Listening: func(url string) { b.do(func() { b.at = strings.TrimSuffix(url, "/") }) }, Rooms: noRooms{},
	}
	if b.net.wires != nil {
		b.wire = fakes.NewWire("localhost:80")
		c.Listener = b.wire
	}
	return web.New(c)
}

// do changes what is known and tells whoever waits.
func (b *Browsers) do(change func()) {
	b.mu.Lock()
	change()
	b.mu.Unlock()
	b.news.Tell()
}

// dial is the way to the present bot.
func (b *Browsers) dial(ctx context.Context, network, address string) (net.Conn, error) {
	b.mu.Lock()
	wire := b.wire
	b.mu.Unlock()
	if wire != nil {
		return wire.Dial(ctx, network, address)
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// Listening reports whether all pages follow the present bot.
func (b *Browsers) Listening() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.run == b.run })
}

// CatchUp reports whether all pages show what one would show that is opened now.
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

// all reports whether something holds for all pages. The lock is held.
func (b *Browsers) all(holds func(*page) bool) bool {
	return holds(b.looker) && !slices.ContainsFunc(b.people, func(p *page) bool { return !holds(p) })
}

// Wait waits for something that happens on a page, and until what has reached one has reached all.
func (b *Browsers) Wait(ctx context.Context, holds func() bool) error {
	return b.news.Wait(ctx, func() bool { return b.alike() && holds() })
}

// alike reports whether all pages that follow the bot show the same.
func (b *Browsers) alike() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.run == 0 || b.looker.run == 0 || p.heard == b.looker.heard })
}

// Meet brings somebody, who opens the page and says a name.
func (b *Browsers) Meet(name, language string) int {
	p := b.page(language, nil)
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

// ID is somebody's.
func (b *Browsers) ID(who int) string { return b.people[who].user }

// Messages are those that stand in the room as somebody's page shows them and, behind them, what it alone shows;
// of nobody: as the page of whoever came first shows them, with the buttons that any page has.
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

// offered are messages of the room with the buttons that any page has there: first those of the page that has most.
// refs are what the stream calls the messages. The lock is held.
func (b *Browsers) offered(all []Message, refs []string) []Message {
	all = slices.Clone(all)
	for i, m := range all[:min(len(all), len(refs))] {
		pages := []Message{m}
		for _, p := range b.people {
			pages = append(pages, p.boards[refs[i]])
		}
		slices.SortStableFunc(pages, func(one, other Message) int { return len(other.Buttons) - len(one.Buttons) })
		all[i].Buttons = nil
		for _, button := range buttonsOf(pages) {
			alike := func(other Button) bool { return other.Data == button.Data }
			if !slices.ContainsFunc(all[i].Buttons, alike) {
				all[i].Buttons = append(all[i].Buttons, button)
			}
		}
	}
	return all
}

// buttonsOf are the buttons of some messages.
func buttonsOf(all []Message) (buttons []Button) {
	for _, m := range all {
		buttons = append(buttons, m.Buttons...)
	}
	return buttons
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

// came is the first message that stands there and did not before.
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

// Name is the platform's.
func (b *Browsers) Name() string { return "web" }
