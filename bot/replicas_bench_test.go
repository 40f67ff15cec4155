package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/lease"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

const (
	// benchChats is how many chats play at once.
	benchChats = 1000
	// benchPeople is how many people play at a table.
	benchPeople = 2
	// benchWorkers is how many presses reach a replica at once: more than it has connections.
	benchWorkers = 24
	// networkDelay is the latency to the database in each direction. It is so long that waiting is the limit, and not
	// the processors, which this process shares with the server.
	networkDelay = 25 * time.Millisecond
)

// BenchmarkReplicas measures how many presses a second 1, 2, 4 and 8 replicas handle together on one distant
// PostgreSQL, each with eight connections, and compares that with one replica. It also measures this process's
// processor time for a press without the latency, and on a file.
func BenchmarkReplicas(b *testing.B) {
	if b.N == 1 {
		return // one press measures nothing, and needs the whole setup
	}
	server := postgrestest.Need(b)
	local := storetest.OnServer(b) + "?pool_max_conns=8"
	remote, setDelay := server.Far(b, local)
	tables := newBenchTables(b, local)
	var single float64
	for _, n := range []int{1, 2, 4, 8} {
		rate, p99, _ := tables.measure(b, n, remote, func() { setDelay(networkDelay) })
		setDelay(0)
		b.ReportMetric(rate, fmt.Sprintf("presses/s-%d", n))
		b.ReportMetric(float64(p99.Milliseconds()), fmt.Sprintf("p99-ms-%d", n))
		if n == 1 {
			single = rate
		} else {
			b.ReportMetric(rate/single, fmt.Sprintf("times-%d", n))
		}
	}
	for _, n := range []int{1, 8} {
		rate, _, cpu := tables.measure(b, n, local, nil)
		b.ReportMetric(rate, fmt.Sprintf("near-presses/s-%d", n))
		b.ReportMetric(cpu, fmt.Sprintf("near-µs-%d", n))
	}
	file := filepath.Join(b.TempDir(), "knobel.db")
	rate, _, cpu := newBenchTables(b, file).measure(b, 1, file, nil)
	b.ReportMetric(rate, "file-presses/s")
	b.ReportMetric(cpu, "file-µs")
	b.ReportMetric(0, "ns/op")
}

// benchTables holds the tables of a benchmark, one in each chat.
type benchTables []benchTable

// newBenchTables starts a game in every chat.
func newBenchTables(b *testing.B, database string) benchTables {
	b.Helper()
	tables := make(benchTables, benchChats)
	withReplicas(b, 1, database, func(bots []*wiring.Bot) {
		forEachChat(1, func(_, k int) { tables[k].start(b, bots[0], k) })
	})
	return tables
}

// withReplicas runs do with n running replicas on a database, and then ends them.
func withReplicas(b *testing.B, n int, database string, do func(bots []*wiring.Bot)) {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	bots := make([]*wiring.Bot, n)
	for i := range bots {
		st, err := store.Open(ctx, database, store.Shared())
		check(b, err)
		defer func() { check(b, st.Close()) }()
		log := slog.New(slog.DiscardHandler)
		all := []games.Game{bare.Relay{}}
		c := bot.Config{Store: st, Games: all, Words: wordstest.Of(b, all...), Zone: time.UTC, Log: log}
		if !store.IsFile(database) {
			c.Leases = lease.New(lease.Config{Store: st, Log: log})
		}
		bots[i] = wiring.New(c)
		running.Go(func() { bots[i].Run(ctx) })
	}
	do(bots)
	stop()
	running.Wait()
}

