package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// newCuttingStage returns a stage (a fake platform) that cuts off the database at its first deed, "post" or "edit".
func newCuttingStage(deed string, proxy *postgrestest.Proxy) *bare.Stage {
	s := bare.NewStage()
	var once sync.Once
	s.Fail = func(what string, _ chat.Place) error {
		if what == deed {
			once.Do(proxy.Off)
		}
		return nil
	}
	return s
}

// TestANewBoardIsRememberedLater cuts the database off just after a board was posted. Once it is back, the message is
// stored, and no second one is posted.
func TestANewBoardIsRememberedLater(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	s := newCuttingStage("post", proxy)
	defer h.OnStage(s)()
	h.Person("Anna").Writes("/coin 10")
	s.Until(t, "the database is missed", func([]string) bool {
		return strings.Contains(h.Log.String(), "store board message failed")
	})
	proxy.On()
	var is store.Table
	h.Clock.Pass(time.Second, func() bool {
		err := h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			is, err = tx.Tables.Table(1)
			return err
		})
		return err == nil && is.Board.Drawn == is.Version
	})
	s.WantDone(t, "post test:m1")
	if is.Board.Message != "test:m1" {
		t.Errorf("the board is %+v", is.Board)
	}
}

// TestBoardsAreDrawnSoonAfterAnOutage cuts the database off for long: pending boards are retried every two seconds,
// however often that has failed.
func TestBoardsAreDrawnSoonAfterAnOutage(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	h.Level = slog.LevelDebug
	h.RestartBot()
	s := newCuttingStage("edit", proxy)
	defer h.OnStage(s)()
	anna := h.Person("Anna")
	anna.Writes("/coin 10")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	anna.Sends("1:1:0:!stake more")
	if !h.Clock.Pass(time.Second, func() bool { return strings.Count(h.Log.String(), "draw board failed") > 12 }) {
		t.Fatalf("it is not tried any more:\n%s", h.Log)
	}
	proxy.On()
	if !h.Clock.Pass(time.Second, func() bool { return strings.Contains(h.Log.String(), "drawing resumed") }) {
		t.Fatalf("it is not drawn:\n%s", h.Log)
	}
	var longest time.Duration
	for line := range strings.Lines(h.Log.String()) {
		if _, pause, found := strings.Cut(line, " retry_in="); found {
			d, err := time.ParseDuration(strings.Fields(pause)[0])
			if err != nil {
				t.Fatal(err)
			}
			longest = max(longest, d)
		}
	}
	if longest != 2*time.Second {
		t.Errorf("the longest pause is %v", longest)
	}
}

// TestTablesThatFailStopNoOtherClock has few or many tables whose game is no longer installed: turns of other tables
// time out all the same. When the game is installed again, turns of its tables time out, too.
func TestTablesThatFailStopNoOtherClock(t *testing.T) {
	bare.Beside(t)
	for _, broken := range []int{1, 70} { // fewer and more than one pass handles
		t.Run(fmt.Sprint(broken), func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) { playBesideBroken(t, broken) })
		})
	}
}

// playBesideBroken is TestTablesThatFailStopNoOtherClock with a number (broken) of tables without their game.
func playBesideBroken(t *testing.T, broken int) {
	h := bare.New(t, bare.Pile{})
	open := func(place, line string) {
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Place, ben.Place = chat.Place(place), chat.Place(place)
		anna.Writes(line)
		ben.Presses("Join")
		anna.Presses("▶ Start")
	}
	place := func(i int) string { return fmt.Sprint("test:1/", 100+i) }
	for i := range broken {
		open(place(i), "/pile 10 turn=5m")
	}
	h.Wait(time.Second)
	open("test:1/1", "/coin 10 turn=5m")
	all := h.Games
	h.Games, h.Sweep = []games.Game{coin.Game{}}, 15*time.Second
	h.Restart()
	stop := h.OnStage(bare.NewStage())
	for range 80 { // longer than the grace after the start and the turn
		h.Later(5 * time.Second)
	}
	last := func(at chat.Place) store.Table { return h.Person("Anna").At(at).Table() }
	if last("test:1/1").Turn == 0 {
		t.Error("no turn was ended")
	}
	stop()
	h.Games = all
	h.Restart()
	stop = h.OnStage(bare.NewStage())
	defer stop()
	for range 120 {
		h.Later(5 * time.Second)
	}
	for i := range broken {
		if table := last(chat.Place(place(i))); table.State == store.Playing && table.Turn == 0 {
			t.Errorf("table %d was not played for once its game was back", table.ID)
		}
	}
}

