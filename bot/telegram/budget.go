package telegram

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
)

// Rate limits: one for each chat and one for the whole bot.

// Limits of the writes (sends and edits) into one chat. Telegram allows twenty a minute in a group, all topics
// together, and about one a second in a private chat. Knobel stays below: at most groupMost or privateMost arrive in
// any minute, of these groupBurst or privateBurst at once, plus one as the first write of a new process.
const (
	groupBurst   = 4
	groupMost    = 19
	privateBurst = 3
	privateMost  = 54
	groupLimit   = 20 // Telegram's limits a minute
	privateLimit = 60
	overallRate  = 25 // writes a second in all chats; Telegram allows thirty
	overallBurst = 10
)

// rankOffset is added to the arrival time of a waiting board or ping to get its rank in the queue. A board that a
// person has asked for (ToShow) goes 40 s ahead of one with a mover (0). Other boards and pings go 20 s behind that:
// long enough for some five boards of a group, and short enough for a lobby to fill.
var rankOffset = map[chat.Need]time.Duration{
	chat.ToShow: 2 * replyOffset, chat.ToSee: -replyOffset, chat.ToCall: -replyOffset}

// replyOffset is the offset of answers to commands. They go after boards that were asked for, before all others.
const replyOffset = -20 * time.Second

// reserved is the number of writes in a chat's budget that boards leave for answers to commands.
const reserved = 1

// manyChats is the number of stored allowances at which those of idle chats are dropped.
const manyChats = 4096

// budget limits the writes (sends and edits) into chats and queues those that must wait.
type budget struct {
	clock     chat.Clock
	began     time.Time                 // all writes that were allowed before it count as made
	restarted bool                      // another process began shortly before: there is no extra first write
	part      func(chat.Chat) chat.Part // this replica's part in serving a chat
	overall   *rate.Limiter             // the limit of this replica in all chats together
	spending  spending
	mu        sync.Mutex
	chats     map[int64]*allowance
}

// allowance is the rate limit of one chat and the queue for it.
type allowance struct {
	chat    chat.Chat
	limit   share         // the limit of all replicas together
	writing chan struct{} // a lock; the pending request holds it
	mu      sync.Mutex
	window  *window     // the limit of this replica's share
	part    chat.Part   // the part that the window's share is for
	adapted time.Time   // when the part was checked last
	queue   []*waiter   // waiting writes in the order of their ranks
	until   time.Time   // the end of Telegram's retry_after
	grants  []time.Time // when the unused writes were granted to boards
	users   int         // calls of budget.pin without release; guarded by budget.mu
}

// waiter is a waiting write.
type waiter struct {
	rank time.Time     // its arrival plus the offset of its kind; the earliest goes first
	next chan struct{} // signalled when it may have become the first
}

// newBudget returns a budget for a single replica. It assumes that all writes allowed until now were made.
func newBudget(clock chat.Clock) *budget {
	now := clock.Now()
	return &budget{clock: clock, began: now, part: (&chat.Alone{}).Part, chats: map[int64]*allowance{},
		overall:  rate.NewLimiter(overallRate, overallBurst),
		spending: spending{clock: clock, stored: spent{Began: now.UnixMilli()}}}
}

// recall counts the writes of the previous process, as stored in notes, and has the writes of this process stored
// there. A new installation has no previous process.
func (b *budget) recall(ctx context.Context, notes notes, newInstallation bool) {
	began, restarted := b.spending.recall(ctx, notes, newInstallation, b.began)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began, b.restarted = began, restarted
}

// pin returns the allowance of the chat id and creates it if necessary. It is not dropped before release is called.
func (b *budget) pin(id int64) *allowance {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a := b.chats[id]; a != nil {
		a.users++
		return a
	}
	now := b.clock.Now()
	if len(b.chats) >= manyChats { // drop the allowances of idle chats, which have recovered
		maps.DeleteFunc(b.chats, func(_ int64, a *allowance) bool {
			return !a.window.full.After(now) && a.users == 0 && a.waiting() == 0 && len(a.writing) == 0 &&
				a.pauseLeft(now) == 0
		})
	}
	a := &allowance{chat: chatID(id), limit: groupShare, adapted: b.began, writing: make(chan struct{}, 1)}
	if id > 0 {
		a.limit = privateShare
	}
	a.adapt(b.part(a.chat), now)
	a.window.extra = a.window.extra && !b.restarted
	a.users++
	b.chats[id] = a
	return a
}

