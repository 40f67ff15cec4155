package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/review"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store/storetest"
)

// table is a browser table with one browser.
type table struct {
	*testing.T
	browser   *http.Client
	listening chan string            // URL of the page, at each start
	url       string                 // "": not read yet since the last start
	answers   atomic.Pointer[string] // all toasts and answers, one after the other
	acts      atomic.Int64
}

// waitURL returns the URL of the page, once it is served.
func (b *table) waitURL() string {
	if b.url == "" {
		b.url = strings.TrimSuffix(<-b.listening, "/")
		res, _ := do(b.T, b.browser, "POST", b.url+"/me", "")
		want(b.T, res, http.StatusOK)
	}
	return b.url
}

// sendAct sends a press or command and stores the answer.
func (b *table) sendAct(path string, a act) {
	a.ID = fmt.Sprint(b.acts.Add(1))
	got := postJSON[answer](b.T, b.browser, b.waitURL()+path, a)
	if got.Private != nil {
		got.Toast += got.Private.Head
	}
	all := *b.answers.Load() + got.Toast + "\n"
	b.answers.Store(&all)
}

// readFeed returns the messages that the page shows.
func (b *table) readFeed() news {
	s := openStream(b.T, b.browser, b.waitURL(), "")
	defer s.res.Body.Close()
	_, now, _ := s.next()
	return now
}

// The browser table keeps the promises of chat.Platform.
func TestPlatform(t *testing.T) {
	platformtest.Run(t, func(t *testing.T) platformtest.Venue {
		b := &table{T: t, browser: newClient(t), listening: make(chan string, 1)}
		b.answers.Store(new(string))
		return platformtest.Venue{
			Place: roomPlace, Stored: true,
			New: func() chat.Platform {
				b.url = ""
				return New(withStore(t, Config{
					Listen: "127.0.0.1:0", Key: bytes.Repeat([]byte{7}, 32),
					Log:       slog.New(slog.NewTextHandler(t.Output(), nil)),
					Listening: func(url string) { b.listening <- url },
				}))
			},
			Write: func(command, text string) { b.sendAct("/command", act{Text: "/" + command + " " + text}) },
			Press: func(label string) {
				for _, e := range slices.Backward(b.readFeed().Entries) {
					for _, button := range slices.Concat(e.Message.Buttons...) {
						if button.Label == label {
							b.sendAct("/press", act{Press: button.Press, On: e.Ref})
							return
						}
					}
				}
				t.Fatalf("no message has a button %q", label)
			},
			Shows: func(text string) bool {
				if strings.Contains(*b.answers.Load(), text) {
					return true
				}
				now := b.readFeed()
				return slices.ContainsFunc(now.Entries, func(e pageMessage) bool {
					return strings.Contains(e.Message.Head, text)
				}) ||
					slices.ContainsFunc(now.Calls, func(n notice) bool { return strings.Contains(n.Text, text) })
			},
		}
	})
}

// fakeBot is a fake bot that records events and gives prepared answers.
type fakeBot struct {
	chat.Core // nil: a browser table calls no other method
	mu        sync.Mutex
	told      []chat.Event
	answer    chat.Reply
}

func (p *fakeBot) Handle(_ context.Context, ev chat.Event) chat.Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, ev)
	return p.answer
}

// View returns chat.ErrGone, so that pages show the board that all viewers share.
func (p *fakeBot) View(context.Context, int64, chat.Viewer) (chat.Message, error) {
	return chat.Message{}, chat.ErrGone
}

// Puzzle returns chat.ErrGone, too.
func (p *fakeBot) Puzzle(context.Context, int64, string) (chat.Message, error) {
	return chat.Message{}, chat.ErrGone
}