// TestABoardThatWasPostedAndNotNotedIsFound has a replica die after its answer posted a new board and before the
// message was stored. The replica that draws next finds that message on the platform and edits it; if the platform
// knows of none, it posts a new one.
func TestABoardThatWasPostedAndNotNotedIsFound(t *testing.T) {
	for _, there := range []chat.Ref{"test:answer", ""} {
		t.Run(string(there), func(t *testing.T) {
			bare.InPair(t, func(p *bare.Pair) {
				p.A.Stage.Unnoted = there
				anna := p.Person("Anna")
				ev := anna.Event()
				ev.Command, ev.Text, ev.Carries = "relay", "10", true
				if r := p.At(p.B, ev); r.Board == 0 {
					t.Fatalf("the board is not the answer's: %+v", r)
				}
				bare.GoOn(12 * time.Second)
				at := anna.Table()
				want, done := chat.Ref("test:m1"), "post test:m1"
				if there != "" {
					want, done = there, "edit test:answer"
				}
				if chat.Ref(at.Board.Message) != want || at.Board.Drawn != at.Version {
					t.Errorf("the board is %q in version %d of %d", at.Board.Message, at.Board.Drawn, at.Version)
				}
				if !slices.Equal(p.A.Stage.Requests(), []string{done}) || p.A.Stage.Looks != 1 {
					t.Errorf("it does %q, and looks %d times", p.A.Stage.Requests(), p.A.Stage.Looks)
				}
			})
		})
	}
}

// TestABoardThatIsFoundAndGoneIsPosted has a replica find a posted but unstored message that it cannot edit, for
// instance because another bot has posted it: a new board is posted.
func TestABoardThatIsFoundAndGoneIsPosted(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		p.A.Stage.Unnoted = "test:another's"
		p.A.Stage.Fail = func(what string, _ chat.Place) error {
			if what == "edit" {
				return chat.ErrGone
			}
			return nil
		}
		anna := p.Person("Anna")
		ev := anna.Event()
		ev.Command, ev.Text, ev.Carries = "relay", "10", true
		p.At(p.B, ev)
		bare.GoOn(12 * time.Second)
		if !slices.Equal(p.A.Stage.Requests(), []string{"edit test:another's failed", "post test:m1"}) {
			t.Errorf("it does %q", p.A.Stage.Requests())
		}
		if at := anna.Table(); at.Board.Message != "test:m1" {
			t.Errorf("the board is %q", at.Board.Message)
		}
	})
}

// TestABoardThatWasPostedBeforeARestartIsFound has the only process die before the message of a posted board is stored.
// After a restart it finds that message, even if the board was due to be posted again.
func TestABoardThatWasPostedBeforeARestartIsFound(t *testing.T) {
	h, s, anna, stop := playOnStage(t)
	stop()
	ev := anna.Event()
	ev.Command, ev.Carries = "table", true
	if r := h.Bot.Handle(context.Background(), ev); r.Board == 0 || !r.Fresh {
		t.Fatalf("the board is not the answer's: %+v", r)
	}
	h.Wait(time.Second)
	h.Restart()
	s.Unnoted = "test:answer"
	h.OnStage(s)
	s.WantDone(t, "post test:m1", "edit test:answer", "retire test:m1")
	h.Settled(s)
	if at := anna.Table(); at.Board.Message != "test:answer" || at.Board.Repost {
		t.Errorf("the board is %q, to be posted anew: %v", at.Board.Message, at.Board.Repost)
	}
	h.Wait(time.Second)
	looks := s.Looks
	anna.Writes("/table")
	s.WantDone(t, "post test:m1", "edit test:answer", "retire test:m1", "post test:m2", "retire test:answer")
	if s.Looks != looks {
		t.Error("what was changed by this process is looked for")
	}
}

// register is a fake platform that records the name (Ping.Once) under which each call is sent.
type register struct {
	*bare.Square
	once []string
}

// Call notes the key of a ping before it is sent.
func (r *register) Call(ctx context.Context, place chat.Place, call chat.Ping) (chat.Ref, error) {
	r.Mu.Lock()
	r.once = append(r.once, call.Once)
	r.Mu.Unlock()
	return r.Square.Call(ctx, place, call)
}

