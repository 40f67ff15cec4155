// Package bare lets tests play with the bot alone, without a platform: people write, press and read what they are
// told. It has a real database and a clock of its own.
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

// House is a bot on a real database, with a clock of its own.
type House struct {
	T         testing.TB
	File      string
	Games     []games.Game
	Store     *store.Store
	Bot       *wiring.Bot
	Log       *logbook
	Level     slog.Leveler  // of what is logged, nil: that of information
	Seeds     io.Reader     // nil: the operating system
	Bytes     int           // of solutions, 0: as many as usual
	Sweep     time.Duration // how often the bot looks for what it has overlooked, 0: hardly ever
	Meter     bot.Meter     // nil: nothing is counted
	Zone      *time.Location
	said      *words.Words // nil: in the languages that there are
	Spellings map[string]chat.Spelling
	Plain     bool           // names and ids are not sealed
	options   []store.Option // of the store, beside those of every test
	Leases    *lease.Holder  // nil: there is no other bot
	Same      bool           // who has the same first letter is at the same browser

	Clock    *fakes.Clock
	Restless bool // time goes by whenever the bot looks at the clock

	mu     sync.Mutex
	Events int
}

func New(t testing.TB, more ...games.Game) *House {
	return NewIn(t, storetest.Sealed(t), more...)
}

// NewIn returns a house on a database with a name.
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

// RestartBot makes the bot anew on the open database.
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

// restless is a clock that goes on a little at every look.
type restless struct{ *fakes.Clock }

func (r restless) Now() time.Time {
	r.Advance(time.Millisecond)
	return r.Clock.Now()
}

// Restart closes the database and opens it again with a new bot.
func (h *House) Restart() {
	h.T.Helper()
	if err := h.Store.Close(); err != nil {
		h.T.Fatal(err)
	}
	h.Open()
}

func (h *House) Time() time.Time { return h.Clock.Now() }

// Wait lets time go by.
func (h *House) Wait(d time.Duration) { h.Clock.Advance(d) }

// Later lets time go by in a bubble: what happens now has happened before that, and what happens then afterwards.
func (h *House) Later(d time.Duration) {
	synctest.Wait()
	h.Wait(d)
	synctest.Wait()
}

// Leisure is more than the taps of a double tap have between them.
const Leisure = 601 * time.Millisecond

func (h *House) BoardOf(table int64) chat.Message {
	h.T.Helper()
	var drawn chat.Message
	err := h.Bot.Draw(context.Background(), table, false,
		func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
			drawn = m
			if ref == "" {
				ref = chat.Ref(fmt.Sprint("test:board ", table))
			}
			return ref, nil
		})
	if err != nil {
		h.T.Fatal(err)
	}
	Proper(h.T, drawn)
	return drawn
}

// Export returns the records that are wanted, and fails where one of them does not stand up to a check.
func (h *House) Export(w review.Wanted) []string {
	h.T.Helper()
	var lines []string
	err := h.Bot.Export(context.Background(), w, func(r record.Record) error {
		for _, fault := range record.Verify(r, h.Games, &record.Solutions{}) {
			h.T.Errorf("table %s: %v", r.Table, fault)
		}
		line, err := r.Encode()
		lines = append(lines, string(line))
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return lines
}

// Sound fails unless the whole database is right: books, results, replays.
func (h *House) Sound() {
	h.T.Helper()
	books, err := h.Store.Check(context.Background())
	tables, err2 := h.Bot.Check(context.Background(), nil)
	if err := errors.Join(err, err2); err != nil {
		h.T.Fatal(err)
	}
	if len(books)+len(tables) > 0 {
		h.T.Errorf("books: %v\ntables: %q", books, tables)
	}
}

// Tamper changes the database behind the store's back.
func (h *House) Tamper(statement string) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.File+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.T.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		h.T.Fatal(err)
	}
}

// SparingStage is a stage on which drawing is dear.
type SparingStage struct {
	*Stage
	Left int // how many boards could be drawn at once
}

func (SparingStage) Traits() chat.Traits { return chat.Traits{Sparing: true} }

func (s SparingStage) Budget(chat.Place) chat.Budget { return chat.Budget{Limit: 20, Left: s.Left} }

// Leave tells the bot that people have left the chat, or were shown out of it.
func (h *House) Leave(people ...*Person) {
	h.T.Helper()
	ev := chat.Event{Chat: "test:1"}
	for _, p := range people {
		ev.Left = append(ev.Left, p.Event().User)
	}
	h.Bot.Handle(h.T.Context(), ev)
}

// Reads reads what is stored.
func (h *House) Reads(read func(*store.Tx) error) {
	h.T.Helper()
	if err := h.Store.View(context.Background(), read); err != nil {
		h.T.Fatal(err)
	}
}

// Stored returns what is read of what is stored.
func Stored[T any](h *House, read func(*store.Tx) (T, error)) (value T) {
	h.T.Helper()
	h.Reads(func(tx *store.Tx) (err error) {
		value, err = read(tx)
		return err
	})
	return value
}

// TableAt returns the table that goes on in a place.
func (h *House) TableAt(place chat.Place) store.Table {
	h.T.Helper()
	return Stored(h, func(tx *store.Tx) (store.Table, error) { return tx.Tables.TableAt(string(place)) })
}

var HostileWords = []string{"https://evil.com/x", "t.me/evil", "discord.gg/evil", "/evilword", "#tag", "$CASH",
	"+49 30",
	"cafe\u0301.com", "❤.ws", "a_.com"}

// Tests run side by side, each with a chance of its own.

// placed is the tests that run beside others, or are not to, by name.
var placed sync.Map

// Beside has a test run beside others, from its first house on. Parts of a test run one after the other.
func Beside(t testing.TB) {
	t.Helper()
	test, is := t.(*testing.T)
	if !is || strings.Contains(t.Name(), "/") {
		return
	}
	if _, done := placed.LoadOrStore(t.Name(), true); !done {
		t.Cleanup(func() { placed.Delete(t.Name()) })
		test.Parallel()
	}
}

// Alone keeps a test from running beside others: it changes what all share.
func Alone(t *testing.T) {
	placed.Store(t.Name(), true)
	t.Cleanup(func() { placed.Delete(t.Name()) })
}

// Bubble is synctest.Test for a test that runs beside others.
func Bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	Beside(t)
	synctest.Test(t, test)
}

// chances are those of the tests that run, by name.
var chances sync.Map

// chance is where the seeds of a test come from.
type chance struct {
	sync.Mutex
	from *rand.ChaCha8
}

func (c *chance) Read(p []byte) (int, error) {
	c.Lock()
	defer c.Unlock()
	return c.from.Read(p)
}

// chanceOf lets the dice of a test fall alike whenever it runs, from the first house of it on, so that what fails once
// can be looked at again. For a benchmark it is nil.
func chanceOf(t testing.TB) io.Reader {
	if _, is := t.(*testing.T); !is {
		return nil
	}
	if c, has := chances.Load(t.Name()); has {
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
