package telegram

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/platformtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
	"knobel/store/storetest"
)

var (
	anna  = telegramtest.Person{ID: 11, First: "Anna", Language: "de"}
	ben   = telegramtest.Person{ID: 12, First: "Ben", Last: "O'Neill", Language: "en"}
	clara = telegramtest.Person{ID: 13, First: "Clara", Username: "clara"}
)

// stage is a fake Telegram, an adapter and a core for one test.
type stage struct {
	t      *testing.T
	server *telegramtest.Server
	clock  *fakes.Clock
	tele   *Telegram
	core   *script
	log    *fakes.Journal
	end    func() // ends Run and waits for it
}

// script is a core whose replies the test sets.
type script struct {
	platformtest.Core
	answer   func(chat.Event) chat.Reply
	commands []chat.Command
	renamed  bool // the bot's description has changed

	mu     sync.Mutex
	events []chat.Event
	moved  []string
	places []chat.Place
	lost   []string
	notes  map[string]string
}

func (s *script) Handle(_ context.Context, ev chat.Event) chat.Reply {
	s.mu.Lock()
	s.events = append(s.events, ev)
	s.mu.Unlock()
	if s.answer == nil {
		return chat.Reply{}
	}
	return s.answer(ev)
}

func (s *script) Commands() []chat.Command { return s.commands }

func (s *script) Languages() []chat.Language {
	if s.renamed {
		return []chat.Language{{Code: "en", Short: "New dice.", Long: "New dice for all."},
			{Code: "de", Short: "Neue Würfel.", Long: "Neue Würfel für alle."}}
	}
	return []chat.Language{{Code: "en", Short: "Dice.", Long: "Dice for all."},
		{Code: "de", Short: "Würfel.", Long: "Würfel für alle."}}
}

func (s *script) Noted(_ context.Context, name string) (string, error) { // the text that Note has stored, or ""
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notes[name], nil
}

func (s *script) Note(_ context.Context, name, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notes == nil {
		s.notes = map[string]string{}
	}
	s.notes[name] = value
	return nil
}

func (s *script) Migrate(_ context.Context, from, to chat.Chat, place func(chat.Place) chat.Place) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved = append(s.moved, fmt.Sprintf("%s > %s", from, to))
	for i, p := range s.places {
		s.places[i] = place(p)
	}
	return nil
}

func (s *script) Brief(ev chat.Event) chat.Message { // a message about ev.Missing, or a button with ev.Text
	if len(ev.Missing.Permissions) == 0 {
		return chat.Message{Head: ev.Name + " says " + ev.Text,
			Buttons: [][]chat.Button{{{Label: "Join", Press: "1:0:0:/" + ev.Text}}}}
	}
	return chat.Message{Head: "Lacking " + ev.Missing.Permissions[0].Key}
}

func (s *script) Lost(_ context.Context, chat chat.Chat, place chat.Place) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = append(s.lost, string(chat)+" "+string(place))
	return nil
}

func (s *script) seen() []chat.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

func (s *script) migrations() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.moved)
}

// menuOf returns commands with these names.
func menuOf(names ...string) []chat.Command {
	var list []chat.Command
	for _, n := range names {
		list = append(list, chat.Command{Name: n, About: map[string]string{"en": "About " + n, "de": "Zu " + n}})
	}
	return list
}

// open returns a stage with a fast clock. Its adapter does not run yet.
func open(t *testing.T) *stage { return openIn(t, nil) }

// openIn returns a stage like open whose server calls trouble, unless nil, before it carries out a request.
func openIn(t *testing.T, trouble func(s *stage, method string, params map[string]string)) *stage {
	t.Helper()
	var s *stage
	var o telegramtest.Options
	if trouble != nil {
		o.Trouble = func(method string, params map[string]string) (telegramtest.Fault, bool) {
			trouble(s, method, params)
			return telegramtest.Fault{}, false
		}
	}
	s = openWith(t, o)
	return s
}

// openWith returns a stage like open whose server has the options o, except for the clock.
func openWith(t *testing.T, o telegramtest.Options) *stage {
	t.Helper()
	s := &stage{t: t, clock: fakes.NewClock(true), log: &fakes.Journal{}, end: func() {}}
	o.Now = s.clock.Now
	s.server = telegramtest.Start(t, o)
	s.core = &script{commands: menuOf("shutbox", "help", "rules")}
	s.tele = s.adapter()
	t.Cleanup(func() {
		s.end()
		if strings.Contains(s.log.String(), s.server.Token()) {
			t.Error("the token stands in the log")
		}
	})
	return s
}

func (s *stage) adapter() *Telegram { return New(s.options()) }

func (s *stage) options() Options {
	return Options{Token: s.server.Token(), URL: s.server.URL(), Log: s.log.Log(), Clock: s.clock}
}

// run starts Run and returns the stage.
func (s *stage) run() *stage {
	s.t.Helper()
	s.end = s.begin(s.tele, s.core)
	s.until("the bot polls", func() bool { return len(s.server.Calls("getUpdates")) > 0 })
	return s
}

// begin runs the adapter tele with core until end is called.
func (s *stage) begin(tele *Telegram, core chat.Core) (end func()) {
	return fakes.Running(s.t, func(ctx context.Context) error { return tele.Run(ctx, core) })
}

// until waits until holds returns true, and else fails the test; condition is its name in words.
func (s *stage) until(condition string, holds func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	defer cancel()
	if s.server.Wait(ctx, holds) != nil {
		s.t.Fatalf("waited in vain until %s\nlog: %s", condition, s.log)
	}
}

// events waits until the core has received n events, and returns them.
func (s *stage) events(n int) []chat.Event {
	s.t.Helper()
	s.until(fmt.Sprintf("%d events came", n), func() bool { return len(s.core.seen()) >= n && s.server.Pending() == 0 })
	return s.core.seen()
}

// answer waits until the press with the id query is answered, and returns its only answer.
func (s *stage) answer(query string) telegramtest.Answer {
	s.t.Helper()
	var q telegramtest.Query
	s.until("the press is answered", func() bool {
		q, _ = s.server.Query(query)
		return len(q.Answers) > 0
	})
	if len(q.Answers) != 1 {
		s.t.Fatalf("answers: %v", q.Answers)
	}
	return q.Answers[0]
}

// lobby returns a board with this heading and a button.
func lobby(text string) chat.Message {
	return chat.Message{Table: 7, Head: text, Accent: -1,
		Buttons: [][]chat.Button{{{Label: "Sit", Press: "1:7:0:sit", Style: "primary"}}}}
}

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// check ends the test on an error.
var check = fakes.Check
