package outbox_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
	"knobel/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// TestStories replays the chats in testdata and compares the replies with those expected.
func TestStories(t *testing.T) { bare.AllStories(t) }

// newGatedStage returns a stage (a fake platform) whose drawings send to waiting and then wait until open is called.
func newGatedStage() (s *bare.Stage, waiting chan struct{}, open func()) {
	gate := make(chan struct{})
	s, waiting = bare.NewStage(), make(chan struct{}, 100)
	s.OnReady = func(ctx context.Context, _ chat.Place) error {
		waiting <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s, waiting, func() { close(gate) }
}

// TestFreshBoardIsPostedOnce asks for a new message while a board is about to be posted anyway: it is posted once.
func TestFreshBoardIsPostedOnce(t *testing.T) {
	h := bare.New(t)
	s, waiting, open := newGatedStage()
	anna := h.Person("Anna")
	anna.Writes("/coin") // no platform runs yet: the sweep finds the board
	h.OnStage(s)
	<-waiting
	anna.Writes("/table")
	anna.Writes("/table")
	open()
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	anna.Presses("Leave")
	done := s.Until(t, "an edit of the one board", func(done []string) bool {
		return slices.Contains(done, "edit test:m1")
	})
	if slices.Contains(done, "post test:m2") {
		t.Errorf("posted twice: %q", done)
	}
}

// playOnStage returns a bot on a stage (a fake platform) and a person at a table with a stored board. stop ends s.
func playOnStage(t *testing.T) (h *bare.House, s *bare.Stage, anna *bare.Person, stop func()) {
	t.Helper()
	h, s = bare.New(t), bare.NewStage()
	stop, anna = h.OnStage(s), h.Person("Anna")
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	return h, s, anna, stop
}

// TestABoardThatWasAskedForIsPostedAfterARestart asks for a new message of the board (/table) before a
// restart: it is posted after the restart, even if the old message was edited in between.
func TestABoardThatWasAskedForIsPostedAfterARestart(t *testing.T) {
	h, s, anna, stop := playOnStage(t)
	stop()
	anna.Writes("/table")
	anna.Sends("1:1:0:!stake more")
	edit := func(_ context.Context, _ chat.Message, old chat.Ref) (chat.Ref, chat.Permit, error) {
		return old, chat.Permit{}, nil
	}
	if err := h.Bot.Draw(t.Context(), 1, false, edit); err != nil {
		t.Fatal(err)
	}
	h.Restart()
	h.OnStage(s)
	s.WantDone(t, "post test:m1", "post test:m2", "retire test:m1")
	h.Settled(s)
	if table := anna.Table(); table.Board.Repost || table.Board.Drawn != table.Version {
		t.Errorf("posted, it is behind still: %+v", table)
	}
}

func TestOnlyTheNewestStateIsDrawn(t *testing.T) {
	h := bare.New(t)
	s, waiting, open := newGatedStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	<-waiting
	for range 5 {
		anna.Sends("1:1:0:!house random")
		anna.Sends("1:1:0:!stake more")
	}
	open()
	s.WantDone(t, "post test:m1")
	if m := s.Message("test:m1"); len(m.People) != 6 || !strings.Contains(m.Head, "500 chips") {
		t.Errorf("drawn in between: %s", bare.Show(m))
	}
}

func TestOneSlowChatDelaysNoOther(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	waits, gate := make(chan struct{}, 1), make(chan struct{}) // a send to waits never blocks
	s.OnReady = func(ctx context.Context, place chat.Place) error {
		if place == "test:1/slow" {
			select {
			case waits <- struct{}{}:
			default:
			}
			<-gate
		}
		return ctx.Err()
	}
	h.OnStage(s)
	slow, quick := h.Person("Slow"), h.Person("Quick")
	slow.Place = "test:1/slow"
	slow.Writes("/coin")
	<-waits // the slow chat is being drawn
	quick.Writes("/coin")
	s.WantDone(t, "post test:m1")
	s.Until(t, "only the slow chat's table lags", func([]string) bool { return slices.Equal(h.Lagging(), []int64{1}) })
	close(gate)
	h.Settled(s)
}

// TestAPlaceWhereSomebodyActsIsNotAway has a person act in a place while the platform refuses a board there. The place
// may be reachable again, so the board is tried once more.
func TestAPlaceWhereSomebodyActsIsNotAway(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	anna := h.Person("Anna")
	s.Fail = func(what string, _ chat.Place) error {
		if what != "edit" {
			return nil
		}
		anna.Writes("/table")
		return chat.ErrAway
	}
	h.OnStage(s)
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	anna.Sends("1:1:0:!stake more")
	s.WantDone(t, "post test:m1", "edit test:m1 failed", "post test:m2", "retire test:m1")
	h.Settled(s)
	if anna.Table().Board.Away {
		t.Error("the place is away")
	}
}

func TestDrawingIsTriedAgain(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	var tries atomic.Int32
	s.Fail = func(string, chat.Place) error {
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
	h.OnStage(s)
	h.Person("Anna").Writes("/coin")
	s.Until(t, "a post after three failures", func(done []string) bool {
		h.Wait(time.Second)
		return slices.Contains(done, "post test:m4")
	})
	h.Settled(s)
	if log := h.Log.String(); !strings.Contains(log, "connection reset") || strings.Contains(log, "asks to wait") {
		t.Errorf("the log tells of errors, not of pauses:\n%s", log)
	}
}

func TestBoardsAreFlushedAtTheEnd(t *testing.T) {
	h := bare.New(t)
	s, _, open := newGatedStage()
	s.OnRun = func(ctx context.Context) error {
		<-ctx.Done()
		open()
		return nil
	}
	stop := h.OnStage(s)
	h.Person("Anna").Writes("/coin")
	stop()
	if got := h.Lagging(); len(got) > 0 {
		t.Errorf("tables %v lag behind", got)
	}
}

// TestPlatformIsStartedAgain ends a platform many times: it is restarted after a second, then after growing pauses of
// at most a minute. A run of more than a minute resets the pause to a second.
func TestPlatformIsStartedAgain(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		const step = 125 * time.Millisecond
		h, s := bare.New(t), bare.NewStage()
		var holds time.Duration // how long each run lasts
		var began, ended []time.Time
		s.OnRun = func(ctx context.Context) error {
			began = append(began, h.Clock.Now())
			select {
			case <-h.Clock.After(holds):
			case <-ctx.Done():
				return nil
			}
			ended = append(ended, h.Clock.Now())
			if len(ended) == 1 {
				panic("a nil map")
			}
			return errors.New("a cut line")
		}
		h.OnStage(s)
		synctest.Wait()
		runs := func(n int) bool {
			for range int(3 * time.Minute / step) {
				if len(began) == n && len(ended) == n {
					break
				}
				h.Wait(step)
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
		holds = 50 * time.Second // too short to reset the pause
		startsAfter(time.Minute)
		startsAfter(time.Minute)
		holds = 70 * time.Second
		startsAfter(time.Minute)
		startsAfter(time.Second)
		if log := h.Log.String(); strings.Count(log, "a nil map") != 1 {
			t.Errorf("logged:\n%s", log)
		}
	})
}

func TestAdapterCarriesTheBoard(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	ev := anna.Event()
	ev.Command, ev.Carries = "coin", true
	r := h.Bot.Handle(context.Background(), ev)
	if r.Board != 1 || !r.Fresh {
		t.Fatalf("reply %+v", r)
	}
	var given chat.Ref = "none"
	err := h.Bot.Draw(context.Background(), r.Board, r.Fresh,
		func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
			given = ref
			return "test:carried", chat.Permit{}, nil
		})
	if err != nil || given != "" {
		t.Fatalf("drawn over %q: %v", given, err)
	}
	// If the adapter fails to draw a board, a worker draws it.
	ev = anna.Event()
	ev.Press, ev.Carries = "1:1:0:!stake more", true
	r = h.Bot.Handle(context.Background(), ev)
	failed := errors.New("interaction is too old")
	err = h.Bot.Draw(context.Background(), r.Board, r.Fresh, func(context.Context, chat.Message, chat.Ref) (chat.Ref,
		chat.Permit, error) {
		return "", chat.Permit{}, failed
	})
	if !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	s.WantDone(t, "edit test:carried")
}

// TestACarriedBoardIsDrawnWhereItStands commits a press while the board moves to a new message: the press is drawn in
// the new message, and no older state replaces it.
func TestACarriedBoardIsDrawnWhereItStands(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/coin")
	ben.Presses("Join")
	anna.Presses("▶ Start")
	first := anna.Board().Buttons[0][0].Press
	draw := func(by func(m chat.Message, ref chat.Ref) chat.Ref) {
		t.Helper()
		err := h.Bot.Draw(context.Background(), 1, false,
			func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref, chat.Permit, error) {
				return by(m, ref), chat.Permit{}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	carried := func(p *bare.Person, press string) {
		t.Helper()
		ev := p.Event()
		ev.Press, ev.Carries = press, true
		h.Wait(bare.Leisure)
		if r := h.Bot.Handle(context.Background(), ev); r.Board != 1 || r.Refused {
			t.Fatalf("reply %+v", r)
		}
	}
	ev := ben.Event()
	ev.Command, ev.Carries = "coin", true // this moves the board to the bottom
	if r := h.Bot.Handle(context.Background(), ev); r.Board != 1 || !r.Fresh {
		t.Fatalf("reply %+v", r)
	}
	draw(func(chat.Message, chat.Ref) chat.Ref {
		carried(anna, first)
		return "test:below"
	})
	var where chat.Ref
	var drawn chat.Message
	keep := func(m chat.Message, ref chat.Ref) chat.Ref { where, drawn = ref, m; return ref }
	if draw(keep); where != "test:below" || !strings.Contains(drawn.Said(), "Ben's turn to roll.") {
		t.Errorf("drawn in %q: %s", where, drawn.Head)
	}
	if table := anna.Table(); table.Board.Message != "test:below" || table.Board.Drawn != table.Version {
		t.Errorf("the board is %q and shows %d of %d", table.Board.Message, table.Board.Drawn, table.Version)
	}
	// A drawing reads the table again, so it is newer than the state at the time of Carry.
	carried(ben, drawn.Buttons[0][0].Press)
	if draw(keep); drawn.Head == "" || strings.Contains(drawn.Said(), "Ben's turn to roll.") {
		t.Errorf("drawn: %s", drawn.Head)
	}
}

func TestOneDrawingAtATimeForATable(t *testing.T) {
	h := bare.New(t)
	h.Person("Anna").Writes("/coin")
	var at, most atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := h.Bot.Draw(context.Background(), 1, false, func(context.Context, chat.Message, chat.Ref) (chat.Ref,
				chat.Permit, error) {
				if n := at.Add(1); n > most.Load() {
					most.Store(n)
				}
				defer at.Add(-1)
				return "test:m", chat.Permit{}, nil
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
	h, s, _, _ := playOnStage(t)
	if err := h.Bot.Redraw(context.Background(), "test:1/1"); err != nil {
		t.Fatal(err)
	}
	s.WantDone(t, "post test:m1", "post test:m2", "retire test:m1")
	if err := h.Bot.Redraw(context.Background(), "test:1/nothing"); err != nil {
		t.Errorf("a place without a table: %v", err)
	}
}

// TestADeadTokenTakesNoNewerOne stores a newer token while the board's earlier one is refused: the newer one stays.
func TestADeadTokenTakesNoNewerOne(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	expires := h.Time().Add(time.Minute).UnixMilli()
	s.Fail = func(what string, _ chat.Place) error {
		if what != "edit" {
			return nil
		}
		err := h.Store.UpdateOf(t.Context(), store.OfTable(1), func(tx *store.Tx) error {
			table, err := tx.Tables.Table(1)
			if err == nil {
				table.Board.Token = "newer"
				err = tx.Tables.SaveTable(table)
			}
			return err
		})
		return errors.Join(chat.ErrAway, err)
	}
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Perishable = true
	anna.Writes("/coin")
	post := func(context.Context, chat.Message, chat.Ref) (chat.Ref, chat.Permit, error) {
		return "test:m", chat.Permit{Token: "older", Expires: expires}, nil
	}
	err := h.Bot.Draw(t.Context(), 1, true, post)
	s.Until(t, "the older token is refused", func(done []string) bool {
		if len(done) == 0 { // nothing is tried before the platform runs
			err = errors.Join(err, h.Bot.Outbox.Look(t.Context(), 1))
		}
		return len(done) > 0
	})
	if err != nil {
		t.Fatal(err)
	}
	if b := anna.Table().Board; b.Token != "newer" || b.Expires != expires {
		t.Errorf("the token is %q until %d", b.Token, b.Expires)
	}
}

func TestADeadTokenIsTriedOnce(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Perishable = true
	anna.Writes("/coin")
	expires := h.Time().Add(time.Minute).UnixMilli()
	post := func(context.Context, chat.Message, chat.Ref) (chat.Ref, chat.Permit, error) {
		return "test:m", chat.Permit{Token: "dead", Expires: expires}, nil
	}
	if err := h.Bot.Draw(t.Context(), 1, true, post); err != nil {
		t.Fatal(err)
	}
	var tried atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			err := h.Bot.Draw(t.Context(), 1, false, func(_ context.Context, m chat.Message, ref chat.Ref) (chat.Ref,
				chat.Permit, error) {
				if m.Permit.Token == "dead" {
					tried.Add(1)
				}
				return ref, chat.Permit{}, chat.ErrAway
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if tried.Load() != 1 {
		t.Errorf("the token is tried %d times", tried.Load())
	}
}
