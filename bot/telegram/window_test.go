package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// TestNoMinuteHasTooManyWrites checks that no minute has more writes than Telegram allows, whatever is waiting, and
// that no write waits much longer than the steady rate requires.
func TestNoMinuteHasTooManyWrites(t *testing.T) {
	for seed := range uint64(200) {
		chance := rand.New(rand.NewPCG(seed, 1))
		began := time.UnixMilli(1_700_000_000_000)
		// An earlier process has written as fast as it could, until this one began.
		now := began.Add(-3 * time.Minute)
		earlier := newWindow(groupShare, now, began.Add(-time.Hour))
		var arrived []time.Time
		write := func(w *window, leave int) {
			if wait := w.wait(now, leave); wait > 0 {
				now = now.Add(wait)
			}
			noted := now
			w.take(now)
			now = now.Add(time.Duration(chance.IntN(300)) * time.Millisecond)
			arrived = append(arrived, now)
			w.countArrived(noted, now, 0)
		}
		for now.Before(began) {
			write(earlier, chance.IntN(2))
			now = now.Add(time.Duration(chance.IntN(int(1+4*seed))) * 10 * time.Millisecond)
		}
		for len(arrived) > 0 && arrived[len(arrived)-1].After(began) {
			arrived = arrived[:len(arrived)-1]
		}
		now = began
		w := newWindow(groupShare, began, began)
		w.extra = true
		for now.Before(began.Add(10 * time.Minute)) {
			before := now
			write(w, reserved)
			most := 4100 * time.Millisecond
			if before.Sub(began) < time.Minute {
				most = 12 * time.Second // earlier writes are unknown
			}
			if waited := now.Sub(before); waited > most {
				t.Fatalf("seed %d: one waits %v", seed, waited)
			}
			now = now.Add(time.Duration(chance.IntN(int(1+4*seed))) * 10 * time.Millisecond)
		}
		for i := range arrived {
			if i >= groupLimit && arrived[i].Sub(arrived[i-groupLimit]) < time.Minute {
				t.Fatalf("seed %d: %d writes in %v", seed, groupLimit+1, arrived[i].Sub(arrived[i-groupLimit]))
			}
		}
		if n := len(arrived); seed == 0 && n < 170 {
			t.Errorf("%d writes in some twelve minutes", n)
		}
	}
}

// lives returns the budget of a new process, which reads the notes that earlier processes have stored in core.
func lives(t *testing.T, clock *fakes.Clock, core *script) *budget {
	b := newBudget(clock)
	b.recall(t.Context(), core, core.notes[profileNote] == "")
	return b
}

// TestProcessesTogetherKeepTheLimit checks that stopped or killed processes together write no more into a group in any
// minute than Telegram allows, even if the next one starts at once.
func TestProcessesTogetherKeepTheLimit(t *testing.T) {
	const group = -5
	for seed := range uint64(60) {
		chance, clock, core := rand.New(rand.NewPCG(seed, 2)), fakes.NewClock(true), &script{}
		var all []time.Time
		write := func() error {
			clock.Advance(time.Duration(chance.IntN(400)) * time.Millisecond)
			all = append(all, clock.Now())
			return nil
		}
		for range 40 {
			b := lives(t, clock, core)
			until := clock.Now().Add(time.Duration(chance.IntN(2)*chance.IntN(100)) * time.Second)
			for first := true; first || clock.Now().Before(until); first = false {
				var err error
				if chance.IntN(2) == 0 {
					err = b.writeAnswer(t.Context(), group, write)
				} else if err = b.ready(t.Context(), group, chat.Need(chance.IntN(4))); err == nil {
					err = b.writeBoard(t.Context(), group, write)
				}
				check(t, err)
				if chance.IntN(15) == 0 {
					clock.Advance(time.Duration(chance.IntN(60)) * time.Second)
				}
			}
			if chance.IntN(3) == 0 {
				b.spending.storeExactly(t.Context())
			}
			clock.Advance(time.Duration(chance.IntN(1+chance.IntN(4000))) * time.Millisecond)
		}
		for i := range all {
			if i >= groupLimit && all[i].Sub(all[i-groupLimit]) < time.Minute {
				t.Fatalf("seed %d: %d writes in %v", seed, groupLimit+1, all[i].Sub(all[i-groupLimit]))
			}
		}
	}
}

// TestTheFirstBoardComesAtOnce checks that an idle chat gets a write at once: in a new installation, in one that was
// stopped a while ago, and in one killed longer ago than a note is valid. An older version leaves no note.
func TestTheFirstBoardComesAtOnce(t *testing.T) {
	clock := fakes.NewClock(false)
	fresh := &script{}
	write := func(b *budget) {
		t.Helper()
		check(t, b.writeAnswer(t.Context(), 7, func() error { return nil }))
	}
	left := func(what string, core *script, want int) *budget {
		t.Helper()
		b := lives(t, clock, core)
		a := b.pin(-5)
		defer b.release(a)
		if n := b.writesLeft(a, clock.Now()); n != want {
			t.Errorf("%s: %d writes at once, want %d", what, n, want)
		}
		return b
	}
	b := left("a new installation", fresh, groupBurst)
	write(b)
	clock.Advance(time.Hour)
	write(b)
	b.spending.storeExactly(t.Context())
	clock.Advance(8 * time.Second)
	b = left("stopped a moment ago", fresh, 2)
	clock.Advance(time.Hour)
	write(b)
	write(left("killed just now", fresh, 1))
	left("killed twice", fresh, 0)
	clock.Advance(3 * time.Minute)
	left("killed a while ago", fresh, groupBurst)
	left("an older version", &script{notes: map[string]string{profileNote: "[]"}}, 0)
	check(t, ForgetSpent(t.Context(), fresh))
	clock.Advance(time.Hour)
	left("a database that was put back", fresh, 0)
}

