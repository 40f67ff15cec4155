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

// Updates between poll and answer: handled in order within each chat, acknowledged once they are handled.

// intake holds the polled updates that are not acknowledged. Updates of one chat are handled in order, chats
// concurrently and during polls: no chat waits for another, unless as many updates are in progress as one poll
// returns.
type intake struct {
	listener
	ctx  context.Context // when done, nothing new starts
	work context.Context // for handling updates
	last context.Context // for the last poll, which acknowledges
	// hurriedEnd is how long a poll that does not wait for updates may take once ctx is done.
	hurriedEnd time.Duration
	busy       sync.WaitGroup
	sentOffset int64 // of the last poll: updates before it are acknowledged
	open       bool  // the last poll may still be open at the server

	mu         sync.Mutex
	done       map[int64]bool     // by update number: true if handled and answered
	queues     map[int64][]update // waiting updates of the chats in progress
	next       int64              // the number after the last received update
	acked      int64              // the number after the last acknowledged update
	unfinished int                // how many are not done
	idle       chan struct{}      // closed while none is

	// doubted are updates received while it was not sure that this replica is the one that polls. Requests, the updates
	// that want an answer, are refused once they are acknowledged; others are handled when it is sure.
	doubted []update
}

// accept queues the updates in batch that are new, and reports whether the next poll can acknowledge any of them.
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

// asks reports whether the update may want an answer: a button press, or a message that may be a command.
func (u update) asks() bool {
	m := u.Message
	return u.Callback != nil ||
		m != nil && m.MigrateTo == 0 && m.MigrateFrom == 0 && len(m.Joined) == 0 && m.Left == nil
}

// unsure reports whether another replica may be polling.
func (in *intake) unsure() bool { return !in.options.Leases.Sure() }

// resolveDoubt queues the doubted updates if it is sure that this replica is the one that polls. It reports whether
// requests among them remain to be refused.
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

// refusing is a core that answers every event with an apology.
type refusing struct{ chat.Core }

// Handle returns the apology and does not handle ev.
func (s refusing) Handle(_ context.Context, ev chat.Event) chat.Reply { return s.Sorry(ev) }

// refuseDoubted answers the doubted requests before offset with an apology: they are acknowledged by now, and Telegram
// sends them to no replica any more. If it is sure by now that this replica is the one that polls, it handles them.
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

// dropDoubtedRequests drops the doubted requests without an answer: Telegram delivers them to the replica that polls
// next.
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

// endDoubt ends the doubt when polling ends: it drops the doubted requests and handles the other doubted updates.
func (in *intake) endDoubt() {
	in.dropDoubtedRequests()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, u := range in.doubted {
		in.busy.Go(func() { in.handleSafely(in.work, u, &in.busy) })
	}
	in.doubted = nil
}

// enqueue adds u to its chat's queue, and starts serving the queue if it was empty. The caller holds the lock.
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

// progress returns the offset of the next poll, the first update that is not done, which acknowledges all before it;
// and whether updates are being handled.
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

// awaitProgress waits up to 100 ms for updates in progress, so that the next poll acknowledges them. Slower ones
// continue during that poll.
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
