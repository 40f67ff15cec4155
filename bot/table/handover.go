package table

import (
	"fmt"
	"slices"
	"strings"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Handing a seat over. A seated person offers their seat in a message beside the board, and another person takes it
// with its score, its stake and its dice. All dice are determined in the lobby, so leaving and coming back does not
// change them.
//
// If something can be lost, another seated person must agree, so that no loss goes to a person who will never pay. If
// the taker was not known in the chat before the table was opened, an admin without a seat must agree too; in chats
// without admins, all present people at the table must. People at one browser could be one person: they can neither
// take each other's seats nor agree to each other's requests. Offers end when the next turn begins or, if earlier, a
// minute after the latest offer, request or agreement.

// handoverCommand handles /handover: it offers the person's seat to others, or withdraws the offer.
func (v *Visit) handoverCommand(_ bot.Args) error {
	t, err := v.Here()
	if err != nil {
		return err
	}
	if err := v.offerSeat(&t); err != nil || !v.Event.Typed || !board.Offering(t) {
		return err
	}
	m, err := v.bot.Offers(v.Tx, t) // a typed command also gets the message about the offer as its answer
	v.Reply.Private = &m
	return err
}

// saveOffers stores a table whose offers of seats, or requests for them, have changed, and replaces the message that
// lists them. It does not redraw the board, which does not show them.
func (v *Visit) saveOffers(t *store.Table) error {
	if err := v.Tx.Tables.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return v.bot.Notifier.Offers(v, *t)
}

// withdrawSeat ends the offer of a seat and the request for the seat. The next save replaces the message about offers.
func (v *Visit) withdrawSeat(s *store.Seat) {
	v.withdrew = v.withdrew || s.Offered
	s.Offered = false
	s.AskedBy("", "")
}

// withdrawAll ends the offers of all seats of t, but does not store t.
func (v *Visit) withdrawAll(t *store.Table) {
	for i := range t.Seats {
		v.withdrawSeat(&t.Seats[i])
	}
}

// EndOffers ends all offers of seats at the table tableID and stores the table.
func (v *Visit) EndOffers(tableID int64) error {
	t, err := v.Tx.Tables.Table(tableID)
	if err != nil {
		return err
	}
	v.withdrawAll(&t)
	return v.saveOffers(&t)
}

// offerSeat offers the person's seat, or withdraws the offer if there is one.
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
	if _, final := board.FinalOf(*t); final {
		return games.Refuse("bot.final.own-seat", nil)
	}
	s := &t.Seats[mine]
	s.AskedBy("", "")
	if s.Offered = !s.Offered; s.Offered {
		v.Receipt("bot.handover.offered", nil)
	} else {
		v.Receipt("bot.handover.kept", nil)
	}
	return v.saveOffers(t)
}

// withdrawOffer withdraws the offer of the person's own seat. It refuses if the seat is not offered.
func (v *Visit) withdrawOffer(t *store.Table, _ string) error {
	if !t.Seats[board.SeatOf(*t, v.Event.User)].Offered {
		return games.Refuse("bot.handover.not", nil)
	}
	return v.offerSeat(t)
}

// takeSeat handles the button that takes an offered seat; rest is the seat's number. If no one has to agree or nothing
// can be lost, the person gets the seat. Otherwise it stores their request, or withdraws it after a second press.
func (v *Visit) takeSeat(t *store.Table, rest string) error {
	seat, ok := board.OfferedSeat(*t, rest)
	if !ok {
		return games.Refuse("bot.handover.not", nil)
	}
	s := &t.Seats[seat]
	switch {
	case board.SeatOf(*t, v.Event.User) >= 0:
		return games.Refuse("bot.handover.seated", nil)
	case v.bot.Same(v.Event.User, chat.User(s.Player)):
		return games.Refuse("bot.handover.same", nil)
	case !board.MayLose(*t):
		return v.handSeat(t, seat, store.Player{ID: string(v.Event.User), Name: v.Player.Name})
	case board.Taker(*t, seat) == v.Event.User && v.bot.NeedsAgreement(*t, seat):
		s.AskedBy("", "")
		v.Toast("bot.handover.withdrawn", nil)
	case board.Taker(*t, seat) != "" && v.bot.NeedsAgreement(*t, seat):
		return games.Refuse("bot.handover.taken-first", nil)
	default:
		known, err := v.Tx.Chats.MetBefore(t.Chat, string(v.Event.User), t.Opened)
		if err != nil {
			return err
		}
		vouch, said := store.AdminVouches, "bot.handover.asked-admin"
		if known {
			vouch, said = "", "bot.handover.asked"
		} else if v.Event.Equals {
			vouch, said = store.AllVouch, "bot.handover.asked-all"
		} else if v.Event.Hosted {
			vouch, said = store.HostVouches, "bot.handover.asked-host"
		}
		s.AskedBy(string(v.Event.User), vouch)
		if !v.bot.NeedsAgreement(*t, seat) {
			return v.handSeat(t, seat, store.Player{ID: string(v.Event.User), Name: v.Player.Name})
		}
		v.Toast(said, nil)
	}
	return v.saveOffers(t)
}

