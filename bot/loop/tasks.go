package loop

// Tasks that a loop begins and does not wait for.

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
)

// MaxTasks is how many tasks of a kind run at once on a platform. What is beyond
// that waits until one of them has ended; other platforms go on.
const MaxTasks = 256

// Tasks run beside everything else, each about something that has a number, and one
// at a time about that.
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

// task is what is being done about something.
type task struct {
	on   string // its platform
	stop context.CancelFunc
	// again says that the loop wanted something done meanwhile: it is to look
	// again once this has ended.
	again bool
}

// NewTasks returns tasks of which none runs. What fails is left alone for pause,
// where the platform asks for no other time.
func NewTasks(clock chat.Clock, pause time.Duration) *Tasks {
	return &Tasks{Waker: NewWaker(), clock: clock, pause: pause, busy: map[int64]*task{}, on: map[string]int{}, rests: map[int64]time.Time{}}
}

// Go starts do(id) in a goroutine, unless one is running for id, id is left alone at
// present, or too many run on the platform. onError gets errors other than
// chat.Later, unless the task was stopped.
func (t *Tasks) Go(ctx context.Context, on string, id int64, do func(context.Context, int64) error, onError func(error)) {
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

// begin reports whether a task may begin, and notes that it runs.
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

// end notes that a task has ended. One that failed is left alone for a while: the
// loop may look at any time, and two that fail would have it look for ever.
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

// Stop ends tasks that are not wanted any more, and wakes the loop. Nothing of theirs
// is left alone any longer: others are going to have their numbers.
func (t *Tasks) Stop(ids []int64) {
	t.mu.Lock()
	for _, id := range ids {
		delete(t.rests, id)
		if now := t.busy[id]; now != nil {
			now.stop()
		}
	}
	t.mu.Unlock()
	t.Waker.Wake()
}

// Wait waits until no task runs. Nothing may be begun meanwhile.
func (t *Tasks) Wait() { t.all.Wait() }

// Rested returns how long it is until something is left alone no longer, 0: nothing is.
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

// PauseAfter returns how long something is left alone that could not be done: as long
// as the platform asks for, if it does.
func PauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
