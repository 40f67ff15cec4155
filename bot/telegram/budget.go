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

// Limits of the writes (sends and edits) into one chat. Telegram takes twenty a minute in a group, all topics together,
// and about one a second in a private chat. Knobel stays below: groupMost or privateMost in any minute, counted from
// their arrival, of which groupBurst or privateBurst at once, and one more as the first write of a new process.
const (
	groupBurst   = 4
	groupMost    = 19
	privateBurst = 3
	privateMost  = 54
	groupLimit   = 20 // Telegram's limit a minute
	privateLimit = 60
	overallRate  = 25 // a second; Telegram takes thirty
	overallBurst = 10
)

// putOff is added to the arrival of a waiting board or call to rank it, by its need. A board that a person has asked
// for (ToShow) goes 40 s ahead of one with a mover (0); other boards and calls go 20 s behind: long enough for some
// five boards of a group, and short enough for a lobby to fill. toReply does the same for answers to commands, which go
// after boards that were asked for.
var putOff = map[chat.Need]time.Duration{chat.ToShow: 2 * toReply, chat.ToSee: -toReply, chat.ToCall: -toReply}

const toReply = -20 * time.Second

// kept is the number of writes in a chat's budget that boards leave for answers to commands.
const kept = 1

// manyChats is the number of stored chats at which the allowances of idle ones are dropped.
const manyChats = 4096

// budget limits the writes (sends and edits) into chats, and queues those that must wait.
type budget struct {
	clock    chat.Clock
	began    time.Time // all allowed writes until then count as made
	again    bool      // another process began just before: there is no extra first write
	part     func(chat.Chat) chat.Part
	overall  *rate.Limiter // of this replica in all chats
	spending spending
	mu       sync.Mutex
	chats    map[int64]*allowance
}

// allowance is the rate limit of one chat and the queue for it.
type allowance struct {
	chat    chat.Chat
	whole   share         // the limit of all replicas together
	writing chan struct{} // a lock, held by the pending request
	mu      sync.Mutex
	window  *window     // the limit of this replica's share
	part    chat.Part   // the share that the window is for
	fitted  time.Time   // when that share was checked last
	queue   []*waiter   // waiting boards and calls in their order
	until   time.Time   // the end of Telegram's retry_after
	tickets []time.Time // unused writes granted to boards
	users   int         // calls of budget.of without back, guarded by the budget's lock
}

// waiter is a waiting board or call.
type waiter struct {
	rank time.Time     // its arrival, plus how much it is put off
	next chan struct{} // signalled when it may be first
}

// newBudget returns a budget for a single replica that assumes that all allowed writes up to now were made.
func newBudget(clock chat.Clock) *budget {
	now := clock.Now()
	return &budget{clock: clock, began: now, part: (&chat.Alone{}).Part, chats: map[int64]*allowance{},
		overall:  rate.NewLimiter(overallRate, overallBurst),
		spending: spending{clock: clock, noted: spent{Began: now.UnixMilli()}}}
}

// recall counts the writes of the process before, as stored in notes, and has those of this one stored there. new is
// true for a new installation, which has no such writes.
func (b *budget) recall(ctx context.Context, notes notes, new bool) {
	began, again := b.spending.recall(ctx, notes, new, b.began)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began, b.again = began, again
}

// of returns the allowance of the chat id, created if necessary, and pins it, so that no chat ever has two. The caller
// must release it with back.
func (b *budget) of(id int64) *allowance {
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
				a.pause(now) == 0
		})
	}
	a := &allowance{chat: chatID(id), whole: groupShare, fitted: b.began, writing: make(chan struct{}, 1)}
	if id > 0 {
		a.whole = privateShare
	}
	a.fit(b.part(a.chat), now)
	a.window.fresh = a.window.fresh && !b.again
	a.users++
	b.chats[id] = a
	return a
}

// back releases an allowance that of has returned.
func (b *budget) back(a *allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.users--
}

// ready blocks until a board or a call may be written into chat, and grants one write, which board uses up within two
// seconds. The most urgent need goes first, but the time waited counts, too. The error is that of ctx.
func (b *budget) ready(ctx context.Context, chat int64, need chat.Need) error {
	a := b.of(chat)
	defer b.back(a)
	w := a.enqueue(b.clock.Now().Add(putOff[need]))
	defer a.dequeue(w)
	return b.inTurn(ctx, a, w, func() (time.Duration, error) {
		now := b.clock.Now()
		wait := b.draw(a, now, kept)
		if wait == 0 { // granted: the ticket is valid for two seconds
			a.mu.Lock()
			a.tickets = append(a.tickets, now)
			a.mu.Unlock()
		}
		return wait, nil
	})
}

