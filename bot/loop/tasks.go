package loop

// Tasks that a loop begins and does not wait for.

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
)

// MaxTasks is the number of tasks of a kind that run at once on a platform. Further tasks begin
// when others have ended; other platforms are not affected.
const MaxTasks = 256

// Tasks run concurrently, at most one at a time for each id.
type Tasks struct {
	Waker Waker // wakes the loop that begins them
	clock chat.Clock
	pause time.Duration // how long what could not be done is left alone, where the platform does not say
	mu    sync.Mutex
	busy  map[int64]*task
	on    map[string]int      // how many of these there are, by platform
	rests map[int64]time.Time // what could not be done, and until when it is left alone
	all   sync.WaitGroup
}

// task is a running task.
type task struct {
	on   string // its platform
	stop context.CancelFunc
	// again says that Go was called for this id meanwhile: the loop is woken when the task has
	// ended.
	again bool
}

// NewTasks returns a set of tasks, none of which runs. The id of a task that failed is left alone
// for pause, or for as long as the platform asks.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, on: map[string]int{},
		rests: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine, unless one is running for id, id is left alone at
// present, or too many run on the platform. onError gets errors other than
// chat.Later, unless the task was stopped.
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

// end removes a task. The id of one that failed is left alone for a while: otherwise two failing
// tasks would wake the loop for ever.
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

// Stop cancels the tasks of ids, and forgets for how long these ids were to be left alone, since other things are about
// to get them. It wakes the loop if any ran or were left alone.
func (t *Tasks) Stop(ids []int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		now, rests := t.busy[id], t.rests[id]
		delete(t.rests, id)
		if now != nil {
			now.stop()
		}
		if now != nil || !rests.IsZero() {
			t.Waker.Wake()
		}
	}
}

// Busy reports whether a task runs for an id.
func (t *Tasks) Busy(id int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.busy[id] != nil
}

// Wait waits until no task runs. Go must not be called meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns the time until the next id is no longer left alone; 0: none is.
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

// PauseAfter returns how long to leave alone what has failed: as long as the platform asks for, if
// it does; 0 without an error.
func PauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
