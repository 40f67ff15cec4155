package table

import (
	"context"
	"fmt"

	"knobel/bot/board"
	"knobel/games/dice"
	"knobel/store"
)

// Ending a table early, and the votes for it.

// Abandon ends a table early and refunds all stakes and what the box had given.
func (v *Visit) Abandon(t *store.Table) error { return v.abandonFor(t, board.PageGame) }

// abandonFor ends a table as Abandon does, with the page on which the board gives the reason.
func (v *Visit) abandonFor(t *store.Table, page string) error {
	staked, err := v.close(t, page)
	if err != nil {
		return err
	}
	said := "bot.ended"
	if staked {
		said = "bot.ended-refund"
	}
	v.Receipt(said, nil)
	return nil
}

// close ends a table early and reports whether stakes were refunded.
func (v *Visit) close(t *store.Table, page string) (staked bool, err error) {
	if t.State == store.Playing {
		if staked, err = v.refund(t); err != nil {
			return false, err
		}
	}
	noVotes(t)
	v.withdrawAll(t)
	t.State, t.Board.Page, t.Draft, t.Waits, t.Clock.Due = store.Abandoned, page, "", false, 0
	if err := v.bot.Notifier.Cancel(v, *t); err != nil {
		return staked, fmt.Errorf("table %d: %w", t.ID, err)
	}
	return staked, v.save(t)
}

// noVotes clears the votes of a table.
func noVotes(t *store.Table) {
	for i := range t.Seats {
		t.Seats[i].Ends = false
	}
}

// Enough reports whether the votes to end a table suffice, also because others have lost their votes.
func (b *Tables) Enough(t store.Table) bool {
	votes, needed := b.Ballot(t)
	return votes >= needed
}

// tellVotes sets a toast with the state of the vote; after a command the board shows it.
func (v *Visit) tellVotes(t store.Table) {
	if v.Event.Press == "" {
		return
	}
	v.Toast("bot.voted", v.bot.BallotArgs(t))
}

// A restored file would repeat dice that people have seen, or that follow from a seed published since.

// Restored counts what Restored has done to the tables of a restored file.
type Restored struct {
	Ended  int // in play: their stakes went back
	Sealed int // in the lobby: they have a new seed, and the seated people have to agree again
}

// Restored ends all running tables of a restored file, refunds their stakes and gives new seeds to lobbies, in one
// transaction. The next run draws their boards. It is idempotent.
func (b *Tables) Restored(ctx context.Context) (done Restored, err error) {
	err = b.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
		done = Restored{}
		tables, err := tx.Tables.Active()
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

// restored ends one table or gives it a new seed.
func (v *Visit) restored(id int64, done *Restored) error {
	t, err := v.Tx.Tables.Table(id)
	if err != nil {
		return err
	}
	if t.State == store.Playing {
		done.Ended++
		return v.abandonFor(&t, board.PageRestored)
	}
	done.Sealed++
	seed, err := dice.NewSeed(v.bot.Rand)
	if err != nil {
		return err
	}
	t.Dice.Seed, t.Dice.Commitment = seed[:], seed.Commitment()
	t.Terms++ // so that all have to agree again
	t.Altered = board.AlteredSeal
	for i := range t.Seats {
		t.Seats[i].Worded = 0 // their words are older than the seed: they get others when they agree
	}
	return v.save(&t)
}
