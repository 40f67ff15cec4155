package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"knobel/bot/chat"
)

// mostErrands is how many errands of a kind are under way at once on a platform.
// What is beyond that waits until one of them has ended; other platforms go on.
const mostErrands = 256

// errands are what a loop has begun and does not wait for, each about something
// that has a number, and one at a time about that.
type errands struct {
	bell  bell // there is something to be done
	clock chat.Clock
	pause time.Duration // how long what could not be done is left alone, where the platform does not say
	mu    sync.Mutex
	busy  map[int64]*errand
	on    map[string]int      // how many of these there are, by platform
	rests map[int64]time.Time // what could not be done, and until when it is left alone
	all   sync.WaitGroup
}

// errand is what is being done about something.
type errand struct {
	on   string // its platform
	stop context.CancelFunc
	// again says that the loop wanted something done meanwhile: it is to look
	// again once this has ended.
	again bool
}

func newErrands(clock chat.Clock, pause time.Duration) *errands {
	return &errands{bell: newBell(), clock: clock, pause: pause, busy: map[int64]*errand{}, on: map[string]int{}, rests: map[int64]time.Time{}}
}

// see has somebody see to something on a platform, beside everything else. told hears of a fault
// that no platform has asked for, unless it was stopped meanwhile: then the loop sees
// what is to become of it.
func (e *errands) see(ctx context.Context, on string, id int64, do func(context.Context, int64) error, told func(error)) {
	one, ok := e.begin(ctx, on, id)
	if !ok {
		return
	}
	e.all.Go(func() {
		err := safely(func() error { return do(one, id) })
		if one.Err() != nil {
			err = nil
		}
		e.end(id, err)
		if _, expected := errors.AsType[chat.Later](err); err != nil && !expected {
			told(err)
		}
	})
}

// begin notes that somebody sees to something; false: somebody does already, it is
// left alone at present, which rested tells the end of, or too many are busy there.
func (e *errands) begin(ctx context.Context, on string, id int64) (context.Context, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := e.busy[id]; now != nil {
		now.again = true
		return nil, false
	}
	if e.clock.Now().Before(e.rests[id]) || e.on[on] >= mostErrands {
		return nil, false
	}
	delete(e.rests, id)
	ctx, stop := context.WithCancel(ctx)
	e.busy[id] = &errand{on: on, stop: stop}
	e.on[on]++
	return ctx, true
}

// end notes that nobody sees to it any more. Where it could not be done, it is left
// alone for a while: the loop may look at any time, and two that fail would have it
// look for ever.
func (e *errands) end(id int64, fault error) {
	rest := pauseAfter(fault, e.pause)
	e.mu.Lock()
	now := e.busy[id]
	full := e.on[now.on] >= mostErrands
	delete(e.busy, id)
	if e.on[now.on]--; e.on[now.on] == 0 {
		delete(e.on, now.on)
	}
	if rest > 0 {
		e.rests[id] = e.clock.Now().Add(rest)
	}
	e.mu.Unlock()
	now.stop()
	if now.again || full || rest > 0 {
		e.bell.ring()
	}
}

// rested is how long it is until something is left alone no longer, 0: nothing is.
func (e *errands) rested() (soon time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.clock.Now()
	for id, until := range e.rests {
		if left := until.Sub(now); left <= 0 {
			delete(e.rests, id)
		} else if soon == 0 || left < soon {
			soon = left
		}
	}
	return soon
}

// pauseAfter is how long something is left alone that could not be done: as long as
// the platform asks for, if it does.
func pauseAfter(fault error, otherwise time.Duration) time.Duration {
	if fault == nil {
		return 0
	}
	if later, asked := errors.AsType[chat.Later](fault); asked {
		return max(later.After, time.Second)
	}
	return otherwise
}
