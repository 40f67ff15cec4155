package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// drawCounts returns how many requests the stages of the replicas A and B have got.
func drawCounts(p *bare.Pair) (a, b int) {
	synctest.Wait()
	return len(p.A.Stage.Requests()), len(p.B.Stage.Requests())
}

// After a press at a replica that does not draw the chat's boards, the one that does draws the board at once.
func TestAPressAtAnotherReplicaIsDrawnAtOnce(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		was, none := drawCounts(p)
		p.At(p.B, at.Press())
		synctest.Wait()
		if a, b := drawCounts(p); a != was+1 || b != none || none != 0 {
			t.Errorf("drawn %d times by who is to draw, and %d times by the other", a-was, b)
		}
		p.UpToDate(at)
	})
}

// Without a hint, the sweep finds the stale board.
func TestAPressOfWhichNoHintTellsIsDrawnByTheSweep(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		was, _ := drawCounts(p)
		outdate(p, at)
		if a, _ := drawCounts(p); a != was {
			t.Error("it is drawn at once")
		}
		bare.GoOn(6 * time.Second)
		if a, b := drawCounts(p); a != was+1 || b != 0 {
			t.Errorf("drawn %d times by who is to draw, and %d times by the other", a-was, b)
		}
		p.UpToDate(at)
	})
}

// outdate makes the board of a table stale without a hint.
func outdate(p *bare.Pair, table *bare.Seated) {
	p.T.Helper()
	err := p.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		stored, err := tx.Tables.Table(table.Table)
		if err != nil {
			return err
		}
		stored.Outdate(time.Now().UnixMilli())
		return tx.Tables.SaveTable(stored)
	})
	check(p.T, err)
}

// The last replica draws stale boards before it ends, because no other would.
func TestTheLastReplicaDrawsBeforeItEnds(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		p.B.End()
		bare.GoOn(2 * time.Second)
		outdate(p, at)
		p.A.End()
		p.UpToDate(at)
	})
}

// A replica that answers with the board draws it, and the one that runs the loops of the chat does not.
func TestWhoAnswersWithTheBoardDrawsIt(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		was, _ := drawCounts(p)
		r := p.At(p.B, bare.Carried(at))
		if r.Board != at.Table {
			t.Fatalf("the board is not the answer's: %+v", r)
		}
		bare.GoOn(2 * time.Second)
		p.DrawsBy(p.B, r.Board, func() {})
		bare.GoOn(10 * time.Second)
		if a, b := drawCounts(p); a != was || b != 0 {
			t.Errorf("drawn %d times by who runs the loops, and %d times by the other", a-was, b)
		}
		p.UpToDate(at)
	})
}

// An adapter that dies before it draws leaves the board to the replica that runs the loops.
func TestABoardThatItsAdapterLeaves(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		was, _ := drawCounts(p)
		p.At(p.B, bare.Carried(at))
		bare.GoOn(6 * time.Second)
		if a, _ := drawCounts(p); a != was+1 {
			t.Errorf("it is drawn %d times", a-was)
		}
		p.UpToDate(at)
	})
}

// If another replica has drawn a board in the meantime, the platform's last drawing is unknown: the board is drawn once
// more.
func TestABoardThatTwoDrawIsDrawnOnceMore(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		at := p.Opens(p.B)
		was, _ := drawCounts(p)
		r := p.At(p.B, bare.Carried(at))
		p.DrawsBy(p.B, r.Board, func() {
			p.At(p.A, at.Press())
			if synctest.Wait(); at.People[0].Table().Board.Drawn != at.People[0].Table().Version {
				t.Error("the other waits")
			}
		})
		synctest.Wait()
		if a, _ := drawCounts(p); a != was+2 {
			t.Errorf("the other has drawn it %d times", a-was)
		}
		p.UpToDate(at)
	})
}

// A late drawing of a replica that was blocked is drawn over.
func TestAWorkerThatStandsStillIsDrawnOver(t *testing.T) {
	var shut atomic.Bool
	var stands, goes chan struct{}
	on := func(_ string, s *bare.Side) chat.Platform {
		s.Stage.Fail = func(what string, _ chat.Place) error {
			if what == "edit" && shut.CompareAndSwap(true, false) {
				close(stands)
				<-goes
			}
			return nil
		}
		return s.Stage
	}
	bare.InPairOn(t, on, func(p *bare.Pair) {
		stands, goes = make(chan struct{}), make(chan struct{}) // made in the bubble, else synctest.Wait would hang
		at := p.Opens(p.B)
		shut.Store(true)
		p.At(p.B, at.Press())
		<-stands
		r := p.At(p.B, bare.Carried(at))
		p.DrawsBy(p.B, r.Board, func() {})
		before, _ := drawCounts(p)
		close(goes)
		bare.GoOn(4 * time.Second)
		if a, _ := drawCounts(p); a < before+2 {
			t.Errorf("what came late is not drawn over: %d", a-before)
		}
		p.UpToDate(at)
	})
}

