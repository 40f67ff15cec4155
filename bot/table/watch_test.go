package table

import (
	"crypto/rand"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

// drowsy is a chat.Clock that stops until a test changes it. After one chosen reading, it jumps as if the
// machine had slept or the clock was set back.
type drowsy struct {
	mu    sync.Mutex // guards now and looks
	now   time.Time
	looks int           // number of readings
	nap   int           // number of the reading after which it jumps; 0: never
	back  time.Duration // how far it is set back; 0: it is set ahead, as after sleep
}

// Now implements chat.Clock. It returns the time before the jump that it may cause.
func (d *drowsy) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.now
	if d.looks++; d.looks == d.nap {
		if d.now = d.now.Add(-d.back); d.back == 0 {
			d.now = d.now.Add(8 * time.Hour)
		}
	}
	return at
}

func (d *drowsy) After(time.Duration) <-chan time.Time { return nil }

// bare is a bot with only tables.
type bare struct {
	*bot.Core
	*Tables
}

// silent is a Notifier that does nothing.
type silent struct{}

func (silent) Next(*Visit, store.Table, games.Match) error   { return nil }
func (silent) Cancel(*Visit, store.Table) error              { return nil }
func (silent) Sooner(*Visit, store.Table) error              { return nil }
func (silent) Remind(*Visit, store.Table, games.Match) error { return nil }
func (silent) Offers(*Visit, store.Table) error              { return nil }

// newBot returns a bot with this clock and without running loops, for tests of deadlines.
func newBot(t *testing.T, clock chat.Clock) bare {
	t.Helper()
	st := storetest.Open(t)
	g := shutbox.Game{}
	said := wordstest.Of(t, g)
	b := bare{Core: bot.New(bot.Config{Store: st, Games: []games.Game{g}, Words: said, Clock: clock, Zone: time.UTC,
		Rand: rand.Reader,
		Log:  slog.New(slog.NewTextHandler(io.Discard, nil))})}
	b.Tables = New(b.Core.Bot)
	b.Notifier = silent{}
	b.Add(nil, b.Feature())
	return b
}

// startTable opens and starts a table of Anna and Ben, with ID 1.
func startTable(t *testing.T, b bare) {
	t.Helper()
	for _, ev := range []chat.Event{
		{User: "test:Anna", Command: "shutbox", Text: "10 match=rounds:9"},
		{User: "test:Ben", Press: chat.LobbyPress(chat.Message{Table: 1}, "join")},
		{User: "test:Anna", Press: chat.LobbyPress(chat.Message{Table: 1}, "start")},
	} {
		ev.Chat, ev.Place, ev.Name = "test:1", "test:1/1", string(ev.User[len("test:"):])
		if r := b.Handle(t.Context(), ev); r.Refused {
			t.Fatal(r.Toast)
		}
	}
}

// runRound runs one round of the loop of deadlines.
func (b bare) runRound(t *testing.T, w *deadlines) {
	t.Helper()
	if _, err := w.look(t.Context(), b.Core); err != nil {
		t.Fatal(err)
	}
}

// firstTable returns the table with ID 1 and its stored moves.
func (b *Tables) firstTable(t *testing.T) (table store.Table, moves []store.Move) {
	t.Helper()
	err := b.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		if table, err = tx.Tables.Table(1); err != nil {
			return err
		}
		moves, err = tx.Tables.Moves(1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return table, moves
}

// TestAMachineFallsAsleepInTheMiddleOfALook checks that all turns get grace if the machine sleeps during a round.
func TestAMachineFallsAsleepInTheMiddleOfALook(t *testing.T) {
	clock := &drowsy{now: time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC)}
	afterEveryLook(t, clock, func(w *deadlines) { w.next = clock.now },
		func(nap int, left time.Duration, table store.Table, moves int) {
			if left < grace || left > grace+grace/2 || moves > 0 {
				t.Errorf("asleep after look %d at the clock: %v are left, %d moves were played", nap, left, moves)
			}
		})
}

// TestAClockIsSetBackWhileTurnsAreGivenTime checks that a clock set back causes no endless loop and no overlong turn.
func TestAClockIsSetBackWhileTurnsAreGivenTime(t *testing.T) {
	clock := &drowsy{now: time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC), back: time.Hour}
	late := func(*deadlines) {} // w.next stays in the past, so the round is late
	afterEveryLook(t, clock, late, func(nap int, left time.Duration, table store.Table, moves int) {
		if left < grace || left > board.TurnLimit(table) || moves > 0 {
			t.Errorf("set back after look %d at the clock: %v are left, %d moves were played", nap, left, moves)
		}
	})
}

