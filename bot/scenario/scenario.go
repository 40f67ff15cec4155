// Package scenario tells stories of people who play, once for all platforms: they write, press, read and look at the
// board, and meet the real bot with the real adapter before a server that plays the platform. A test says Each, gets a
// Stage on every platform in turn, brings people, and tells what they do:
//
//	scenario.Each(t, func(s *scenario.Stage) {
//		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
//		anna.Writes("/shutbox stake=5")
//		ben.Presses("Sit down")
//		anna.Presses(":!start")
//		ben.Reads("Anna is to throw")
//	})
//
// Each story lives in a bubble of testing/synctest: hours of waiting, and the pace of platforms, cost nothing.
package scenario

import (
	"bytes"
	"context"
	"crypto/sha256"
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
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// Place is a chat of a platform, as those see it who are there. Drivers implement it; stories speak to a Stage.
type Place interface {
	// Connect returns a new adapter to the platform.
	Connect(log *slog.Logger) chat.Platform
	// Listening reports whether the bot hears what people do.
	Listening() bool
	// Wait returns once something holds, which may ask the place, or ctx's error.
	Wait(ctx context.Context, holds func() bool) error
	// Meet brings somebody whose client speaks a language, and returns their number, from 0 on.
	Meet(name, language string) (who int)
	// ID is somebody's, as the bot spells it.
	ID(who int) string
	// Appoint makes somebody an admin of the chat.
	Appoint(who int)
	// Messages are those of the bot that stand here and, behind them, those for one person alone, each oldest first;
	// -1 is everybody.
	Messages(who int) []Message
	// Write sends a command, its options named: "/shutbox stake=5 variant=golf".
	Write(who int, line string) Deed
	// Press presses a button of a message; data is what it carries.
	Press(who int, on, data string) Deed
	// Elsewhere is another place of the same chat, with the same people.
	Elsewhere() Place
	// Name is the platform's: "Discord".
	Name() string
	// Remove deletes a message, as somebody may.
	Remove(message string)
}

// Server is what a place is on a server that plays a platform, with its wire and its troubles.
type Server interface {
	// Mention sends a command with somebody mentioned behind it: "/settle what=why".
	Mention(who int, line string, other int) Deed
	// Writes is how much the bot has written of its own accord: answers to presses that Discord draws aside.
	Writes() int
	// Sent are all texts that the bot has sent so far for people to read.
	Sent() []string
	// Menu is the menu of commands in a language, as JSON; "" where there is none.
	Menu(language string) string
	// Vanish deletes the place, as somebody may.
	Vanish()
	// Mute takes the right to write from the bot, or gives it back.
	Mute(on bool)
	// LockOut removes the bot from the chat, or lets it in again.
	LockOut(on bool)
	// Secrets are what must stand in no log.
	Secrets() []string
	// Storm has the next requests fail in all ways that there are.
	Storm()
}

// Deed is something that somebody did. It returns what they alone are told, "" where the board shows all, and whether
// the bot has answered.
type Deed func() (told string, answered bool)

// Message is a message of the bot, as people see it.
type Message struct {
	ID      string
	Text    string
	Buttons []Button
	Alone   bool   // one person alone sees it
	Edits   int    // how often it was changed
	Answers string // the id of the message that it answers
	// Pictures are by name what is said of them.
	Pictures map[string]string
	File     []byte
	Calls    []string // the ids of those whom it notifies
}

// Button is what a button says, and what its press carries.
type Button struct {
	Label, Data string
	Picked      bool // it looks like one that was chosen
}

// Button finds a button by what its label holds or, with a colon before it, by how ends what it carries.
func (m Message) Button(name string) (Button, bool) {
	for _, b := range m.Buttons {
		if name[0] == ':' && strings.HasSuffix(b.Data, name) || name[0] != ':' && strings.Contains(b.Label, name) {
			return b, true
		}
	}
	return Button{}, false
}

// Stage is a bot at work in a place.
type Stage struct {
	*testing.T
	Place
	Server  // nil where there is none
	Store   *store.Store
	Bot     *wiring.Bot
	Adapter chat.Platform
	Journal *Journal

	set    Setting
	file   string
	chance *mathrand.ChaCha8
	stop   func()
}

// Setting is what differs from the usual on a stage.
type Setting struct {
	Words *words.Words // nil: all languages that there are
	Games []games.Game // nil: three
	Plain bool         // the database is not sealed
}

// At is a stage whose bot is somewhere else, such as the program itself.
func At(t *testing.T, place Place) *Stage { return (&Stage{T: t}).In(place) }

// Each has a story happen on every platform that has a server.
func Each(t *testing.T, story func(*Stage)) { Setting{}.Each(t, story) }

// Everywhere has a story happen on every platform, and where there is none: people speak to the bot itself.
func Everywhere(t *testing.T, story func(*Stage)) { Setting{}.Everywhere(t, story) }

// On has a story happen on one platform.
func On(t *testing.T, platform string, story func(*Stage)) { Setting{}.On(t, platform, story) }

// platforms open a place on each platform.
var platforms = map[string]func(*testing.T, Net) Place{
	"Discord":  func(t *testing.T, n Net) Place { return OnDiscord(t, n) },
	"Telegram": func(t *testing.T, n Net) Place { return OnTelegram(t, n) },
	"bare":     func(t *testing.T, n Net) Place { return OnNothing(t, n) },
}

// Each has a story happen on every platform that has a server.
func (set Setting) Each(t *testing.T, story func(*Stage)) { set.on(t, story, "Discord", "Telegram") }

// Everywhere has a story happen on every platform, and where there is none.
func (set Setting) Everywhere(t *testing.T, story func(*Stage)) {
	set.on(t, story, "Discord", "Telegram", "bare")
}

func (set Setting) on(t *testing.T, story func(*Stage), platforms ...string) {
	for _, platform := range platforms {
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			set.On(t, platform, story)
		})
	}
}

