package simulation

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"regexp"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/discord"
	"knobel/bot/lease"
	"knobel/bot/telegram"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
)

// replica is one running bot of a town.
type replica struct {
	n      int
	bot    *wiring.Bot
	leases *lease.Holder // nil: there is no other replica
	phone  *discord.Discord
	bureau *telegram.Telegram
	cable  *cable
	stop   context.CancelFunc
	ended  chan struct{}
}

// startReplica starts the replica number n.
func (w *town) startReplica(n int) *replica {
	w.Helper()
	said := wordstest.Of(w, gamesOfTown()...)
	w.ofMove = moveToasts(said)
	log := slog.New(slog.NewTextHandler(w.trace, nil))
	r := &replica{n: n, cable: &cable{Clock: chat.SystemClock{}}, ended: make(chan struct{})}
	if w.replicas > 0 {
		log = log.With("bot", n)
		r.leases = lease.New(lease.Config{Store: w.store, Log: log, Clock: r.cable,
			Name: fmt.Sprintf("bot %d, life %d, %s", n, w.lives, time.Now().Format(time.TimeOnly))})
	}
	r.bot = wiring.New(bot.Config{
		Store: w.store, Games: gamesOfTown(), Words: said, Zone: time.UTC, Log: log, Sweep: w.fate.trouble.sweep,
		Clock: r.cable, Leases: r.leases,
	})
	if err := r.bot.CatchUp(context.Background()); err != nil {
		w.Fatalf("seed %d: %v", w.seed, err)
	}
	tg := telegram.Options{Token: w.telegram.Token(), URL: w.telegram.URL(), Log: log,
		Dial: r.cable.dial(w.wires[0].Dial), App: w.app(said)}
	dc := discord.Options{Token: w.discord.Token(), URL: w.discord.URL(), Log: log, Dial: r.cable.dial(w.wires[1].Dial),
		Hear: w.discord.Follow, Letters: true}
	if w.replicas > 0 {
		tg.Leases, dc.Leases, dc.Hear = r.leases, r.leases, w.followDiscord(r)
	}
	r.bureau, r.phone = telegram.New(tg), discord.New(dc)
	if w.replicas > 0 {
		r.phone.Turn(true) // counts as connected even if another replica receives the events
	}
	platforms := []chat.Platform{onTelegram{r.bureau, w.fate.gate}, onDiscord{r.phone, w.fate.gate}}
	if w.fate.trouble.app {
		platforms = append(platforms, w.servePages(r, said, log))
	}
	var ctx context.Context
	ctx, r.stop = context.WithCancel(context.Background())
	go func() {
		defer close(r.ended)
		r.bot.Run(ctx, platforms...)
	}()
	return r
}

// pauseFaults matches Discord's complaints about a bot that is paused while it answers, which cannot be avoided.
var pauseFaults = regexp.MustCompile(`answered after|answered twice`)

// followDiscord returns a function that passes Discord's events to r while it holds the connection's lease.
func (w *town) followDiscord(r *replica) func(context.Context, func(string, json.RawMessage)) {
	return func(ctx context.Context, tell func(string, json.RawMessage)) {
		for {
			held, done, err := r.leases.Hold(ctx, "discord shard of 1", 1, 0)
			if err != nil {
				return
			}
			var told sync.WaitGroup
			w.discord.Follow(held, func(kind string, data json.RawMessage) {
				told.Go(func() { // the server does not wait
					r.cable.pass()
					if held.Err() == nil {
						tell(kind, data)
					}
				})
			})
			told.Wait()
			done(0)
		}
	}
}

// cable is a bot's clock and network, which can be paused, as on a paused machine.
type cable struct {
	chat.Clock
	mu     sync.Mutex
	paused chan struct{} // closed when it continues; nil: it is not paused
}

func (l *cable) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused == nil {
		l.paused = make(chan struct{})
	}
}

func (l *cable) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paused != nil {
		close(l.paused)
		l.paused = nil
	}
}

// pass waits while the network is paused.
func (l *cable) pass() {
	l.mu.Lock()
	paused := l.paused
	l.mu.Unlock()
	if paused != nil {
		<-paused
	}
}

