package loop

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
)

// TestLoop runs a loop with a fake clock. Passes run at the start, when due or woken, at each sweep, and after errors.
func TestLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Loop{Clock: chat.SystemClock{}, Sweep: time.Minute,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
		began := time.Now()
		var looked []time.Duration
		waker := NewWaker()
		look := func(context.Context) (time.Duration, error) {
			looked = append(looked, time.Since(began))
			switch len(looked) {
			case 1:
				return 10 * time.Second, nil // sooner than the sweep
			case 2:
				panic("a fault")
			case 3:
				return time.Hour, errors.New("another") // later than the sweep, which comes first
			}
			return 0, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go l.Run(ctx, waker, "tests wait", look)
		<-time.After(2*time.Minute + 30*time.Second)
		waker.Wake()
		synctest.Wait()
		want := []time.Duration{0, 10 * time.Second, time.Minute, 2 * time.Minute, 2*time.Minute + 30*time.Second}
		if !slices.Equal(looked, want) {
			t.Errorf("looked after %v, want %v", looked, want)
		}
	})
}

// TestWhatComesToBeDueMeanwhile has a pass take longer than the time until the next one, which then begins at once.
func TestWhatComesToBeDueMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := Loop{Clock: chat.SystemClock{}, Sweep: time.Hour, Log: slog.New(slog.DiscardHandler), Rests: true}
		began := time.Now()
		var looked []time.Duration
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go l.Run(ctx, NewWaker(), "tests wait", func(context.Context) (time.Duration, error) {
			looked = append(looked, time.Since(began))
			if len(looked) > 1 {
				return 0, nil
			}
			time.Sleep(20 * time.Second) // fake time
			return 10 * time.Second, nil
		})
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []time.Duration{0, 20*time.Second + 250*time.Millisecond}; !slices.Equal(looked, want) {
			t.Errorf("looked after %v, want %v", looked, want)
		}
	})
}

// TestWaker wakes a loop twice that does not run: Wake does not block, and the two calls count once.
func TestWaker(t *testing.T) {
	waker := NewWaker()
	waker.Wake()
	waker.Wake()
	<-waker
	select {
	case <-waker:
		t.Error("it woke twice")
	default:
	}
}

// woken reports whether w was woken since the last call of woken.
func woken(w Waker) bool {
	select {
	case <-w:
		return true
	default:
		return false
	}
}

// TestCallsOfOnePlatformLeaveRoomForAnothers starts as many tasks as one platform may have: those of another platform
// start all the same.
func TestCallsOfOnePlatformLeaveRoomForAnothers(t *testing.T) {
	c := NewTasks(chat.SystemClock{}, time.Minute)
	for id := range int64(MaxTasks) {
		c.begin(t.Context(), "test", id)
	}
	if _, ok := c.begin(t.Context(), "test", MaxTasks); ok {
		t.Error("one platform has no bound")
	}
	if _, ok := c.begin(t.Context(), "other", MaxTasks); !ok {
		t.Error("there is no room for another platform's")
	}
}

// TestWhatFindsNoRoomIsLookedForAgain starts too many tasks: the loop is woken once one of them has ended.
func TestWhatFindsNoRoomIsLookedForAgain(t *testing.T) {
	c := NewTasks(chat.SystemClock{}, time.Minute)
	for id := range int64(MaxTasks) {
		if _, ok := c.begin(t.Context(), "test", id); !ok {
			t.Fatalf("no room for call %d", id)
		}
	}
	if _, ok := c.begin(t.Context(), "test", MaxTasks); ok {
		t.Fatal("there is room for all")
	}
	for id := range int64(2) {
		c.end(id, nil)
		if again := woken(c.Waker); again != (id == 0) {
			t.Errorf("when call %d has ended, the loop was woken: %t", id, again)
		}
	}
}

// TestAStoppedCallLeavesNoRest checks that Stop ends the pause of an id after a failure: a new task starts at once.
func TestAStoppedCallLeavesNoRest(t *testing.T) {
	c := NewTasks(chat.SystemClock{}, time.Minute)
	if _, ok := c.begin(t.Context(), "test", 1); !ok {
		t.Fatal("nobody sees to it")
	}
	c.end(1, errors.New("a fault"))
	c.Stop(1)
	if _, ok := c.begin(t.Context(), "test", 1); !ok {
		t.Error("the next call of that number is left alone")
	}
}