// Both replicas run the loops of their chats, and no board is posted twice when one ends and the other continues.
func TestBoardsArePostedOnceByReplicas(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		var all []*bare.Seated
		for i := range 8 {
			at := &bare.Seated{People: [2]*bare.Person{p.Person(fmt.Sprint("A", i)), p.Person(fmt.Sprint("B", i))}}
			for _, who := range at.People {
				who.Chat, who.Place = chat.Chat(fmt.Sprint("test:", i)), chat.Place(fmt.Sprintf("test:%d/1", i))
			}
			ev := at.People[0].Event()
			ev.Command, ev.Text = "relay", "10"
			p.At([]*bare.Side{p.A, p.B}[i%2], ev)
			all = append(all, at)
		}
		bare.GoOn(4 * time.Second)
		p.B.End()
		ev := all[0].People[0].Event()
		ev.Command = "table"
		p.At(p.A, ev)
		bare.GoOn(4 * time.Second)
		for _, at := range all {
			p.UpToDate(at)
		}
		a, b := bare.Posted(p.A.Stage), bare.Posted(p.B.Stage)
		if a+b != len(all)+1 || b == 0 {
			t.Errorf("%d boards are posted by one and %d by the other: %v", a, b, p.A.Stage.Requests())
		}
	})
}

// TestLoopsElsewhereAreToldOfWhatIsSoon makes presses at a replica that runs no loops: the one that runs them gets a
// hint of work that is due before its next sweep, and none of a turn's reminder, which is due later.
func TestLoopsElsewhereAreToldOfWhatIsSoon(t *testing.T) {
	gate := bare.NewGate()
	h := bare.New(t, bare.Gated{Game: wuerfelpoker.New(), Gate: gate})
	h.Leases = lease.New(lease.Config{Store: h.Store, Name: "b"}) // it holds no lease
	h.RestartBot()
	var told []bool
	defer h.Store.Hints(func(text string) {
		if hint, ok := lease.ParseHint(text); ok {
			told = append(told, hint.Wake)
		}
	})()
	heard := func() []bool {
		all := told
		told = nil
		return all
	}
	people := h.Gather("/wuerfelpoker hints=yes", "Anna", "Ben")
	anna := people[0]
	anna.Presses("▶ Start")
	heard()
	anna.Presses("🎲 Roll")
	if all := heard(); len(all) == 0 || slices.Contains(all, true) {
		t.Errorf("of a throw loops are told %v", all)
	}
	anna.Presses("💡 Hint")
	if all := heard(); !slices.Contains(all, true) {
		t.Errorf("of what is to be worked out loops are told %v", all)
	}
	close(gate.Open)
}

// busyStage is a stage on which messages are below each board, but only the replica in hears counts them.
type busyStage struct {
	*bare.Stage
	of    *bare.Side
	hears *atomic.Pointer[bare.Side]
	below *atomic.Int64
}

// Since returns the number in below for the replica in hears, and 0 for others.
func (s busyStage) Since(context.Context, chat.Place, chat.Ref, int) (int, error) {
	if s.hears.Load() != s.of {
		return 0, nil
	}
	return int(s.below.Load()), nil
}

// A replica that finds many messages below its board sends a hint; the replica that runs the loops posts it again.
func TestABoardThatIsPushedAwayIsPostedByWhoRunsTheLoops(t *testing.T) {
	var talk atomic.Int64
	var hears atomic.Pointer[bare.Side]
	on := func(_ string, s *bare.Side) chat.Platform { return busyStage{s.Stage, s, &hears, &talk} }
	bare.InPairOn(t, on, func(p *bare.Pair) {
		hears.Store(p.B)
		at := p.Opens(p.B)
		talk.Store(1000)
		r := p.At(p.B, bare.Carried(at))
		p.DrawsBy(p.B, r.Board, func() {})
		bare.GoOn(time.Second)
		if a, b := bare.Posted(p.A.Stage), bare.Posted(p.B.Stage); a != 2 || b != 0 {
			t.Errorf("%d boards are posted by who runs the loops, and %d by the other", a, b)
		}
		p.UpToDate(at)
		now := at.People[0].Table()
		p.A.Outbox.Hinted(context.Background(), now.ID, 0)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 2 {
			t.Errorf("without a reason %d boards are posted", a)
		}
		p.B.Outbox.Hinted(context.Background(), now.ID, now.Board.Posted)
		bare.GoOn(time.Second)
		if b := bare.Posted(p.B.Stage); b != 0 {
			t.Errorf("who does not run the loops posts %d boards", b)
		}
		p.A.Outbox.Hinted(context.Background(), now.ID, now.Board.Posted-1)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 2 {
			t.Errorf("for the board before %d boards are posted", a)
		}
		p.A.Outbox.Hinted(context.Background(), now.ID, now.Board.Posted)
		bare.GoOn(time.Second)
		if a := bare.Posted(p.A.Stage); a != 3 {
			t.Errorf("pushed away again, %d boards are posted", a)
		}
	})
}
