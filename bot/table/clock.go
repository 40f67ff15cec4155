package table

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// Deadlines of all tables. They are stored with the tables and survive a restart; one loop searches for due ones.

// deadlines is the loop that ends turns past their deadline and closes idle tables.
type deadlines struct {
	bot  *Tables
	core *bot.Core // the bot, during a round
	next time.Time // latest time of the next round; zero before the first
	idle time.Time // time of the next search for idle tables
	last time.Time // time of the last round, to detect a clock that was set back; zero before the first

	rests       map[int64]time.Time  // tables whose turn could not be ended, with the time until which they are skipped
	heard       map[string]time.Time // by platform: start of the connection for which turns got extra time
	unreachable map[string]bool      // platforms that are down, or whose turns have not yet got extra time
}

// newDeadlines returns the loop for the tables of b, before its first round.
func newDeadlines(b *Tables) *deadlines {
	return &deadlines{bot: b, rests: map[int64]time.Time{}, heard: map[string]time.Time{},
		unreachable: map[string]bool{}}
}

// time returns the time of the wall clock without Go's monotonic reading, which stops while a machine sleeps.
func (w *deadlines) time() time.Time { return w.bot.Clock.Now().Round(0) }

// slept returns the time, and reports whether the machine was asleep since the last reading. If so, no idle table is
// closed for board.IdleGrace.
func (w *deadlines) slept() (now time.Time, slept bool) {
	now = w.time()
	if slept = now.After(w.next.Add(asleep)); slept {
		w.idle = now.Add(board.IdleGrace)
	}
	w.next = now
	return now, slept
}

// look is one round of the loop: it ends due turns and closes idle tables. soon is the time until the next round; 0
// means after the usual interval.
func (w *deadlines) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	b := w.bot
	w.core = c
	b.awake.Store(math.MaxInt64) // deadlines set during this round wake the loop again
	next, err := w.endTurns(ctx)
	faults := []error{err}
	now := w.time()
	setBack := now.Before(w.last.Add(-asleep))
	if w.last = now; setBack {
		w.idle = now
		faults = append(faults, w.shortenTurns(ctx))
	}
	if !now.Before(w.idle) {
		faults = append(faults, b.atEach(ctx, c, "idle table", func(tx *store.Tx, after int64) ([]store.Row, error) {
			return tx.Tables.Idle(b.Now()-board.IdleWarning.Milliseconds(), after, atOnce)
		}, (*Visit).idleFor))
		w.idle = now.Add(board.IdleSweep)
	}
	now = w.time()
	if now.After(w.next.Add(asleep)) {
		soon = time.Millisecond // the next round gives all turns grace
	} else {
		w.next = now.Add(b.Sweep)
		if err != nil {
			soon = tryAgain
			w.next = now.Add(soon)
		}
		// A turn may have become due while the others were ended.
		if due := time.UnixMilli(next); next > 0 && due.Before(w.next) {
			soon, w.next = max(due.Sub(now), time.Millisecond), due
		}
	}
	b.awake.Store(w.next.UnixMilli())
	return soon, errors.Join(faults...)
}

// endTurns ends every due turn. next is when the next one is due, in Unix milliseconds; 0: none is.
func (w *deadlines) endTurns(ctx context.Context) (next int64, err error) {
	b := w.bot
	var behind store.Row
	var faults []error
	for {
		now, slept := w.slept()
		if slept {
			faults = append(faults, w.give(ctx, "", grace))
		}
		faults = append(faults, w.listen(ctx))
		var due []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			if due, err = tx.Tables.Due(now.UnixMilli(), behind, dueAtOnce); err != nil {
				return err
			}
			next, err = tx.Tables.NextDue(now.UnixMilli())
			return err
		})
		if err != nil {
			return 0, errors.Join(append(faults, err)...)
		}
		if len(due) == 0 || ctx.Err() != nil {
			maps.DeleteFunc(w.rests, func(_ int64, until time.Time) bool { return !now.Before(until) })
			for _, until := range w.rests {
				if at := until.UnixMilli(); next == 0 || at < next {
					next = at
				}
			}
			return next, errors.Join(faults...)
		}
		for _, turn := range due {
			if until := w.rests[turn.ID]; now.Before(until) && until.Before(now.Add(2*tryAgain)) {
				continue // a clock that was set back does not extend the pause
			}
			err := w.stepAt(ctx, []store.Row{turn}, "table", func(v *Visit, t *store.Table) error {
				return v.runOut(t, now.UnixMilli(), w.unreachable)
			})
			if err != nil {
				w.rests[turn.ID] = now.Add(tryAgain)
			}
			faults = append(faults, err)
		}
		behind = due[len(due)-1]
	}
}

