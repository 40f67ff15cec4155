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

// Deadlines of all tables. They are stored with the tables and survive a restart. One loop handles those that passed.

// deadlines is the loop that ends turns past their deadline and closes idle tables.
type deadlines struct {
	bot  *Tables
	core *bot.Core // the bot, during a round
	next time.Time // latest time of the next round; zero before the first
	idle time.Time // time of the next search for idle tables
	last time.Time // time of the last round, to detect a clock that was set back; zero before the first

	retryAt     map[int64]time.Time  // by table: when ending its turn is tried again after a failure
	connected   map[string]time.Time // by platform: start of the latest connection for which turns got extra time
	unreachable map[string]bool      // platforms that are down, or whose turns have not yet got extra time
}

// newDeadlines returns the loop of deadlines for the tables of b. It has not run yet.
func newDeadlines(b *Tables) *deadlines {
	return &deadlines{bot: b, retryAt: map[int64]time.Time{}, connected: map[string]time.Time{},
		unreachable: map[string]bool{}}
}

// wallTime returns the time of the wall clock without Go's monotonic reading, which stops while a machine sleeps.
func (w *deadlines) wallTime() time.Time { return w.bot.Clock.Now().Round(0) }

// checkSleep returns the time now. slept: a round is late by more than asleep, so the machine counts as having slept.
// If so, checkSleep makes the loop close no idle table for board.IdleGrace.
func (w *deadlines) checkSleep() (now time.Time, slept bool) {
	now = w.wallTime()
	if slept = now.After(w.next.Add(asleep)); slept {
		w.idle = now.Add(board.IdleGrace)
	}
	w.next = now
	return now, slept
}

// look is one round of the loop: it ends the turns whose deadline has passed, and closes idle tables. soon is the time
// until the next round; 0: the usual interval.
func (w *deadlines) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	b := w.bot
	w.core = c
	b.nextRound.Store(math.MaxInt64) // deadlines set during this round wake the loop again
	next, err := w.endTurns(ctx)
	faults := []error{err}
	now := w.wallTime()
	setBack := now.Before(w.last.Add(-asleep))
	if w.last = now; setBack {
		w.idle = now
		faults = append(faults, w.shortenTurns(ctx))
	}
	if !now.Before(w.idle) {
		faults = append(faults, b.eachTable(ctx, c, "idle table", func(tx *store.Tx, after int64) ([]store.Row, error) {
			return tx.Tables.Idle(b.Now()-board.IdleWarning.Milliseconds(), after, atOnce)
		}, (*Visit).checkIdle))
		w.idle = now.Add(board.IdleSweep)
	}
	now = w.wallTime()
	if now.After(w.next.Add(asleep)) {
		soon = time.Millisecond // the next round gives all turns grace
	} else {
		w.next = now.Add(b.Sweep)
		if err != nil {
			soon = tryAgain
			w.next = now.Add(soon)
		}
		// A deadline may have passed while other turns were ended.
		if due := time.UnixMilli(next); next > 0 && due.Before(w.next) {
			soon, w.next = max(due.Sub(now), time.Millisecond), due
		}
	}
	b.nextRound.Store(w.next.UnixMilli())
	return soon, errors.Join(faults...)
}

// endTurns ends every turn whose deadline has passed. next is the next deadline (Unix milliseconds); 0: none is set.
func (w *deadlines) endTurns(ctx context.Context) (next int64, err error) {
	b := w.bot
	var behind store.Row
	var faults []error
	for {
		now, slept := w.checkSleep()
		if slept {
			faults = append(faults, w.extendTurns(ctx, "", grace))
		}
		faults = append(faults, w.checkConnections(ctx))
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
			maps.DeleteFunc(w.retryAt, func(_ int64, until time.Time) bool { return !now.Before(until) })
			for _, until := range w.retryAt {
				if at := until.UnixMilli(); next == 0 || at < next {
					next = at
				}
			}
			return next, errors.Join(faults...)
		}
		for _, turn := range due {
			if until := w.retryAt[turn.ID]; now.Before(until) && until.Before(now.Add(2*tryAgain)) {
				continue // a clock that was set back does not extend the pause
			}
			err := w.stepAt(ctx, []store.Row{turn}, "table", func(v *Visit, t *store.Table) error {
				return v.handleTimeout(t, now.UnixMilli(), w.unreachable)
			})
			if err != nil {
				w.retryAt[turn.ID] = now.Add(tryAgain)
			}
			faults = append(faults, err)
		}
		behind = due[len(due)-1]
	}
}

// extendTurns extends turns after an outage, so that each ends no earlier than extra from now. It does so in the chats
// and threads whose IDs begin with prefix: "discord:" means a whole platform, "" means all. If the machine sleeps
// meanwhile, it begins again with all chats and grace as extra. It continues after a failure at one table.
func (w *deadlines) extendTurns(ctx context.Context, prefix string, extra time.Duration) error {
	until := w.wallTime().Add(extra) // fixed: a later limit would select the extended turns again
	var behind store.Row
	var faults []error
	for {
		var due []store.Row
		err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
			due, err = tx.Tables.DueOn(prefix, until.UnixMilli()-1, behind, dueAtOnce)
			return err
		})
		if err != nil || len(due) == 0 || ctx.Err() != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, w.stepAt(ctx, due, "grace for table", func(v *Visit, t *store.Table) error {
			return v.extendTurn(t, extra)
		}))
		behind = due[len(due)-1]
		now, slept := w.checkSleep()
		if slept {
			prefix, extra, until, behind = "", grace, now.Add(grace), store.Row{}
		} else if by := now.Add(extra); by.Before(until) { // the clock was set back
			until = by
		}
	}
}

