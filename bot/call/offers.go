package call

// The message about the offered seats of a table.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/store"
)

// offered is how long a message about offered seats stays, and the offers with it.
const offered = time.Minute

// Offers deletes the message about a table's offered seats and schedules a new one if there are any.
func (b *Calls) Offers(v *table.Visit, t store.Table) error {
	c, there, err := found(v.Tx.Calls.OfferAt(t.ID))
	if there {
		err = b.callPast(v, c)
	}
	if err != nil || !board.Offering(t) {
		return err
	}
	first := slices.IndexFunc(t.Seats, func(s store.Seat) bool { return s.Offered })
	c = store.Call{Table: t.ID, Seat: first, Since: t.Turn, Due: v.At, Until: v.At + offered.Milliseconds()}
	b.callsBy(v, &c)
	return v.Tx.Calls.SaveCall(&c)
}

// offering returns a message about offered seats.
func (b *Calls) offering(tx *store.Tx, c store.Call, t store.Table) (chat.Ping, error) {
	m, err := b.Boards.Offers(tx, t)
	return chat.Ping{Once: fmt.Sprintf("offer %d of table %d, until %d", c.ID, c.Table, c.Until),
		Board: chat.Ref(t.Board.Message), Offer: &m}, err
}

// endOffers withdraws a table's expired offers.
func (b *Calls) endOffers(ctx context.Context, core *bot.Core, c store.Call, at store.Row) error {
	step := func(v *table.Visit, id int64) error {
		now, there, err := found(v.Tx.Calls.OfferAt(id))
		if !there || now.Until > v.At {
			return err
		}
		return v.EndOffers(id)
	}
	at.ID = c.Table
	return core.StepAt(ctx, store.OfTable, []store.Row{at}, "offers at table", bot.At(b.Visit, step))
}