// TestAStopNotesWhatWasWritten checks that a clean stop stores when the last write arrived, and the next start uses it.
func TestAStopNotesWhatWasWritten(t *testing.T) {
	s := open(t).run()
	group := s.server.Group("Friends")
	for range 3 {
		if _, err := s.tele.Post(t.Context(), placeID(group.ID(), 0), lobby("Anna opens a table.")); err != nil {
			t.Fatal(err)
		}
	}
	last := s.clock.Now()
	s.end()
	var was spent
	if kept, _ := s.core.Noted(t.Context(), spentNote); json.Unmarshal([]byte(kept), &was) != nil ||
		was.Until > last.UnixMilli() || was.Until < was.Began {
		t.Fatalf("%q is noted, the last write arrived by %d", kept, last.UnixMilli())
	}
	s.clock.Advance(8 * time.Second)
	s.tele = s.adapter()
	polls := len(s.server.Calls("getUpdates"))
	s.run()
	s.until("the bot polls again", func() bool { return len(s.server.Calls("getUpdates")) > polls })
	if left := s.tele.Budget(placeID(group.ID(), 0)).Left + reserved; left < 2 {
		t.Errorf("%d writes at once after 8 seconds of rest", left)
	}
}

// queued waits until n writes wait in the queue of chat.
func queued(t *testing.T, clock *fakes.Clock, b *budget, chat int64, n int) {
	t.Helper()
	if !clock.Pass(0, func() bool { return b.pin(chat).waiting() == n }) {
		t.Fatalf("%d wait, want %d", b.pin(chat).waiting(), n)
	}
}

// TestWhoIsToMoveIsServedFirst checks that boards with a mover go first, but after boards that have waited long.
func TestWhoIsToMoveIsServedFirst(t *testing.T) {
	const group = -5
	clock := fakes.NewClock(false)
	b := newBudget(clock)
	b.setPause(group, time.Minute)
	served := make(chan string, 8)
	waits := 0
	come := func(who string, need chat.Need) {
		t.Helper()
		go func() {
			if b.ready(t.Context(), group, need) == nil {
				served <- who
			}
		}()
		waits++
		queued(t, clock, b, group, waits)
		clock.Advance(time.Millisecond)
	}
	come("call", chat.ToCall)
	come("lobby", chat.ToSee)
	come("move 1", chat.ToMove)
	gone, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() { left <- b.ready(gone, group, chat.ToMove) }()
	queued(t, clock, b, group, waits+1)
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Fatalf("whoever leaves gets %v", err)
	}
	queued(t, clock, b, group, waits)
	come("move 2", chat.ToMove)
	clock.Advance(30 * time.Second)
	come("move 3", chat.ToMove)
	full := b.pin(group)
	full.mu.Lock()
	for range groupBurst {
		full.window.take(clock.Now().Add(30 * time.Second))
	}
	full.mu.Unlock()
	clock.Advance(30 * time.Second)
	var order []string
	for left := waits - 1; left >= 0; left-- { // one waiter after another, however late each sends to served
		if !clock.Pass(100*time.Millisecond, func() bool { return b.pin(group).waiting() <= left }) {
			t.Fatalf("%d of %d are served", len(order), waits)
		}
		order = append(order, <-served)
	}
	if want := []string{"move 1", "move 2", "call", "lobby", "move 3"}; !slices.Equal(order, want) {
		t.Errorf("served %q, want %q", order, want)
	}
}

// TestWhatWasAskedForGoesBeforeAnswers checks that a requested board goes before answers and blocks no other write.
func TestWhatWasAskedForGoesBeforeAnswers(t *testing.T) {
	const group = -5
	for _, late := range []string{"board", "answer"} {
		clock := fakes.NewClock(false)
		b := newBudget(clock)
		for range groupBurst {
			b.pin(group).window.take(clock.Now())
		}
		ready, served := make(chan bool, 1), make(chan bool, 2)
		write := func() error { served <- true; return nil }
		come := map[string]func(){
			"board": func() {
				if b.ready(t.Context(), group, chat.ToShow) == nil {
					ready <- true
					_ = b.writeBoard(t.Context(), group, write)
				}
			},
			"answer": func() { _ = b.writeAnswer(t.Context(), group, write) },
		}
		early := map[string]string{"board": "answer", "answer": "board"}[late]
		go come[early]()
		queued(t, clock, b, group, 1)
		go come[late]()
		queued(t, clock, b, group, 2)
		writing := b.pin(group).writing
		if n := len(writing); n != 0 {
			t.Error("what waits holds up what is written")
		}
		writing <- struct{}{} // no answer can be served before the board has had its turn
		if !clock.Pass(100*time.Millisecond, func() bool { return len(ready) == 1 }) {
			t.Fatalf("the %s comes last, and the board waits for the answer", late)
		}
		<-writing
		if !clock.Pass(time.Second, func() bool { return len(served) == 2 }) {
			t.Fatal("one of them is not served")
		}
	}
}