// give extends to at least long from now all turns in places that begin with at, before people can play again. If the
// machine sleeps meanwhile, it starts over and gives all turns grace. A failure at one table does not stop the others.
func (w *deadlines) give(ctx context.Context, at string, long time.Duration) error {
	until := w.time().Add(long) // the same for all, or passing time would extend more and more turns
	var behind store.Row
	var faults []error
	for {
		var due []store.Row
		err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
			due, err = tx.Tables.DueOn(at, until.UnixMilli()-1, behind, dueAtOnce)
			return err
		})
		if err != nil || len(due) == 0 || ctx.Err() != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, w.stepAt(ctx, due, "grace for table", func(v *Visit, t *store.Table) error {
			return v.spare(t, long)
		}))
		behind = due[len(due)-1]
		now, slept := w.slept()
		if slept {
			at, long, until, behind = "", grace, now.Add(grace), store.Row{}
		} else if by := now.Add(long); by.Before(until) { // the clock was set back
			until = by
		}
	}
}

// stepAt runs step at each of tables, each in its own transaction.
func (w *deadlines) stepAt(ctx context.Context, tables []store.Row, label string,
	step func(*Visit, *store.Table) error) error {
	return w.core.StepAt(ctx, store.OfTable, tables, label, w.bot.at(step))
}

// at adapts a step, so that it reads its table first.
func (b *Tables) at(step func(*Visit, *store.Table) error) func(*bot.Visit, int64) error {
	return func(v *bot.Visit, table int64) error {
		t, err := v.Tx.Tables.Table(table)
		if err != nil {
			return err
		}
		return step(b.Visit(v), &t)
	}
}

// spare extends the present turn of a table to at least long from now and redraws the board. It is a no-op without a
// deadline.
func (v *Visit) spare(t *store.Table, long time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	if err := v.giveTime(t, long); err != nil {
		return err
	}
	return v.Redraw(t)
}

// quietChanged adapts the tables of a chat to new quiet hours: each turn keeps its remaining time, and pending calls
// are checked again.
func (v *Visit) quietChanged(was, now bot.Settings) error {
	old, new := QuietOf(was, v.bot.Bot), QuietOf(now, v.bot.Bot)
	tables, err := v.Active(v.Chat.ID)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := v.bot.Notifier.Sooner(v, t); err != nil {
			return err
		}
		if t.Clock.Due == 0 || t.State != store.Playing {
			continue
		}
		left := old.between(time.UnixMilli(v.At), time.UnixMilli(t.Clock.Due))
		t.Clock.Due = new.After(time.UnixMilli(v.At), left).UnixMilli()
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// Idle tables. After the number of days set for the chat, a table's board is posted again with a warning. A day later
// it is closed and refunded, unless a person has kept it or moved.

// atEach runs step at each table that list returns, page by page: list gets the last table's ID and returns at most
// atOnce rows after it. Each step is its own transaction, and a failure at one table does not stop the others.
func (b *Tables) atEach(ctx context.Context, c *bot.Core, label string,
	list func(tx *store.Tx, after int64) ([]store.Row, error), step func(*Visit, *store.Table) error) error {
	var faults []error
	last := int64(0)
	for {
		var tables []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			tables, err = list(tx, last)
			return err
		})
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, c.StepAt(ctx, store.OfTable, tables, label, b.at(step)))
		if len(tables) < atOnce || ctx.Err() != nil {
			return errors.Join(faults...)
		}
		last = tables[len(tables)-1].ID
	}
}

