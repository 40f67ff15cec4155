package loop

// Concurrent tasks.

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
)

// MaxTasks is the most tasks of a kind that run at once on a platform. Further tasks start when others have ended;
// other platforms are not affected.
const MaxTasks = 256

// Tasks run concurrently, at most one at a time for each id.
type Tasks struct {
	Waker Waker // wakes their loop
	clock chat.Clock
	pause time.Duration // after a failure, unless the platform says
	mu    sync.Mutex
	busy  map[int64]*task
	on    map[string]int      // running tasks by platform
	rests map[int64]time.Time // failed ids, and when to retry
	all   sync.WaitGroup
}

// task is a running task.
type task struct {
	on   string // its platform
	stop context.CancelFunc
	// again says that Go was called for this id meanwhile: the loop is woken at the task's end.
	again bool
}

// NewTasks returns an empty set. A failed id is paused for pause or as long as the platform asks.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, on: map[string]int{},
		rests: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine, unless one is running for id, id is paused, or too many run on the platform.
// onError gets errors other than chat.Later, unless the task was stopped.
func (t *Tasks) Go(ctx context.Context, on string, id int64, do func(context.Context, int64) error,
	onError func(error)) {
	one, ok := t.begin(ctx, on, id)
	if !ok {
		return
	}
	t.all.Go(func() {
		err := Safely(func() error { return do(one, id) })
		if one.Err() != nil {
			err = nil
		}
		t.end(id, err)
		if _, expected := errors.AsType[chat.Later](err); err != nil && !expected {
			onError(err)
		}
	})
}

// begin registers a task, and returns false if it may not begin now.
func (t *Tasks) begin(ctx context.Context, on string, id int64) (context.Context, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.busy[id]; now != nil {
		now.again = true
		return nil, false
	}
	if t.clock.Now().Before(t.rests[id]) || t.on[on] >= MaxTasks {
		return nil, false
	}
	delete(t.rests, id)
	ctx, stop := context.WithCancel(ctx)
	t.busy[id] = &task{on: on, stop: stop}
	t.on[on]++
	return ctx, true
}

// end removes a task. A failed id is paused: otherwise two failing tasks would wake the loop for ever.
func (t *Tasks) end(id int64, fault error) {
	rest := PauseAfter(fault, t.pause)
	t.mu.Lock()
	now := t.busy[id]
	full := t.on[now.on] >= MaxTasks
	delete(t.busy, id)
	if t.on[now.on]--; t.on[now.on] == 0 {
		delete(t.on, now.on)
	}
	if rest > 0 {
		t.rests[id] = t.clock.Now().Add(rest)
	}
	t.mu.Unlock()
	now.stop()
	if now.again || full || rest > 0 {
		t.Waker.Wake()
	}
}

// Stop cancels the task of an id and ends its pause, since the id is going to be reused. It wakes the loop if the task
// ran or was paused.
func (t *Tasks) Stop(id int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, rests := t.busy[id], t.rests[id]
	delete(t.rests, id)
	if now != nil {
		now.stop()
	}
	if now != nil || !rests.IsZero() {
		t.Waker.Wake()
	}
}

// Wait waits until no task runs. Go must not be called meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns the time until the next pause ends; 0: there is none.
func (t *Tasks) Rested() (soon time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.clock.Now()
	for id, until := range t.rests {
		if left := until.Sub(now); left <= 0 {
			delete(t.rests, id)
		} else if soon == 0 || left < soon {
			soon = left
		}
	}
	return soon
}

// PauseAfter returns the pause after a failure: as long as the platform asks for, else otherwise; 0 without an error.
func PauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
