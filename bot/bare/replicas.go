package bare

// Two replicas with one database.

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
)

// Pair is two replicas with one database: A runs the loops of the chat "test:1", B those of other chats.
type Pair struct {
	*House
	A, B *Side
}

// Side is one replica of a Pair.
type Side struct {
	*wiring.Bot
	Leases *lease.Holder
	Stage  *Stage
	End    func()
}

// InPair runs a test with two replicas in a bubble (testing/synctest).
func InPair(t *testing.T, test func(p *Pair)) {
	t.Helper()
	InPairOn(t, func(_ string, s *Side) chat.Platform { return s.Stage }, test)
}

// InPairOn is InPair with platforms that the test makes.
func InPairOn(t *testing.T, platform func(name string, s *Side) chat.Platform, test func(p *Pair)) {
	t.Helper()
	InPairWith(t, func(*House) {}, platform, test, Relay{})
}

// InPairWith is InPairOn with other games. It calls before with the house before the replicas start.
func InPairWith(t *testing.T, before func(h *House), platform func(name string, s *Side) chat.Platform,
	test func(p *Pair), all ...games.Game) {
	t.Helper()
	Bubble(t, func(t *testing.T) {
		p := &Pair{House: New(t, all...)}
		before(p.House)
		begin := func(name string) *Side {
			log := slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
			s := &Side{Stage: NewStage(), Leases: lease.New(lease.Config{Store: p.Store, Name: name, Log: log})}
			s.Bot = wiring.New(bot.Config{Store: p.Store, Games: p.Games, Words: wordstest.Of(t, p.Games...), Log: log,
				Zone: time.UTC, Leases: s.Leases})
			ctx, stop := context.WithCancel(context.Background())
			runPlatform, ended := platform(name, s), make(chan struct{})
			go func() {
				defer close(ended)
				s.Run(ctx, runPlatform)
			}()
			s.End = func() { stop(); <-ended }
			return s
		}
		p.A, p.B = begin("a"), begin("b")
		GoOn(5 * time.Second)
		if p.B.Leases.Holds("test:1") {
			p.A, p.B = p.B, p.A
		}
		if !p.A.Leases.Holds("test:1") || p.B.Leases.Holds("test:1") {
			t.Fatal("the chat is nobody's")
		}
		test(p)
		p.B.End()
		p.A.End()
	})
}

// GoOn advances the time of a bubble and waits until all due work is done.
func GoOn(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// At sends an event to a replica, after a pause, and fails the test if it is refused.
func (p *Pair) At(s *Side, ev chat.Event) chat.Reply {
	p.T.Helper()
	GoOn(Leisure)
	r := s.Handle(context.Background(), ev)
	if r.Refused {
		p.T.Fatalf("refused: %+v", r)
	}
	return r
}

// Opens opens and starts a table at a replica, waits until A has posted its board, and returns the table.
func (p *Pair) Opens(s *Side) *Seated {
	p.T.Helper()
	table := &Seated{People: [2]*Person{p.Person("Anna"), p.Person("Ben")}}
	ev := table.People[0].Event()
	ev.Command, ev.Text = "relay", "10"
	p.At(s, ev)
	table.Table = table.People[0].Table().ID
	for i, press := range []string{"!join", "!start"} {
		ev := table.People[1-i].Event()
		ev.Press = fmt.Sprintf("1:%d:0:%s", table.Table, press)
		p.At(s, ev)
	}
	GoOn(20 * time.Second)
	p.UpToDate(table)
	return table
}

// Carried returns the next press at a table, for an adapter that draws the board with its answer.
func Carried(table *Seated) chat.Event {
	ev := table.Press()
	ev.Carries = true
	return ev
}

// UpToDate fails the test unless the posted board shows the newest version of the table.
func (p *Pair) UpToDate(table *Seated) {
	p.T.Helper()
	if t := table.People[0].Table(); t.Board.Drawn != t.Version || t.Board.Message == "" {
		p.T.Errorf("version %d of %d is drawn, in %q", t.Board.Drawn, t.Version, t.Board.Message)
	}
}

// DrawsBy draws a board at a replica as an adapter does. It calls during while the board is drawn.
func (p *Pair) DrawsBy(s *Side, table int64, during func()) {
	p.T.Helper()
	err := s.Draw(context.Background(), table, false, func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref,
		chat.Permit, error) {
		during()
		return ref, chat.Permit{}, nil
	})
	if err != nil {
		p.T.Error(err)
	}
}

// Posted returns how many boards were posted on a stage.
func Posted(s *Stage) (n int) {
	for _, what := range s.Requests() {
		if strings.HasPrefix(what, "post ") {
			n++
		}
	}
	return n
}

// Turnstile blocks one caller while it is shut.
type Turnstile struct {
	Shut atomic.Bool
	Came chan struct{} // closed when a caller is blocked
	Open chan struct{}
}

func NewTurnstile() *Turnstile {
	return &Turnstile{Came: make(chan struct{}), Open: make(chan struct{})}
}

// Pass blocks if the turnstile is shut, until Open is closed. It reports whether it has blocked.
func (d *Turnstile) Pass() bool {
	if !d.Shut.CompareAndSwap(true, false) {
		return false
	}
	close(d.Came)
	<-d.Open
	return true
}
