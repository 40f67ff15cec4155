package call

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/store"
)

// The loop that sends pings that are due and deletes the pings of past turns.

// callAgain is the pause before the loop tries again to send or delete, unless the platform demands another pause.
const callAgain = time.Minute

const (
	// lostAfter is how long this replica (bot process) must have run a chat's loops before a ping that was sent, but
	// has no stored message, counts as lost. After that time, the previous replica has stored any message that it sent.
	lostAfter = time.Minute
	// freshAgain is the pause before another check of a ping that the replica before this one may still be sending.
	freshAgain = 5 * time.Second
)

// pings holds the running tasks of the loop: at most one for each stored ping.
type pings struct {
	*loop.Tasks
	next atomic.Int64 // time of the next round, in Unix milliseconds; 0: no call is scheduled, or a round is running
}

// await wakes the loop if its next round would be after due, in Unix milliseconds. The value 0 is ignored.
func (c *pings) await(due int64) {
	if next := c.next.Load(); due > 0 && (next == 0 || due < next) {
		c.Waker.Wake()
	}
}

// runRound is one round of the loop: it starts a task for each ping that is due or whose message must be deleted. soon
// is the time until the next round; 0: the usual time.
func (b *Calls) runRound(ctx context.Context, core *bot.Core) (soon time.Duration, err error) {
	b.pings.next.Store(0) // calls committed from now on wake the loop
	var over, due []store.Row
	var next int64
	now, running := b.Now(), core.Outbox.Conditions()
	err = b.Due(ctx, func(tx *store.Tx) (err error) {
		if over, due, err = callsOf(tx, now, running); err == nil {
			next, err = tx.Calls.NextCall(now)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	b.pings.next.Store(next)
	seen := map[int64]bool{}
	start := func(c store.Row, do func(context.Context, *bot.Core, store.Row) error) {
		if seen[c.ID] {
			return
		}
		seen[c.ID] = true
		run := func(ctx context.Context, _ int64) error {
			if err := do(ctx, core, c); !b.Leases.Fenced(err) {
				return err
			}
			return nil // the replica that has the lease does it
		}
		b.pings.Go(ctx, chat.PlatformOf(c.Place), c.ID, run, func(err error) {
			b.Log.WarnContext(ctx, "send or delete ping failed", "ping", c.ID, "error", err)
		})
	}
	for _, c := range over {
		start(c, b.deleteMessage)
	}
	for _, c := range due {
		start(c, b.send)
	}
	soon = b.pings.Rested()
	if first := time.Duration(next-now) * time.Millisecond; next > 0 && (soon == 0 || first < soon) {
		soon = first
	}
	return soon, nil
}

// callsOf returns in over the pings whose messages must be deleted, and in due the pings that are due at the time now
// (Unix milliseconds). It reads at most loop.MaxTasks of each over all platforms, and as many again for each platform
// in running, so that no platform crowds out another.
func callsOf(tx *store.Tx, now int64, running map[string]chat.Condition) (over, due []store.Row, err error) {
	prefixes := []string{""}
	for name := range running {
		prefixes = append(prefixes, name+":")
	}
	for _, prefix := range prefixes {
		someOver, err1 := tx.Calls.OverCalls(prefix, loop.MaxTasks)
		someDue, err2 := tx.Calls.DueCalls(prefix, now, loop.MaxTasks)
		if err := errors.Join(err1, err2); err != nil {
			return nil, nil, err
		}
		over, due = append(over, someOver...), append(due, someDue...)
	}
	return over, due, nil
}

// send sends the ping, or the message about offers, of row. Once the platform is ready, it first checks again whether
// the ping is still due. If the offers have expired, it withdraws them instead.
func (b *Calls) send(ctx context.Context, core *bot.Core, row store.Row) error {
	var s checkedPing
	var c store.Call
	id := row.ID
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		c, err = tx.Calls.Call(id)
		if err == nil {
			s, err = b.checkDue(tx, c)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.ends {
		return b.endOffers(ctx, core, c, row)
	}
	platformCtx, platform := core.Outbox.PlatformAt(s.place)
	if platform == nil {
		s.never = true
	}
	if !s.never && s.at == 0 {
		if err := platform.Ready(ctx, s.place, chat.ToCall); err != nil {
			if scope, held := b.Under(store.OfCall(id), row.Chat); held {
				return b.storeUnsent(ctx, scope, id, err, false)
			}
			return nil // the replica that has the lease sends it
		}
	}
	s, ours, err := b.claim(ctx, row, s)
	if err != nil || !ours {
		return err
	}
	// Once the message is sent, this is stored even if ctx ends.
	ctx = context.WithoutCancel(ctx)
	ref, err := platform.Call(platformCtx, s.place, s.Ping)
	if err != nil {
		return b.storeUnsent(ctx, store.OfCall(id), id, err, true)
	}
	err = b.changeCall(ctx, store.OfCall(id), id, func(tx *store.Tx, c *store.Call) error {
		c.Message = string(ref)
		return tx.Calls.SaveCall(c)
	})
	if err != nil {
		return fmt.Errorf("save call: %w", err)
	}
	return nil
}

// changeCall runs change on the stored ping id, in a transaction with the lock scope. It returns store.ErrNotFound if
// the ping was deleted. The ID may belong to another ping now.
func (b *Calls) changeCall(ctx context.Context, scope store.Scope, id int64,
	change func(*store.Tx, *store.Call) error) error {
	return b.Store.UpdateOf(ctx, scope, func(tx *store.Tx) error {
		c, err := tx.Calls.Call(id)
		if err != nil {
			return err
		}
		return change(tx, &c)
	})
}

// claim checks the due ping of row again and stores it as sent before it is sent, so that no two tasks send it. earlier
// is the result of the first check. ours: the caller must now send s and store the outcome, even if another replica
// (bot process) takes over the chat meanwhile.
func (b *Calls) claim(ctx context.Context, row store.Row, earlier checkedPing) (s checkedPing, ours bool, err error) {
	defer func() { b.pings.await(s.at) }()
	id := row.ID
	scope, held := b.Under(store.OfCall(id), row.Chat)
	if !held {
		return earlier, false, nil
	}
	err = b.changeCall(ctx, scope, id, func(tx *store.Tx, c *store.Call) (err error) {
		if s, ours = earlier, false; c.Due == 0 || c.Due > b.Now() {
			return nil // answered, or the ID belongs to another call by now
		}
		if !earlier.never {
			if s, err = b.checkDue(tx, *c); err != nil {
				return err
			}
		}
		switch {
		case s.never:
			c.Due = c.Until
		case s.at > 0:
			c.Due = s.at
		default:
			t, err := tx.Tables.Table(c.Table)
			if err != nil {
				return err
			}
			c.Due, c.Sent, c.Since, ours = c.Until, true, t.Turn, true
			s.at = c.Until
		}
		return tx.Calls.SaveCall(c)
	})
	if errors.Is(err, store.ErrNotFound) {
		return earlier, false, nil
	}
	if ours && s.place != earlier.place {
		moved := chat.Later{After: time.Second} // the table was moved to another place
		return s, false, b.storeUnsent(ctx, store.OfCall(id), id, moved, true)
	}
	return s, ours, err
}

// storeUnsent stores that the ping id was not sent because of cause. claimed: this task has already stored it as sent.
// It schedules another attempt, unless the message may have arrived (chat.ErrUnsure) or the chat cannot be reached
// (chat.ErrAway). It returns its own errors, and also cause unless that is chat.Later or chat.ErrAway.
func (b *Calls) storeUnsent(ctx context.Context, scope store.Scope, id int64, cause error, claimed bool) error {
	if ctx.Err() != nil {
		return nil // stopped; the next round checks the call again
	}
	_, expected := errors.AsType[chat.Later](cause)
	due := int64(0)
	err := b.changeCall(ctx, scope, id, func(tx *store.Tx, c *store.Call) error {
		defer func() { due = c.Due }()
		switch {
		case !claimed && (c.Sent || c.Due == 0 || c.Due > b.Now()):
			return nil // sent or answered meanwhile, or reused for a later turn
		case c.Past:
			return tx.Calls.DropCall(id)
		case c.Over || errors.Is(cause, chat.ErrUnsure) || errors.Is(cause, chat.ErrAway):
			c.Due = c.Until // offers end even if never shown
		default:
			c.Due = b.Now() + loop.PauseAfter(cause, callAgain).Milliseconds()
		}
		c.Sent, c.Over = false, false
		return tx.Calls.SaveCall(c)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	b.pings.await(due)
	if expected || errors.Is(cause, chat.ErrAway) {
		return err
	}
	return errors.Join(cause, err)
}

// deleteMessage deletes the message of the ping of row and stores that. A message counts as deleted if it does not
// exist, or is in a chat or thread that the bot cannot reach.
func (b *Calls) deleteMessage(ctx context.Context, core *bot.Core, row store.Row) error {
	id := row.ID
	var c store.Call
	var t store.Table
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		if c, err = tx.Calls.Call(id); err != nil {
			return err
		}
		t, err = tx.Tables.Table(c.Table)
		return err
	})
	place := chat.Place(t.Place)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	platformCtx, platform := core.Outbox.PlatformAt(place)
	if c.Message == "" {
		since, _ := b.Leases.SinceOf(lease.ShareOf(row.Chat))
		if !since.IsZero() && b.Clock.Now().Sub(since) < lostAfter {
			return chat.Later{After: freshAgain} // the previous replica may still be sending it
		}
		return b.storeDeleted(ctx, id, "") // no replica is sending it, and its message id is unknown
	}
	if platform == nil {
		return chat.Later{After: callAgain} // the platform is not running
	}
	ctx = context.WithoutCancel(ctx)
	if t.Board.Expires == 0 { // else the bot is no longer a member there
		err = platform.Retire(platformCtx, place, chat.Ref(c.Message))
	}
	if err != nil && !errors.Is(err, chat.ErrGone) && !errors.Is(err, chat.ErrAway) {
		_, later := errors.AsType[chat.Later](err)
		if later || !t.Board.Away { // otherwise the place is lost: nothing can be deleted
			return err
		}
	}
	return b.storeDeleted(ctx, id, c.Message)
}

// storeDeleted stores that the message of the ping id was deleted; message is the message's id. It does nothing if the
// ping has another message now.
func (b *Calls) storeDeleted(ctx context.Context, id int64, message string) error {
	return b.changeCall(ctx, store.OfCall(id), id, func(tx *store.Tx, c *store.Call) error {
		switch {
		case c.Message != message:
			return nil // another message was sent meanwhile
		case c.Past:
			return tx.Calls.DropCall(id)
		}
		c.Message, c.Over, c.Sent = "", false, false
		return tx.Calls.SaveCall(c)
	})
}

// Sent returns the message of the ping id, for platforms on which every replica (bot process) shows pings to its own
// browsers. ok is false if there is no such ping, it was not sent, or it is over.
func (b *Calls) Sent(ctx context.Context, id int64) (p chat.Ping, ok bool, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		c, err := tx.Calls.Call(id)
		if err != nil || !c.Sent || c.Over || c.Past {
			return err
		}
		t, err := tx.Tables.Table(c.Table)
		switch {
		case err != nil:
		case c.Until > 0:
			p, err = b.offersPing(tx, c, t)
			ok = err == nil
		case c.Seat < len(t.Seats) && t.Seats[c.Seat].Player != "":
			p, _, err = b.pingOf(tx, t, c)
			ok = err == nil
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return chat.Ping{}, false, nil
	}
	return p, ok, err
}
