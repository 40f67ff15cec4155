package telegram

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"knobel/bot/chat"
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

	// What has come while this replica was not sure that it is the one that polls.
	unsaid []update // whoever asked for something in these is told that nothing was done, once they are acknowledged
	later  []update // these ask for nothing, and are handled when it knows
}

func newIntake(l listener, ctx, work context.Context) *intake {
	still := make(chan struct{})
	close(still)
	return &intake{listener: l, ctx: ctx, work: work, last: work, hurriedEnd: hurriedEnd, done: map[int64]bool{},
		lanes: map[int64][]update{}, still: still}
}

// accept queues the updates that are new, and reports whether any of them can be acknowledged.
func (in *intake) accept(batch []json.RawMessage) (news bool) {
	unsure := in.unsure()
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
		in.done[u.ID] = true
		switch {
		case err != nil:
		case unsure && u.asks():
			in.unsaid = append(in.unsaid, u)
		case unsure:
			in.later = append(in.later, u)
		default:
			in.enqueue(u)
		}
	}
	return news
}

// asks reports whether somebody may want an answer.
func (u update) asks() bool {
	m := u.Message
	return u.Callback != nil ||
		m != nil && m.MigrateTo == 0 && m.MigrateFrom == 0 && len(m.Joined) == 0 && m.Left == nil
}

// unsure reports whether another replica may be the one that polls, or nobody is.
func (in *intake) unsure() bool { return !in.leases.Sure() }

// resolve has what has come in doubt handled as everything else, once there is none, and reports whether somebody is
// still to be told that nothing was done.
func (in *intake) resolve() (unsaid bool) {
	unsure := in.unsure()
	in.mu.Lock()
	defer in.mu.Unlock()
	if unsure {
		return len(in.unsaid) > 0
	}
	for _, u := range in.unsaid {
		in.acked = min(in.acked, u.ID) // Telegram keeps it until it is handled, unless it has been told already
	}
	for _, u := range slices.Concat(in.later, in.unsaid) {
		in.enqueue(u)
	}
	in.unsaid, in.later = nil, nil
	return false
}

// sorry is a core that carries nothing out.
type sorry struct{ chat.Core }

// Handle says that nothing was done.
func (s sorry) Handle(_ context.Context, ev chat.Event) chat.Reply { return s.Sorry(ev) }

// regret tells people in doubt that nothing was done. By now Telegram has acknowledged all before the offset, which
// nobody else gets any more. Where there is no doubt any more, what they want is done.
func (in *intake) regret(offset int64) {
	l := in.listener
	if in.unsure() {
		l.core = sorry{l.core}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.unsaid = slices.DeleteFunc(in.unsaid, func(u update) bool {
		if u.ID >= offset {
			return false
		}
		in.busy.Go(func() {
			var answers sync.WaitGroup
			l.handleSafely(in.work, u, &answers)
			answers.Wait()
		})
		return true
	})
}

// unsay leaves those who have been told nothing to whoever polls next.
func (in *intake) unsay() {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, u := range in.unsaid {
		delete(in.done, u.ID)
		in.next, in.acked = min(in.next, u.ID), min(in.acked, u.ID)
	}
	in.unsaid = nil
}

// undoubt ends all doubts with the polling: what has come and asks for nothing is handled.
func (in *intake) undoubt() {
	in.unsay()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, u := range in.later {
		in.busy.Go(func() { in.handleSafely(in.work, u, &in.busy) })
	}
	in.later = nil
}

// enqueue puts an update into its chat's lane, and serves the lane if it was empty. The caller holds
// the lock.
func (in *intake) enqueue(u update) {
	in.done[u.ID] = false
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
func (in *intake) serve(of int64) {
	for {
		in.mu.Lock()
		lane := in.lanes[of]
		if len(lane) == 0 || in.ctx.Err() != nil {
			delete(in.lanes, of)
			in.mu.Unlock()
			return
		}
		in.lanes[of] = lane[1:]
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
