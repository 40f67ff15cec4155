package bot_test

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
	"knobel/store"
)

// pair are two replicas that work with one database: a runs the loops of the chat "test:1", and b those of others.
type pair struct {
	*house
	a, b *side
}

// side is one of them.
type side struct {
	*wiring.Bot
	leases *lease.Holder
	stage  *stage
	end    func()
}

// inPair runs a test with two replicas in a bubble.
func inPair(t *testing.T, test func(p *pair)) {
	t.Helper()
	inPairOn(t, func(_ string, s *side) chat.Platform { return s.stage }, test)
}

// inPairOn is inPair for platforms of a test's own.
func inPairOn(t *testing.T, platform func(name string, s *side) chat.Platform, test func(p *pair)) {
	t.Helper()
	inPairWith(t, func(*house) {}, platform, test, relay{})
}

// inPairWith is inPairOn with some games, after something has happened in the house.
func inPairWith(t *testing.T, before func(h *house), platform func(name string, s *side) chat.Platform,
	test func(p *pair), all ...games.Game) {
	t.Helper()
	bubble(t, func(t *testing.T) {
		p := &pair{house: newHouse(t, all...)}
		before(p.house)
		begin := func(name string) *side {
			log := slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
			s := &side{stage: newStage(), leases: lease.New(lease.Config{Store: p.store, Name: name, Log: log})}
			s.Bot = wiring.New(bot.Config{Store: p.store, Games: p.games, Words: wordstest.Of(t, p.games...), Log: log,
				Zone: time.UTC, Leases: s.leases})
			ctx, stop := context.WithCancel(context.Background())
			on, ended := platform(name, s), make(chan struct{})
			go func() {
				defer close(ended)
				s.Run(ctx, on)
			}()
			s.end = func() { stop(); <-ended }
			return s
		}
		p.a, p.b = begin("a"), begin("b")
		goOn(5 * time.Second)
		if p.b.leases.Holds("test:1") {
			p.a, p.b = p.b, p.a
		}
		if !p.a.leases.Holds("test:1") || p.b.leases.Holds("test:1") {
			t.Fatal("the chat is nobody's")
		}
		test(p)
		p.b.end()
		p.a.end()
	})
}

// goOn lets time go by in a bubble.
func goOn(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// at has a person act at a replica.
func (p *pair) at(s *side, ev chat.Event) chat.Reply {
	p.t.Helper()
	goOn(leisure)
	r := s.Handle(context.Background(), ev)
	if r.Refused {
		p.t.Fatalf("refused: %+v", r)
	}
	return r
}

// opens has a table opened and begun at a replica, whose board a posts, and returns it.
func (p *pair) opens(s *side) *seated {
	p.t.Helper()
	at := &seated{people: [2]*person{p.person("Anna"), p.person("Ben")}}
	ev := at.people[0].event()
	ev.Command, ev.Text = "relay", "10"
	p.at(s, ev)
	at.table = at.people[0].table().ID
	for i, press := range []string{"!join", "!start"} {
		ev := at.people[1-i].event()
		ev.Press = fmt.Sprintf("1:%d:0:%s", at.table, press)
		p.at(s, ev)
	}
	goOn(20 * time.Second)
	p.upToDate(at)
	return at
}

// carried is the next press at a table, by an adapter that draws the board with its answer.
func carried(at *seated) chat.Event {
	ev := at.press()
	ev.Carries = true
	return ev
}

// upToDate checks that the board shows the newest version.
func (p *pair) upToDate(at *seated) {
	p.t.Helper()
	if t := at.people[0].table(); t.Drawn != t.Version || t.Board == "" || t.Drawer != "" {
		p.t.Errorf("version %d of %d is drawn, in %q, by %q", t.Drawn, t.Version, t.Board, t.Drawer)
	}
}

// drawn is how often each stage has drawn.
func (p *pair) drawn() (a, b int) {
	for n, s := range map[*int]*stage{&a: p.a.stage, &b: p.b.stage} {
		s.mu.Lock()
		*n = len(s.done)
		s.mu.Unlock()
	}
	return a, b
}

// drawsBy draws a board as an adapter does.
func (p *pair) drawsBy(s *side, table int64, during func()) {
	p.t.Helper()
	err := s.Draw(context.Background(), table, false, func(_ context.Context, _ chat.Message, ref chat.Ref) (chat.Ref,
		error) {
		during()
		return ref, nil
	})
	if err != nil {
		p.t.Error(err)
	}
}

// What somebody presses at another replica than the one that draws the chat's boards is drawn by that, at once.
func TestAPressAtAnotherReplicaIsDrawnAtOnce(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		was, none := p.drawn()
		p.at(p.b, at.press())
		synctest.Wait()
		if a, b := p.drawn(); a != was+1 || b != none || none != 0 {
			t.Errorf("drawn %d times by who is to draw, and %d times by the other", a-was, b)
		}
		p.upToDate(at)
	})
}

// Where no hint comes through, the sweep finds it.
func TestAPressOfWhichNoHintTellsIsDrawnByTheSweep(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		was, _ := p.drawn()
		p.changes(at)
		if a, _ := p.drawn(); a != was {
			t.Error("it is drawn at once")
		}
		goOn(4 * time.Second)
		if a, b := p.drawn(); a != was+1 || b != 0 {
			t.Errorf("drawn %d times by who is to draw, and %d times by the other", a-was, b)
		}
		p.upToDate(at)
	})
}

