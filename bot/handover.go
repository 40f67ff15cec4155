package bot

import (
	"slices"
	"strconv"

	"knobel/games"
	"knobel/store"
)

// Handing a seat over. Whoever sits at a table offers their seat, on its board,
// and somebody else takes it as it is: its standing, its stake, and the luck
// that its dice have followed from since the lobby. The same dice come to
// whoever sits there, so that leaving and coming back gives nothing new.

// handoverCommand offers the person's seat, or does so no longer.
func (v *visit) handoverCommand(_ wishes) error {
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
func (v *visit) offerSeat(t *store.Table) error {
	mine := seatOf(*t, v.ev.User)
	switch {
	case mine < 0:
		return notSeated(*t)
	case t.State == store.Lobby:
		return games.Refuse("bot.handover.lobby", nil)
	case t.State != store.Playing:
		return gone(*t)
	case t.Seats[mine].Absence == store.Out:
		return games.Refuse("bot.away.out", nil)
	}
	s := &t.Seats[mine]
	if s.Offered = !s.Offered; s.Offered {
		v.toast("bot.handover.offered", nil)
	} else {
		v.toast("bot.handover.kept", nil)
	}
	return v.redraw(t)
}

// withdrawOffer is the press of somebody who keeps their seat.
func (v *visit) withdrawOffer(t *store.Table, _ string) error {
	mine := seatOf(*t, v.ev.User)
	if mine < 0 {
		return notSeated(*t)
	}
	if !t.Seats[mine].Offered {
		return games.Refuse("bot.handover.not", nil)
	}
	return v.offerSeat(t)
}

// take gives the person a seat that is offered. What its owner has paid in goes
// back to them, and comes from whoever sits there now.
func (v *visit) take(t *store.Table, rest string) error {
	seat, err := strconv.Atoi(rest)
	if err != nil || seat < 0 || seat >= len(t.Seats) || !t.Seats[seat].Offered {
		return games.Refuse("bot.handover.not", nil)
	}
	if seatOf(*t, v.ev.User) >= 0 {
		return games.Refuse("bot.handover.seated", nil)
	}
	if err := v.back(v.ev.User); err != nil {
		return err
	}
	s := &t.Seats[seat]
	left := account(*s)
	s.Player, s.Name = string(v.ev.User), v.player.Name
	s.Missed, s.Absence, s.Offered, s.Ends = 0, store.Present, false, false
	s.Since = t.Turn
	entries := []store.Entry{{Account: left, Amount: t.Stake}, {Account: account(*s), Amount: -t.Stake}}
	if err := v.post(t, store.HandedOver, entries); err != nil {
		return err
	}
	g, m, err := v.bot.match(*t)
	if err != nil {
		return err
	}
	if slices.Contains(m.Turn(), games.Seat(seat)) {
		v.begun = true
		if err := v.callNobody(*t); err != nil { // whoever was called has left
			return err
		}
	}
	v.names = v.bot.namesAt(*t, v.lang)
	if t.Stake > 0 {
		v.toast("bot.handover.taken", games.Args{"Amount": amount(t.Unit, t.Stake)})
	} else {
		v.toast("bot.handover.taken-plain", nil)
	}
	return v.carryOn(t, g, m)
}
