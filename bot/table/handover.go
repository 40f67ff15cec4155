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
// with its score, its stake and its dice, which follow from words set in the lobby. Since the new owner rolls the same
// dice, leaving and coming back gains nothing.
//
// If something can be lost, another seated person must agree, so that no loss goes to a person who will never pay. If
// the taker was not known in the chat before the table was opened, an admin without a seat must agree too; in chats
// without admins, all present people at the table must. People at one browser could be one person: they can neither
// take each other's seats nor agree to each other's requests. An offer ends with the turn, and a minute after the offer
// or the last request.

// handoverCommand offers the person's seat, or withdraws the offer.
func (v *Visit) handoverCommand(_ bot.Args) error {
	t, err := v.Here()
	if err != nil {
		return err
	}
	if err := v.offerSeat(&t); err != nil || !v.Event.Typed || !board.Offering(t) {
		return err
	}
	m, err := v.bot.Offers(v.Tx, t) // a typed command gets the message as an answer
	v.Reply.Private = &m
	return err
}

// saveOffers stores a table whose offers or requests for seats have changed, and replaces the message about them. The
// board looks the same.
func (v *Visit) saveOffers(t *store.Table) error {
	if err := v.Tx.Tables.SaveTable(*t); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	return v.bot.Notifier.Offers(v, *t)
}

// withdraw ends the offer of a seat. Saving the table replaces the message about its offers.
func (v *Visit) withdraw(s *store.Seat) {
	v.withdrew = v.withdrew || s.Offered
	s.Offered = false
	s.AskedBy("", "")
}

// withdrawAll ends all offers of t, without storing it.
func (v *Visit) withdrawAll(t *store.Table) {
	for i := range t.Seats {
		v.withdraw(&t.Seats[i])
	}
}

// EndOffers ends all offers of a table and stores it.
func (v *Visit) EndOffers(table int64) error {
	t, err := v.Tx.Tables.Table(table)
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
	s := &t.Seats[mine]
	s.AskedBy("", "")
	if s.Offered = !s.Offered; s.Offered {
		v.Receipt("bot.handover.offered", nil)
	} else {
		v.Receipt("bot.handover.kept", nil)
	}
	return v.saveOffers(t)
}

// withdrawOffer withdraws the offer of the person's seat. It refuses if there is none.
func (v *Visit) withdrawOffer(t *store.Table, _ string) error {
	if !t.Seats[board.SeatOf(*t, v.Event.User)].Offered {
		return games.Refuse("bot.handover.not", nil)
	}
	return v.offerSeat(t)
}

// take handles the button that takes an offered seat. The person gets the seat at once if nothing can be lost or no
// agreement is needed. Otherwise it stores their request; a second press withdraws that.
func (v *Visit) take(t *store.Table, rest string) error {
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
	case !board.Weighty(*t):
		return v.handSeat(t, seat, store.Player{ID: string(v.Event.User), Name: v.Player.Name})
	case board.Taker(*t, seat) == v.Event.User && v.bot.Asks(*t, seat):
		s.AskedBy("", "")
		v.Toast("bot.handover.withdrawn", nil)
	case board.Taker(*t, seat) != "" && v.bot.Asks(*t, seat):
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
		}
		s.AskedBy(string(v.Event.User), vouch)
		if !v.bot.Asks(*t, seat) {
			return v.handSeat(t, seat, store.Player{ID: string(v.Event.User), Name: v.Player.Name})
		}
		v.Toast(said, nil)
	}
	return v.saveOffers(t)
}

// asksNoMore drops a person's requests for seats of t, when they get another seat or leave the chat: otherwise a seat
// could become theirs later.
func asksNoMore(t *store.Table, user string) {
	for i := range t.Seats {
		if t.Seats[i].Taker == user {
			t.Seats[i].AskedBy("", "")
		}
	}
}

