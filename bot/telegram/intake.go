package telegram

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"
)

// Updates between poll and answer: in order within each chat, acknowledged once they are handled.

// glance is how long the next poll waits for updates in progress, so that it can acknowledge them.
// Slower ones go on while polling goes on.
const glance = 100 * time.Millisecond

// intake holds the updates that were polled and not acknowledged. The updates of one chat are
// handled in order, different chats concurrently, and polling goes on meanwhile: no chat waits for
// another, unless as many updates are in progress as one poll returns.
type intake struct {
	listener
	ctx  context.Context // done: nothing more is begun
	work context.Context // that of what was begun
	last context.Context // that of the poll that acknowledges at the end
	// hurriedEnd is how long a poll that waits for nothing may still take at the end.
	hurriedEnd time.Duration
	busy       sync.WaitGroup
	told       int64 // behind what a poll has acknowledged
	open       bool  // the last poll may still wait at the server

	mu    sync.Mutex
	done  map[int64]bool     // by number, whether an update is handled and answered
	lanes map[int64][]update // what waits in the chats at which somebody is at work
	next  int64              // behind the last that has come
	acked int64              // behind what has been acknowledged
	under int                // how many are not done
	still chan struct{}      // closed while none is
}

func newIntake(l listener, ctx, work context.Context) *intake {
	still := make(chan struct{})
	close(still)
	return &intake{listener: l, ctx: ctx, work: work, last: work, hurriedEnd: hurriedEnd, done: map[int64]bool{},
		lanes: map[int64][]update{}, still: still}
}

// accept queues the updates that are new, and reports whether any of them can be acknowledged.
func (in *intake) accept(batch []json.RawMessage) (news bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, raw := range batch {
		u, err := decode(raw)
		if _, known := in.done[u.ID]; known {
			continue
		}
		if err != nil {
			in.log.Warn("an update was passed over", "error", err)
		}
		if u.ID <= 0 { // it cannot be acknowledged
			continue
		}
		news = news || u.ID >= in.next
		in.next = max(in.next, u.ID+1)
		if in.done[u.ID] = err != nil; err == nil {
			in.enqueue(u)
		}
	}
	return news
}

// enqueue puts an update into its chat's lane, and serves the lane if it was empty. The caller holds
// the lock.
func (in *intake) enqueue(u update) {
	if in.under++; in.under == 1 {
		in.still = make(chan struct{})
	}
	lane, served := in.lanes[u.chat()]
	in.lanes[u.chat()] = append(lane, u)
	if !served {
		in.busy.Go(func() { in.serve(u.chat()) })
	}
}

// serve handles the updates in a chat's lane until it is empty. At the end of the run the rest is
// left for the next run.
func (in *intake) serve(chat int64) {
	for {
		in.mu.Lock()
		lane := in.lanes[chat]
		if len(lane) == 0 || in.ctx.Err() != nil {
			delete(in.lanes, chat)
			in.mu.Unlock()
			return
		}
		in.lanes[chat] = lane[1:]
		in.mu.Unlock()
		var answers sync.WaitGroup
		in.handleSafely(in.work, lane[0], &answers)
		in.busy.Go(func() {
			answers.Wait()
			in.finish(lane[0].ID)
		})
	}
}

// finish notes that an update is handled and answered.
func (in *intake) finish(id int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.done[id] = true
	if in.under--; in.under == 0 {
		close(in.still)
	}
}

// progress returns the offset that the next poll may acknowledge, which is the first update that is
// not done, and whether updates are being handled.
func (in *intake) progress() (offset int64, working bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	at := in.next
	for id, done := range in.done {
		if !done {
			at = min(at, id)
		}
	}
	in.acked = max(in.acked, at)
	maps.DeleteFunc(in.done, func(id int64, done bool) bool { return done && id < in.acked })
	return in.acked, in.under > 0
}

// settle waits a moment for what is under way.
func (in *intake) settle() {
	in.mu.Lock()
	still := in.still
	in.mu.Unlock()
	select {
	case <-still:
		return
	default:
	}
	select {
	case <-still:
	case <-in.clock.After(glance):
	case <-in.ctx.Done():
	}
}

// close waits for the updates in progress and acknowledges them.
func (in *intake) close() {
	in.busy.Wait()
	offset, _ := in.progress()
	in.acknowledge(offset)
}
