package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// settled waits until no board lags behind.
func (h *house) settled(s *stage) {
	h.t.Helper()
	s.until(h.t, "boards that are up to date", func([]string) bool {
		return len(h.lagging()) == 0
	})
}

func (h *house) lagging() (tables []int64) {
	err := h.store.View(context.Background(), func(tx *store.Tx) (err error) {
		lagging, err := tx.Lagging("test:", 100)
		for _, r := range lagging {
			tables = append(tables, r.ID)
		}
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
	return tables
}

func TestBoardIsPostedThenEdited(t *testing.T) {
	h, s := newHouse(t), newStage()
	h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin")
	s.wantDone(t, "post test:m1")
	h.settled(s)
	anna.writes("/table")
	s.wantDone(t, "post test:m1", "post test:m2", "retire test:m1")
	anna.presses("+ House") // drawn by the test, too
	s.until(t, "an edit", func(done []string) bool {
		return slices.Contains(done, "edit test:m2") || anna.table().Drawn == anna.table().Version
	})
}

// A board that is wanted afresh while the loops post it anyway is posted once.
func TestFreshBoardIsPostedOnce(t *testing.T) {
	h, s := newHouse(t), newStage()
	gate, waiting := make(chan struct{}), make(chan struct{}, 100)
	s.ready = func(ctx context.Context, _ chat.Place) error {
		waiting <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	anna := h.person("Anna")
	anna.writes("/coin") // nothing runs yet: the sweep finds it
	h.onStage(s)
	<-waiting
	anna.writes("/table")
	anna.writes("/table")
	close(gate)
	s.wantDone(t, "post test:m1")
	h.settled(s)
	anna.presses("Get up")
	done := s.until(t, "an edit of the one board", func(done []string) bool {
		return slices.Contains(done, "edit test:m1")
	})
	if slices.Contains(done, "post test:m2") {
		t.Errorf("posted twice: %q", done)
	}
}

// A board that was asked for at the bottom is posted, also where the process ends
// before it is, and where the game goes on meanwhile.
func TestABoardThatWasAskedForIsPostedAfterARestart(t *testing.T) {
	for _, meanwhile := range []string{"", "a change", "an edit of the old board"} {
		t.Run(meanwhile, func(t *testing.T) {
			h, s := newHouse(t), newStage()
			stop := h.onStage(s)
			anna := h.person("Anna")
			anna.writes("/coin")
			s.wantDone(t, "post test:m1")
			h.settled(s)
			stop()
			anna.writes("/table")
			if meanwhile != "" {
				anna.sends("1:1:0:!stake more")
			}
			if meanwhile == "an edit of the old board" {
				edit := func(_ context.Context, _ chat.Message, old chat.Ref) (chat.Ref, error) { return old, nil }
				if err := h.bot.Draw(t.Context(), 1, false, edit); err != nil {
					t.Fatal(err)
				}
			}
			h.restart()
			h.onStage(s)
			s.wantDone(t, "post test:m1", "post test:m2", "retire test:m1")
			h.settled(s)
			if table := anna.table(); table.Repost || table.Drawn != table.Version {
				t.Errorf("posted, it is behind still: %+v", table)
			}
		})
	}
}

func TestOnlyTheNewestStateIsDrawn(t *testing.T) {
	h, s := newHouse(t), newStage()
	gate := make(chan struct{})
	waiting := make(chan struct{}, 100)
	s.ready = func(ctx context.Context, _ chat.Place) error {
		waiting <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin")
	<-waiting
	for range 5 {
		anna.sends("1:1:0:!house random")
		anna.sends("1:1:0:!stake more")
	}
	close(gate)
	s.wantDone(t, "post test:m1")
	if m := s.message("test:m1"); len(m.People) != 6 || !strings.Contains(m.Head, "500 chips") {
		t.Errorf("drawn in between: %s", show(m))
	}
}

func TestOneSlowChatDelaysNoOther(t *testing.T) {
	h, s := newHouse(t), newStage()
	waits, gate := make(chan struct{}, 1), make(chan struct{}) // who waits says so, whether or not somebody listens yet
	s.ready = func(ctx context.Context, place chat.Place) error {
		if place == "test:1/slow" {
			select {
			case waits <- struct{}{}:
			default:
			}
			<-gate
		}
		return ctx.Err()
	}
	h.onStage(s)
	slow, quick := h.person("Slow"), h.person("Quick")
	slow.place = "test:1/slow"
	slow.writes("/coin")
	<-waits // the others come while it does
	quick.writes("/coin")
	s.wantDone(t, "post test:m1")
	s.until(t, "only the slow chat's table lags", func([]string) bool { return slices.Equal(h.lagging(), []int64{1}) })
	close(gate)
	h.settled(s)
}

func TestBoardThatIsGoneIsPostedAnew(t *testing.T) {
	h, s := newHouse(t), newStage()
	s.fail = func(what string, _ chat.Place) error {
		if what == "edit" {
			return errors.Join(errors.New("404"), chat.ErrGone)
		}
		return nil
	}
	h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin")
	s.wantDone(t, "post test:m1")
	anna.sends("1:1:0:!stake more")
	s.wantDone(t, "post test:m1", "edit test:m1 failed", "post test:m2", "retire test:m1")
	if got := anna.table().Board; got != "test:m2" {
		t.Errorf("the board is %q", got)
	}
}

func TestPlaceThatIsAwayIsKept(t *testing.T) {
	h, s := newHouse(t), newStage()
	var away atomic.Bool
	away.Store(true)
	s.fail = func(string, chat.Place) error {
		if away.Load() {
			return chat.ErrAway
		}
		return nil
	}
	stop := h.onStage(s)
	anna := h.person("Anna")
	anna.writes("/coin")
	s.wantDone(t, "post test:m1 failed")
	s.until(t, "being away", func([]string) bool { return len(h.lagging()) == 0 })
	stop()

	s = newStage()
	h.onStage(s)
	anna.writes("/help")
	s.wantDone(t, "post test:m1")
	if anna.table().Away {
		t.Error("still away")
	}
}

// Somebody acts in a place while a board is refused there: it may be open again, and
// the board is tried once more.
func TestAPlaceWhereSomebodyActsIsNotAway(t *testing.T) {
	h, s := newHouse(t), newStage()
	anna := h.person("Anna")
	s.fail = func(what string, _ chat.Place) error {
		if what != "edit" {
			return nil
		}
		anna.writes("/table")
		return chat.ErrAway
	}
	h.onStage(s)
	anna.writes("/coin")
	s.wantDone(t, "post test:m1")
	h.settled(s)
	anna.sends("1:1:0:!stake more")
	s.wantDone(t, "post test:m1", "edit test:m1 failed", "post test:m2", "retire test:m1")
	h.settled(s)
	if anna.table().Away {
		t.Error("the place is away")
	}
}

func TestDrawingIsTriedAgain(t *testing.T) {
	h, s := newHouse(t), newStage()
	var tries atomic.Int32
	s.fail = func(string, chat.Place) error {
		switch tries.Add(1) {
		case 1:
			return errors.New("connection reset")
		case 2:
			return chat.Later{After: 10 * time.Millisecond}
		case 3:
			panic("a library's")
		}
		return nil
	}
	h.onStage(s)
	h.person("Anna").writes("/coin")
	s.until(t, "a post after three failures", func(done []string) bool {
		h.wait(time.Second)
		return slices.Contains(done, "post test:m4")
	})
	h.settled(s)
	if log := h.log.String(); !strings.Contains(log, "connection reset") || strings.Contains(log, "asks to wait") {
		t.Errorf("the log tells of errors, not of pauses:\n%s", log)
	}
}

func TestBoardsAreDrawnAfterARestart(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.writes("/coin") // nothing runs: the board lags
	h.restart()
	s := newStage()
	h.onStage(s)
	s.wantDone(t, "post test:m1")
}

func TestBoardsAreFlushedAtTheEnd(t *testing.T) {
	h, s := newHouse(t), newStage()
	open := make(chan struct{})
	s.ready = func(ctx context.Context, _ chat.Place) error {
		select {
		case <-open:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.run = func(ctx context.Context) error {
		<-ctx.Done()
		close(open)
		return nil
	}
	stop := h.onStage(s)
	h.person("Anna").writes("/coin")
	stop()
	if got := h.lagging(); len(got) > 0 {
		t.Errorf("tables %v lag behind", got)
	}
}

// A platform that ends is started again after a second, then ever more slowly, up
// to a minute; after a second again once it has held for longer than that.
func TestPlatformIsStartedAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const step = 125 * time.Millisecond
		h, s := newHouse(t), newStage()
		var holds time.Duration // each run
		var began, ended []time.Time
		s.run = func(ctx context.Context) error {
			began = append(began, h.clock.Now())
			select {
			case <-h.clock.After(holds):
			case <-ctx.Done():
				return nil
			}
			ended = append(ended, h.clock.Now())
			if len(ended) == 1 {
				panic("a nil map")
			}
			return errors.New("a cut line")
		}
		h.onStage(s)
		synctest.Wait()
		runs := func(n int) bool {
			for range int(3 * time.Minute / step) {
				if len(began) == n && len(ended) == n {
					break
				}
				h.wait(step)
				synctest.Wait()
			}
			return len(began) == n && len(ended) == n
		}
		startsAfter := func(pause time.Duration) {
			t.Helper()
			if last := len(ended); !runs(last + 1) {
				t.Fatalf("ended %d times, and is not started again", last)
			} else if waited := began[last].Sub(ended[last-1]); waited < pause || waited >= pause+step {
				t.Fatalf("after end %d it is started again after %v, want %v", last, waited, pause)
			}
		}
		pause := time.Second
		for ; pause < time.Minute; pause = pause * 3 / 2 {
			startsAfter(pause)
		}
		startsAfter(time.Minute)
		holds = 50 * time.Second // not for long
		startsAfter(time.Minute)
		startsAfter(time.Minute)
		holds = 70 * time.Second
		startsAfter(time.Minute)
		startsAfter(time.Second)
		if log := h.log.String(); strings.Count(log, "a nil map") != 1 {
			t.Errorf("logged:\n%s", log)
		}
	})
}

func TestAdapterCarriesTheBoard(t *testing.T) {
	h, s := newHouse(t), newStage()
	h.onStage(s)
	anna := h.person("Anna")
	ev := anna.event()
	ev.Command, ev.Carries = "coin", true
	r := h.bot.Handle(context.Background(), ev)
	if r.Board != 1 || !r.Fresh {
		t.Fatalf("reply %+v", r)
	}
	var given chat.Ref = "none"
	err := h.bot.Draw(context.Background(), r.Board, r.Fresh,
		func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
			given = ref
			return "test:carried", nil
		})
	if err != nil || given != "" {
		t.Fatalf("drawn over %q: %v", given, err)
	}
	// What fails to be carried is drawn by the loops.
	ev = anna.event()
	ev.Press, ev.Carries = "1:1:0:!stake more", true
	r = h.bot.Handle(context.Background(), ev)
	failed := errors.New("interaction is too old")
	err = h.bot.Draw(context.Background(), r.Board, r.Fresh, func(context.Context, chat.Message, chat.Ref) (chat.Ref,
		error) {
		return "", failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	s.wantDone(t, "edit test:carried")
}

// A press that is committed while the board goes to another message is drawn
// there, not over what was the board before; and nothing older over it.
func TestACarriedBoardIsDrawnWhereItStands(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin")
	ben.presses("Sit down")
	anna.presses("▶ Start")
	first := anna.board().Buttons[0][0].Press
	draw := func(by func(m chat.Message, ref chat.Ref) chat.Ref) {
		t.Helper()
		err := h.bot.Draw(context.Background(), 1, false,
			func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, error) {
				return by(m, ref), nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	carried := func(p *person, press string) {
		t.Helper()
		ev := p.event()
		ev.Press, ev.Carries = press, true
		h.wait(leisure)
		if r := h.bot.Handle(context.Background(), ev); r.Board != 1 || r.Refused {
			t.Fatalf("reply %+v", r)
		}
	}
	ev := ben.event()
	ev.Command, ev.Carries = "coin", true // brings the board to the bottom
	if r := h.bot.Handle(context.Background(), ev); r.Board != 1 || !r.Fresh {
		t.Fatalf("reply %+v", r)
	}
	draw(func(chat.Message, chat.Ref) chat.Ref {
		carried(anna, first)
		return "test:below"
	})
	var where chat.Ref
	var drawn chat.Message
	keep := func(m chat.Message, ref chat.Ref) chat.Ref { where, drawn = ref, m; return ref }
	if draw(keep); where != "test:below" || !strings.Contains(drawn.Said(), "Ben is to throw.") {
		t.Errorf("drawn in %q: %s", where, drawn.Head)
	}
	if table := anna.table(); table.Board != "test:below" || table.Drawn != table.Version {
		t.Errorf("the board is %q and shows %d of %d", table.Board, table.Drawn, table.Version)
	}
	// What is drawn and read anew in between is newer than what was carried.
	carried(ben, drawn.Buttons[0][0].Press)
	if draw(keep); drawn.Head == "" || strings.Contains(drawn.Said(), "Ben is to throw.") {
		t.Errorf("drawn: %s", drawn.Head)
	}
}

func TestOneDrawingAtATimeForATable(t *testing.T) {
	h := newHouse(t)
	h.person("Anna").writes("/coin")
	var at, most atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := h.bot.Draw(context.Background(), 1, false, func(context.Context, chat.Message, chat.Ref) (chat.Ref,
				error) {
				if n := at.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer at.Add(-1)
				return "test:m", nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d drawings at a time", most.Load())
	}
}

func TestRedrawPostsAnew(t *testing.T) {
	h, s := newHouse(t), newStage()
	h.onStage(s)
	h.person("Anna").writes("/coin")
	s.wantDone(t, "post test:m1")
	h.settled(s)
	if err := h.bot.Redraw(context.Background(), "test:1/1"); err != nil {
		t.Fatal(err)
	}
	s.wantDone(t, "post test:m1", "post test:m2", "retire test:m1")
	if err := h.bot.Redraw(context.Background(), "test:1/nothing"); err != nil {
		t.Errorf("a place without a table: %v", err)
	}
}
