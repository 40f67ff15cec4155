package telegram

import (
	"context"
	"slices"
	"sync"
	"time"

	"knobel/bot/chat"
)

// How fast the bot writes: a budget for each chat and one for all of Telegram.

// Telegram takes twenty sends and edits a minute in a group, all its topics
// together, and about one a second in a private chat. These stay below: nineteen
// in any minute, each counted from when it has arrived, and the one that a fresh
// process writes at once.
const (
	groupBurst   = 4
	groupMost    = 19
	privateBurst = 3
	privateMost  = 54
	groupLimit   = 20 // what Telegram itself says, a minute
	privateLimit = 60
	overallRate  = 25 // a second, of the thirty that Telegram takes
	overallBurst = 10
)

// toReply is the rank of an answer to a command: later than a board that was asked for.
const toReply = -20 * time.Second

// kept is what boards leave in a chat's budget for answers to commands.
const kept = 1

// ticketLife is how long a write that Ready has granted may wait to be used.
const ticketLife = 2 * time.Second

// manyChats is when allowances of chats at rest are forgotten.
const manyChats = 4096

// budget paces what is written into chats.
type budget struct {
	clock    chat.Clock
	began    time.Time // until then as much was written as could be
	again    bool      // another process has begun just before: it has written its first at once
	part     func(chat int64) chat.Part
	overall  *overall
	spending spending
	mu       sync.Mutex
	chats    map[int64]*allowance
}

// allowance is the budget of one chat.
type allowance struct {
	shared
	chat    int64
	writing chan struct{} // held by the one request that is under way
	mu      sync.Mutex
	queue   []*waiter   // boards and calls that wait, the next one first
	until   time.Time   // Telegram has asked to wait until then
	tickets []time.Time // writes granted to boards and not yet used
	users   int         // who has it in hand, kept by the budget's own lock
}

// waiter is a board or a call that waits for its turn.
type waiter struct {
	rank time.Time     // when it came, and how much it is put off
	next chan struct{} // gets one when it may have become the next
}

func newBudget(clock chat.Clock) *budget {
	now := clock.Now()
	alone := func(int64) chat.Part { return chat.Part{Replicas: 1, Holds: true} }
	return &budget{clock: clock, began: now, part: alone, overall: newOverall(now), chats: map[int64]*allowance{},
		spending: spending{clock: clock, noted: spent{Began: now.UnixMilli()}}}
}

// recall takes over what is known of the writes of the process before, before the first of this one.
func (b *budget) recall(ctx context.Context, notes notes, new bool) {
	began, again := b.spending.recall(ctx, notes, new, b.began)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began, b.again = began, again
}

// of returns the allowance of a chat, for who gives it back once they are done:
// until then it is not forgotten, so that no chat ever has two.
func (b *budget) of(chat int64) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := b.chats[chat]; a != nil {
		a.users++
		return a
	}
	if len(b.chats) >= manyChats {
		b.forget()
	}
	a := &allowance{shared: shared{whole: groupShare, fitted: b.began}, chat: chat, writing: make(chan struct{}, 1)}
	if chat > 0 {
		a.whole = privateShare
	}
	a.fit(b.partOf(chat), b.clock.Now())
	a.window.fresh = a.window.fresh && !b.again
	a.users++
	b.chats[chat] = a
	return a
}

// back gives an allowance back.
func (b *budget) back(a *allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.users--
}

// forget drops the chats that have their whole allowance and wait for nothing.
func (b *budget) forget() {
	now := b.clock.Now()
	for id, a := range b.chats {
		if !a.window.full.After(now) && a.users == 0 && a.waiting() == 0 && len(a.writing) == 0 && a.pause(now) == 0 {
			delete(b.chats, id)
		}
	}
}

// ready waits until a board or a call may be written into a chat, and grants one write. The more
// urgent go first; one that has waited long goes before newer ones.
func (b *budget) ready(ctx context.Context, chat int64, need chat.Need) error {
	a := b.of(chat)
	defer b.back(a)
	w := a.enqueue(b.clock.Now().Add(need.PutOff()))
	defer a.dequeue(w)
	return b.inTurn(ctx, a, w, func() (time.Duration, error) {
		now := b.clock.Now()
		wait := b.draw(a, now, kept)
		if wait == 0 {
			a.grant(now)
		}
		return wait, nil
	})
}

// inTurn tries something each time that a waiter is the next one, until it need not wait any more.
func (b *budget) inTurn(ctx context.Context, a *allowance, w *waiter, try func() (time.Duration, error)) error {
	for {
		if !a.first(w) {
			select {
			case <-w.next:
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		wait, err := try()
		if wait == 0 || err != nil {
			return err
		}
		if err := b.wait(ctx, wait); err != nil {
			return err
		}
	}
}

// enqueue puts a waiter into the queue, behind all of the same rank.
func (a *allowance) enqueue(rank time.Time) *waiter {
	w := &waiter{rank: rank, next: make(chan struct{}, 1)}
	a.mu.Lock()
	defer a.mu.Unlock()
	at := slices.IndexFunc(a.queue, func(other *waiter) bool { return other.rank.After(rank) })
	if at < 0 {
		at = len(a.queue)
	}
	a.queue = slices.Insert(a.queue, at, w)
	return w
}

// dequeue takes a waiter out of the queue and wakes the next.
func (a *allowance) dequeue(w *waiter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue = slices.DeleteFunc(a.queue, func(other *waiter) bool { return other == w })
	if len(a.queue) == 0 {
		return
	}
	select {
	case a.queue[0].next <- struct{}{}:
	default: // it has been told
	}
}

func (a *allowance) first(w *waiter) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.queue[0] == w
}

func (a *allowance) waiting() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queue)
}

