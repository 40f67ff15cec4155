package scenario

// A browser room, as people with their own browsers see it. page.go has the page.

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

// Browsers are the browsers in one browser room.
type Browsers struct {
	t    *testing.T
	news fakes.News
	ends context.Context
	open sync.WaitGroup // open pages

	mu     sync.Mutex
	wire   *fakes.Wire // network to the running bot
	at     string      // address of the page, "": the bot does not listen yet
	run    int         // number of the running bot
	next   time.Time   // earliest time of the next press
	looker *page       // the page of a viewer who does not play
	people []*page
}

// OnWeb returns a browser room with the page of a viewer.
func OnWeb(t *testing.T) *Browsers {
	b := &Browsers{t: t}
	var closes context.CancelFunc
	b.ends, closes = context.WithCancel(context.Background())
	t.Cleanup(func() {
		closes()
		b.open.Wait()
	})
	b.looker = b.newPage("en")
	return b
}

// pageWords returns the sentences, which are read once for all tests.
var pageWords = sync.OnceValue(func() *words.Words {
	said, err := words.New()
	if err != nil {
		panic(err) // a mistake in the words makes all tests fail
	}
	return said
})

// Connect returns a new platform for the room. It recognizes its visitors after a restart.
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

// do changes the state under the lock and wakes waiting goroutines.
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

// CatchUp reports whether all pages show the same as a newly opened page.
func (b *Browsers) CatchUp() bool {
	read, closeStream, err := b.looker.stream("")
	if err != nil {
		return false
	}
	defer closeStream()
	newest, _ := read(&struct{}{})
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.heard == newest })
}

// all reports whether holds returns true for all pages. The caller holds b.mu.
func (b *Browsers) all(holds func(*page) bool) bool {
	return holds(b.looker) && !slices.ContainsFunc(b.people, func(p *page) bool { return !holds(p) })
}

// Wait returns once all pages have received the same events and holds returns true, or returns ctx's error.
func (b *Browsers) Wait(ctx context.Context, holds func() bool) error {
	return b.news.Wait(ctx, func() bool { return b.inStep() && holds() })
}

// inStep reports whether all pages that follow the bot have received the same events.
func (b *Browsers) inStep() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all(func(p *page) bool { return p.run == 0 || b.looker.run == 0 || p.heard == b.looker.heard })
}

// Meet adds a person, who opens the page and enters a name, and returns their number.
func (b *Browsers) Meet(name, language string) int {
	p := b.newPage(language)
	ctx, cancel := context.WithTimeout(b.ends, fakes.Patience)
	defer cancel()
	err := b.news.Wait(ctx, func() bool {
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

// Messages returns the room's messages on a person's page and, behind them, private ones. For -1 it returns those on
// the first page, with the buttons that any page has.
func (b *Browsers) Messages(who int) []Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	if who >= 0 {
		return b.people[who].messages()
	}
	first := b.looker
	if len(b.people) > 0 {
		first = b.people[0]
	}
	var all []Message
	for _, ref := range first.feed {
		all = append(all, first.boards[ref])
	}
	return b.withAllButtons(all, first.feed)
}

// withAllButtons returns the room's messages with the buttons of all pages, first those of the page with the most. refs
// are the messages' ids in the stream. The caller holds b.mu.
func (b *Browsers) withAllButtons(all []Message, refs []string) []Message {
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

// Write sends a command.
func (b *Browsers) Write(who int, line string) Deed {
	before := b.Messages(who)
	deed := b.people[who].act("/command", map[string]any{"text": line}, "")
	return func() (string, bool) {
		told, answered := deed()
		if told != "" || !answered {
			return told, answered
		}
		return firstNew(before, b.Messages(who))
	}
}

// firstNew returns the text of the first message in now that is not in before.
func firstNew(before, now []Message) (text string, ok bool) {
	for _, m := range now {
		if !slices.ContainsFunc(before, func(old Message) bool { return old.ID == m.ID }) {
			return m.Text, true
		}
	}
	return "", false
}

// Press presses a button of a message.
func (b *Browsers) Press(who int, on, data string) Deed {
	p, action := b.people[who], map[string]any{"press": data}
	b.mu.Lock()
	if _, inRoom := p.boards[on]; inRoom {
		action["on"] = on
	}
	b.mu.Unlock()
	return p.act("/press", action, on)
}

// Name returns the platform's name.
func (b *Browsers) Name() string { return "web" }
