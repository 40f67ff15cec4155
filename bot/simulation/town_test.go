package simulation

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
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

// beginning is the time at which every town begins: a bubble begins in 2000, before Discord existed.
var beginning = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)

// town is a bot with its platforms, people and faults. It is in a bubble, whose time advances only while all goroutines
// wait.
type town struct {
	*testing.T
	seed   uint64
	chance *rand.Rand // for the actions of people and their times
	fate   *fate      // faults
	trace  *trace
	agenda agenda

	file      string
	wires     [2]*fakes.Wire
	telegram  *telegramtest.Server
	discord   *discordtest.Server
	halls     []hall
	people    []*person
	deeds     []*deed // not yet checked
	pressed   map[string]bool
	ofMove    *regexp.Regexp     // matches the answers to moves
	heard     int                // how many moves were confirmed by a toast
	paid      map[int64]int      // how often each amount was confirmed as paid
	settledUp map[hall]time.Time // the time of the last payment there
	told      int64              // how many payments were reported
	lives     int                // how often the bot was started
	games     int                // finished games
	tables    int                // stored tables at the end
	payments  int                // payments in the books at the end
	opened    time.Time          // when the bot last started
	ran       []span             // when the bot ran before
	evenings  *almanac           // nil: there are no fixed evenings
	cuts      map[string][]outage
	begun     map[int64]time.Time // the start of tables' games
	missed    int                 // how many moves were played for absent people, counted at each check
	looks     int
	acts      int

	strict   int // steps between checks of invariants; 0: only at the end
	judged   int // how often answers were checked
	store    *store.Store
	replicas int // number of replicas; 0: one bot that has the database alone
	bots     []*replica
	pages    sync.Map    // servers of the Mini App, by number of their replica
	bot      *wiring.Bot // that of bots[0]
}

// newTown builds a town with that many replicas on one database, 0: with one bot that has it alone.
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
	storetest.Use(t, storetest.Disk{Lazy: true, Write: w.fate.mayWrite, Flush: w.fate.mayFlush})
	keeping, leave := context.WithCancel(context.Background())
	t.Cleanup(leave)
	go w.fate.gate.run(keeping)
	w.wires = [2]*fakes.Wire{fakes.NewWire("telegram:80"), fakes.NewWire("discord:80")}
	batch := 1
	if trouble.together {
		batch = 0
	}
	w.telegram = telegramtest.Start(patient{t}, telegramtest.Options{Listener: w.wires[0], Trouble: w.fate.telegram,
		Batch: batch})
	w.discord = discordtest.Start(patient{t}, discordtest.Options{Listener: w.wires[1], Trouble: w.fate.discord,
		Accounts: true})
	w.open()
	return w
}

// patient is a test that only logs the servers' errors, because the town checks these itself.
type patient struct{ *testing.T }

// Errorf logs an error. The servers store it.
func (p patient) Errorf(format string, args ...any) { p.Logf(format, args...) }

// gamesOfTown returns the games of a town: without perfect play, which would take real time.
func gamesOfTown() []games.Game {
	return []games.Game{unsolvedBox{shutbox.Game{}}, unsolved{wuerfelpoker.New()}}
}

// unsolvedBox and unsolved are games without their solvers.
type unsolvedBox struct{ box }

type box interface {
	games.Game
	games.Boxed
	games.LowWins
}

type unsolved struct{ games.Game }

// open opens the database and starts all replicas.
func (w *town) open() {
	w.Helper()
	w.lives++
	var err error
	if w.store, err = store.Open(context.Background(), w.file, store.Strict()); err != nil {
		w.Fatalf("seed %d: %v", w.seed, err)
	}
	w.bots = nil
	for n := range max(w.replicas, 1) {
		w.bots = append(w.bots, w.startReplica(n))
	}
	w.bot = w.bots[0].bot
	w.opened = time.Now()
	w.fate.revive(w.stop)
	w.fate.gate.settle()
}

// stop ends all bots.
func (w *town) stop() {
	for _, r := range w.bots {
		r.stop()
	}
}

// close ends the replicas and closes the database, even after a crash.
func (w *town) close() {
	w.Helper()
	w.ran = append(w.ran, span{w.opened, w.fate.lastAlive()})
	w.stop()
	for _, r := range w.bots {
		r.cable.resume()
		<-r.ended
	}
	if err := w.store.Close(); err != nil && !w.fate.isDead() {
		w.Errorf("seed %d: %v", w.seed, err)
	}
	w.fate.setStopped()
}

// restart ends the bot and starts it again after a pause.
func (w *town) restart(pause time.Duration) {
	w.Helper()
	w.trace.event("the bot ends for", pause)
	w.close()
	time.Sleep(pause)
	w.open()
	w.checkAll()
	w.trace.event("the bot is back")
}

// live runs planned events until a time, and checks the answers after each.
func (w *town) live(until time.Time) {
	w.Helper()
	for !w.Failed() {
		next, ok := w.agenda.next(until)
		if !ok {
			break
		}
		time.Sleep(time.Until(next.at))
		w.fate.gate.settle()
		w.reviveBot()
		next.do()
		w.fate.gate.settle()
		w.reviveBot()
		w.judge()
	}
	time.Sleep(time.Until(until))
	w.fate.gate.settle()
	w.reviveBot()
	w.judge()
}

// reviveBot restarts the bot if it has died.
func (w *town) reviveBot() {
	w.Helper()
	if w.fate.isDead() {
		w.restart(time.Duration(1+w.chance.IntN(120)) * time.Second)
	}
}

// plannedEvent is an event of an agenda.
type plannedEvent struct {
	at time.Time
	do func()
}

// agenda holds planned events in the order of their times.
type agenda struct{ entries []plannedEvent }

// add plans do for a time.
func (a *agenda) add(at time.Time, do func()) {
	i, _ := slices.BinarySearchFunc(a.entries, at, func(e plannedEvent, at time.Time) int { return e.at.Compare(at) })
	a.entries = slices.Insert(a.entries, i, plannedEvent{at, do})
}

// next removes and returns the first event; false: it is after until, or there is none.
func (a *agenda) next(until time.Time) (plannedEvent, bool) {
	if len(a.entries) == 0 || a.entries[0].at.After(until) {
		return plannedEvent{}, false
	}
	first := a.entries[0]
	a.entries = a.entries[1:]
	return first, true
}

// end lets the town run without further faults, and checks everything.
func (w *town) end() {
	w.Helper()
	w.fate.calmDown()
	w.cut("telegram", false)
	w.cut("discord", false)
	for _, h := range w.halls {
		h.welcome()
	}
	w.live(time.Now().Add(20 * time.Minute))
	w.checkAll()
	w.checkPings()
	w.checkBoards()
	w.checkResults()
	w.close()
	w.telegram.Close()
	w.discord.Close()
	for _, wire := range w.wires {
		_ = wire.Close()
	}
	w.checkRequests()
	time.Sleep(5 * time.Minute) // idle connections end
	if w.Failed() {
		w.Logf("seed %d, lately:\n%s", w.seed, strings.Join(w.trace.last(60), "\n"))
		again := fmt.Sprintf("KNOBEL_SEED=%d go test -run Seeds -v", w.seed)
		if seeds, _ := seedCount(); w.replicas > 0 {
			again = fmt.Sprintf("KNOBEL_SEEDS=%d go test -run 'Replicas/^%d_with_%d$'", seeds, w.seed, w.replicas)
		}
		w.Logf("again: %s ./bot/simulation", again)
	}
}
