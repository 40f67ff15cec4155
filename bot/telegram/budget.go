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

// Rate limits of writes (sends and edits): one for each chat, and one for the whole bot.

// Limits of the writes into one chat. Telegram allows twenty a minute in a group (all its topics together) and about
// one a second in a private chat. The bot makes at most groupMost or privateMost in any minute, and of these at most
// groupBurst or privateBurst at once; a new process may make one more as its first write.
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

// rankOffset orders waiting boards and pings: it is added to their arrival time, and the earliest sum goes first. A
// board that a person has asked for (ToShow) overtakes boards for a player to move (ToMove, offset 0) that arrived up
// to 40 s earlier. ToMove boards overtake all other boards and pings that arrived up to 20 s earlier.
var rankOffset = map[chat.Need]time.Duration{
	chat.ToShow: 2 * replyOffset, chat.ToSee: -replyOffset, chat.ToCall: -replyOffset}

// replyOffset is added to the arrival time of answers to commands. They go before ToMove boards that arrived up to 20 s
// earlier, and before other boards and pings that arrived up to 40 s earlier.
const replyOffset = -20 * time.Second

// reserved is the number of a chat's allowed writes that only answers to commands may use, not boards and pings.
const reserved = 1

// manyChats is how many allowances are stored before those of idle chats are dropped.
const manyChats = 4096

// budget limits how often the bot writes into chats, and holds the queues of waiting writes.
type budget struct {
	clock     chat.Clock
	began     time.Time                 // until this time, the limits count as used up
	restarted bool                      // a process began shortly before this one, which gets no extra first write
	part      func(chat.Chat) chat.Part // this replica's part in serving a chat
	overall   *rate.Limiter             // the limit of this replica in all chats together
	spending  spending
	mu        sync.Mutex
	chats     map[int64]*allowance
}

// allowance is one chat's rate limit together with its queue.
type allowance struct {
	chat    chat.Chat
	limit   share         // the limit of all replicas together
	writing chan struct{} // a lock; the pending request holds it
	mu      sync.Mutex
	window  *window     // the limit of this replica's share
	part    chat.Part   // this replica's part when the window's share was computed
	adapted time.Time   // when the part was checked last
	queue   []*waiter   // waiting writes in the order of their ranks
	until   time.Time   // the end of Telegram's retry_after
	grants  []time.Time // when the unused writes were granted to boards
	users   int         // calls of budget.pin without release; guarded by budget.mu
}

// waiter is a write that waits in a queue.
type waiter struct {
	rank time.Time     // its arrival plus the offset of its kind; the earliest goes first
	next chan struct{} // signalled when it may have become the first
}

// newBudget returns the budget of a single replica. It starts as if an earlier process had used up all limits.
func newBudget(clock chat.Clock) *budget {
	now := clock.Now()
	return &budget{clock: clock, began: now, part: (&chat.Alone{}).Part, chats: map[int64]*allowance{},
		overall:  rate.NewLimiter(overallRate, overallBurst),
		spending: spending{clock: clock, stored: spent{Began: now.UnixMilli()}}}
}

// recall reads the writes of the previous process from notes and takes them into account. The writes of this process
// are stored in notes from now on. For a new installation there was no previous process.
func (b *budget) recall(ctx context.Context, notes notes, newInstallation bool) {
	began, restarted := b.spending.recall(ctx, notes, newInstallation, b.began)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.began, b.restarted = began, restarted
}

// pin returns the allowance of the chat with this id, a new one if it is not stored. It stays stored until release.
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

// release ends one use of allowance a, which pin began.
func (b *budget) release(a *allowance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.users--
}

// ready blocks until a board or a ping may be written into chat. Then it grants one write, which writeBoard makes
// within two seconds. Urgent needs go first, but long waiting counts, too. The error is ctx.Err().
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

// waitTurn waits until w is first in the queue of allowance a, and then calls try. If try returns a wait above 0, it
// waits that long and starts again. It returns the error of try, or ctx.Err().
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

// enqueue adds a new waiter to the queue, behind those with the same or an earlier rank, and returns it.
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

// dequeue removes w from the queue and signals the waiter that is then first.
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

// waiting returns how many writes wait in the queue.
func (a *allowance) waiting() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.queue)
}

// writeBoard calls write, which sends or edits a board in chat, using a write that ready has granted. If that grant is
// no longer valid, it waits for another write, as the first in the queue, since the board has waited already.
func (b *budget) writeBoard(ctx context.Context, chat int64, write func() error) error {
	return b.writeInTurn(ctx, chat, time.Time{}, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		if granted, ok := a.takeGrant(now); ok && a.pauseLeft(now) == 0 {
			return granted, 0
		}
		return now, b.takeWrite(a, now, reserved)
	})
}

// writeAnswer calls write, which answers a command in chat, when the budget allows it. The answer is queued by
// replyOffset, and may use the reserved writes.
func (b *budget) writeAnswer(ctx context.Context, chat int64, write func() error) error {
	rank := b.clock.Now().Add(replyOffset)
	return b.writeInTurn(ctx, chat, rank, write, func(a *allowance, now time.Time) (time.Time, time.Duration) {
		return now, b.takeWrite(a, now, 0)
	})
}

// writeInTurn waits in chat's queue with this rank until take returns wait 0, then for the bot's limit, and calls
// write. take takes a write from a and returns the time when it was allowed, or else the wait before take is called
// again. Writes into one chat run one at a time: if the network delayed concurrent ones, they could arrive together.
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

// takeWrite takes one write from allowance a and returns 0, if then at least reserve writes are left. Otherwise it
// takes none and returns how long to wait: until the retry_after ends or enough writes are allowed. It returns at most
// five seconds, because this replica's share may change earlier.
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

// takeGrant removes the oldest valid grant of ready and returns when it was granted. false: there is no valid grant.
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

// pauseLeft returns how long Telegram's last retry_after for the chat still lasts; 0: it is over.
func (a *allowance) pauseLeft(now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.until.Sub(now), 0)
}

// writesLeft returns how many writes allowance a allows at now.
func (b *budget) writesLeft(a *allowance, now time.Time) int {
	part := b.part(a.chat)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.adapt(part, now)
	return a.window.allowed(now)
}

// setPause stores that Telegram refuses writes into chat for the time d, a retry_after. It does not wait. An earlier
// pause that ends later stays. Other chats are not affected.
func (b *budget) setPause(chat int64, d time.Duration) {
	a := b.pin(chat)
	defer b.release(a)
	a.mu.Lock()
	defer a.mu.Unlock()
	if until := b.clock.Now().Add(d); until.After(a.until) {
		a.until = until
	}
}

// takeOverall blocks until the whole bot's limit, which the replicas share, allows one more request, and counts it. The
// error is ctx.Err().
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

// wait blocks for the time d by the budget's clock and returns nil. If ctx is done earlier, it returns ctx.Err().
func (b *budget) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-b.clock.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// isFor reports whether a's window and grants are for part p of this replica. If not, adapt must replace them.
func (a *allowance) isFor(p chat.Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return p == a.part
}

// Budget returns the number of writes into place's chat in the last minute, Telegram's limit a minute, and how many
// boards may be drawn now. All topics of a group have one budget. For the place "" it returns the totals of all chats
// since the process began.
func (t *Telegram) Budget(place chat.Place) chat.Budget {
	if place == "" {
		return t.tally.Whole(t.options.Clock.Now())
	}
	group, counted, err := limitsOf(place)
	if err != nil {
		return chat.Budget{}
	}
	now := t.options.Clock.Now()
	b := t.tally.Budget(counted, now)
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