// After implements chat.Clock.
func (l *cable) After(d time.Duration) <-chan time.Time {
	rings := make(chan time.Time, 1)
	time.AfterFunc(d, func() {
		l.pass()
		rings <- time.Now()
	})
	return rings
}

type dialer = func(context.Context, string, string) (net.Conn, error)

// dial returns a function that opens connections with next, which pause with the cable.
func (l *cable) dial(next dialer) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		l.pass()
		conn, err := next(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return pausableConn{conn, l}, nil
	}
}

// pausableConn is a connection that pauses with its network.
type pausableConn struct {
	net.Conn
	cable *cable
}

func (s pausableConn) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	s.cable.pass()
	return n, err
}

func (s pausableConn) Write(p []byte) (int, error) {
	s.cable.pass()
	return s.Conn.Write(p)
}

// disturbReplicas pauses or replaces a random replica every minute or so until a time.
func (w *town) disturbReplicas(until time.Time) {
	at := time.Now().Add(20*time.Second + time.Duration(w.chance.Int64N(int64(80*time.Second))))
	if at.After(until) {
		return
	}
	w.agenda.add(at, func() {
		r := w.bots[w.chance.IntN(len(w.bots))]
		lasts := 5*time.Second + time.Duration(w.chance.Int64N(int64(55*time.Second)))
		if w.chance.IntN(3) > 0 {
			w.trace.event("bot", r.n, "stands still for", lasts)
			r.cable.pause()
			w.agenda.add(time.Now().Add(lasts), func() {
				w.trace.event("bot", r.n, "goes on")
				r.cable.resume()
			})
		} else {
			w.trace.event("bot", r.n, "ends and another begins")
			r.cable.resume()
			r.stop()
			<-r.ended
			w.bots[r.n] = w.startReplica(r.n)
			w.bot = w.bots[0].bot
		}
		w.disturbReplicas(until)
	})
}

// checkSingleBoards fails the test if people see two playable boards of one table. An answer about an open lobby has
// only buttons to join, leave and close it.
func (w *town) checkSingleBoards() {
	w.Helper()
	for _, h := range w.halls {
		boards := map[int64]int{}
		for _, m := range h.messages(nil) {
			tables := map[int64]bool{}
			for _, b := range m.buttons {
				answers := []string{"!join", "!leave", "!end"}
				if table, _, what, ok := splitData(b.data); ok && what[0] != '/' && !slices.Contains(answers, what) {
					tables[table] = true
				}
			}
			for table := range tables {
				boards[table]++
			}
		}
		for table, n := range boards {
			if n > 1 {
				w.Errorf("seed %d: at %s people see %d boards of table %d", w.seed, h.name(), n, table)
			}
		}
	}
}

// replicaEvening is an evening with several replicas on one database, which pause, end and start.
func replicaEvening(t *testing.T, seed uint64, replicas int, lasts time.Duration) (w *town) {
	synctest.Test(t, func(t *testing.T) {
		var failing float64
		if seed%2 == 1 {
			failing = 0.03
		}
		w = newTown(t, seed, replicas, trouble{lengthy: 0.4, requests: failing})
		w.strict = checkInterval()
		guild := w.discord.Guild("The Dice")
		until := time.Now().Add(lasts)
		for _, at := range []hall{
			&group{w: w, chat: w.telegram.Group("Friends")},
			&group{w: w, chat: w.telegram.Group("Family")},
			&channel{w: w, guild: guild, Channel: guild.Channel("table")},
			&channel{w: w, guild: guild, Channel: guild.Channel("other table")},
		} {
			for _, p := range w.addPeople(at, 2+int(seed%3)) {
				p.attend(until)
			}
		}
		w.disturbReplicas(until)
		w.live(until.Add(5 * time.Minute))
		if failing == 0 { // otherwise the posted messages are unknown
			w.checkSingleBoards()
		}
		w.end()
	})
	return w
}

// TestReplicas runs two and, in several evenings, three bots on one database.
func TestReplicas(t *testing.T) {
	seeds, lasts := seedCount()
	games := 0
	for seed := range seeds {
		for replicas := 2; replicas <= min(3, 1+seeds); replicas++ {
			t.Run(fmt.Sprint(seed, " with ", replicas), func(t *testing.T) {
				games += replicaEvening(t, uint64(seed), replicas, lasts).games
			})
		}
	}
	t.Logf("%d games", games)
}