// grant notes a write that a board may make.
func (a *allowance) grant(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tickets = append(a.tickets, now)
}

// board writes a board, paid with what ready has granted; else it waits, before all others: it has had its turn.
func (b *budget) board(ctx context.Context, chat int64, write func() error) error {
	return b.pay(ctx, chat, time.Time{}, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		if granted, ok := a.ticket(now); ok && a.pause(now) == 0 {
			return granted, 0
		}
		return now, b.draw(a, now, kept)
	})
}

// answer writes an answer to a command, which goes before boards, but for those that were asked for.
func (b *budget) answer(ctx context.Context, chat int64, write func() error) error {
	rank := b.clock.Now().Add(toReply)
	return b.pay(ctx, chat, rank, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		return now, b.draw(a, now, 0)
	})
}

// pay writes as soon as it is its turn and the price is paid, which says when that was, or else how long to wait.
// Writes into a chat follow one another: several that a slow network has held up would arrive together. Only who
// writes holds the others up, not who waits to be able to.
func (b *budget) pay(ctx context.Context, chat int64, rank time.Time, write func() error,
	price func(a *allowance, now time.Time) (paid time.Time, wait time.Duration)) error {
	a := b.of(chat)
	defer b.back(a)
	w := a.enqueue(rank)
	var paid time.Time
	err := b.inTurn(ctx, a, w, func() (wait time.Duration, err error) {
		if err = hold(ctx, a.writing); err != nil {
			return 0, err
		}
		for paid, wait = price(a, b.clock.Now()); wait == 0; paid, wait = price(a, b.clock.Now()) {
			if err = b.whole(ctx); err != nil || b.isOf(a, b.partOf(chat)) {
				break
			}
		}
		if wait > 0 || err != nil {
			release(a.writing)
		}
		return wait, err
	})
	a.dequeue(w)
	if err != nil {
		return err
	}
	defer release(a.writing)
	b.spending.before(ctx)
	err = write()
	b.spending.after(ctx)
	a.arrived(paid, b.clock.Now())
	return err
}

// arrived counts a write from when it is done: on its way nobody knows when it arrives.
func (a *allowance) arrived(noted, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window.done(noted, now, len(a.tickets))
}

// hold takes a place that one at a time may have.
func hold(ctx context.Context, place chan struct{}) error {
	select {
	case place <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func release(place chan struct{}) { <-place }

// draw takes one write if it leaves at least leave, and returns 0; or else it returns how long to wait:
// until the pause that Telegram has asked for is over, or until the allowance has grown. Where there are other
// replicas the share may be another before that.
func (b *budget) draw(a *allowance, now time.Time, leave int) time.Duration {
	part := b.partOf(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fit(part, now) {
		a.tickets = nil // they were granted by another share
	}
	return min(a.take(now, leave), shareEvery)
}

// take is draw by the present share. The caller holds the lock.
func (a *allowance) take(now time.Time, leave int) time.Duration {
	if wait := a.until.Sub(now); wait > 0 {
		return wait
	}
	if wait := a.window.wait(now, leave); wait > 0 {
		return wait
	}
	a.window.take(now)
	return 0
}

// ticket uses up a granted write that is still good, and returns when it was granted.
func (a *allowance) ticket(now time.Time) (granted time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.tickets) > 0 {
		granted, a.tickets = a.tickets[0], a.tickets[1:]
		if now.Sub(granted) <= ticketLife {
			return granted, true
		}
	}
	return granted, false
}

// pause says how long Telegram still wants to be left alone in this chat.
func (a *allowance) pause(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.until.Sub(now), 0)
}

// left is how many writes could be made at once.
func (b *budget) left(a *allowance, now time.Time) int {
	part := b.partOf(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.fit(part, now) {
		a.tickets = nil
	}
	return a.window.left(now)
}

// rest obeys Telegram's wish to wait.
func (b *budget) rest(chat int64, d time.Duration) {
	a := b.of(chat)
	defer b.back(a)
	a.mu.Lock()
	defer a.mu.Unlock()
	if until := b.clock.Now().Add(d); until.After(a.until) {
		a.until = until
	}
}

// whole waits for the budget of all chats together.
func (b *budget) whole(ctx context.Context) error {
	for {
		r := b.overall.reserve(b.clock.Now())
		wait := r.DelayFrom(b.clock.Now())
		if wait == 0 {
			return nil
		}
		r.CancelAt(b.clock.Now())
		if err := b.wait(ctx, wait); err != nil {
			return err
		}
	}
}

func (b *budget) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-b.clock.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isOf reports whether an allowance is by this part: what it has granted may be used.
func (b *budget) isOf(a *allowance, p chat.Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.isBy(p)
}

// partOf is the part of this replica in what may be written into a chat.
func (b *budget) partOf(id int64) chat.Part {
	p := b.part(id)
	p.Replicas = max(p.Replicas, 1)
	return p
}

// shareEvery is how often whoever waits looks whether its share has changed.
const shareEvery = 5 * time.Second