// dropRequests drops the requests of user for offered seats of t, but does not store t. A person who gets another seat
// or leaves the chat must not get one of these later.
func dropRequests(t *store.Table, user string) {
	for i := range t.Seats {
		if t.Seats[i].Taker == user {
			t.Seats[i].AskedBy("", "")
		}
	}
}

// Withdraw drops all requests of user for offered seats in the chat chatID; "" means all chats.
func (v *Visit) Withdraw(user, chatID string) error {
	tables, err := v.Tx.Upkeep.TablesAsked(user)
	if err != nil {
		return err
	}
	for _, id := range tables {
		t, err := v.Tx.Tables.Table(id)
		if err != nil {
			return fmt.Errorf("table %d: %w", id, err)
		}
		if chatID != "" && t.Chat != chatID {
			continue
		}
		dropRequests(&t, user)
		if err := v.saveOffers(&t); err != nil {
			return err
		}
	}
	return nil
}

// agreeToHandover stores that the person, seated or an admin without a seat, agrees to a handover, and hands the seat
// over if no one else must agree. rest is the board.TakerMark of the request and the seat's number.
func (v *Visit) agreeToHandover(t *store.Table, rest string) error {
	mark, number, _ := strings.Cut(rest, " ")
	seat, ok := board.OfferedSeat(*t, number)
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case mine < 0 && !(ok && t.Seats[seat].NeedsAdmin()):
		return notSeated(*t)
	case !ok || board.Taker(*t, seat) == "" || mark != board.TakerMark(*t, seat) ||
		board.SeatOf(*t, board.Taker(*t, seat)) >= 0:
		return games.Refuse("bot.moved-on", nil)
	case mine == seat:
		return games.Refuse("bot.handover.others", nil)
	case mine < 0:
		if err := v.vouchFor(t, seat); err != nil {
			return err
		}
	case !slices.Contains(v.bot.AgreeingSeats(*t, seat, board.Taker(*t, seat)), mine):
		return games.Refuse("bot.handover.elsewhere", nil)
	default:
		t.Seats[seat].Allowed |= 1 << mine
	}
	if v.bot.NeedsAgreement(*t, seat) {
		v.Toast("bot.handover.agreed", nil)
		return v.saveOffers(t)
	}
	player, err := v.Tx.Chats.Player(string(board.Taker(*t, seat)))
	if err != nil {
		return fmt.Errorf("hand over seat %d of table %d: %w", seat, t.ID, err)
	}
	return v.handSeat(t, seat, player)
}

// vouchFor stores that the person, an admin without a seat, agrees to the handover of a seat. It refuses people who are
// not admins, and people on the same device as the taker or the seat's present player.
func (v *Visit) vouchFor(t *store.Table, seat int) error {
	if err := v.AdminsOr("bot.handover.admins", "bot.handover.hosted"); err != nil {
		return err
	}
	taker, owner := board.Taker(*t, seat), chat.User(t.Seats[seat].Player)
	if v.Event.User == taker || v.bot.Same(v.Event.User, taker) || v.bot.Same(v.Event.User, owner) {
		return games.Refuse("bot.handover.elsewhere", nil)
	}
	t.Seats[seat].Vouch = ""
	return nil
}

// handSeat gives a seat to newOwner. If the stakes are in a pool, the previous player gets the stake back, and newOwner
// pays it instead.
func (v *Visit) handSeat(t *store.Table, seat int, newOwner store.Player) error {
	if err := v.Returned(chat.User(newOwner.ID)); err != nil {
		return err
	}
	s := &t.Seats[seat]
	left := accountOf(*s)
	s.Player, s.Name = newOwner.ID, newOwner.Name
	v.withdrawSeat(s)
	dropRequests(t, newOwner.ID) // a person cannot have two seats
	for i := range t.Seats {
		t.Seats[i].Allowed &^= 1 << seat // drops the old owner's agreement to other handovers
	}
	s.Missed, s.Absence, s.Ends = 0, store.Present, false
	s.Since = t.Turn
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if g.Shape(t.Rules) == games.ShapePool {
		entries := []store.Entry{{Account: left, Amount: t.Stake}, {Account: accountOf(*s), Amount: -t.Stake}}
		if err := v.post(t, store.HandedOver, entries); err != nil {
			return err
		}
	}
	if slices.Contains(m.Turn(), games.Seat(seat)) {
		if err := v.restartTurn(t); err != nil {
			return err
		}
		if err := v.bot.Notifier.Cancel(v, *t); err != nil { // the ping went to the old owner
			return err
		}
	}
	v.Names = v.bot.NamesAt(*t, v.Lang)
	if newOwner.ID != string(v.Event.User) {
		v.Toast("bot.handover.handed", nil)
	} else if board.AtStake(*t) {
		v.Toast("bot.handover.taken", games.Args{"Amount": bot.Amount(t.Unit, t.Stake)})
	} else {
		v.Toast("bot.handover.taken-plain", nil)
	}
	return v.CarryOn(t, g, m)
}
