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

// Updates from polls: handled in order within each chat, and acknowledged to Telegram after they were handled.

// intake holds the updates from polls that are not acknowledged yet. Updates of one chat are handled in order, those of
// different chats at the same time, even during polls. At most one poll's worth of updates is unfinished.
type intake struct {
	listener
	ctx     context.Context // polling ends when it is done
	work    context.Context // in which updates are handled
	lastCtx context.Context // of the last poll, which only acknowledges
	// hurriedEnd is how long a poll that does not wait for updates may still take after ctx is done.
	hurriedEnd time.Duration
	busy       sync.WaitGroup
	sentOffset int64 // the highest offset of a poll: updates before it are acknowledged
	pollOpen   bool  // the last poll may still be open at the server

	mu         sync.Mutex
	done       map[int64]bool     // by update number: true if the next poll may acknowledge it
	queues     map[int64][]update // waiting updates of the chats in progress
	next       int64              // the number after the last received update
	acked      int64              // the number after the last acknowledged update
	unfinished int                // number of updates that are not done
	idle       chan struct{}      // closed while unfinished is 0

	// doubted are updates received while perhaps another replica polls. Button presses and commands among them get an
	// apology once they are acknowledged. All others are handled once it is clear which replica polls.
	doubted []update
}

// accept queues the updates in batch that it does not know yet. isNew reports whether one has a new highest id.
func (in *intake) accept(batch []json.RawMessage) (isNew bool) {
	unsure := in.isUnsure()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, raw := range batch {
		u, err := decode(raw)
		if _, known := in.done[u.ID]; known {
			continue
		}
		if err != nil {
			in.log.Warn("skipped unreadable polled update", "error", err)
		}
		if u.ID <= 0 { // it cannot be acknowledged
			continue
		}
		isNew = isNew || u.ID >= in.next
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
	return isNew
}

// mayWantAnswer reports whether u is a button press, a query, or a message that may be a command.
func (u update) mayWantAnswer() bool {
	m := u.Message
	return u.Callback != nil || u.Guest != nil || u.Query != nil ||
		m != nil && m.MigrateTo == 0 && m.MigrateFrom == 0 && len(m.Joined) == 0 && m.Left == nil
}

// isUnsure reports whether another replica may be polling at the same time.
func (in *intake) isUnsure() bool { return !in.options.Leases.Sure() }

// resolveDoubt queues the doubted updates if it is certain by now that only this replica polls. Otherwise it reports
// whether there are button presses or commands among them, which must be refused.
func (in *intake) resolveDoubt() (remain bool) {
	unsure := in.isUnsure()
	in.mu.Lock()
	defer in.mu.Unlock()
	if unsure {
		return slices.ContainsFunc(in.doubted, update.mayWantAnswer)
	}
	for _, u := range in.doubted {
		if u.mayWantAnswer() {
			in.acked = min(in.acked, u.ID) // not acknowledged before it is handled
		}
		in.enqueue(u)
	}
	in.doubted = nil
	return false
}

// refusing is a core that handles no events. It answers each with an apology.
type refusing struct{ chat.Core }

// Handle returns an apology.
func (s refusing) Handle(_ context.Context, ev chat.Event) chat.Reply { return s.Sorry(ev) }

// refuseDoubted answers the doubted presses and commands with ids below offset by an apology: they are acknowledged, so
// no replica receives them again. If by now only this replica polls for certain, it handles them instead.
func (in *intake) refuseDoubted(offset int64) {
	l := in.listener
	if in.isUnsure() {
		l.core = refusing{l.core}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.doubted = slices.DeleteFunc(in.doubted, func(u update) bool {
		if !u.mayWantAnswer() || u.ID >= offset {
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

// dropDoubtedRequests forgets the doubted presses and commands: Telegram sends them to the next replica that polls.
func (in *intake) dropDoubtedRequests() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.doubted = slices.DeleteFunc(in.doubted, func(u update) bool {
		if u.mayWantAnswer() {
			delete(in.done, u.ID)
			in.next, in.acked = min(in.next, u.ID), min(in.acked, u.ID)
		}
		return u.mayWantAnswer()
	})
}

// endDoubt ends the doubt when polling ends: it forgets the doubted presses and commands, and handles other updates.
func (in *intake) endDoubt() {
	in.dropDoubtedRequests()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, u := range in.doubted {
		in.busy.Go(func() { in.handleSafely(in.work, u, &in.busy) })
	}
	in.doubted = nil
}

// enqueue adds u to the queue of its chat. If no goroutine serves that queue, it starts one. The caller holds in.mu.
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

// serve handles the updates in chat's queue one after another, until the queue is empty or in.ctx is done.
func (in *intake) serve(chat int64) {
	for {
		in.mu.Lock()
		queue := in.queues[chat]
		if len(queue) == 0 || in.ctx.Err() != nil {
			delete(in.queues, chat)
			in.mu.Unlock()
			return
		}
		in.queues[chat] = queue[1:]
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

// progress returns offset, the id of the first update that is not finished: the next poll acknowledges all before it.
// working reports whether updates are being handled.
func (in *intake) progress() (offset int64, working bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	first := in.next
	for id, done := range in.done {
		if !done {
			first = min(first, id)
		}
	}
	in.acked = max(in.acked, first)
	maps.DeleteFunc(in.done, func(id int64, done bool) bool { return done && id < in.acked })
	return in.acked, in.unfinished > 0
}

// awaitProgress waits until all queued updates are finished, at most 100 ms, so that the next poll acknowledges them.
func (in *intake) awaitProgress() {
	in.mu.Lock()
	nowIdle, idle := in.idle, in.unfinished == 0
	in.mu.Unlock()
	if idle {
		return // without a timer, which would move a test's clock
	}
	select {
	case <-nowIdle:
	case <-in.options.Clock.After(100 * time.Millisecond):
	case <-in.ctx.Done():
	}
}