// idleFor warns of the closing of an idle table or closes it, if the time has come.
func (v *Visit) idleFor(t *store.Table) error {
	if t.Board.Away || t.State != store.Lobby && t.State != store.Playing {
		return nil
	}
	set, err := v.Settings(t.Chat)
	if err != nil {
		return err
	}
	days := board.IdleDays(set)
	after := time.Duration(days) * 24 * time.Hour
	switch since := time.Duration(v.At-t.Changed) * time.Millisecond; {
	case days == 0 || since < after:
		return nil
	case t.Clock.Warned == 0:
		t.Clock.Warned = v.At
		if err := v.Redraw(t); err != nil {
			return err
		}
		return v.show(*t)
	case v.At-t.Clock.Warned < board.IdleWarning.Milliseconds():
		return nil
	}
	return v.Abandon(t)
}

// keepTable keeps an idle table from being closed. It refuses people who are neither seated nor its opener.
func (v *Visit) keepTable(t *store.Table, _ string) error {
	if t.Opener != string(v.Event.User) && board.SeatOf(*t, v.Event.User) < 0 {
		return notSeated(*t)
	}
	v.Toast("bot.idle.kept", nil)
	return v.save(t)
}

// Clocks during an outage of a platform. People there cannot press, so no turn ends; afterwards each turn lasts at
// least as long again as the outage, at most grace. Tables of other platforms are not affected.

// graceLeft returns how much extra time after an outage is left for a turn that has lasted for a duration; 0 if the
// turn began after the outage or has used it up.
func (v *Visit) graceLeft(place chat.Place, lasts time.Duration) time.Duration {
	link := v.Condition(place).Link
	up := time.Since(link.Since)
	if !link.Up || lasts <= up {
		return 0
	}
	away := link.Away
	if away == 0 { // no connection before this one: the length is unknown
		away = grace
	}
	return max(0, min(away, grace)-up)
}

// listen reads the connections of all platforms, and extends the turns of one that is up again. If that fails, the
// platform stays unreachable for this loop.
func (w *deadlines) listen(ctx context.Context) error {
	var faults []error
	for name, is := range w.core.Outbox.Conditions() {
		since, before := w.heard[name]
		switch link := is.Link; {
		case link.Lasting():
			continue
		case !link.Up:
			w.unreachable[name] = true
			continue
		case before && since.Equal(link.Since):
			continue
		}
		away := grace // first connection: the length of the outage is unknown
		if before {
			away = min(is.Link.Away, grace)
		}
		if err := w.give(ctx, name+":", away); err != nil {
			w.unreachable[name] = true
			faults = append(faults, fmt.Errorf("after an outage of %s: %w", name, err))
			continue
		}
		w.heard[name] = is.Link.Since
		delete(w.unreachable, name)
	}
	return errors.Join(faults...)
}

// maxShortened is the largest number of turns that are checked after the clock was set back.
const maxShortened = 1 << 20

// shortenTurns shortens turns whose deadline is further away than a whole limit, after the wall clock was set back.
func (w *deadlines) shortenTurns(ctx context.Context) error {
	var running []store.Row
	err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Tables.Due(math.MaxInt64, store.Row{}, maxShortened)
		return err
	})
	return errors.Join(err, w.stepAt(ctx, running, "after the clock was set back: table", (*Visit).shorten))
}

// shorten moves the deadline of a table's turn to that of a new turn, if it is later.
func (v *Visit) shorten(t *store.Table) error {
	set, err := v.Settings(t.Chat)
	if err != nil {
		return err
	}
	most := QuietOf(set, v.bot.Bot).After(time.UnixMilli(v.At), max(board.TurnLimit(*t), grace+grace/2)).UnixMilli()
	if t.Clock.Due <= most || t.State != store.Playing {
		return nil
	}
	t.Clock.Due = most
	return v.Redraw(t)
}
