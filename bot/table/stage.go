package table

import (
	"context"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/store"
)

// The end of a game that no person's move has brought is staged: the board shows for a moment how all stood before the
// turn that decided it. The result is stored and counts at once; only the drawing waits. Until when stands with the
// table, so that a process that ends meanwhile shows the end when it runs again.

// stagedFor is how long the end of a game waits.
const stagedFor = 4 * time.Second

// stage has the board of a table that is over wait with the end, where its platform runs and has
// room for one drawing more.
func (v *Visit) stage(t *store.Table) {
	place := chat.Place(t.Place)
	if v.bot.Traits(place).Steps {
		return // the board shows all that led to its end
	}
	is := v.Condition(place)
	if is.Budget == nil || !is.Link.Up || t.Board.Away {
		return
	}
	if b := is.Budget(place); b.Limit > 0 && (b.Left < 1 || b.Waiting > 0) {
		return
	}
	t.Board.Staged = v.At + stagedFor.Milliseconds()
	v.Wake(v.bot.staged)
}

// lookStaged shows every end that has waited, and says how long the next waits.
func (b *Tables) lookStaged(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	const many = 64
	for {
		var staged []store.Turn
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			staged, err = tx.Tables.Staged(many)
			return err
		})
		if err != nil {
			return 0, err
		}
		var due []store.Row
		for _, s := range staged {
			left := time.Duration(s.Due-b.Now()) * time.Millisecond
			if left > 0 && left <= stagedFor { // where a clock was set back, it has waited
				soon = left
				break
			}
			due = append(due, s.Row())
		}
		if err := c.StepAt(ctx, store.OfTable, due, "end of table", bot.At(b.Visit, (*Visit).showEnd)); err != nil {
			return tryAgain, err
		}
		if len(due) < many {
			return soon, nil
		}
	}
}

// showEnd has the board of a table show its end.
func (v *Visit) showEnd(table int64) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil || t.Board.Staged == 0 {
		return err
	}
	t.Board.Staged = 0
	return v.Redraw(&t)
}
