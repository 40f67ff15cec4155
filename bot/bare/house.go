// Package bare lets tests play with the bot alone, without a platform: people send commands, press buttons and read the
// replies. It uses a real database and a clock that the test moves.
package bare

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/lease"
	"knobel/bot/review"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/games/record"
	"knobel/store"
	"knobel/store/storetest"
)

// House is a bot with a real database and a clock that the test moves.
type House struct {
	T         testing.TB
	File      string
	Games     []games.Game
	Store     *store.Store
	Bot       *wiring.Bot
	Log       *logbook
	Level     slog.Leveler  // lowest level of the log; nil: info
	Seeds     io.Reader     // source of the dice; nil: the operating system
	Bytes     int           // memory for solutions; 0: the default
	Sweep     time.Duration // pause between passes of the bot's loops; 0: an hour
	Meter     bot.Meter     // nil: nothing is counted
	Zone      *time.Location
	said      *words.Words // nil: the languages of the message files
	Spellings map[string]chat.Spelling
	Plain     bool           // names and ids are stored unsealed
	options   []store.Option // options of the store besides those of every test
	Leases    *lease.Holder  // nil: there is no other replica
	Same      bool           // people with the same first letter share a browser

	Clock    *fakes.Clock
	Restless bool // the clock advances whenever the bot reads it

	mu     sync.Mutex
	Events int
}

// New returns a house with the game coin and more games on a new database file.
func New(t testing.TB, more ...games.Game) *House {
	return NewIn(t, storetest.Sealed(t), more...)
}

// NewIn returns a house whose database is the file or address name.
func NewIn(t testing.TB, name string, more ...games.Game) *House {
	Beside(t)
	h := &House{
		T: t, File: name, Seeds: chanceOf(t), Games: append([]games.Game{coin.Game{}}, more...),
		Log: &logbook{}, Clock: fakes.NewClockAt(time.UnixMilli(1_700_000_000_000), false), Zone: time.UTC,
	}
	h.Open()
	t.Cleanup(func() {
		if err := h.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// Open opens the database and creates a new bot on it.
func (h *House) Open() {
	h.T.Helper()
	var err error
	keys := h.options[:len(h.options):len(h.options)]
	if !h.Plain {
		keys = append(keys, store.SealedBy(storetest.Key(h.T)))
	}
	if _, measures := h.T.(*testing.B); !measures {
		keys = append(keys, store.Strict())
	}
	if h.Store, err = store.Open(context.Background(), h.File, keys...); err != nil {
		h.T.Fatal(err)
	}
	h.RestartBot()
}

// RestartBot creates a new bot on the open database.
func (h *House) RestartBot() {
	h.T.Helper()
	said := h.said
	if said == nil {
		said = wordstest.Of(h.T, h.Games...)
	}
	var clock chat.Clock = h.Clock
	if h.Restless {
		clock = restless{h.Clock}
	}
	h.Bot = wiring.New(bot.Config{
		Same: func(one, other chat.User) bool {
			return h.Same && len(one)*len(other) > 0 && one[:len("test:A")] == other[:len("test:A")]
		},
		Store: h.Store, Games: h.Games, Words: said, Spellings: h.Spellings, Clock: clock, Zone: h.Zone, Rand: h.Seeds,
		Sweep: cmp.Or(h.Sweep, time.Hour), Meter: h.Meter, Solutions: h.Bytes, Leases: h.Leases,
		Log: slog.New(slog.NewTextHandler(io.MultiWriter(h.Log, testWriter{h.T}), &slog.HandlerOptions{
			Level: h.Level})),
	})
}

// restless is a clock that advances by a millisecond whenever it is read.
type restless struct{ *fakes.Clock }

func (r restless) Now() time.Time {
	r.Advance(time.Millisecond)
	return r.Clock.Now()
}

// Restart closes the database and opens it again with a new bot.
func (h *House) Restart() {
	h.T.Helper()
	check(h.T, h.Store.Close())
	h.Open()
}

func (h *House) Time() time.Time { return h.Clock.Now() }

// Wait advances the clock.
func (h *House) Wait(d time.Duration) { h.Clock.Advance(d) }

// Later advances the clock in a bubble (testing/synctest), after all current work, and waits for the work then due.
func (h *House) Later(d time.Duration) {
	synctest.Wait()
	h.Wait(d)
	synctest.Wait()
}

// Leisure is longer than the time between the presses of a double tap.
const Leisure = 601 * time.Millisecond

// BoardOf draws the board of a table as an adapter does, and returns it.
func (h *House) BoardOf(table int64) chat.Message {
	h.T.Helper()
	var drawn chat.Message
	err := h.Bot.Draw(context.Background(), table, false,
		func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
			drawn = m
			if ref == "" {
				ref = chat.Ref(fmt.Sprint("test:board ", table))
			}
			return ref, m.Permit, nil
		})
	check(h.T, err)
	Proper(h.T, drawn)
	return drawn
}

// Export returns the wanted records as JSON, and fails the test if one does not pass record.Verify.
func (h *House) Export(wanted review.Wanted) []string {
	h.T.Helper()
	var lines []string
	err := h.Bot.Export(context.Background(), wanted, func(r record.Record) error {
		for _, fault := range record.Verify(r, h.Games, &record.Solutions{}) {
			h.T.Errorf("table %s: %v", r.Table, fault)
		}
		line, err := r.Encode()
		lines = append(lines, string(line))
		return err
	})
	check(h.T, err)
	return lines
}

// Sound fails the test unless the whole database is right: balances, results and replays.
func (h *House) Sound() {
	h.T.Helper()
	books, err := h.Store.Check(context.Background())
	tables, err2 := h.Bot.Check(context.Background(), nil)
	check(h.T, errors.Join(err, err2))
	if len(books)+len(tables) > 0 {
		h.T.Errorf("books: %v\ntables: %q", books, tables)
	}
}

// Tamper changes the database directly, without the store.
func (h *House) Tamper(statement string) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.File+"?_pragma=busy_timeout(5000)")
	check(h.T, err)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		h.T.Fatal(err)
	}
}

