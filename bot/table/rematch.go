package table

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"knobel/bot/board"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// rematch opens one new lobby with the seats of the old table reserved, and
// confirms the person's own. Whoever presses later, on this board or on that of
// a game still older, sits down there.
func (v *Visit) rematch(t *store.Table, _ string) error {
	if t.Rematch != 0 {
		return v.joinRematch(t.Rematch)
	}
	mine := board.SeatOf(*t, v.Event.User)
	if mine < 0 {
		return games.Refuse("bot.not-seated", nil)
	}
	if active, err := v.Tx.TableAt(t.Place); err == nil {
		v.Toast("bot.table-here", nil)
		v.Reply.Refused = true
		return v.show(active)
	}
	next := store.Table{Game: t.Game, Rules: t.Rules, Stake: t.Stake, HouseRules: t.HouseRules, Patience: t.Patience, Absent: t.Absent}
	for i, s := range t.Seats {
		if store.Forgotten(s.Player) > 0 {
			continue
		}
		kept := store.Seat{Player: s.Player, Name: s.Name, House: s.House, Entropy: s.Entropy, Confirmed: s.Confirmed}
		if s.House == "" {
			kept.Entropy, kept.Confirmed = dice.NewEntropy(), i == mine
			if i == mine {
				kept.Worded = v.At
			}
		}
		next.Seats = append(next.Seats, kept)
	}
	next.Unit = v.Unit()
	if shown, err := v.shown(next); err != nil {
		return err
	} else if !shown { // by the board of an older game
		next.Seats[board.SeatOf(next, v.Event.User)].Agreed = store.Unseen
	}
	box, err := v.Tx.Box(t.Chat, next.Unit)
	if err != nil {
		return fmt.Errorf("box: %w", err)
	}
	seatFirst(next.Seats, box.Holder)
	id, err := v.open(next)
	if err != nil {
		return err
	}
	t.Rematch = id
	return v.save(t)
}

// joinRematch is a later press on the same button: it takes the reserved seat,
// or a free one, and shows where it is. A rematch that is over has one itself.
func (v *Visit) joinRematch(id int64) error {
	next, err := v.load(id)
	if err != nil {
		return err
	}
	switch next.State {
	case store.Over, store.Abandoned:
		return v.rematch(&next, "")
	case store.Playing:
		return Gone(next)
	}
	if i := board.SeatOf(next, v.Event.User); i >= 0 && next.Seats[i].Confirmed {
		return games.Refuse("bot.sits", nil)
	}
	if shown, err := v.shown(next); err != nil || !shown {
		v.Toast("bot.agreement.changed", nil)
		v.Reply.Refused = true
		return errors.Join(err, v.show(next))
	}
	return v.join(&next, "")
}

// reserved is the first seat that somebody has not taken again, or -1.
func reserved(t store.Table) int {
	return slices.IndexFunc(t.Seats, func(s store.Seat) bool { return !s.Confirmed })
}

// newcomer gives the person a seat: a new one, or at a table that is full one
// that was reserved and not taken in time.
func (v *Visit) newcomer(t *store.Table, most int) error {
	if len(t.Seats) < most {
		t.Seats = append(t.Seats, v.seatAt(*t))
		return nil
	}
	free := reserved(*t)
	if free < 0 {
		return games.Refuse("bot.full", nil)
	}
	if left := board.ReservedFor - time.Duration(v.At-t.Opened)*time.Millisecond; left > 0 {
		return games.Refuse("bot.full-reserved", games.Args{"N": int((left + time.Minute - 1) / time.Minute)})
	}
	t.Seats[free] = v.seatAt(*t)
	return nil
}

// free gives up the seats that are reserved, as its host wishes.
func (v *Visit) free(t *store.Table, _ string) error {
	if !v.hosts(*t) {
		return v.onlyHost(*t)
	}
	if reserved(*t) < 0 {
		return games.Refuse("bot.none-reserved", nil)
	}
	t.Seats = slices.DeleteFunc(t.Seats, func(s store.Seat) bool { return !s.Confirmed })
	v.Toast("bot.freed", nil)
	return v.save(t)
}
