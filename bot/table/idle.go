package table

import (
	"context"
	"errors"
	"time"

	"knobel/bot/board"
	"knobel/store"
)

// Tables that nobody touches. After as many days as the chat has set one is
// announced, once, at the bottom of its place, and a day later it is closed and
// all stakes go back, unless somebody has kept it or played on.

// lookIdle announces idle tables, and closes those that were announced.
func (b *Tables) lookIdle(ctx context.Context) error {
	var faults []error
	last := int64(0)
	for {
		var idle []int64
		err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
			idle, err = tx.Idle(b.Now()-board.IdleWarning.Milliseconds(), last, board.IdleAtOnce)
			return err
		})
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		faults = append(faults, b.StepAt(ctx, idle, "idle table", (*Visit).idleFor))
		if len(idle) < board.IdleAtOnce || ctx.Err() != nil {
			return errors.Join(faults...)
		}
		last = idle[len(idle)-1]
	}
}

// idleFor announces an idle table, or closes it, where it is time.
func (v *Visit) idleFor(table int64) error {
	t, err := v.Tx.Table(table)
	if err != nil || t.Away || t.State != store.Lobby && t.State != store.Playing {
		return err
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
	case t.Warned == 0:
		t.Warned = v.At
		if err := v.Redraw(&t); err != nil {
			return err
		}
		return v.show(t)
	case v.At-t.Warned < board.IdleWarning.Milliseconds():
		return nil
	}
	return v.Abandon(&t)
}

// keepTable is the press of somebody who does not want their table closed.
func (v *Visit) keepTable(t *store.Table, _ string) error {
	if t.Opener != string(v.Event.User) && board.SeatOf(*t, v.Event.User) < 0 {
		return notSeated(*t)
	}
	v.Toast("bot.idle.kept", nil)
	return v.save(t)
}
