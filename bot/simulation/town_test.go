package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
	"knobel/bot/telegram/telegramtest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
	"knobel/store/storetest"
)

// beginning is the time at which every town begins: Discord's ids begin in 2015, and a bubble in 2000.
var beginning = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)

// town is a bot with everything around it. It lives inside a bubble, whose time
// passes only while no goroutine has anything to do.
type town struct {
	*testing.T
	seed   uint64
	chance *rand.Rand // what people do, and when
	fate   *fate      // faults
	trace  *trace
	agenda agenda

	file      string
	wires     [2]*fakes.Wire
	telegram  *telegramtest.Server
	discord   *discordtest.Server
	halls     []hall
	people    []*person
	deeds     []*deed // not yet judged
	pressed   map[string]bool
	ofMove    *regexp.Regexp     // matches the answers to moves
	heard     int                // how often one was reported in words
	paid      map[int64]int      // how often each amount was confirmed as paid
	settledUp map[hall]time.Time // the time of the last payment there
	told      int64              // how many payments were reported
	lives     int                // how often the bot was started
	games     int                // finished games
	tables    int                // tables
	payments  int                // payments in the books at the end
	opened    time.Time          // when the bot began to work
	cuts      map[string][]outage
	begun     map[int64]time.Time // the start of tables' games
	missed    int                 // how many turns were played for a person, at each look
	looks     int
	acts      int

	strict   int // the number of steps between checks of invariants; 0: only at the end
	judged   int // the number of checks of answers
	store    *store.Store
	replicas int // how many bots there are; 0: one, which has the database alone
	bots     []*replica
	bot      *wiring.Bot // the first
}

// newTown builds a town with several bots that share one database, 0: with one bot that has it alone.
func newTown(t *testing.T, seed uint64, replicas int, trouble trouble) *town {
	t.Helper()
	time.Sleep(time.Until(beginning))
	cryptotest.SetGlobalRandom(t, seed)
	w := &town{
		T: t, seed: seed, chance: rand.New(rand.NewPCG(seed, 1)),
		trace: &trace{loud: testing.Verbose() && oneSeed() != ""},
		file:  storetest.Empty(t), pressed: map[string]bool{},
		paid: map[int64]int{}, settledUp: map[hall]time.Time{}, cuts: map[string][]outage{},
		begun: map[int64]time.Time{}, replicas: replicas,
	}
	w.fate = newFate(seed, trouble, w.trace)
	storetest.Use(t, storetest.Disk{Lazy: true, Write: w.fate.write, Flush: w.fate.flush})
	keeping, leave := context.WithCancel(context.Background())
	t.Cleanup(leave)
	go w.fate.gate.keep(keeping)
	w.wires = [2]*fakes.Wire{fakes.NewWire("telegram:80"), fakes.NewWire("discord:80")}
	batch := 1
	if trouble.together {
		batch = 0
	}
	w.telegram = telegramtest.Start(patient{t}, telegramtest.Options{Listener: w.wires[0], Trouble: w.fate.telegram,
		Batch: batch})
	w.discord = discordtest.Start(patient{t}, discordtest.Options{Listener: w.wires[1], Trouble: w.fate.discord})
	w.open()
	return w
}

// patient is a test that only logs the servers' errors: the town judges them.
type patient struct{ *testing.T }

// Errorf logs an error, which the servers keep.
func (p patient) Errorf(format string, args ...any) { p.Logf(format, args...) }

// played are the games of the town: without perfect play, which would take real time.
func played() []games.Game {
	return []games.Game{plain{shutbox.Game{}}, stoic{wuerfelpoker.New()}}
}

// plain and stoic are the games without their solvers.
type plain struct{ box }

type box interface {
	games.Game
	games.Boxed
	games.LowWins
}

type stoic struct{ games.Game }

// open opens the database and starts the bot.
func (w *town) open() {
	w.Helper()
	w.lives++
	var err error
	if w.store, err = store.Open(context.Background(), w.file, store.Strict()); err != nil {
		w.Fatalf("seed %d: %v", w.seed, err)
	}
	w.bots = nil
	for n := range max(w.replicas, 1) {
		w.bots = append(w.bots, w.begin(n))
	}
	w.bot = w.bots[0].bot
	w.opened = time.Now()
	w.fate.revive(w.stop)
	w.fate.gate.quiet()
}

// stop ends all bots.
func (w *town) stop() {
	for _, r := range w.bots {
		r.stop()
	}
}

// close ends the bot by a signal, or after a crash.
func (w *town) close() {
	w.Helper()
	w.stop()
	for _, r := range w.bots {
		r.cable.goOn()
		<-r.ended
	}
	if err := w.store.Close(); err != nil && !w.fate.isDead() {
		w.Errorf("seed %d: %v", w.seed, err)
	}
	w.fate.rest()
}

// restart ends the bot and starts it again later.
func (w *town) restart(pause time.Duration) {
	w.Helper()
	w.trace.tell("the bot ends for", pause)
	w.close()
	time.Sleep(pause)
	w.open()
	w.sound()
	w.trace.tell("the bot is back")
}

// live runs the agenda until a moment.
func (w *town) live(until time.Time) {
	w.Helper()
	for !w.Failed() {
		next, ok := w.agenda.next(until)
		if !ok {
			break
		}
		time.Sleep(time.Until(next.at))
		w.fate.gate.quiet()
		w.rise()
		next.do()
		w.fate.gate.quiet()
		w.rise()
		w.judge()
	}
	time.Sleep(time.Until(until))
	w.fate.gate.quiet()
	w.rise()
	w.judge()
}

// rise restarts a crashed bot.
func (w *town) rise() {
	w.Helper()
	if w.fate.isDead() {
		w.restart(time.Duration(1+w.chance.IntN(120)) * time.Second)
	}
}

// entry is a planned event.
type entry struct {
	at time.Time
	do func()
}

// agenda holds planned events in order.
type agenda struct{ entries []entry }

func (a *agenda) add(at time.Time, do func()) {
	i, _ := slices.BinarySearchFunc(a.entries, at, func(e entry, at time.Time) int { return e.at.Compare(at) })
	a.entries = slices.Insert(a.entries, i, entry{at, do})
}

// next removes the first event, unless it is after a moment.
func (a *agenda) next(until time.Time) (entry, bool) {
	if len(a.entries) == 0 || a.entries[0].at.After(until) {
		return entry{}, false
	}
	first := a.entries[0]
	a.entries = a.entries[1:]
	return first, true
}

// end lets the town finish without further faults, and checks everything.
func (w *town) end() {
	w.Helper()
	w.fate.relent()
	w.cut("telegram", false)
	w.cut("discord", false)
	for _, h := range w.halls {
		h.welcome()
	}
	w.live(time.Now().Add(20 * time.Minute))
	w.sound()
	w.called()
	w.fresh()
	w.shown()
	w.close()
	w.telegram.Close()
	w.discord.Close()
	for _, wire := range w.wires {
		_ = wire.Close()
	}
	w.violations()
	time.Sleep(5 * time.Minute) // idle connections end
	if w.Failed() {
		w.Logf("seed %d, lately:\n%s", w.seed, strings.Join(w.trace.last(60), "\n"))
		again := fmt.Sprintf("KNOBEL_SEED=%d go test -run Seeds -v", w.seed)
		if seeds, _ := many(); w.replicas > 0 {
			again = fmt.Sprintf("KNOBEL_SEEDS=%d go test -run 'Replicas/^%d_with_%d$'", seeds, w.seed, w.replicas)
		}
		w.Logf("again: %s ./bot/simulation", again)
	}
}