// On has a story happen on one platform.
func (set Setting) On(t *testing.T, platform string, story func(*Stage)) {
	t.Helper()
	file := storetest.Empty(t) // outside of the bubble: it is made once for all tests
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(beginning))
		s := &Stage{T: t, Journal: &Journal{}, set: set, file: file}
		s.chance = mathrand.NewChaCha8(sha256.Sum256([]byte(t.Name())))
		t.Cleanup(func() { time.Sleep(10 * time.Minute) }) // idle connections end
		s.Place = platforms[platform](t, inMemory(t))
		s.Server, _ = s.Place.(Server)
		t.Cleanup(s.close)
		s.open()
		story(s)
	})
}

// beginning is when every story begins: a bubble begins in 2000, earlier than Discord.
var beginning = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)

// open opens the database and starts the bot.
func (s *Stage) open() {
	s.Helper()
	var keys []store.Option
	var err error
	if !s.set.Plain {
		keys = append(keys, store.SealedBy(storetest.Key(s.T)))
	}
	if s.Store, err = store.Open(context.Background(), s.file, keys...); err != nil {
		s.Fatal(err)
	}
	all := s.set.Games
	if all == nil {
		all = []games.Game{shutbox.Game{}, coin.Game{}, wuerfelpoker.Game{}}
	}
	said := s.set.Words
	if said == nil {
		said = wordstest.Of(s, all...)
	}
	log := slog.New(slog.NewTextHandler(s.Journal, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s.Bot = wiring.New(bot.Config{Store: s.Store, Games: all, Words: said, Log: log, Rand: s.chance})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	s.Adapter = s.Connect(log)
	running.Go(func() { s.Bot.Run(ctx, s.Adapter) })
	s.stop = sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
	s.Until("the bot listens", s.Listening)
}

// close ends the bot and checks what it leaves behind.
func (s *Stage) close() {
	s.Helper()
	s.stop()
	stored, err := s.Store.Check(context.Background())
	stale, err2 := s.Bot.Check(context.Background())
	if err != nil || err2 != nil || len(stored)+len(stale) > 0 {
		s.Errorf("the books: %v, %v, %v, %v", stored, stale, err, err2)
	}
	if err := s.Store.Close(); err != nil {
		s.Error(err)
	}
	if s.Server != nil && slices.ContainsFunc(s.Secrets(), func(secret string) bool {
		return strings.Contains(s.Journal.String(), secret)
	}) {
		s.Error("a token stands in the log")
	}
	if s.Failed() {
		s.Journal.show(s.T)
	}
}

// Restart ends the bot, its database closed, and starts it again.
func (s *Stage) Restart() {
	s.Helper()
	s.close()
	s.open()
}

// File is the file of the database.
func (s *Stage) File() string { return s.file }

// Stop ends the bot.
func (s *Stage) Stop() { s.stop() }

// In is the same stage, seen in another place.
func (s *Stage) In(place Place) *Stage {
	there := *s
	there.Place = place
	there.Server, _ = place.(Server)
	return &there
}

// Until waits for something to hold.
func (s *Stage) Until(what string, holds func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	if err := s.Wait(ctx, holds); err != nil {
		for _, m := range s.Messages(-1) {
			s.Logf("message %s: %s\n%v", m.ID, m.Text, m.Buttons)
		}
		s.Fatalf("never: %s: %v", what, err)
	}
}

// Passes lets time go by until something holds, at most two hours.
func (s *Stage) Passes(what string, holds func() bool) {
	s.Helper()
	for late := time.Now().Add(2 * time.Hour); !holds(); time.Sleep(10 * time.Second) {
		if time.Now().After(late) {
			s.Fatalf("never: %s\n%s", what, s.Board().Text)
		}
	}
}

// Told waits for what somebody is told.
func (s *Stage) Told(deed Deed) (told string) {
	s.Helper()
	s.Until("an answer", func() (answered bool) {
		told, answered = deed()
		return answered
	})
	return told
}

// Board is the newest message that everybody sees with buttons of a table.
func (s *Stage) Board() Message {
	all := s.Messages(-1)
	for _, m := range slices.Backward(all) {
		ofTable := func(b Button) bool { return !strings.HasPrefix(b.Data, "1:0:") }
		if len(m.Calls) == 0 && slices.ContainsFunc(m.Buttons, ofTable) {
			return m
		}
	}
	return Message{}
}

// Shows waits until the board says something.
func (s *Stage) Shows(part string) Message {
	s.Helper()
	s.Until("the board says "+part, func() bool { return strings.Contains(s.Board().Text, part) })
	return s.Board()
}

// Offers waits until the board has a button.
func (s *Stage) Offers(button string) Message {
	s.Helper()
	s.Until("the board offers "+button, func() bool { _, ok := s.Board().Button(button); return ok })
	return s.Board()
}

// Settled waits until every board is drawn as its table is.
func (s *Stage) Settled() {
	s.Helper()
	s.Until("all boards are drawn", func() (drawn bool) {
		s.Reads(func(tx *store.Tx) error {
			lagging, err := tx.Lagging(strings.ToLower(s.Name())+":", 1)
			drawn = len(lagging) == 0
			return err
		})
		return drawn
	})
}

// Reads reads what is stored.
func (s *Stage) Reads(read func(*store.Tx) error) {
	s.Helper()
	if err := s.Store.View(context.Background(), read); err != nil {
		s.Fatal(err)
	}
}

// Table is a table as it is stored.
func (s *Stage) Table(id int64) (t store.Table) {
	s.Helper()
	s.Reads(func(tx *store.Tx) (err error) {
		t, err = tx.Table(id)
		return err
	})
	return t
}

// Called waits until so many messages that stand here notify somebody.
func (s *Stage) Called(p *Person, messages int) {
	s.Helper()
	s.Until(fmt.Sprintf("%d calls of %s stand here", messages, p.Name), func() bool {
		n := 0
		for _, m := range s.Messages(-1) {
			if slices.Contains(m.Calls, p.ID()) {
				n++
			}
		}
		return n == messages
	})
}

// Says fails where a text lacks a part.
func (s *Stage) Says(text string, parts ...string) {
	s.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

// Journal is a log that tests read while it is written.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to the log.
func (l *Journal) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String is what was logged so far.
func (l *Journal) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// show writes the last lines into the test's output.
func (l *Journal) show(t *testing.T) {
	lines := strings.Split(l.String(), "\n")
	t.Log(strings.Join(lines[max(len(lines)-60, 0):], "\n"))
}
