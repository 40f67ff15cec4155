package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Handing a seat over. Whoever sits at a table offers their seat, on its board,
// and somebody else takes it as it is: its standing, its stake, and the luck
// that its dice have followed from since the lobby. The same dice come to
// whoever sits there, so that leaving and coming back gives nothing new. Where it
// is worth something, another of those seated agrees first: a loss is not handed
// to somebody who will never pay it. Of several at one browser, any may be the same
// person: none of them takes a seat from another, nor agrees to what one would do.

// handoverCommand offers the person's seat, or does so no longer.
func (v *Visit) handoverCommand(_ bot.Args) error {
	t, err := v.goesOn()
	if err != nil {
		return err
	}
	if err := v.offerSeat(&t); err != nil {
		return err
	}
	return v.show(t)
}

// offerSeat offers the person's seat, or does so no longer.
func (v *Visit) offerSeat(t *store.Table) error {
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case mine < 0:
		return notSeated(*t)
	case t.State == store.Lobby:
		return games.Refuse("bot.handover.lobby", nil)
	case t.State != store.Playing:
		return Gone(*t)
	case t.Seats[mine].Absence == store.Out:
		return games.Refuse("bot.away.out", nil)
	}
	s := &t.Seats[mine]
	s.Taker = ""
	if s.Offered = !s.Offered; s.Offered {
		v.Toast("bot.handover.offered", nil)
	} else {
		v.Toast("bot.handover.kept", nil)
	}
	return v.Redraw(t)
}

// withdrawOffer is the press of somebody who keeps their seat.
func (v *Visit) withdrawOffer(t *store.Table, _ string) error {
	mine := board.SeatOf(*t, v.Event.User)
	if mine < 0 {
		return notSeated(*t)
	}
	if !t.Seats[mine].Offered {
		return games.Refuse("bot.handover.not", nil)
	}
	return v.offerSeat(t)
}

// take is the press of somebody who would have a seat that is offered. It is
// theirs at once where nobody else sits there or nothing can be lost; else they ask
// for it, and no longer once they press again.
func (v *Visit) take(t *store.Table, rest string) error {
	seat, ok := offered(*t, rest)
	if !ok {
		return games.Refuse("bot.handover.not", nil)
	}
	s := &t.Seats[seat]
	switch {
	case board.SeatOf(*t, v.Event.User) >= 0:
		return games.Refuse("bot.handover.seated", nil)
	case v.bot.Same(v.Event.User, chat.User(s.Player)):
		return games.Refuse("bot.handover.same", nil)
	case !weighty(*t), len(v.bot.Agreeing(*t, seat, v.Event.User)) == 0:
		return v.handSeat(t, seat, store.Player{ID: string(v.Event.User), Name: v.Player.Name})
	case board.Taker(*t, seat) == v.Event.User:
		s.Taker = ""
		v.Toast("bot.handover.withdrawn", nil)
	case board.Taker(*t, seat) != "":
		return games.Refuse("bot.handover.taken-first", nil)
	default:
		s.Taker = string(v.Event.User)
		v.Toast("bot.handover.asked", nil)
	}
	return v.Redraw(t)
}

// asksNoMore ends what somebody has asked for at a table that they leave, or whose
// chat they do: no seat there becomes theirs later.
func asksNoMore(t *store.Table, user string) {
	for i := range t.Seats {
		if t.Seats[i].Taker == user {
			t.Seats[i].Taker = ""
		}
	}
}

// Withdraw ends what somebody has asked for at the tables of a chat, "": of all.
func (v *Visit) Withdraw(user, chat string) error {
	tables, err := v.Tx.TablesAsked(user)
	if err != nil {
		return err
	}
	for _, id := range tables {
		t, err := v.Tx.Table(id)
		if err != nil {
			return fmt.Errorf("table %d: %w", id, err)
		}
		if chat != "" && t.Chat != chat {
			continue
		}
		asksNoMore(&t, user)
		if err := v.Redraw(&t); err != nil {
			return err
		}
	}
	return nil
}

// handOn is the press of somebody seated who agrees that a seat changes hands.
func (v *Visit) handOn(t *store.Table, rest string) error {
	who, number, _ := strings.Cut(rest, " ")
	seat, ok := offered(*t, number)
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case mine < 0:
		return notSeated(*t)
	case !ok || board.Taker(*t, seat) == "" || who != board.TakerMark(*t, seat) || board.SeatOf(*t, board.Taker(*t, seat)) >= 0:
		return games.Refuse("bot.moved-on", nil)
	case mine == seat:
		return games.Refuse("bot.handover.others", nil)
	case !slices.Contains(v.bot.Agreeing(*t, seat, board.Taker(*t, seat)), mine):
		return games.Refuse("bot.handover.elsewhere", nil)
	}
	player, err := v.Tx.Player(string(board.Taker(*t, seat)))
	if err != nil {
		return fmt.Errorf("who takes seat %d of table %d: %w", seat, t.ID, err)
	}
	return v.handSeat(t, seat, player)
}

// offered reads the number of a seat that is offered.
func offered(t store.Table, said string) (seat int, ok bool) {
	seat, err := strconv.Atoi(said)
	return seat, err == nil && seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Offered && t.Seats[seat].House == ""
}

// weighty reports whether somebody can lose something at a table: a stake, or a
// point of a difference that is worth something.
func weighty(t store.Table) bool {
	return t.Stake > 0 || t.Rules["point"] != "" && t.Rules["point"] != "0"
}

// handSeat gives a person a seat. What its owner has paid in goes back to them, and
// comes from whoever sits there now.
func (v *Visit) handSeat(t *store.Table, seat int, to store.Player) error {
	if err := v.Returned(chat.User(to.ID)); err != nil {
		return err
	}
	s := &t.Seats[seat]
	left := account(*s)
	s.Player, s.Name, s.Taker = to.ID, to.Name, ""
	asksNoMore(t, to.ID) // of two seats that were offered they have one
	s.Missed, s.Absence, s.Offered, s.Ends = 0, store.Present, false, false
	s.Since = t.Turn
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if g.Pool() {
		entries := []store.Entry{{Account: left, Amount: t.Stake}, {Account: account(*s), Amount: -t.Stake}}
		if err := v.post(t, store.HandedOver, entries); err != nil {
			return err
		}
	}
	if slices.Contains(m.Turn(), games.Seat(seat)) {
		if err := v.wholeTurn(t); err != nil {
			return err
		}
		if err := v.bot.Notifier.Nobody(v, *t); err != nil { // whoever was called has left
			return err
		}
	}
	v.Names = v.bot.NamesAt(*t, v.Lang)
	if to.ID != string(v.Event.User) {
		v.Toast("bot.handover.handed", nil)
	} else if t.Stake > 0 {
		v.Toast("bot.handover.taken", games.Args{"Amount": bot.Amount(t.Unit, t.Stake)})
	} else {
		v.Toast("bot.handover.taken-plain", nil)
	}
	return v.CarryOn(t, g, m)
}