// stepAt runs step at each of tables, in separate transactions. Errors begin with label and the ID of the table.
func (w *deadlines) stepAt(ctx context.Context, tables []store.Row, label string,
	step func(*Visit, *store.Table) error) error {
	return w.core.StepAt(ctx, store.OfTable, tables, label, w.bot.withTable(step))
}

// withTable returns a function that reads the table with a given ID and runs step at that table.
func (b *Tables) withTable(step func(*Visit, *store.Table) error) func(*bot.Visit, int64) error {
	return func(v *bot.Visit, table int64) error {
		t, err := v.Tx.Tables.Table(table)
		if err != nil {
			return err
		}
		return step(b.Visit(v), &t)
	}
}

// extendTurn lets a table's turn end no earlier than extra from now, if it has a deadline, and redraws the board.
func (v *Visit) extendTurn(t *store.Table, extra time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	if err := v.grantTime(t, extra); err != nil {
		return err
	}
	return v.Redraw(t)
}

// quietChanged handles a change of a chat's settings on quiet hours or time zone, from before to after. Each turn keeps
// its remaining time, and pings are checked again.
func (v *Visit) quietChanged(before, after bot.Settings) error {
	old, new := QuietOf(before, v.bot.Bot), QuietOf(after, v.bot.Bot)
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
		left := old.runTime(time.UnixMilli(v.At), time.UnixMilli(t.Clock.Due))
		t.Clock.Due = new.After(time.UnixMilli(v.At), left).UnixMilli()
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// Idle tables. After the number of days set for the chat, a table's board is posted again with a warning. A day later
// it is closed and refunded, unless a person has kept it or moved.

// eachTable runs step at every table, in separate transactions. It pages: list returns at most atOnce tables
// whose IDs are larger than after. An error at one table, which begins with label, does not stop it.
func (b *Tables) eachTable(ctx context.Context, c *bot.Core, label string,
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
		faults = append(faults, c.StepAt(ctx, store.OfTable, tables, label, b.withTable(step)))
		if len(tables) < atOnce || ctx.Err() != nil {
			return errors.Join(faults...)
		}
		last = tables[len(tables)-1].ID
	}
}

// checkIdle warns that an idle table will be closed, if idle for long enough. A day later it closes the table.
func (v *Visit) checkIdle(t *store.Table) error {
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
		return v.repostBoard(*t)
	case v.At-t.Clock.Warned < board.IdleWarning.Milliseconds():
		return nil
	}
	return v.Abandon(t)
}

// keepTable keeps an idle table open. It refuses people who neither have a seat nor opened the table.
func (v *Visit) keepTable(t *store.Table, _ string) error {
	if t.Opener != string(v.Event.User) && board.SeatOf(*t, v.Event.User) < 0 {
		return notSeated(*t)
	}
	v.Toast("bot.idle.kept", nil)
	return v.save(t)
}

// Turns during an outage of a platform. People cannot press buttons, so no turn ends. When the outage is over, each
// turn has at least as much time left as the outage lasted, or grace if that is shorter. Tables on other platforms are
// not affected.

// graceLeft returns how much of the extra time after an outage remains for a turn that began turnAge ago. It is 0 if
// the outage was over before the turn began, or the extra time is over.
func (v *Visit) graceLeft(place chat.Place, turnAge time.Duration) time.Duration {
	link := v.Condition(place).Link
	up := time.Since(link.Since)
	if !link.Up || turnAge <= up {
		return 0
	}
	away := link.Away
	if away == 0 { // no connection before this one: the length is unknown
		away = grace
	}
	return max(0, min(away, grace)-up)
}

// checkConnections checks which platforms are connected, and extends the turns of a platform that is connected again.
// If extending fails, the platform still counts as unreachable.
func (w *deadlines) checkConnections(ctx context.Context) error {
	var faults []error
	for name, is := range w.core.Outbox.Conditions() {
		since, before := w.connected[name]
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
		if err := w.extendTurns(ctx, name+":", away); err != nil {
			w.unreachable[name] = true
			faults = append(faults, fmt.Errorf("after an outage of %s: %w", name, err))
			continue
		}
		w.connected[name] = is.Link.Since
		delete(w.unreachable, name)
	}
	return errors.Join(faults...)
}

// maxShortened is the most turns that shortenTurns checks after the machine's clock was set back.
const maxShortened = 1 << 20

// shortenTurns limits all turns after the machine's clock was set back: none may last longer than one that begins now.
func (w *deadlines) shortenTurns(ctx context.Context) error {
	var running []store.Row
	err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Tables.Due(math.MaxInt64, store.Row{}, maxShortened)
		return err
	})
	return errors.Join(err, w.stepAt(ctx, running, "after the clock was set back: table", (*Visit).shortenTurn))
}

// shortenTurn ensures that a table's turn does not end later than if it began now.
func (v *Visit) shortenTurn(t *store.Table) error {
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