// measure makes b.N presses at each of n replicas, with their boards, in all chats. It returns the presses a second,
// the 99th percentile of their durations, and this process's processor time for each in microseconds. Before the
// measurement each person presses twice, and measure then calls begin, unless it is nil.
func (tables benchTables) measure(
	b *testing.B, n int, database string, begin func(),
) (rate float64, p99 time.Duration, cpu float64) {
	b.Helper()
	var mu sync.Mutex
	var took []time.Duration
	var lasted, spent time.Duration
	withReplicas(b, n, database, func(bots []*wiring.Bot) {
		for range 2 * benchPeople {
			forEachChat(n, func(i, k int) { tables[k].roll(b, bots[i]) })
		}
		if begin != nil {
			begin()
		}
		var left atomic.Int64
		left.Store(int64(b.N * n))
		began := time.Now()
		spent, _ = fakes.Spent(b, func() {
			for left.Load() > 0 {
				forEachChat(n, func(i, k int) {
					if left.Add(-1) < 0 {
						return
					}
					one := tables[k].roll(b, bots[i])
					mu.Lock()
					took = append(took, one)
					mu.Unlock()
				})
			}
		})
		lasted = time.Since(began)
	})
	slices.Sort(took)
	presses := float64(len(took))
	return presses / lasted.Seconds(), took[len(took)*99/100], float64(spent.Microseconds()) / presses
}

// forEachChat runs do for each chat at one of n replicas, with benchWorkers goroutines at each replica.
func forEachChat(n int, do func(replica, chat int)) {
	var working sync.WaitGroup
	for i := range n {
		next := make(chan int)
		for range benchWorkers {
			working.Go(func() {
				for k := range next {
					do(i, k)
				}
			})
		}
		working.Go(func() {
			defer close(next)
			for k := i; k < benchChats; k += n {
				next <- k
			}
		})
	}
	working.Wait()
}

// benchTable is a table of two people in a separate chat.
type benchTable struct {
	chat, turn int
	table      int64
	last       time.Time
	events     int
}

// handle lets the replica handle an event of the person who (0 or 1), and draws the board of the reply.
func (t *benchTable) handle(b *testing.B, replica *wiring.Bot, who int, ev chat.Event) chat.Reply {
	b.Helper()
	t.events++
	ev.ID = fmt.Sprintf("test:%d-%d", t.chat, t.events)
	ev.Chat, ev.Place = chat.Chat(fmt.Sprint("test:", t.chat)), chat.Place(fmt.Sprintf("test:%d/1", t.chat))
	ev.User, ev.Name = chat.User(fmt.Sprintf("test:%d-%d", t.chat, who)), fmt.Sprint("P", who)
	ev.Carries = true
	r := replica.Handle(context.Background(), ev)
	if r.Refused {
		b.Errorf("%+v is refused: %s", ev, r.Toast)
	}
	if r.Board == 0 {
		return r
	}
	err := replica.Draw(context.Background(), r.Board, r.Fresh,
		func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
			if ref == "" {
				ref = chat.Ref(fmt.Sprintf("test:%d/1/board", t.chat))
			}
			return ref, chat.Permit{}, nil
		})
	if err != nil {
		b.Error(err)
	}
	return r
}

// start opens a table in the chat with that number and starts its game.
func (t *benchTable) start(b *testing.B, replica *wiring.Bot, number int) {
	t.chat = number
	t.table = t.handle(b, replica, 0, chat.Event{Command: "relay", Text: "10"}).Board
	t.handle(b, replica, 1, chat.Event{Press: fmt.Sprintf("1:%d:0:!join", t.table)})
	t.handle(b, replica, 0, chat.Event{Press: fmt.Sprintf("1:%d:0:!start", t.table)})
	t.last = time.Now()
}

// roll waits until bare.Leisure after the last roll. It then rolls, draws the board and returns how long that took.
func (t *benchTable) roll(b *testing.B, replica *wiring.Bot) (took time.Duration) {
	time.Sleep(time.Until(t.last.Add(bare.Leisure)))
	from := time.Now()
	t.handle(b, replica, t.turn%benchPeople, chat.Event{Press: fmt.Sprintf("1:%d:%d:throw 2", t.table, t.turn)})
	t.turn++
	t.last = time.Now()
	return t.last.Sub(from)
}