// TestWhatIsWantedOfABusyCallIsDone makes a call due while its last task has not ended: it is sent after that, however
// long the task's last steps take.
func TestWhatIsWantedOfABusyCallIsDone(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		people := h.Begin(s, "/coin 10", "Anna", "Ben", "Clara")
		s.Fault = errors.New("a fault")
		h.Log.GoOn = make(chan struct{})
		h.Later(45 * time.Second)
		if said := h.Log.String(); !strings.Contains(said, "a fault") {
			t.Fatalf("the log says %s", said)
		}
		h.Later(time.Minute) // the call is due again while the error is still being logged
		close(h.Log.GoOn)
		synctest.Wait()
		if all := s.Standing(); !slices.Equal(all, []string{bare.CallsAnna}) {
			t.Errorf("standing are %q", all)
		}
		people[0].Sends("1:1:0:throw")
		s.WantCalls(t, 1)
	})
}

// TestCallsAreTakenAwayWhenThePlatformLetsThem has a platform refuse to delete calls for half a minute. It is asked
// again after that and not at every pass of the loop: otherwise two tasks that end would wake the loop for ever.
func TestCallsAreTakenAwayWhenThePlatformLetsThem(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		s := bare.NewSquare()
		people := h.Begin(s, "/coin 10", "Anna", "Ben")
		anna, beside := people[0], *people[0]
		beside.Place = "test:1/2"
		beside.Writes("/coin 10")
		ben := *people[1]
		ben.Place = beside.Place
		ben.Sends("1:2:0:!join")
		beside.Sends("1:2:0:!start")
		h.Later(45 * time.Second)
		s.WantCalls(t, 2, bare.CallsAnna, bare.CallsAnna)
		var tries atomic.Int64
		s.Fail = func(what string, _ chat.Place) error {
			if what != "dismiss" {
				return nil
			}
			n := tries.Add(1)
			time.Sleep(time.Duration(2+n%2) * time.Millisecond) // one task still runs when the other ends
			if n > 20 {
				return nil
			}
			return chat.Later{After: 30 * time.Second}
		}
		anna.Sends("1:1:0:throw")
		synctest.Wait()
		beside.Sends("1:2:0:throw")
		time.Sleep(time.Second) // fake time: until no task runs
		h.Later(29 * time.Second)
		time.Sleep(time.Second)
		if n := tries.Load(); n != 2 {
			t.Errorf("it was asked %d times at once", n)
		}
		h.Later(time.Second)
		time.Sleep(time.Second)
		if n := tries.Load(); n != 4 {
			t.Errorf("it was asked %d times after half a minute", n)
		}
	})
}

// TestEveryCallHasANameOfItsOwn checks that a retried call keeps its name (Ping.Once) and that no other call has the
// same, although ids are reused. A platform that gets a name twice shows the earlier message, or nothing.
func TestEveryCallHasANameOfItsOwn(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		r := &register{Square: bare.NewSquare()}
		h.OnStage(r)
		synctest.Wait()
		people := h.Gather("/coin 10 absent=wait turn=10m", "Anna", "Ben", "Clara")
		people[0].Presses("▶ Start")
		r.Drawn(people[0])
		r.Mu.Lock()
		r.Fault = chat.Later{After: time.Second}
		r.Mu.Unlock()
		h.Later(45 * time.Second)
		r.WantCalls(t, 0)
		h.Later(time.Second)
		r.WantCalls(t, 1, bare.CallsAnna) // at the second try
		h.Later(6 * time.Minute)
		h.Later(4*time.Minute - 46*time.Second)
		h.Later(5 * time.Second) // the call may have had to wait for the board
		r.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		people[0].Presses("Roll")
		r.Drawn(people[0])
		r.WantCalls(t, 2)
		h.Later(45 * time.Second)
		r.WantCalls(t, 3, bare.CallsBen)
		r.Mu.Lock()
		defer r.Mu.Unlock()
		if len(r.once) != 4 || r.once[0] != r.once[1] {
			t.Fatalf("a call that is tried again is another: %q", r.once)
		}
		named := map[string]bool{}
		for _, once := range r.once[1:] {
			if named[once] {
				t.Errorf("two calls have one name: %q", r.once)
			}
			named[once] = true
		}
	})
}