// Withdraw drops a person's requests for seats at the tables of a chat; "": of all chats.
func (v *Visit) Withdraw(user, chat string) error {
	tables, err := v.Tx.Upkeep.TablesAsked(user)
	if err != nil {
		return err
	}
	for _, id := range tables {
		t, err := v.Tx.Tables.Table(id)
		if err != nil {
			return fmt.Errorf("table %d: %w", id, err)
		}
		if chat != "" && t.Chat != chat {
			continue
		}
		asksNoMore(&t, user)
		if err := v.saveOffers(&t); err != nil {
			return err
		}
	}
	return nil
}

// handOn stores that the person, seated or an admin without a seat, agrees to a handover. It hands the seat over if no
// further agreement is needed. rest is the mark of the taker and the seat.
func (v *Visit) handOn(t *store.Table, rest string) error {
	who, number, _ := strings.Cut(rest, " ")
	seat, ok := board.OfferedSeat(*t, number)
	mine := board.SeatOf(*t, v.Event.User)
	switch {
	case mine < 0 && !(ok && t.Seats[seat].Vouch == store.AdminVouches):
		return notSeated(*t)
	case !ok || board.Taker(*t, seat) == "" || who != board.TakerMark(*t, seat) ||
		board.SeatOf(*t, board.Taker(*t, seat)) >= 0:
		return games.Refuse("bot.moved-on", nil)
	case mine == seat:
		return games.Refuse("bot.handover.others", nil)
	case mine < 0:
		if err := v.vouchFor(t, seat); err != nil {
			return err
		}
	case !slices.Contains(v.bot.Agreeing(*t, seat, board.Taker(*t, seat)), mine):
		return games.Refuse("bot.handover.elsewhere", nil)
	default:
		t.Seats[seat].Allowed |= 1 << mine
	}
	if v.bot.Asks(*t, seat) {
		v.Toast("bot.handover.agreed", nil)
		return v.saveOffers(t)
	}
	player, err := v.Tx.Chats.Player(string(board.Taker(*t, seat)))
	if err != nil {
		return fmt.Errorf("who takes seat %d of table %d: %w", seat, t.ID, err)
	}
	return v.handSeat(t, seat, player)
}

// vouchFor stores that the person, an admin without a seat, agrees to a handover. It refuses people who are not admins,
// and those on the device of the taker or the owner.
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

// handSeat gives a seat to a person. The stake of the old owner is refunded and charged to the new one.
func (v *Visit) handSeat(t *store.Table, seat int, to store.Player) error {
	if err := v.Returned(chat.User(to.ID)); err != nil {
		return err
	}
	s := &t.Seats[seat]
	left := account(*s)
	s.Player, s.Name = to.ID, to.Name
	v.withdraw(s)
	asksNoMore(t, to.ID) // they cannot get a second offered seat
	for i := range t.Seats {
		t.Seats[i].Allowed &^= 1 << seat // the previous owner's agreement to other handovers
	}
	s.Missed, s.Absence, s.Ends = 0, store.Present, false
	s.Since = t.Turn
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if g.Shape(t.Rules) == games.ShapePool {
		entries := []store.Entry{{Account: left, Amount: t.Stake}, {Account: account(*s), Amount: -t.Stake}}
		if err := v.post(t, store.HandedOver, entries); err != nil {
			return err
		}
	}
	if slices.Contains(m.Turn(), games.Seat(seat)) {
		if err := v.wholeTurn(t); err != nil {
			return err
		}
		if err := v.bot.Notifier.Cancel(v, *t); err != nil { // the call went to the previous owner
			return err
		}
	}
	v.Names = v.bot.NamesAt(*t, v.Lang)
	if to.ID != string(v.Event.User) {
		v.Toast("bot.handover.handed", nil)
	} else if board.AtStake(*t) {
		v.Toast("bot.handover.taken", games.Args{"Amount": bot.Amount(t.Unit, t.Stake)})
	} else {
		v.Toast("bot.handover.taken-plain", nil)
	}
	return v.CarryOn(t, g, m)
}
