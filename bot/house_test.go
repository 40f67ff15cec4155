package bot_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

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

// house is a bot on a real database, with a clock of its own.
type house struct {
	t         testing.TB
	file      string
	games     []games.Game
	store     *store.Store
	bot       *wiring.Bot
	log       *logbook
	level     slog.Leveler  // of what is logged, nil: that of information
	seeds     io.Reader     // nil: the operating system
	bytes     int           // of solutions, 0: as many as usual
	sweep     time.Duration // how often the bot looks for what it has overlooked, 0: hardly ever
	meter     bot.Meter     // nil: nobody counts
	zone      *time.Location
	said      *words.Words // nil: in the languages that there are
	spellings map[string]chat.Spelling
	plain     bool           // names and ids are not sealed
	options   []store.Option // of the store, beside those of every test
	leases    *lease.Holder  // nil: there is no other bot
	same      bool           // who has the same first letter is at the same browser

	clock    *fakes.Clock
	restless bool // time goes by whenever the bot looks at the clock

	mu     sync.Mutex
	events int
}

func newHouse(t testing.TB, more ...games.Game) *house {
	return newHouseIn(t, storetest.Sealed(t), more...)
}

// newHouseIn is newHouse for a database of a name.
func newHouseIn(t testing.TB, name string, more ...games.Game) *house {
	beside(t)
	h := &house{
		t: t, file: name, seeds: chanceOf(t), games: append([]games.Game{coin.Game{}}, more...),
		log: &logbook{}, clock: fakes.NewClockAt(time.UnixMilli(1_700_000_000_000), false), zone: time.UTC,
	}
	h.open()
	t.Cleanup(func() {
		if err := h.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *house) open() {
	h.t.Helper()
	var err error
	keys := h.options[:len(h.options):len(h.options)]
	if !h.plain {
		keys = append(keys, store.SealedBy(storetest.Key(h.t)))
	}
	if _, measures := h.t.(*testing.B); !measures {
		keys = append(keys, store.Strict())
	}
	if h.store, err = store.Open(context.Background(), h.file, keys...); err != nil {
		h.t.Fatal(err)
	}
	h.restartBot()
}

// restartBot makes the bot anew on the open database.
func (h *house) restartBot() {
	h.t.Helper()
	said := h.said
	if said == nil {
		said = wordstest.Of(h.t, h.games...)
	}
	var clock chat.Clock = h.clock
	if h.restless {
		clock = restless{h.clock}
	}
	h.bot = wiring.New(bot.Config{
		Same: func(one, other chat.User) bool {
			return h.same && len(one)*len(other) > 0 && one[:len("test:A")] == other[:len("test:A")]
		},
		Store: h.store, Games: h.games, Words: said, Spellings: h.spellings, Clock: clock, Zone: h.zone, Rand: h.seeds,
		Sweep: cmp.Or(h.sweep, time.Hour), Meter: h.meter, Solutions: h.bytes, Leases: h.leases,
		Log: slog.New(slog.NewTextHandler(io.MultiWriter(h.log, testWriter{h.t}), &slog.HandlerOptions{
			Level: h.level})),
	})
}

// restless is a clock that goes on a little at every look.
type restless struct{ *fakes.Clock }

func (r restless) Now() time.Time {
	r.Advance(time.Millisecond)
	return r.Clock.Now()
}

// restart closes the database and opens it again with a new bot.
func (h *house) restart() {
	h.t.Helper()
	if err := h.store.Close(); err != nil {
		h.t.Fatal(err)
	}
	h.open()
}

func (h *house) time() time.Time { return h.clock.Now() }

// wait lets time go by.
func (h *house) wait(d time.Duration) { h.clock.Advance(d) }

// later lets time go by in a bubble: what happens now has happened before that,
// and what happens then afterwards.
func (h *house) later(d time.Duration) {
	synctest.Wait()
	h.wait(d)
	synctest.Wait()
}

// logbook is a log that tests read while it is written.
type logbook struct {
	fakes.Journal
	goOn chan struct{} // who writes goes on once this is closed; nil: at once
}

func (l *logbook) Write(p []byte) (int, error) {
	if l.goOn != nil {
		defer func() { <-l.goOn }()
	}
	return l.Journal.Write(p)
}

// person is somebody in the place "test:1/1" of the chat "test:1", where nothing else is said.
type person struct {
	*house
	name    string
	locale  string
	place   chat.Place
	chat    chat.Chat // "": "test:1"
	admin   bool
	hosted  bool   // in a room with a host
	equals  bool   // where all people are equal
	shared  string // the language of the chat, as the platform says
	threads bool   // where a second table can stand in a thread
}

func (h *house) person(name string) *person {
	return &person{house: h, name: name, locale: "en", place: "test:1/1"}
}

// event is what the person does, with an id of its own.
func (p *person) event() chat.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events++
	return chat.Event{
		ID: fmt.Sprint("test:", p.events), Chat: cmp.Or(p.chat, "test:1"), Place: p.place,
		User: chat.User("test:" + p.name), Name: p.name,
		Locale: p.locale, Admin: func(context.Context) bool { return p.admin },
		Hosted: p.hosted, Equals: p.equals, Shared: p.shared, Threads: p.threads,
	}
}

// writes sends a command line: "/coin 10".
func (p *person) writes(line string) chat.Reply {
	ev := p.event()
	command, text, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	ev.Command, ev.Text = command, text
	return p.bot.Handle(context.Background(), ev)
}

// sends presses exactly what a button would carry, and once more where it is asked for again, as people do.
func (p *person) sends(press string) chat.Reply {
	r := p.taps(press)
	if strings.HasPrefix(r.Toast, "That was quick") || strings.HasPrefix(r.Toast, "Das ging schnell") {
		p.wait(leisure)
		r = p.taps(press)
	}
	return r
}

// leisure is more than the taps of a double tap have between them.
const leisure = 601 * time.Millisecond

// taps presses at once.
func (p *person) taps(press string) chat.Reply {
	ev := p.event()
	ev.Press = press
	return p.bot.Handle(context.Background(), ev)
}

// presses the button of the newest board whose label this is.
func (p *person) presses(label string) chat.Reply {
	p.t.Helper()
	return p.sends(p.button(label).Press)
}

// button finds a button of the newest board here, or of the message beside it about offered seats.
func (p *person) button(label string) chat.Button {
	p.t.Helper()
	m := p.board()
	var have []string
	for _, row := range slices.Concat(m.Buttons, p.offers().Buttons) {
		for _, b := range row {
			if b.Label == label {
				return b
			}
			have = append(have, b.Label)
		}
	}
	p.t.Fatalf("no button %q on the board, but %q\n%s", label, have, show(m))
	return chat.Button{}
}

// buttonWith finds a button of the newest board here by what it asks for.
func (p *person) buttonWith(asks string) chat.Button {
	p.t.Helper()
	m := p.board()
	for _, b := range slices.Concat(m.Buttons...) {
		if strings.HasSuffix(b.Press, ":"+asks) {
			return b
		}
	}
	p.t.Fatalf("no button for %s on\n%s", asks, show(m))
	return chat.Button{}
}

// table is the newest table here.
func (p *person) table() store.Table {
	p.t.Helper()
	var table store.Table
	err := p.store.View(context.Background(), func(tx *store.Tx) (err error) {
		table, err = tx.LastTableAt(string(p.place))
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return table
}

// board is the newest board here, drawn by other means than the loops.
func (p *person) board() chat.Message {
	p.t.Helper()
	return p.boardOf(p.table().ID)
}

// offers is the message about the seats of the newest table here that are offered.
func (p *person) offers() (m chat.Message) {
	p.t.Helper()
	err := p.store.View(context.Background(), func(tx *store.Tx) (err error) {
		m, err = p.bot.Calls.Boards.Offers(tx, p.table())
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if m.Head == "" {
		return m
	}
	if proper(p.t, m); strings.Contains(show(p.board()), m.Head) {
		p.t.Errorf("the board says as well\n%s", m.Head)
	}
	return m
}

func (h *house) boardOf(table int64) chat.Message {
	h.t.Helper()
	var drawn chat.Message
	err := h.bot.Draw(context.Background(), table, false,
		func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
			drawn = m
			if ref == "" {
				ref = chat.Ref(fmt.Sprint("test:board ", table))
			}
			return ref, nil
		})
	if err != nil {
		h.t.Fatal(err)
	}
	proper(h.t, drawn)
	return drawn
}

// proper fails where a message cannot stand on a platform.
func proper(t testing.TB, m chat.Message) {
	t.Helper()
	text := show(m) + m.Guide + "\n" + m.Small
	if m.Head == "" || strings.Contains(text, "bot.") || strings.Contains(text, "no value") {
		t.Errorf("not all of it is said:\n%s", text)
	}
	seen := map[string]bool{}
	for _, row := range m.Buttons {
		for _, b := range row {
			n := utf8.RuneCountInString(b.Label)
			if n == 0 || n > chat.MaxButton || len(b.Press) > 64 || seen[b.Press] {
				t.Errorf("button %q carries %q", b.Label, b.Press)
			}
			seen[b.Press] = true
		}
	}
}

// show writes a message as a transcript does.
func show(m chat.Message) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(append([]string{m.Head}, m.Told...), "\n"))
	for _, row := range m.Tiles {
		var shown []string
		for _, tile := range row.Tiles {
			if tile.Open {
				shown = append(shown, fmt.Sprint(tile.Number))
			} else {
				shown = append(shown, "_")
			}
		}
		for _, d := range row.Dice {
			shown = append(shown, fmt.Sprintf("[%d]", d.Face))
		}
		fmt.Fprintln(&b, strings.Join(shown, " "))
	}
	for _, p := range m.People {
		fmt.Fprintln(&b, strings.TrimSpace(p.Name+" "+p.Text))
	}
	for _, e := range m.Exact {
		fmt.Fprintln(&b, e)
	}
	for _, line := range m.Lines {
		fmt.Fprintln(&b, line)
	}
	for _, row := range m.Buttons {
		for _, button := range row {
			fmt.Fprintf(&b, "[%s]", button.Label)
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// want fails unless a board or answer looks like this, small print aside.
func want(t testing.TB, m chat.Message, transcript string) {
	t.Helper()
	if got, want := strings.TrimSpace(show(m)), strings.TrimSpace(transcript); got != want {
		t.Errorf("shows\n%s\n\nwant\n%s", got, want)
	}
}

// told fails unless a reply says this.
func told(t testing.TB, r chat.Reply, toast string) {
	t.Helper()
	if r.Toast != toast {
		t.Errorf("told %q, want %q", r.Toast, toast)
	}
}

// refused fails unless a reply refuses with these words.
func refused(t testing.TB, r chat.Reply, toast string) {
	t.Helper()
	told(t, r, toast)
	if !r.Refused {
		t.Errorf("%q is no refusal", r.Toast)
	}
}

type testWriter struct{ testing.TB }

func (w testWriter) Write(b []byte) (int, error) {
	w.Logf("%s", bytes.TrimSpace(b))
	return len(b), nil
}

// export returns the records that are wanted, and fails where one of them
// does not stand up to a check.
func (h *house) export(w review.Wanted) []string {
	h.t.Helper()
	var lines []string
	err := h.bot.Export(context.Background(), w, func(r record.Record) error {
		for _, fault := range record.Verify(r, h.games) {
			h.t.Errorf("table %s: %v", r.Table, fault)
		}
		line, err := r.Encode()
		lines = append(lines, string(line))
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return lines
}