// afterEveryLook repeats a round ten seconds before a turn ends; in repetition nap the clock jumps after reading nap.
// It calls before(w) ahead of the round, and afterwards then(…) with the turn's remaining time and the number of moves.
func afterEveryLook(t *testing.T, clock *drowsy, before func(*deadlines),
	then func(nap int, left time.Duration, table store.Table, moves int)) {
	t.Helper()
	for nap := 1; ; nap++ {
		clock.looks, clock.nap = 0, 0
		b := newBot(t, clock)
		startTable(t, b)
		w := newDeadlines(b.Tables)
		b.runRound(t, w)
		table, _ := b.firstTable(t)
		clock.now = time.UnixMilli(table.Clock.Due).Add(-10 * time.Second)
		before(w)
		clock.looks, clock.nap = 0, nap
		b.runRound(t, w)
		if clock.looks < nap {
			return // the round has no later reading
		}
		b.runRound(t, w)
		table, moves := b.firstTable(t)
		then(nap, time.UnixMilli(table.Clock.Due).Sub(clock.now), table, len(moves))
	}
}

// TestNoTableIsClosedAsSoonAsTheBotIsBack checks that no idle table is closed right after an outage of the bot.
func TestNoTableIsClosedAsSoonAsTheBotIsBack(t *testing.T) {
	clock := &drowsy{now: time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC)}
	b := newBot(t, clock)
	startTable(t, b)
	err := b.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(1)
		if err != nil {
			return err
		}
		table.Clock.Due, table.Clock.TurnLimit = 0, 0
		return tx.Tables.SaveTable(table)
	})
	if err != nil {
		t.Fatal(err)
	}
	w := newDeadlines(b.Tables)
	after := func(d time.Duration, asleep bool) store.Table {
		t.Helper()
		if clock.now = clock.now.Add(d); !asleep {
			w.next = clock.now
		}
		b.runRound(t, w)
		table, _ := b.firstTable(t)
		return table
	}
	after(0, true)
	if table := after(7*24*time.Hour, false); table.Clock.Warned == 0 {
		t.Fatalf("not announced: %+v", table)
	}
	if table := after(30*time.Hour, true); table.State != store.Playing {
		t.Errorf("closed while nobody could keep it: %s", table.State)
	}
	if table := after(board.IdleGrace-time.Second, false); table.State != store.Playing {
		t.Errorf("closed too soon: %s", table.State)
	}
	if table := after(time.Second, false); table.State != store.Abandoned {
		t.Errorf("not closed: %s", table.State)
	}
}

// TestTheWatchGoesByTheClockOnTheWall checks that rounds follow the wall clock, which runs while a machine sleeps.
func TestTheWatchGoesByTheClockOnTheWall(t *testing.T) {
	b := newBot(t, chat.SystemClock{})
	w := newDeadlines(b.Tables)
	b.runRound(t, w)
	for _, at := range []time.Time{w.next, w.idle} {
		if at != at.Round(0) {
			t.Errorf("it goes by %v", at)
		}
	}
}

// TestAClockIsSetAheadAndBack checks that a changed clock shortens no turn and makes none much longer.
func TestAClockIsSetAheadAndBack(t *testing.T) {
	const far = 400 * 24 * time.Hour
	evening := time.Date(2026, 11, 14, 22, 13, 0, 0, time.UTC)
	for name, set := range map[string][]time.Duration{
		"ahead": {far}, "back": {-far}, "ahead and back": {far, 0}, "back and ahead": {-far, 0},
		"back by an hour": {-time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &drowsy{now: evening}
			b := newBot(t, clock)
			startTable(t, b)
			w := newDeadlines(b.Tables)
			b.runRound(t, w)
			for _, by := range set {
				clock.now = evening.Add(by)
				b.runRound(t, w)
				table, moves := b.firstTable(t)
				if left := time.UnixMilli(table.Clock.Due).Sub(clock.now); left < grace ||
					left > board.TurnLimit(table) ||
					len(moves) > 0 {
					t.Fatalf("set by %v: %v are left, %d moves were played", by, left, len(moves))
				}
			}
			for range 12 { // twelve minutes, by rounds that are not late
				clock.now = clock.now.Add(time.Minute)
				b.runRound(t, w)
			}
			if _, moves := b.firstTable(t); len(moves) == 0 {
				t.Error("nobody is played for")
			}
		})
	}
}

// The nights in which the clock changes in Berlin.
var (
	spring = time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC)
	autumn = time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC)
)

