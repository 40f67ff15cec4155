package table

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/games"
	"knobel/games/record"
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

// CatchUp counts the turns of games that ended under a version that did not,
// and gives them their evenings by the clock of the installation, chat by chat.
// It does nothing when there are none. A table whose moves cannot be played again has
// no turns; Check says what is wrong with it.
func (b *Tables) CatchUp(ctx context.Context) error {
	for {
		err := b.Store.Update(ctx, func(tx *store.Tx) error {
			chat, err := tx.UncountedChat()
			if err != nil {
				return err
			}
			tables, err := tx.Uncounted(chat)
			if err != nil {
				return err
			}
			for _, table := range tables {
				if err := b.count(tx, table); err != nil {
					return err
				}
			}
			return tx.Recount(chat)
		})
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("count turns: %w", err)
		}
	}
}

// count counts the turns of a table that is over.
func (b *Tables) count(tx *store.Tx, table int64) error {
	t, err := tx.Table(table)
	if err != nil {
		return err
	}
	history, err := tx.Moves(table)
	if err != nil {
		return err
	}
	var counts []store.Turns
	for _, n := range b.TurnsAtTheBox(t, history) {
		counts = append(counts, store.Turns{Turns: int64(n.Turns), Shut: int64(n.Shut)})
	}
	return tx.Count(table, bot.EveningOf(time.UnixMilli(t.Ended), b.Zone), counts)
}

// TurnsAtTheBox counts the turns that every seat of a table has had at a box, and those
// that shut it, by playing its moves again. There are none where its game has no
// box or its moves cannot be played: no game fails to end for that, and Check
// tells of it.
func (b *Tables) TurnsAtTheBox(t store.Table, history []store.Move) []record.Turns {
	g, err := b.Game(t.Game)
	if err != nil {
		return nil
	}
	boxed, ok := g.(games.Boxed)
	if !ok {
		return nil
	}
	moves, err := Standing(history)
	if err != nil {
		return nil
	}
	counts, err := record.TurnsOf(boxed, t.Rules, len(t.Seats), Facts(moves))
	if err != nil {
		return nil
	}
	return counts
}
