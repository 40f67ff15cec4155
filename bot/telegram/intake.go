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

// intake holds the polled updates that are not acknowledged. Updates of one chat are handled in order, chats
// concurrently and during polls: no chat waits for another, unless as many updates are in progress as one poll
// returns.
type intake struct {
	listener
	ctx  context.Context // when done, nothing new starts
	work context.Context // for handling updates
	last context.Context // for the last poll, which acknowledges
	// hurriedEnd is how long a short poll may take at the end.
	hurriedEnd time.Duration
	busy       sync.WaitGroup
	sentOffset int64 // of the last poll: updates before it are acknowledged
	open       bool  // the last poll may still be open at the server

	mu         sync.Mutex
	done       map[int64]bool     // by number, whether an update is handled and answered
	queues     map[int64][]update // waiting updates of the chats in progress
	next       int64              // after the last received
	acked      int64              // after the last acknowledged
	unfinished int                // how many are not done
	idle       chan struct{}      // closed while none is

	// doubted are updates received while this replica was not sure to be the one that polls: requests are refused once
	// they are acknowledged, others handled when it is sure.
	doubted []update
}

// accept queues new updates and reports whether any can be acknowledged.
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
			in.log.Warn("skipped unreadable update", "error", err)
		}
		if u.ID <= 0 { // it cannot be acknowledged
			continue
		}
		news = news || u.ID >= in.next
		in.next = max(in.next, u.ID+1)
		in.done[u.ID] = true
		switch {
		case err != nil:
		case unsure:
			in.doubted = append(in.doubted, u)
		default:
			in.enqueue(u)
		}
	}
	return news
}

// asks reports whether an update may want an answer.
func (u update) asks() bool {
	m := u.Message
	return u.Callback != nil ||
		m != nil && m.MigrateTo == 0 && m.MigrateFrom == 0 && len(m.Joined) == 0 && m.Left == nil
}

// unsure reports whether another replica may be polling.
func (in *intake) unsure() bool { return !in.options.Leases.Sure() }

// resolveDoubt queues the doubted updates once this replica is sure, and reports whether some remain to be refused.
func (in *intake) resolveDoubt() (remain bool) {
	unsure := in.unsure()
	in.mu.Lock()
	defer in.mu.Unlock()
	if unsure {
		return slices.ContainsFunc(in.doubted, update.asks)
	}
	for _, u := range in.doubted {
		if u.asks() {
			in.acked = min(in.acked, u.ID) // Telegram keeps it until it is handled
		}
		in.enqueue(u)
	}
	in.doubted = nil
	return false
}

// refusing is a core that refuses everything.
type refusing struct{ chat.Core }

// Handle returns the apology.
func (s refusing) Handle(_ context.Context, ev chat.Event) chat.Reply { return s.Sorry(ev) }

// refuseDoubted refuses the doubted requests, which Telegram has acknowledged by now and sends to no replica any more.
// If this replica has become sure, it handles them.
func (in *intake) refuseDoubted(offset int64) {
	l := in.listener
	if in.unsure() {
		l.core = refusing{l.core}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.doubted = slices.DeleteFunc(in.doubted, func(u update) bool {
		if !u.asks() || u.ID >= offset {
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

// dropDoubtedRequests leaves the doubted requests without a refusal to the next poller.
func (in *intake) dropDoubtedRequests() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.doubted = slices.DeleteFunc(in.doubted, func(u update) bool {
		if u.asks() {
			delete(in.done, u.ID)
			in.next, in.acked = min(in.next, u.ID), min(in.acked, u.ID)
		}
		return u.asks()
	})
}

// endDoubt handles doubted updates that are no requests when polling ends.
func (in *intake) endDoubt() {
	in.dropDoubtedRequests()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, u := range in.doubted {
		in.busy.Go(func() { in.handleSafely(in.work, u, &in.busy) })
	}
	in.doubted = nil
}

// enqueue adds an update to its chat's queue, and serves the queue if it was empty. The caller holds the lock.
func (in *intake) enqueue(u update) {
	in.done[u.ID] = false
	if in.unfinished++; in.unfinished == 1 {
		in.idle = make(chan struct{})
	}
	queue, served := in.queues[u.chat()]
	in.queues[u.chat()] = append(queue, u)
	if !served {
		in.busy.Go(func() { in.serve(u.chat()) })
	}
}

// serve handles the updates in a chat's queue until it is empty or the run ends.
func (in *intake) serve(of int64) {
	for {
		in.mu.Lock()
		queue := in.queues[of]
		if len(queue) == 0 || in.ctx.Err() != nil {
			delete(in.queues, of)
			in.mu.Unlock()
			return
		}
		in.queues[of] = queue[1:]
		in.mu.Unlock()
		var answers sync.WaitGroup
		in.handleSafely(in.work, queue[0], &answers)
		in.busy.Go(func() {
			answers.Wait()
			in.mu.Lock()
			defer in.mu.Unlock()
			in.done[queue[0].ID] = true
			if in.unfinished--; in.unfinished == 0 {
				close(in.idle)
			}
		})
	}
}

// progress returns the offset that the next poll may acknowledge, the first update not done, and whether updates are
// being handled.
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
	return in.acked, in.unfinished > 0
}

// awaitProgress waits a moment for updates in progress, so that the next poll acknowledges them. Slower ones continue
// while polling.
func (in *intake) awaitProgress() {
	in.mu.Lock()
	still, idle := in.idle, in.unfinished == 0
	in.mu.Unlock()
	if idle {
		return // without a timer, which would move a test's clock
	}
	select {
	case <-still:
	case <-in.options.Clock.After(100 * time.Millisecond):
	case <-in.ctx.Done():
	}
}
