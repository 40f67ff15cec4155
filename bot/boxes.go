package bot

import (
	"fmt"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// enter stores the result of a table that ends now.
func (v *visit) enter(t store.Table, g games.Game, rows []store.Result) error {
	if boxed, ok := g.(games.Boxed); ok {
		history, err := v.tx.Moves(t.ID)
		if err != nil {
			return err
		}
		turns, err := turnsOf(boxed, t, history)
		if err != nil {
			return ours(fmt.Errorf("turns of table %d: %w", t.ID, err))
		}
		for i, n := range turns {
			rows[i].Turns, rows[i].Shut = int64(n.Turns), int64(n.Shut)
		}
	}
	if err := v.tx.Finish(t.ID, v.at, v.evening(), rows); err != nil {
		return fmt.Errorf("results of table %d: %w", t.ID, err)
	}
	return nil
}

// turnsOf counts the turns that every seat of a table has had at a box, and
// those that shut it, by playing its moves again.
func turnsOf(g games.Boxed, t store.Table, history []store.Move) ([]record.Turns, error) {
	moves, err := standing(history)
	if err != nil {
		return nil, err
	}
	return record.TurnsOf(g, t.Rules, len(t.Seats), facts(moves))
}
