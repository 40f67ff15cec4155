// Package scenario tests the real bot with real adapters on all platforms: people send commands, press buttons and read
// boards, on a server that fakes the platform. A test calls Each, gets a Stage on every platform in turn, and adds
// people:
//
//	scenario.Each(t, func(s *scenario.Stage) {
//		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
//		anna.Writes("/shutbox stake=5")
//		ben.Presses("Join")
//		anna.Presses(":!start")
//		ben.Reads("Anna is next")
//	})
//
// Each test runs in a bubble of testing/synctest: pauses and the limits of platforms take no real time.
package scenario

import (
	"context"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/fakes"
	"knobel/bot/web"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// Stage is a running bot in a place, with its database and log.
type Stage struct {
	*testing.T
	Place
	Server  // nil if there is none
	Store   *store.Store
	Bot     *wiring.Bot
	Adapter chat.Platform
	Journal *fakes.Journal

	set    Setting
	file   string
	chance *mathrand.ChaCha8
	stop   func()
}

// open opens the database and starts the bot.
func (s *Stage) open() {
	s.Helper()
	var keys []store.Option
	var err error
	if !s.set.Plain {
		keys = append(keys, store.SealedBy(storetest.Key(s.T)))
	}
	if s.Store, err = store.Open(context.Background(), s.file, append(keys, store.Strict())...); err != nil {
		s.Fatal(err)
	}
	all := s.set.Games
	if all == nil {
		all = []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.New()}
	}
	said := s.set.Words
	if said == nil {
		said = wordstest.Of(s, all...)
	}
	log := slog.New(slog.NewTextHandler(s.Journal, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.Bot = wiring.New(bot.Config{Spellings: map[string]chat.Spelling{"discord": discord.Spell},
		Store: s.Store, Games: all, Words: said, Log: log, Rand: s.chance,
		Same: web.Same})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	s.Adapter = s.Connect(log, s.Bot)
	platforms := []chat.Platform{s.Adapter}
	if p, ok := s.Place.(interface {
		Beside(*slog.Logger, *wiring.Bot, chat.Platform) chat.Platform
	}); ok {
		platforms = append(platforms, p.Beside(log, s.Bot, s.Adapter))
	}
	running.Go(func() { s.Bot.Run(ctx, platforms...) })
	s.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	s.Until("the bot listens", s.Listening)
}

// close ends the bot and checks its database and its log.
func (s *Stage) close() {
	s.Helper()
	s.stop()
	stored, err := s.Store.Check(context.Background())
	stale, err2 := s.Bot.Check(context.Background(), nil)
	if err != nil || err2 != nil || len(stored)+len(stale) > 0 {
		s.Errorf("the books: %v, %v, %v, %v", stored, stale, err, err2)
	}
	if err := s.Store.Close(); err != nil {
		s.Error(err)
	}
	if s.Server != nil && slices.ContainsFunc(s.Secrets(), func(secret string) bool {
		return strings.Contains(s.Journal.String(), secret)
	}) {
		s.Error("the log contains a token")
	}
	if s.Failed() {
		lines := strings.Split(s.Journal.String(), "\n")
		s.Log(strings.Join(lines[max(len(lines)-60, 0):], "\n"))
	}
}

// Restart ends the bot, closes its database, and starts it again.
func (s *Stage) Restart() {
	s.Helper()
	s.close()
	s.open()
}

// File returns the file of the database.
func (s *Stage) File() string { return s.file }

// Stop ends the bot.
func (s *Stage) Stop() { s.stop() }

// In returns the same bot in another place.
func (s *Stage) In(place Place) *Stage {
	there := *s
	there.Place = place
	there.Server, _ = place.(Server)
	return &there
}

// Aside returns the same bot in another place of the chat, or s if the platform has only one.
func (s *Stage) Aside() *Stage {
	if s.Server == nil {
		return s
	}
	return s.In(s.Elsewhere())
}

// Until waits until holds returns true. what describes the condition if the test fails.
func (s *Stage) Until(what string, holds func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), fakes.Patience)
	defer cancel()
	if err := s.Wait(ctx, holds); err != nil {
		for _, m := range s.Messages(-1) {
			s.Logf("message %s: %s\n%v", m.ID, m.Text, m.Buttons)
		}
		s.Fatalf("never: %s: %v", what, err)
	}
}

// Passes advances the time of the bubble until holds returns true, for at most two hours. what is as in Until.
func (s *Stage) Passes(what string, holds func() bool) {
	s.Helper()
	for late := time.Now().Add(2 * time.Hour); !holds(); time.Sleep(10 * time.Second) {
		if time.Now().After(late) {
			s.Fatalf("never: %s\n%s", what, s.Board().Text)
		}
	}
}

// Told waits for the private answer of a deed and returns it.
func (s *Stage) Told(deed Deed) (told string) {
	s.Helper()
	s.Until("an answer", func() (answered bool) {
		told, answered = deed()
		return answered
	})
	if c, ok := s.Place.(*Channel); ok && c.guest { // the answer to a press is the board; words come behind it
		synctest.Wait()
		told, _ = deed()
	}
	return told
}

// Board returns the newest public message with buttons of a table, the zero message if there is none.
func (s *Stage) Board() Message {
	all := s.Messages(-1)
	for _, m := range slices.Backward(all) {
		ofTable := func(b Button) bool { return !strings.HasPrefix(b.Data, "1:0:") }
		_, offers := m.Button(":!stay")
		if len(m.Calls) == 0 && !offers && slices.ContainsFunc(m.Buttons, ofTable) {
			return m
		}
	}
	return Message{}
}

// Shows waits until the board contains part, and returns the board.
func (s *Stage) Shows(part string) Message {
	s.Helper()
	s.Until("the board says "+part, func() bool { return strings.Contains(s.Board().Text, part) })
	return s.Board()
}

// Offers waits until the board has a button, and returns the board.
func (s *Stage) Offers(button string) Message {
	s.Helper()
	s.Until("the board offers "+button, func() bool { _, ok := s.Board().Button(button); return ok })
	return s.Board()
}

// Settled waits until every board shows the newest version of its table.
func (s *Stage) Settled() {
	s.Helper()
	s.Until("all boards are drawn", func() (drawn bool) {
		s.Reads(func(tx *store.Tx) error {
			lagging, err := tx.Tables.Lagging(strings.ToLower(s.Name())+":", time.Now().UnixMilli(), 1)
			drawn = len(lagging) == 0
			return err
		})
		return drawn
	})
	if late, ok := s.Place.(interface{ CatchUp() bool }); ok {
		s.Until("all pages show it", late.CatchUp)
	}
}

// Reads runs read in a read-only transaction and fails the test on an error.
func (s *Stage) Reads(read func(*store.Tx) error) {
	s.Helper()
	check(s, s.Store.View(context.Background(), read))
}

// Table returns a table as stored.
func (s *Stage) Table(id int64) (t store.Table) {
	s.Helper()
	s.Reads(func(tx *store.Tx) (err error) {
		t, err = tx.Tables.Table(id)
		return err
	})
	return t
}

// Called waits until exactly the given number of the messages that p sees notify p.
func (s *Stage) Called(p *Person, messages int) {
	s.Helper()
	s.Until(fmt.Sprintf("%d calls of %s are seen here", messages, p.Name), func() bool {
		n := 0
		for _, m := range p.Sees() {
			if slices.Contains(m.Calls, p.ID()) {
				n++
			}
		}
		return n == messages
	})
}

// Says fails the test unless text contains all parts.
func (s *Stage) Says(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

// check ends the test on an error.
var check = fakes.Check