// release undoes one pin of a.
func (b *budget) release(a *allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.users--
}

// ready blocks until a board or a ping may be written into chat, and grants one write, which writeBoard uses up within
// two seconds. The most urgent need goes first, but the time waited counts, too. The error is that of ctx.
func (b *budget) ready(ctx context.Context, chat int64, need chat.Need) error {
	a := b.pin(chat)
	defer b.release(a)
	w := a.enqueue(b.clock.Now().Add(rankOffset[need]))
	defer a.dequeue(w)
	return b.waitTurn(ctx, a, w, func() (time.Duration, error) {
		now := b.clock.Now()
		wait := b.takeWrite(a, now, reserved)
		if wait == 0 { // granted for two seconds
			a.mu.Lock()
			a.grants = append(a.grants, now)
			a.mu.Unlock()
		}
		return wait, nil
	})
}

// waitTurn calls try whenever w is first in a's queue. While try returns a wait above 0, it waits that long and tries
// again. It returns the error of try or of ctx.
func (b *budget) waitTurn(ctx context.Context, a *allowance, w *waiter, try func() (time.Duration, error)) error {
	for {
		a.mu.Lock()
		first := a.queue[0] == w
		a.mu.Unlock()
		if !first {
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

// enqueue adds a waiter to the queue, after all of the same rank, and returns it.
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

// dequeue removes w from the queue and signals the waiter that is first now.
func (a *allowance) dequeue(w *waiter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue = slices.DeleteFunc(a.queue, func(other *waiter) bool { return other == w })
	if len(a.queue) == 0 {
		return
	}
	select {
	case a.queue[0].next <- struct{}{}:
	default: // it was signalled already
	}
}

// waiting returns the number of waiters in the queue.
func (a *allowance) waiting() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queue)
}

// writeBoard calls write, which sends or edits a board in chat, with a write that ready has granted. If that is no
// longer valid, it waits for another write, ahead of all others in the queue: the board has had its turn.
func (b *budget) writeBoard(ctx context.Context, chat int64, write func() error) error {
	return b.writeInTurn(ctx, chat, time.Time{}, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		if granted, ok := a.takeGrant(now); ok && a.pauseLeft(now) == 0 {
			return granted, 0
		}
		return now, b.takeWrite(a, now, reserved)
	})
}

// writeAnswer calls write, which answers a command in chat, once the budget allows. In the queue it goes ahead of all
// boards except those that were asked for, and it may use the write that boards leave.
func (b *budget) writeAnswer(ctx context.Context, chat int64, write func() error) error {
	rank := b.clock.Now().Add(replyOffset)
	return b.writeInTurn(ctx, chat, rank, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		return now, b.takeWrite(a, now, 0)
	})
}