func (p *fakeBot) Commands() []chat.Command {
	return []chat.Command{
		{Name: "shutbox", Opens: map[string]chat.Card{"en": {Game: "Shut the Box"}},
			About: map[string]string{"en": "open a table", "de": "einen Tisch aufmachen"},
			Options: []chat.CommandOption{
				{Name: "stake", About: map[string]string{"en": "the stake of each seat"}, Type: chat.TypeAmount,
					Max: 100},
				{Name: "variant", Type: chat.TypeChoice, Completes: true,
					About: map[string]string{"en": "a named preset"}},
			}},
		{Name: "help", About: map[string]string{"en": "what can be done"},
			Hosted: map[string]string{"en": "what the host can do"}},
	}
}

func (p *fakeBot) Complete(_ context.Context, _ chat.Event, option, typed string) []chat.CommandChoice {
	if option != "variant" {
		return nil
	}
	return []chat.CommandChoice{{Value: "canoga", Label: map[string]string{"en": "Canoga, two rows"}}}
}

// setReply sets the answer to all later events.
func (p *fakeBot) setReply(r chat.Reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = r
}

// lastEvent returns the newest event and the number of all events.
func (p *fakeBot) lastEvent() (chat.Event, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.told) == 0 {
		return chat.Event{}, 0
	}
	return p.told[len(p.told)-1], len(p.told)
}

// withStore returns c with a new database unless it has one.
func withStore(t testing.TB, c Config) Config {
	if c.Store == nil {
		c.Store = storetest.Open(t)
	}
	return c
}

// serve serves w over HTTP until the test ends and returns its URL. Rate limits of sign-ins and the like never refill.
func serve(t *testing.T, w *Web, b chat.Core) string {
	t.Helper()
	for _, tries := range []*limits{w.knocks, w.makers, w.reacts, w.guesses} {
		tries.every = 0
	}
	w.config = withStore(t, w.config)
	ctx, cancel := context.WithCancel(t.Context())
	srv := httptest.NewServer(w.handler(ctx, b))
	t.Cleanup(func() {
		cancel()
		srv.Close()
	})
	return srv.URL
}

// serveGames serves a browser table with a real bot that has Shut the Box, Würfelpoker and more.
func serveGames(t *testing.T, more ...games.Game) (url string) {
	t.Helper()
	_, url = serveBot(t, Config{}, true, append([]games.Game{shutbox.Game{}, wuerfelpoker.New()}, more...)...)
	return url
}

// serveBot serves a browser table with a real bot, which has the games all, until the test is over. If draws is false,
// other bots on its database draw the boards, and this bot only shows them.
func serveBot(t *testing.T, c Config, draws bool, all ...games.Game) (w *Web, url string) {
	t.Helper()
	return serveBotWith(t, c, Embedding{}, draws, all...)
}

// serveBotWith is serveBot with embedded pages.
func serveBotWith(t *testing.T, c Config, e Embedding, draws bool, all ...games.Game) (w *Web, url string) {
	t.Helper()
	c = withStore(t, c)
	c.Listen, c.Key, c.Words = "127.0.0.1:0", make([]byte, 32), wordstest.Of(t, all...)
	c.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	alike := rand.NewChaCha8([32]byte{1}) // the same dice in every run
	b := wiring.New(bot.Config{Store: c.Store, Games: all, Words: c.Words, Log: c.Log, Clock: &fakes.Restless{},
		Same: Same, Rand: alike})
	at := make(chan string, 1)
	c.Pages = b.Pages()
	c.Call, c.Listening = b.Calls.Sent, func(url string) { at <- url }
	c.Record = func(ctx context.Context, chat chat.Chat, table int64) (line []byte, err error) {
		err = b.Export(ctx, review.Wanted{Chat: chat, Table: table}, func(r record.Record) error {
			line, err = r.Encode()
			return err
		})
		return line, err
	}
	w = New(c)
	w.Embed(e)
	b.Outbox.Embed(w)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if draws {
			b.Run(ctx, w)
		} else if err := w.Run(ctx, b.Core); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return w, strings.TrimSuffix(<-at, "/")
}
