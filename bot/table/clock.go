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

	retryAt     map[int64]time.Time  // by table: when ending its turn is tried again after a failure
	connected   map[string]time.Time // by platform: start of the connection after which turns got extra time
	unreachable map[string]bool      // platforms that are down, or whose turns have not yet got extra time
}

// newDeadlines returns the loop of deadlines for the tables of b, before its first round.
func newDeadlines(b *Tables) *deadlines {
	return &deadlines{bot: b, retryAt: map[int64]time.Time{}, connected: map[string]time.Time{},
		unreachable: map[string]bool{}}
}

// wallTime returns the time of the wall clock without Go's monotonic reading, which stops while a machine sleeps.
func (w *deadlines) wallTime() time.Time { return w.bot.Clock.Now().Round(0) }

// checkSleep returns the time, and reports whether the machine must have slept since the last call, because a round is
// late. If so, no idle table is closed for board.IdleGrace.
func (w *deadlines) checkSleep() (now time.Time, slept bool) {
	now = w.wallTime()
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
		// A turn may have become due while the others were ended.
		if due := time.UnixMilli(next); next > 0 && due.Before(w.next) {
			soon, w.next = max(due.Sub(now), time.Millisecond), due
		}
	}
	b.nextRound.Store(w.next.UnixMilli())
	return soon, errors.Join(faults...)
}

// endTurns ends every due turn. next is when the next one is due, in Unix milliseconds; 0: none is.
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

// extendTurns extends to at least extra from now all turns in places that begin with prefix, before people can play
// again: "discord:" is a whole platform, "" all. If the machine sleeps meanwhile, it starts over and gives all turns
// grace. A failure at one table does not stop the others.
func (w *deadlines) extendTurns(ctx context.Context, prefix string, extra time.Duration) error {
	until := w.wallTime().Add(extra) // the same for all, or passing time would extend more and more turns
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

// stepAt runs step at each of tables, each in its own transaction. Errors begin with label and the table's ID.
func (w *deadlines) stepAt(ctx context.Context, tables []store.Row, label string,
	step func(*Visit, *store.Table) error) error {
	return w.core.StepAt(ctx, store.OfTable, tables, label, w.bot.withTable(step))
}

// withTable returns step as a function of a table's ID, which reads the table first.
func (b *Tables) withTable(step func(*Visit, *store.Table) error) func(*bot.Visit, int64) error {
	return func(v *bot.Visit, table int64) error {
		t, err := v.Tx.Tables.Table(table)
		if err != nil {
			return err
		}
		return step(b.Visit(v), &t)
	}
}

// extendTurn extends the turn of a table, if it has a deadline, to at least extra from now and redraws the board.
func (v *Visit) extendTurn(t *store.Table, extra time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	if err := v.grantTime(t, extra); err != nil {
		return err
	}
	return v.Redraw(t)
}

// quietChanged adapts the tables of a chat to changed quiet hours or another time zone: each turn keeps its remaining
// time, and pending pings are checked again. before and after are the settings of the chat.
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

// eachTable runs step at each table that list returns, each in its own transaction. It pages: list returns at most
// atOnce rows with IDs above after. An error, which begins with label, does not stop the others.
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

// checkIdle warns that an idle table will be closed, or closes it, if the time for that has come.
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

// graceLeft returns how much extra time after an outage is left for a turn that began turnAge ago; 0 if the turn began
// after the outage or has used it up.
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

// checkConnections reads the connections of all platforms, and extends the turns of one that is up again. If that
// fails, the platform stays unreachable for this loop.
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

// maxShortened is the largest number of turns that are checked after the clock was set back.
const maxShortened = 1 << 20

// shortenTurns shortens turns whose deadline is further away than a whole limit, after the wall clock was set back.
func (w *deadlines) shortenTurns(ctx context.Context) error {
	var running []store.Row
	err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Tables.Due(math.MaxInt64, store.Row{}, maxShortened)
		return err
	})
	return errors.Join(err, w.stepAt(ctx, running, "after the clock was set back: table", (*Visit).shortenTurn))
}

// shortenTurn limits the deadline of a table's turn to that of a turn that begins now.
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
