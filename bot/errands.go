package bot

import (
	"context"
	"sync"
)

// mostErrands is how many errands of a kind are under way at once. What is beyond
// that waits until one of them has ended.
const mostErrands = 256

// errands are what a loop has begun and does not wait for, each about something
// that has a number, and one at a time about that.
type errands struct {
	bell bell // there is something to be done
	mu   sync.Mutex
	busy map[int64]*errand
	all  sync.WaitGroup
}

// errand is what is being done about something.
type errand struct {
	stop context.CancelFunc
	// again says that the loop wanted something done meanwhile: it is to look
	// again once this has ended.
	again bool
}

func newErrands() *errands { return &errands{bell: newBell(), busy: map[int64]*errand{}} }

// begin notes that somebody sees to something; false: somebody does already, or
// too many are busy.
func (e *errands) begin(ctx context.Context, id int64) (context.Context, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := e.busy[id]; now != nil {
		now.again = true
		return nil, false
	}
	if len(e.busy) >= mostErrands {
		return nil, false
	}
	ctx, stop := context.WithCancel(ctx)
	e.busy[id] = &errand{stop: stop}
	return ctx, true
}

// end notes that nobody sees to it any more.
func (e *errands) end(id int64) {
	e.mu.Lock()
	now, full := e.busy[id], len(e.busy) >= mostErrands
	delete(e.busy, id)
	e.mu.Unlock()
	now.stop()
	if now.again || full {
		e.bell.ring()
	}
}
