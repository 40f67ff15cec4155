package table

import (
	"context"
	"fmt"

	"knobel/bot/board"
	"knobel/store"
)

// A file that was put back throws the dice of before once more: whoever has seen them,
// or a seed that was published since, would know them.

// Restored is what has become of the tables of a file that was put back.
type Restored struct {
	Ended  int // in play: their stakes went back
	Sealed int // in the lobby: they have a new seed, and whoever sits there is to agree again
}

// Restored ends all tables in play of a file that was put back, with their stakes, and
// gives those in the lobby a new seed: all in one transaction. Their boards are drawn
// by whoever runs next. Of tables that it has ended nothing is left for a second time.
func (b *Tables) Restored(ctx context.Context) (done Restored, err error) {
	err = b.Store.Update(ctx, func(tx *store.Tx) error {
		done = Restored{}
		tables, err := tx.Active()
		if err != nil {
			return err
		}
		for _, id := range tables {
			v := b.Visit(b.QuietVisit(tx, store.Chat{}, store.Player{}))
			if err := v.restored(id, &done); err != nil {
				return fmt.Errorf("table %d: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return Restored{}, fmt.Errorf("tables of a restored file: %w", err)
	}
	return done, nil
}

// restored does it to one table.
func (v *Visit) restored(id int64, done *Restored) error {
	t, err := v.Tx.Table(id)
	if err != nil {
		return err
	}
	if t.State == store.Playing {
		done.Ended++
		return v.abandonFor(&t, board.PageRestored)
	}
	done.Sealed++
	seed, err := v.bot.drawSeed()
	if err != nil {
		return err
	}
	t.Seed, t.Commitment = seed[:], seed.Commitment()
	t.Terms++ // so that nobody has agreed any longer
	for i := range t.Seats {
		t.Seats[i].Worded = 0 // their words are older than the seed: they get others when they agree
	}
	return v.save(&t)
}