// changes has a table change of which nobody hears.
func (p *pair) changes(at *seated) {
	p.t.Helper()
	err := p.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		now, err := tx.Table(at.table)
		if err != nil {
			return err
		}
		now.Version++
		return tx.SaveTable(now)
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// The last replica draws before it ends what nobody else would.
func TestTheLastReplicaDrawsBeforeItEnds(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		p.b.end()
		goOn(2 * time.Second)
		p.changes(at)
		p.a.end()
		p.upToDate(at)
	})
}

// Whoever answers with the board draws it, while the replica that runs the loops of the chat waits; meanwhile presses
// at others get no board.
func TestWhoAnswersWithTheBoardKeepsOthersFromDrawing(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		was, _ := p.drawn()
		r := p.at(p.b, carried(at))
		if r.Board != at.table {
			t.Fatalf("the board is not the answer's: %+v", r)
		}
		goOn(3 * time.Second)
		if a, _ := p.drawn(); a != was {
			t.Error("the other draws what is claimed")
		}
		p.drawsBy(p.b, r.Board, func() {
			r := p.at(p.a, carried(at))
			if r.Board != 0 {
				t.Errorf("two are to draw it: %+v", r)
			}
			goOn(2 * time.Second)
			if a, _ := p.drawn(); a != was {
				t.Error("the other draws what is being drawn")
			}
		})
		goOn(2 * time.Second)
		if a, b := p.drawn(); a != was+1 || b != 0 {
			t.Errorf("what was pressed meanwhile is drawn %d times, and %d times by the other", a-was, b)
		}
		p.upToDate(at)
	})
}

// An adapter that dies before it draws leaves the board to who runs the loops, once its claim has ended.
func TestAClaimedBoardThatIsNeverDrawn(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		was, _ := p.drawn()
		p.at(p.b, carried(at))
		if goOn(9 * time.Second); at.people[0].table().Drawn == at.people[0].table().Version {
			t.Error("it is drawn while it is claimed")
		}
		goOn(3 * time.Second)
		if a, _ := p.drawn(); a != was+1 {
			t.Errorf("it is drawn %d times", a-was)
		}
		p.upToDate(at)
	})
}

// One that has drawn a board after its claim had ended cannot know whether the platform got that before or after what
// the other has drawn since: the board is drawn once more, and is right at last.
func TestABoardThatWasDrawnTooLateIsDrawnOnceMore(t *testing.T) {
	inPair(t, func(p *pair) {
		at := p.opens(p.b)
		was, _ := p.drawn()
		r := p.at(p.b, carried(at))
		p.drawsBy(p.b, r.Board, func() {
			goOn(12 * time.Second)
			if a, _ := p.drawn(); a != was+1 {
				t.Errorf("the other has drawn it %d times meanwhile", a-was)
			}
		})
		goOn(4 * time.Second)
		if a, _ := p.drawn(); a != was+2 {
			t.Errorf("the other has drawn it %d times", a-was)
		}
		p.upToDate(at)
	})
}

// A replica that stands still while it posts a board leaves the table to the other, which finds its claim ended: the
// drawing that comes late is drawn over.
func TestAWorkerThatStandsStillIsDrawnOver(t *testing.T) {
	var shut atomic.Bool
	var stands, goes chan struct{}
	on := func(_ string, s *side) chat.Platform {
		s.stage.fail = func(what string, _ chat.Place) error {
			if what == "edit" && shut.CompareAndSwap(true, false) {
				close(stands)
				<-goes
			}
			return nil
		}
		return s.stage
	}
	inPairOn(t, on, func(p *pair) {
		stands, goes = make(chan struct{}), make(chan struct{}) // of the bubble
		at := p.opens(p.b)
		shut.Store(true)
		p.at(p.b, at.press())
		<-stands
		r := p.at(p.b, carried(at)) // while that drawing is claimed
		if r.Board != 0 {
			t.Errorf("two are to draw it: %+v", r)
		}
		goOn(11 * time.Second)
		r = p.at(p.b, carried(at))
		if r.Board == 0 {
			t.Fatal("the claim of who stands still never ends")
		}
		p.drawsBy(p.b, r.Board, func() {})
		before, _ := p.drawn()
		close(goes)
		goOn(4 * time.Second)
		if a, _ := p.drawn(); a < before+2 {
			t.Errorf("what came late is not drawn over: %d", a-before)
		}
		p.upToDate(at)
	})
}

// posted is how many messages a stage was sent.
func posted(s *stage) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, what := range s.done {
		if strings.HasPrefix(what, "post ") {
			n++
		}
	}
	return n
}

// Both replicas run the loops of what is theirs, and no board is posted twice as one ends and the other goes on.
func TestBoardsArePostedOnceByReplicas(t *testing.T) {
	inPair(t, func(p *pair) {
		var all []*seated
		for i := range 8 {
			at := &seated{people: [2]*person{p.person(fmt.Sprint("A", i)), p.person(fmt.Sprint("B", i))}}
			for _, who := range at.people {
				who.chat, who.place = chat.Chat(fmt.Sprint("test:", i)), chat.Place(fmt.Sprintf("test:%d/1", i))
			}
			ev := at.people[0].event()
			ev.Command, ev.Text = "relay", "10"
			p.at([]*side{p.a, p.b}[i%2], ev)
			all = append(all, at)
		}
		goOn(4 * time.Second)
		p.b.end()
		ev := all[0].people[0].event()
		ev.Command = "table"
		p.at(p.a, ev)
		goOn(4 * time.Second)
		for _, at := range all {
			p.upToDate(at)
		}
		a, b := posted(p.a.stage), posted(p.b.stage)
		if a+b != len(all)+1 || b == 0 {
			t.Errorf("%d boards are posted by one and %d by the other: %v", a, b, p.a.stage.done)
		}
	})
}