// berlin returns the time zone of Berlin.
func berlin(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// TestQuietHours checks at which time a turn ends, and how long it has then run, with quiet hours from 22 to 8.
func TestQuietHours(t *testing.T) {
	night := Quiet{zone: berlin(t), from: 22 * 60, to: 8 * 60}
	for _, c := range []struct {
		says, at, run, due string
	}{
		{"by day", "2026-11-21 12:00", "10m", "2026-11-21 12:10"},
		{"into the night", "2026-11-21 21:55", "10m", "2026-11-22 08:05"},
		{"up to the night", "2026-11-21 21:50", "10m", "2026-11-22 08:00"},
		{"in the night", "2026-11-22 03:00", "10m", "2026-11-22 08:10"},
		{"as the night ends", "2026-11-22 08:00", "10m", "2026-11-22 08:10"},
		{"over two nights", "2026-11-21 20:00", "17h", "2026-11-23 09:00"},
		{"in spring, when a night is short", "2026-03-28 21:00", "2h", "2026-03-29 09:00"},
		{"in autumn, when one is long", "2026-10-24 21:00", "2h", "2026-10-25 09:00"},
	} {
		at, err1 := time.ParseInLocation("2006-01-02 15:04", c.at, night.zone)
		run, err2 := time.ParseDuration(c.run)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		due := night.After(at, run)
		if got := due.In(night.zone).Format("2006-01-02 15:04"); got != c.due {
			t.Errorf("%s: %s and %s come to %s, want %s", c.says, c.at, c.run, got, c.due)
		}
		if back := night.runTime(at, due); back != run {
			t.Errorf("%s: it has run for %v", c.says, back)
		}
	}
}

// TestQuietHoursAnyHow checks random quiet hours around the nights in which the clock changes: no deadline is within
// them or too early, and the time that ran is the time given.
func TestQuietHoursAnyHow(t *testing.T) {
	zone := berlin(t)
	rapid.Check(t, func(r *rapid.T) {
		q := Quiet{zone: zone, from: rapid.IntRange(0, 1439).Draw(r, "from"), to: rapid.IntRange(0, 1439).Draw(r, "to")}
		night := rapid.SampledFrom([]time.Time{spring, autumn}).Draw(r, "night")
		at := night.Add(time.Duration(rapid.IntRange(-3*1440, 3*1440).Draw(r, "minutes")) * time.Minute)
		run := time.Duration(rapid.IntRange(0, 4320).Draw(r, "run")) * time.Minute
		due := q.After(at, run)
		if due.Before(at.Add(run)) {
			t.Fatalf("%v is before %v", due, at.Add(run))
		}
		if back := q.runTime(at, due); back != run {
			t.Fatalf("from %v to %v it has run for %v, not %v", at, due, back, run)
		}
		if q.isEmpty() {
			return
		}
		if begin, end := q.nextPeriod(due); !due.Before(begin) && due.Before(end) {
			t.Fatalf("%v is in the quiet hours from %v to %v", due, begin, end)
		}
		if further := q.After(at, run+time.Minute); !further.After(due) {
			t.Fatalf("a minute more ends at %v, not after %v", further, due)
		}
	})
}

// TestReadingQuietHours checks which spellings of quiet hours are valid, and their stored form.
func TestReadingQuietHours(t *testing.T) {
	for said, want := range map[string]string{
		"22-8": "22:00-8:00", "22:30-7:15": "22:30-7:15", "0-9": "0:00-9:00", "24 – 6": "0:00-6:00", "1-2": "1:00-2:00",
		"": "", "8": "", "8-8": "", "0-24": "", "25-3": "", "22:60-8": "", "24:30-8": "", "-5": "", "22-8-9": "",
		"1e1-3": "",
	} {
		got := ""
		if from, to, ok := parseQuiet(said); ok {
			got = clockTime(from) + "-" + clockTime(to)
		}
		if got != want {
			t.Errorf("%q is read as %q, want %q", said, got, want)
		}
	}
}

// TestStakesStepByStep checks the next smaller and larger stake of the lobby's buttons.
func TestStakesStepByStep(t *testing.T) {
	for _, c := range []struct{ stake, less, more int64 }{
		{0, 0, 1}, {1, 0, 2}, {3, 2, 5}, {10, 7, 20}, {11, 10, 20}, {5000, 2000, 5000},
		{1_000_000, 5000, 1_000_000},
	} {
		if less, more := nextStake(c.stake, false), nextStake(c.stake, true); less != c.less || more != c.more {
			t.Errorf("beside %d are %d and %d, want %d and %d", c.stake, less, more, c.less, c.more)
		}
	}
}