// writeInTurn waits in chat's queue at rank until take returns no wait, then for the limit of the whole bot, and calls
// write. take takes a write from a and returns when that was, or returns how long to wait. Writes into a chat are made
// one after another: several that a slow network delays would arrive together. While take waits, others may write.
func (b *budget) writeInTurn(ctx context.Context, chat int64, rank time.Time, write func() error,
	take func(a *allowance, now time.Time) (taken time.Time, wait time.Duration)) error {
	a := b.pin(chat)
	defer b.release(a)
	w := a.enqueue(rank)
	var taken time.Time
	err := b.waitTurn(ctx, a, w, func() (wait time.Duration, err error) {
		select {
		case a.writing <- struct{}{}:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		for taken, wait = take(a, b.clock.Now()); wait == 0; taken, wait = take(a, b.clock.Now()) {
			if err = b.takeOverall(ctx); err != nil || a.isFor(b.part(a.chat)) {
				break
			}
		}
		if wait > 0 || err != nil {
			<-a.writing
		}
		return wait, err
	})
	a.dequeue(w)
	if err != nil {
		return err
	}
	defer func() { <-a.writing }()
	b.spending.beginWrite(ctx)
	err = write()
	b.spending.endWrite(ctx)
	now := b.clock.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window.countArrived(taken, now, len(a.grants)) // as if made now: when it arrived is unknown
	return err
}

// takeWrite takes one write from a and returns 0 if at least reserve writes remain after it. Otherwise it takes nothing
// and returns how long to wait: until retry_after is over or the allowance has grown. That is at most five seconds,
// since this replica's share may change before.
func (b *budget) takeWrite(a *allowance, now time.Time, reserve int) time.Duration {
	part := b.part(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.adapt(part, now)
	wait := max(a.until.Sub(now), a.window.wait(now, reserve))
	if wait <= 0 {
		a.window.take(now)
		return 0
	}
	return min(wait, 5*time.Second)
}

// takeGrant removes the oldest grant of ready that is still valid and returns its time; false: there is none.
func (a *allowance) takeGrant(now time.Time) (granted time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.grants) > 0 {
		granted, a.grants = a.grants[0], a.grants[1:]
		if now.Sub(granted) <= 2*time.Second {
			return granted, true
		}
	}
	return granted, false
}

// pauseLeft returns how much is left of Telegram's retry_after for the chat, 0 for none.
func (a *allowance) pauseLeft(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.until.Sub(now), 0)
}

// writesLeft returns the number of writes into a's chat that are allowed at now.
func (b *budget) writesLeft(a *allowance, now time.Time) int {
	part := b.part(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.adapt(part, now)
	return a.window.allowed(now)
}

// setPause forbids writes into chat for the time d, Telegram's retry_after, and returns at once. All kinds of writes
// wait for its end; other chats do not. A shorter pause does not replace a longer one.
func (b *budget) setPause(chat int64, d time.Duration) {
	a := b.pin(chat)
	defer b.release(a)
	a.mu.Lock()
	defer a.mu.Unlock()
	if until := b.clock.Now().Add(d); until.After(a.until) {
		a.until = until
	}
}

// takeOverall blocks until the whole bot's limit, shared by the replicas, allows one more request, and takes it. The
// error is that of ctx.
func (b *budget) takeOverall(ctx context.Context) error {
	for {
		now, n := b.clock.Now(), max(b.part("").Replicas, 1)
		if limit := rate.Limit(overallRate) / rate.Limit(n); b.overall.Limit() != limit {
			b.overall.SetLimitAt(now, limit)
			b.overall.SetBurstAt(now, max(overallBurst/n, 1))
		}
		r := b.overall.ReserveN(now, 1)
		wait := r.DelayFrom(now)
		if wait == 0 {
			return nil
		}
		r.CancelAt(now)
		if err := b.wait(ctx, wait); err != nil {
			return err
		}
	}
}

// wait blocks for the time d by the budget's clock, or until ctx is done: then it returns the error of ctx.
func (b *budget) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-b.clock.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isFor reports whether the allowance is still for the part p. If not, the writes that it has granted are void.
func (a *allowance) isFor(p chat.Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return p == a.part
}

// Budget returns the writes into place's chat in the last minute, Telegram's limit a minute, and how many boards could
// be drawn now. All topics of a group share one budget. For the place "" it returns the totals of all chats since the
// process began. It does not block.
func (t *Telegram) Budget(place chat.Place) chat.Budget {
	if place == "" {
		return t.tally.Whole(t.options.Clock.Now())
	}
	group, _, err := parsePlace(place)
	if err != nil {
		return chat.Budget{}
	}
	now := t.options.Clock.Now()
	b := t.tally.Budget(decimal(group), now)
	if b.Of, b.Limit = "group", groupLimit; group > 0 {
		b.Of, b.Limit = "private", privateLimit
	}
	a := t.budget.pin(group)
	defer t.budget.release(a)
	if a.pauseLeft(now) == 0 {
		b.Left = max(t.budget.writesLeft(a, now)-reserved, 0)
	}
	return b
}
