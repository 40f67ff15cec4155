package telegram

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// queued waits until that many wait in a chat.
func queued(t *testing.T, clock *fakes.Clock, b *budget, chat int64, n int) {
	t.Helper()
	if !clock.Pass(0, func() bool { return b.of(chat).waiting() == n }) {
		t.Fatalf("%d wait, want %d", b.of(chat).waiting(), n)
	}
}

// When a chat's budget is spent, boards with a mover go first, except after those that have waited long.
func TestWhoIsToMoveIsServedFirst(t *testing.T) {
	const group = -5
	clock := fakes.NewClock(false)
	b := newBudget(clock)
	b.rest(group, time.Minute)
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
	for range groupBurst {
		b.of(group).window.take(clock.Now().Add(30 * time.Second))
	}
	clock.Advance(30 * time.Second)
	var order []string
	for left := waits - 1; left >= 0; left-- { // in turn, however late one reports it
		if !clock.Pass(100*time.Millisecond, func() bool { return b.of(group).waiting() <= left }) {
			t.Fatalf("%d of %d are served", len(order), waits)
		}
		order = append(order, <-served)
	}
	if want := []string{"move 1", "move 2", "call", "lobby", "move 3"}; !slices.Equal(order, want) {
		t.Errorf("served %q, want %q", order, want)
	}
}

// A board that was asked for goes before answers, whichever came first, and a waiter holds up no other write.
func TestWhatWasAskedForGoesBeforeAnswers(t *testing.T) {
	const group = -5
	for _, late := range []string{"board", "answer"} {
		clock := fakes.NewClock(false)
		b := newBudget(clock)
		for range groupBurst {
			b.of(group).window.take(clock.Now())
		}
		ready, served := make(chan bool, 1), make(chan bool, 2)
		write := func() error { served <- true; return nil }
		come := map[string]func(){
			"board": func() {
				if b.ready(t.Context(), group, chat.ToShow) == nil {
					ready <- true
					_ = b.board(t.Context(), group, write)
				}
			},
			"answer": func() { _ = b.answer(t.Context(), group, write) },
		}
		early := map[string]string{"board": "answer", "answer": "board"}[late]
		go come[early]()
		queued(t, clock, b, group, 1)
		go come[late]()
		queued(t, clock, b, group, 2)
		writing := b.of(group).writing
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