// SparingStage is a Stage on which drawing is expensive (chat.Traits.Sparing).
type SparingStage struct {
	*Stage
	Left int // how many boards could be drawn now without waiting
}

func (SparingStage) Traits(chat.Place) chat.Traits { return chat.Traits{Sparing: true} }

func (s SparingStage) Budget(chat.Place) chat.Budget { return chat.Budget{Limit: 20, Left: s.Left} }

// Leave sends an event that says that people have left the chat "test:1" or were removed from it.
func (h *House) Leave(people ...*Person) {
	h.T.Helper()
	ev := chat.Event{Chat: "test:1"}
	for _, p := range people {
		ev.Left = append(ev.Left, p.Event().User)
	}
	h.Bot.Handle(h.T.Context(), ev)
}

// Reads runs read in a read-only transaction, and fails the test if it returns an error.
func (h *House) Reads(read func(*store.Tx) error) {
	h.T.Helper()
	check(h.T, h.Store.View(context.Background(), read))
}

// Stored returns the value that read reads from the database.
func Stored[T any](h *House, read func(*store.Tx) (T, error)) (value T) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) (err error) {
		value, err = read(tx)
		return err
	})
	return value
}

// TableAt returns the running table of a place.
func (h *House) TableAt(place chat.Place) store.Table {
	h.T.Helper()
	return Stored(h, func(tx *store.Tx) (store.Table, error) { return tx.Tables.TableAt(string(place)) })
}

var HostileWords = []string{"https://evil.com/x", "t.me/evil", "discord.gg/evil", "/evilword", "#tag", "$CASH",
	"+49 30",
	"cafe\u0301.com", "❤.ws", "a_.com"}

// Tests run in parallel, each with its own random numbers.

// scheduled holds the names of the tests that were made parallel, or must not be.
var scheduled sync.Map

// Beside makes a top-level test run in parallel with others. Further calls, and calls in subtests, are no-ops.
func Beside(t testing.TB) {
	t.Helper()
	test, isTest := t.(*testing.T)
	if !isTest || strings.Contains(t.Name(), "/") {
		return
	}
	if _, done := scheduled.LoadOrStore(t.Name(), true); !done {
		t.Cleanup(func() { scheduled.Delete(t.Name()) })
		test.Parallel()
	}
}

// Alone prevents Beside from making t parallel, because t changes something that all tests share.
func Alone(t *testing.T) {
	scheduled.Store(t.Name(), true)
	t.Cleanup(func() { scheduled.Delete(t.Name()) })
}

// Bubble is synctest.Test for a parallel test.
func Bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	Beside(t)
	synctest.Test(t, test)
}

// chances holds the random sources of the running tests, by name.
var chances sync.Map

// chance is the random source of a test, safe for concurrent use.
type chance struct {
	sync.Mutex
	from *rand.ChaCha8
}

func (c *chance) Read(p []byte) (int, error) {
	c.Lock()
	defer c.Unlock()
	return c.from.Read(p)
}

// chanceOf returns the random source of a test. It depends only on the test's name, so that a failure can be repeated.
// All houses of a test share it. For a benchmark it is nil.
func chanceOf(t testing.TB) io.Reader {
	if _, isTest := t.(*testing.T); !isTest {
		return nil
	}
	if c, found := chances.Load(t.Name()); found {
		return c.(*chance)
	}
	name := fnv.New64()
	_, _ = name.Write([]byte(t.Name()))
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], name.Sum64())
	c := &chance{from: rand.NewChaCha8(seed)}
	chances.Store(t.Name(), c)
	t.Cleanup(func() { chances.Delete(t.Name()) })
	return c
}