// inTurn calls try whenever w is first in a's queue, then waits as long as try returns, until that is 0. It returns the
// error of try or of ctx.
func (b *budget) inTurn(ctx context.Context, a *allowance, w *waiter, try func() (time.Duration, error)) error {
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

// enqueue adds a waiter to the queue, after all of the same rank.
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

// board calls write, which sends or edits a board in chat, with a write granted by ready. If the grant is no longer
// valid, it waits for another write before all others in the queue: the board has had its turn.
func (b *budget) board(ctx context.Context, chat int64, write func() error) error {
	return b.pay(ctx, chat, time.Time{}, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		if granted, ok := a.ticket(now); ok && a.pause(now) == 0 {
			return granted, 0
		}
		return now, b.draw(a, now, kept)
	})
}

// answer calls write, which answers a command in chat, once the budget allows. In the queue it is before all boards
// except those that were asked for, and it may use the write that boards leave.
func (b *budget) answer(ctx context.Context, chat int64, write func() error) error {
	rank := b.clock.Now().Add(toReply)
	return b.pay(ctx, chat, rank, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		return now, b.draw(a, now, 0)
	})
}

// pay waits in chat's queue at rank until price returns no wait, then for the budget of the whole bot, and calls write.
// price takes a write from a and returns when it was taken, or returns how long to wait. Writes into a chat are made
// one after the other: several that a slow network delays would arrive together. Waiting for price does not block the
// writes of others.
func (b *budget) pay(ctx context.Context, chat int64, rank time.Time, write func() error,
	price func(a *allowance, now time.Time) (paid time.Time, wait time.Duration)) error {
	a := b.of(chat)
	defer b.back(a)
	w := a.enqueue(rank)
	var paid time.Time
	err := b.inTurn(ctx, a, w, func() (wait time.Duration, err error) {
		select {
		case a.writing <- struct{}{}:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		for paid, wait = price(a, b.clock.Now()); wait == 0; paid, wait = price(a, b.clock.Now()) {
			if err = b.whole(ctx); err != nil || a.isBy(b.part(a.chat)) {
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
	b.spending.before(ctx)
	err = write()
	b.spending.after(ctx)
	now := b.clock.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.window.done(paid, now, len(a.tickets)) // counted from its end: the time of its arrival is unknown
	return err
}

// draw takes one write from a and returns 0 if at least leave writes remain after it. Otherwise it takes nothing and
// returns how long to wait: until Telegram's retry_after is over or the allowance has grown, at most five seconds,
// since the share of this replica may change before that.
func (b *budget) draw(a *allowance, now time.Time, leave int) time.Duration {
	part := b.part(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fit(part, now)
	wait := max(a.until.Sub(now), a.window.wait(now, leave))
	if wait <= 0 {
		a.window.take(now)
		return 0
	}
	return min(wait, 5*time.Second)
}

// ticket removes the oldest valid grant of ready, at most two seconds old, and returns when it was granted; ok is false
// if there is none.
func (a *allowance) ticket(now time.Time) (granted time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.tickets) > 0 {
		granted, a.tickets = a.tickets[0], a.tickets[1:]
		if now.Sub(granted) <= 2*time.Second {
			return granted, true
		}
	}
	return granted, false
}

// pause returns the remaining time of Telegram's retry_after for the chat; 0: there is none.
func (a *allowance) pause(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.until.Sub(now), 0)
}

// left returns the number of writes into a's chat that are allowed right now.
func (b *budget) left(a *allowance, now time.Time) int {
	part := b.part(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fit(part, now)
	return a.window.left(now)
}

// rest stores that chat allows no write for the time d, Telegram's retry_after, and returns at once. Boards, calls and
// answers to commands in that chat wait for its end; other chats do not. A shorter pause does not replace a longer one.
func (b *budget) rest(chat int64, d time.Duration) {
	a := b.of(chat)
	defer b.back(a)
	a.mu.Lock()
	defer a.mu.Unlock()
	if until := b.clock.Now().Add(d); until.After(a.until) {
		a.until = until
	}
}

// whole blocks until the limit of the whole bot, which the replicas share, allows one more request, and takes that. The
// error is that of ctx.
func (b *budget) whole(ctx context.Context) error {
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

// wait blocks for the time d by the budget's clock. If ctx is done first, it returns the error of ctx.
func (b *budget) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-b.clock.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isBy reports whether the allowance is for the part p. If not, the writes that it has granted are void.
func (a *allowance) isBy(p chat.Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return p == a.part
}

// Budget returns the number of writes into place's chat in the last minute, Telegram's limit a minute, and how many
// boards could be drawn right now. All topics of a group share one budget. For the place "" it returns the totals of
// all chats since the process began. It does not block.
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
	a := t.budget.of(group)
	defer t.budget.back(a)
	if a.pause(now) == 0 {
		b.Left = max(t.budget.left(a, now)-kept, 0)
	}
	return b
}
