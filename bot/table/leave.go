package table

import (
	"fmt"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// How a seat is given up without a press of whoever sat there: they have left the chat, or were forgotten.

// leftChat gives up what a person has asked for and where they sit in a chat that they have left. Who comes back to a
// match finds the seat as somebody does who was away.
func (v *Visit) leftChat(player, of string) error {
	if err := v.Withdraw(player, of); err != nil {
		return err
	}
	tables, err := v.Active(of)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if board.SeatOf(t, chat.User(player)) < 0 {
			continue
		}
		if err := v.LeaveTable(t.ID, player); err != nil {
			return fmt.Errorf("table %d: %w", t.ID, err)
		}
	}
	return nil
}

// LeaveTable gives up the seat of a person at a table: in a lobby it becomes free, in a match the house plays it from
// now on, with the same dice. Where they have none, the board is drawn again all the same.
func (v *Visit) LeaveTable(id int64, player string) error {
	t, err := v.Tx.Table(id)
	if err != nil {
		return err
	}
	v.Names = v.bot.NamesAt(t, v.Lang)
	i := board.SeatOf(t, chat.User(player))
	switch {
	case i >= 0 && t.State == store.Lobby:
		return v.GetUp(&t, i)
	case i >= 0 && t.State == store.Playing:
		s := &t.Seats[i]
		if s.Offered, s.Taker, s.Ends = false, "", false; s.Absence != store.Out { // who is out stays so
			s.Absence = store.Gone
		}
		if v.bot.Enough(t) {
			return v.Abandon(&t)
		}
		g, m, err := v.bot.Match(t)
		if err != nil {
			return err
		}
		v.Begun = false // that was of another table
		return v.CarryOn(&t, g, m)
	}
	return v.Redraw(&t)
}
