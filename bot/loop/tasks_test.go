package loop

import (
	"errors"
	"testing"
	"time"

	"knobel/bot/chat"
)

// woken reports whether a loop was woken since the last call.
func woken(w Waker) bool {
	select {
	case <-w:
		return true
	default:
		return false
	}
}

// However many calls of one platform wait, those of another are sent.
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

// If more calls are due than can run at once, the loop looks again once one has ended.
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

// A stopped call whose number is reused is not paused.
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
