package bot

import (
	"fmt"
	"time"

	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// idle is how long nothing has to move at a table before anybody seated may
// end it.
const idle = time.Hour

// mayEnd says whether the person may end a table: its opener, anybody when
// nobody sits there, anybody seated when nothing has moved for an hour, and
// those who may change the chat.
func (v *visit) mayEnd(t store.Table) (bool, error) {
	mine := seatOf(t, v.ev.User)
	still := time.Duration(v.at-t.Changed) * time.Millisecond
	switch {
	case t.State != store.Lobby && t.State != store.Playing:
		return false, nil
	case t.Opener == string(v.ev.User), !anybodySits(t), mine >= 0 && still >= idle:
		return true, nil
	}
	return v.isAdmin()
}

func anybodySits(t store.Table) bool {
	for _, s := range t.Seats {
		if s.House == "" && s.Confirmed {
			return true
		}
	}
	return false
}

// refuseEnd says who may end a table.
func (v *visit) refuseEnd(t store.Table) error {
	opener, err := v.tx.Player(t.Opener)
	if err != nil {
		return fmt.Errorf("opener: %w", err)
	}
	return games.Refuse("bot.may-not-end", games.Args{"Name": v.bot.shownName(opener.Name, v.lang)})
}

// abandonCommand asks, on the board, whether the table here is to be ended.
func (v *visit) abandonCommand(_ wishes) error {
	t, err := v.here()
	if err != nil {
		return err
	}
	if t.State != store.Lobby && t.State != store.Playing {
		return gone(t)
	}
	may, err := v.mayEnd(t)
	if err != nil {
		return err
	}
	if !may {
		return v.refuseEnd(t)
	}
	t.Page = pageEnd
	if err := v.redraw(&t); err != nil {
		return err
	}
	return v.show(t)
}

// end asks whether a table is to be ended (""), ends it ("yes"), or goes on
// ("no"). The answer counts for the turn at which the question was asked.
func (v *visit) end(t *store.Table, rest string) error {
	may, err := v.mayEnd(*t)
	if err != nil {
		return err
	}
	switch {
	case rest == "no" && (may || seatOf(*t, v.ev.User) >= 0):
		t.Page = pageGame
		return v.redraw(t)
	case !may:
		return v.refuseEnd(*t)
	case rest == "":
		t.Page = pageEnd
		return v.redraw(t)
	case rest != "yes" || t.Page != pageEnd || v.pressed.turn != t.Turn:
		return games.Refuse("bot.moved-on", nil)
	}
	if t.State == store.Playing {
		if err := v.refund(t); err != nil {
			return err
		}
	}
	t.State, t.Page, t.Draft, t.Waits = store.Abandoned, pageGame, "", false
	v.toast("bot.ended", nil)
	return v.save(t)
}

// rematch opens one new lobby with the seats of the old table reserved, and
// confirms the person's own. Whoever presses later confirms theirs.
func (v *visit) rematch(t *store.Table, _ string) error {
	mine := seatOf(*t, v.ev.User)
	if mine < 0 {
		return games.Refuse("bot.not-seated", nil)
	}
	if t.Rematch != 0 {
		return v.joinRematch(t.Rematch)
	}
	if active, err := v.tx.TableAt(t.Place); err == nil {
		v.toast("bot.table-here", nil)
		v.reply.Refused = true
		return v.show(active)
	}
	next := store.Table{Game: t.Game, Rules: t.Rules, Stake: t.Stake}
	for i, s := range t.Seats {
		if s.House == "" {
			s.Entropy, s.Confirmed = dice.NewEntropy(), i == mine
		}
		next.Seats = append(next.Seats, s)
	}
	box, err := v.tx.Box(t.Chat, v.unit())
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

// joinRematch is a later press on the same button: it takes the reserved seat
// and shows where it is.
func (v *visit) joinRematch(id int64) error {
	next, err := v.load(id)
	if err != nil {
		return err
	}
	if next.State != store.Lobby {
		return gone(next)
	}
	if i := seatOf(next, v.ev.User); i >= 0 && next.Seats[i].Confirmed {
		return games.Refuse("bot.sits", nil)
	}
	return v.join(&next, "")
}
