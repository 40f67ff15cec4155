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

// The clocks of all tables. Deadlines are stored with the tables and survive a restart; one loop looks for due ones.

// deadlines looks for turns past their deadline and for idle tables.
type deadlines struct {
	bot  *Tables
	core *bot.Core // of the present round
	next time.Time // latest time of the next round; zero before the first
	idle time.Time // time of the next look for idle tables
	last time.Time // time of the last round, by which a clock that was set back shows; zero before the first

	rests       map[int64]time.Time  // tables whose turn could not be ended, and until when they are skipped
	heard       map[string]time.Time // since when platforms whose turns were given time are connected
	unreachable map[string]bool      // platforms that are unreachable, or whose turns wait for time
}

func newDeadlines(b *Tables) *deadlines {
	return &deadlines{bot: b, rests: map[int64]time.Time{}, heard: map[string]time.Time{},
		unreachable: map[string]bool{}}
}

// time returns the wall clock's time: the monotonic clock stops while a machine sleeps.
func (w *deadlines) time() time.Time { return w.bot.Clock.Now().Round(0) }

// slept returns the time, and reports whether the gap since the last reading means that the machine was asleep: then no
// idle table is closed for a while.
func (w *deadlines) slept() (now time.Time, slept bool) {
	now = w.time()
	if slept = now.After(w.next.Add(asleep)); slept {
		w.idle = now.Add(board.IdleGrace)
	}
	w.next = now
	return now, slept
}

// look ends the due turns, closes idle tables, and returns how long the next turn has; 0 asks for a sweep.
func (w *deadlines) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	b := w.bot
	w.core = c
	b.awake.Store(math.MaxInt64) // deadlines set from now on wake the loop
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
		soon = time.Millisecond // then all have grace
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

// endTurns ends every due turn and returns when the next one is due, or 0.
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
				continue // a clock that was set back does not prolong the pause
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

// give gives a time to every turn that would end within it, in places with a prefix, before people can play again. If
// the machine falls asleep meanwhile, all turns are given grace. An error at one table does not stop the others.
func (w *deadlines) give(ctx context.Context, at string, long time.Duration) error {
	until := w.time().Add(long) // the same for all: otherwise passing time would ask for more
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

// stepAt runs a step at each table, each in its own transaction.
func (w *deadlines) stepAt(ctx context.Context, tables []store.Row, label string,
	step func(*Visit, *store.Table) error) error {
	return w.core.StepAt(ctx, store.OfTable, tables, label, w.bot.at(step))
}

// at adapts a step at a table, which it reads.
func (b *Tables) at(step func(*Visit, *store.Table) error) func(*bot.Visit, int64) error {
	return func(v *bot.Visit, table int64) error {
		t, err := v.Tx.Tables.Table(table)
		if err != nil {
			return err
		}
		return step(b.Visit(v), &t)
	}
}

// spare gives the present turn of a table time.
func (v *Visit) spare(t *store.Table, long time.Duration) error {
	if t.Clock.Due == 0 || t.State != store.Playing {
		return nil
	}
	if err := v.giveTime(t, long); err != nil {
		return err
	}
	return v.Redraw(t)
}

// quietChanged moves the deadlines of a chat's tables to new quiet hours: each turn keeps its remaining time, and calls
// wait for the new hours.
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

// Idle tables. After the days that the chat has set, a table is announced once at the bottom of its place; a day later
// it is closed and refunded, unless a person has kept it or played on.

// atEach runs a step at each table of a list, which returns at most atOnce tables after one. Each step is a transaction
// of its own, and an error at one table does not stop the others.
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

// idleFor announces an idle table, or closes it, if it is time.
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

// keepTable keeps an idle table from being closed.
func (v *Visit) keepTable(t *store.Table, _ string) error {
	if t.Opener != string(v.Event.User) && board.SeatOf(*t, v.Event.User) < 0 {
		return notSeated(*t)
	}
	v.Toast("bot.idle.kept", nil)
	return v.save(t)
}

// Clocks during an outage of a platform. People there cannot press: no turn ends, and afterwards they have as long
// again as the outage, at most grace. Tables of other platforms are not affected.

// graceLeft returns how much of an outage's extra time a turn that has lasted for a duration has left; 0 if the turn
// began after the outage or has used it up.
func (v *Visit) graceLeft(place chat.Place, lasts time.Duration) time.Duration {
	link := v.Condition(place).Link
	up := time.Since(link.Since)
	if !link.Up || lasts <= up {
		return 0
	}
	away := link.Away
	if away == 0 { // since the start of the bot: its length is unknown
		away = grace
	}
	return max(0, min(away, grace)-up)
}

// listen checks the platforms and gives time to turns after an outage. A platform for which that fails stays
// unreachable.
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
		away := grace // the first time: the length is unknown
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

// maxShortened is the largest number of turns checked after the clock was set back.
const maxShortened = 1 << 20

// shortenTurns caps the deadline of every running turn at the agreed limit from now, after the wall clock was set back.
func (w *deadlines) shortenTurns(ctx context.Context) error {
	var running []store.Row
	err := w.bot.Due(ctx, func(tx *store.Tx) (err error) {
		running, err = tx.Tables.Due(math.MaxInt64, store.Row{}, maxShortened)
		return err
	})
	return errors.Join(err, w.stepAt(ctx, running, "after the clock was set back: table", (*Visit).shorten))
}

// shorten caps the present turn of a table at the time of a new one.
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
