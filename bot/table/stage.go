package table

import (
	"context"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/store"
)

// Staging: if no person's move ended the game, the board first shows the state before the deciding turn. The result
// counts at once; only the drawing waits. The time is stored with the table, so that it survives a restart.

// stagedFor is the delay of the end of a game.
const stagedFor = 4 * time.Second

// stage delays the end on the board of a finished table, if its platform is connected and has room for another drawing.
func (v *Visit) stage(t *store.Table) {
	place := chat.Place(t.Place)
	if v.bot.Traits(place).Steps {
		return // the board already shows how it ended
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

// lookStaged shows every due end, and returns how long the next one waits.
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
			if left > 0 && left <= stagedFor { // false after the clock was set back
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
