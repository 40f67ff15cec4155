package table

import (
	"fmt"

	"knobel/games"
	"knobel/store"
)

// enter stores the result of a table that ends now.
func (v *Visit) enter(t store.Table, g games.Game, rows []store.Result) error {
	if _, boxed := g.(games.Boxed); boxed {
		history, err := v.Tx.Moves(t.ID)
		if err != nil {
			return err
		}
		for i, n := range v.bot.TurnsAtTheBox(t, history) {
			rows[i].Turns, rows[i].Shut = int64(n.Turns), int64(n.Shut)
		}
	}
	evening, err := v.EveningIn(t.Chat, v.At)
	if err != nil {
		return err
	}
	if err := v.Tx.Finish(t.ID, v.At, evening, rows); err != nil {
		return fmt.Errorf("results of table %d: %w", t.ID, err)
	}
	return v.finished(t, g)
}
