package board

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Permissions at a table: deciding terms, starting, ending, voting, taking over a seat, opening a page. Presses are
// checked by these functions, and boards leave out buttons that these would refuse.

const (
	// decidesFor is the time after the opener's last action in a lobby during which only the opener decides its terms.
	decidesFor = 5 * time.Minute
	// keptFor is the time after the last press by a seated person during which no new table can replace a lobby.
	keptFor = 15 * time.Minute
)

// OpenerSits reports whether the opener of a table has a confirmed seat.
func OpenerSits(t store.Table) bool { return hasSeat(t, chat.User(t.Opener)) }

// DecidesUntil returns until when a seated opener alone decides the terms of a lobby, in Unix milliseconds.
func DecidesUntil(t store.Table) int64 {
	return max(t.Clock.Minded, t.Opened) + decidesFor.Milliseconds()
}

// OpenerDecides reports whether the opener alone decides the terms of a lobby: they have a seat and were active within
// decidesFor. Otherwise all seated people decide. now is in Unix milliseconds.
func OpenerDecides(t store.Table, now int64) bool { return OpenerSits(t) && now < DecidesUntil(t) }

// KeptUntil returns the time up to which a lobby cannot be replaced by a new table, in Unix milliseconds.
func KeptUntil(t store.Table) int64 { return max(t.Clock.Pressed, t.Opened) + keptFor.Milliseconds() }

// Hosts reports whether one of people may decide the terms of a lobby: the opener or, if the opener has no seat or is
// not active, any seated person. now is in Unix milliseconds.
func Hosts(t store.Table, now int64, people ...chat.User) bool {
	minded := OpenerDecides(t, now)
	return slices.ContainsFunc(people, func(user chat.User) bool {
		return hasSeat(t, user) && (t.Opener == string(user) || !minded)
	})
}

// HoldsBox reports whether one of people has a seat and is holder, the stored holder of the box (jackpot). They may
// start the game as well.
func HoldsBox(t store.Table, holder string, people ...chat.User) bool {
	return holder != "" && slices.Contains(people, chat.User(holder)) && hasSeat(t, chat.User(holder))
}

// hasSeat reports whether a person has a seat that is confirmed, not only reserved.
func hasSeat(t store.Table, user chat.User) bool {
	i := SeatOf(t, user)
	return i >= 0 && t.Seats[i].Confirmed
}

// openPage returns the page of a table that a viewer sees: the one they opened, if no move was made since and they may
// see it, else the game. After the end it is the page stored with the table. now is in Unix milliseconds.
func openPage(t store.Table, viewer chat.Viewer, now int64) string {
	switch t.State {
	case store.Lobby, store.Playing:
	default:
		return t.Board.Page
	}
	if viewer.Open.Table != t.ID || viewer.Open.Turn != t.Turn {
		return PageGame
	}
	page, _, _ := strings.Cut(viewer.Open.Page, "/")
	lobby := slices.Contains([]string{PageRules, pageVariants, pageHouses}, page)
	elsewhere := lobby != (t.State == store.Lobby) && page != PageEnd && page != PageOffer
	if elsewhere || lobby && !Hosts(t, now, viewer.People...) {
		return PageGame
	}
	return viewer.Open.Page
}

// EndsAlone reports whether a person may end a table without a vote: any person if no person has a seat; the opener
// before the first roll; in a lobby whose opener is not active, any seated person; and always a person who is the only
// one with a vote. never is true if no other reason allows it either: the table is over, or the person is out and would
// get back a lost stake. now is in Unix milliseconds.
func EndsAlone(t store.Table, user chat.User, now int64) (may, never bool) {
	mine := SeatOf(t, user)
	if t.State != store.Lobby && t.State != store.Playing || mine >= 0 && t.Seats[mine].Absence == store.Out {
		return false, true
	}
	people := SeatsWhere(t, func(_ int, s store.Seat) bool { return isPerson(s) && s.Confirmed })
	alone := mine >= 0 && (len(people) == 1 && t.Seats[mine].Confirmed ||
		HasVote(t.Seats[mine]) && len(VotingSeats(t)) == 1)
	return !hasPeople(t) || alone || t.Dice.Thrown == 0 && t.Opener == string(user) ||
		t.State == store.Lobby && Hosts(t, now, user) && now >= DecidesUntil(t), false
}

// hasPeople reports whether at least one person has a confirmed seat.
func hasPeople(t store.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.House == "" && s.Confirmed })
}

// OffersEnd reports whether the board offers a person to end a table: they have a vote or, before the first roll, are
// the opener without a seat.
func OffersEnd(t store.Table, user chat.User) bool {
	if mine := SeatOf(t, user); mine >= 0 {
		return HasVote(t.Seats[mine])
	}
	return t.Opener == string(user) && t.Dice.Thrown == 0
}

// HasVote reports whether the owner of a seat has a vote: a person with a confirmed seat who is neither away nor out.
func HasVote(s store.Seat) bool {
	return s.House == "" && s.Confirmed && s.Absence != store.Gone && s.Absence != store.Out
}

// VotingSeats returns the seats that count in a vote to end a table: those with a vote and, once dice have been rolled
// and as long as no one can lose anything, also those of people who are away.
func VotingSeats(t store.Table) (seats []store.Seat) {
	for _, s := range t.Seats {
		if HasVote(s) || s.Absence == store.Gone && isPerson(s) && t.Dice.Thrown > 0 && !MayLose(t) {
			seats = append(seats, s)
		}
	}
	return seats
}

// Ballot returns the number of votes to end the table, and the number needed: more than half of VotingSeats or, once
// dice have been rolled and people can lose something, all. In a majority vote, people on one device count as one,
// since they could be one person; if all use one device, each counts.
func (b *Boards) Ballot(t store.Table) (votes, needed int) {
	all := VotingSeats(t)
	everyone := t.Dice.Thrown > 0 && MayLose(t)
	count := b.countDevices
	if everyone || b.countDevices(all) == 1 {
		count = func(seats []store.Seat) int { return len(seats) }
	}
	needed = count(all)/2 + 1
	if everyone {
		needed = max(needed, count(all))
	}
	return count(slices.DeleteFunc(all, func(s store.Seat) bool { return !HasVote(s) || !s.Ends })), needed
}

// countDevices returns the number of different devices that the people of seats use.
func (b *Boards) countDevices(seats []store.Seat) int {
	n := 0
	for i, s := range seats {
		if !slices.ContainsFunc(seats[:i], func(o store.Seat) bool {
			return b.Same(chat.User(o.Player), chat.User(s.Player))
		}) {
			n++
		}
	}
	return n
}

// HasEndVote reports whether at least one seat votes to end the table.
func HasEndVote(t store.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Ends && HasVote(s) })
}

// Taker returns the person who asks for an offered seat, or "" if there is none or their data was deleted.
func Taker(t store.Table, seat int) chat.User {
	if store.Forgotten(t.Seats[seat].Taker) > 0 {
		return ""
	}
	return chat.User(t.Seats[seat].Taker)
}

// TakerMark returns a hash of the person who asks for a seat. Buttons carry it, so that a press agrees to no one else.
func TakerMark(t store.Table, seat int) string {
	mark := fnv.New32a()
	fmt.Fprint(mark, t.ID, " ", t.Seats[seat].Taker)
	return fmt.Sprintf("%08x", mark.Sum32())
}

// OfferedSeat parses number as that of a seat. ok reports whether that seat is offered to others.
func OfferedSeat(t store.Table, number string) (seat int, ok bool) {
	seat, err := strconv.Atoi(number)
	return seat, err == nil && seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Offered && t.Seats[seat].House == ""
}

// AgreeingSeats returns the seats whose people may agree that taker gets seat: all other people, except those on the
// device of the taker or of the present owner, who could be the same person.
func (b *Boards) AgreeingSeats(t store.Table, seat int, taker chat.User) []int {
	return SeatsWhere(t, func(i int, s store.Seat) bool {
		user := chat.User(s.Player)
		return i != seat && isPerson(s) && !b.Same(user, chat.User(t.Seats[seat].Player)) && !b.Same(user, taker)
	})
}

// StillAsked returns the seats whose agreement to a handover of seat is missing, and whether that of an admin is. One
// of seats suffices unless the handover needs all (store.AllVouch): then seats holds the present ones without an
// agreement.
func (b *Boards) StillAsked(t store.Table, seat int) (seats []int, admin bool) {
	s := t.Seats[seat]
	others := b.AgreeingSeats(t, seat, Taker(t, seat))
	admin = s.Vouch == store.AdminVouches
	allowed := slices.ContainsFunc(others, s.Allows)
	if s.Vouch == store.AllVouch {
		present := slices.DeleteFunc(slices.Clone(others), func(i int) bool {
			return s.Allows(i) || !HasVote(t.Seats[i])
		})
		if len(present) > 0 {
			return present, admin
		}
	}
	if allowed {
		return nil, admin
	}
	return others, admin
}

// NeedsAgreement reports whether a person asks for a seat and can get it only with a further agreement.
func (b *Boards) NeedsAgreement(t store.Table, seat int) bool {
	seats, admin := b.StillAsked(t, seat)
	return Taker(t, seat) != "" && (admin || len(seats) > 0)
}

// BallotArgs returns the votes and the number needed, as arguments of sentences.
func (b *Boards) BallotArgs(t store.Table) games.Args {
	votes, needed := b.Ballot(t)
	return games.Args{"Votes": votes, "Needed": needed}
}

// addEndQuestion adds the open question about the end of the table: the question to end it alone, the running vote, or
// the button that offers to end it. It also shows the refunds.
func (s *BoardView) addEndQuestion() {
	switch {
	case s.Table.Board.Page == PageEnd:
		question := "bot.end-ask"
		if s.Table.State == store.Lobby {
			question = "bot.end-lobby"
		}
		s.tellFirst(s.Say(question, nil))
		if s.Table.State == store.Lobby {
			s.Message.Told = nil // the question replaces the heading that the lobby was opened
		}
		s.addRefunds()
		s.addBeside(s.namedButton("end-yes", "!end yes", games.Danger), s.namedButton("end-no", "!end no", games.Plain))
	case HasEndVote(s.Table):
		args := s.bot.BallotArgs(s.Table)
		args["Names"] = NamesOf(s.names, s.voters(true))
		s.tellFirst(s.Say("bot.vote", args))
		s.addRefunds()
		yes, no := s.button(games.Say("bot.button.vote", args), "!vote yes", games.Danger),
			s.namedButton("vote-no", "!vote no", games.Plain)
		// If several people share a screen, For is the one whose press it is.
		no.For = chat.User(s.Table.Seats[s.voters(true)[0]].Player)
		if others := s.voters(false); len(others) > 0 {
			yes.For = chat.User(s.Table.Seats[others[0]].Player)
		}
		s.addBeside(yes, no)
	case s.Table.Board.Page == PageOffer:
		s.addBeside(s.namedButton("end", "!end", games.Danger))
	}
}

// voters returns the seats that vote to end the table or, with end false, those that have a vote but do not.
func (s *BoardView) voters(end bool) []int {
	return SeatsWhere(s.Table, func(_ int, seat store.Seat) bool { return HasVote(seat) && seat.Ends == end })
}

// addRefunds adds a line on the amounts that the seats and the box get back if the table is ended now.
func (s *BoardView) addRefunds() {
	if s.Table.State != store.Playing || !AtStake(s.Table) || !s.hasPool() {
		return
	}
	said := s.Say("bot.end-refund", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	if s.Table.BoxIn > 0 {
		said += " " + s.Say("bot.end-box", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.BoxIn)})
	}
	s.Message.Lines = append(s.Message.Lines, said)
}

// The message about the offered seats of a table.

// Offering reports whether a seat of a running table is offered.
func Offering(t store.Table) bool {
	return t.State == store.Playing && slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Offered })
}

// addOffers adds a line on each offered seat, and the buttons for them.
func (s *BoardView) addOffers() {
	var row []chat.Button
	for i, seat := range s.Table.Seats {
		if !seat.Offered || seat.House != "" {
			continue
		}
		for _, b := range s.addOffer(i) { // several seats can share a button
			if !slices.ContainsFunc(row, func(other chat.Button) bool { return other.Press == b.Press }) {
				row = append(row, b)
			}
		}
	}
	s.Message.Rows(chat.ChoiceRow, row...)
}

// addOffer adds the line on an offered seat and returns its buttons: to take it, to keep it and, if a person asks for
// it, to agree and to withdraw the request.
func (s *BoardView) addOffer(seat int) []chat.Button {
	args := games.Args{"Seat": games.Seat(seat), "Amount": bot.Amount(s.Table.Unit, s.Table.Stake)}
	offers := "bot.handover.offers-plain"
	if AtStake(s.Table) {
		offers = "bot.handover.offers"
	}
	s.tell(s.Say(offers, args))
	stay := s.namedButton("stay", "!stay", games.Plain)
	stay.For = chat.User(s.Table.Seats[seat].Player)
	if !s.bot.NeedsAgreement(s.Table, seat) {
		take := s.button(games.Say("bot.button.take", args), fmt.Sprint("!take ", seat), games.Plain)
		return []chat.Button{take, stay}
	}
	player, err := s.Tx.Chats.Player(string(Taker(s.Table, seat)))
	s.Err = cmp.Or(s.Err, err)
	args["Name"] = s.bot.ShownName(player.Name, s.lang)
	others := s.addRequest(seat, args)
	hand := s.button(games.Say("bot.button.hand", args), fmt.Sprint("!hand ", TakerMark(s.Table, seat), " ", seat),
		games.Plain)
	if len(others) > 0 {
		hand.For = chat.User(s.Table.Seats[others[0]].Player)
	}
	not := s.namedButton("take-not", fmt.Sprint("!take ", seat), games.Plain)
	not.For = Taker(s.Table, seat)
	return []chat.Button{hand, stay, not}
}

// addRequest adds a line on the person who asks for a seat and those who must agree. It sets args["Names"] to the names
// of these and returns their seats.
func (s *BoardView) addRequest(seat int, args games.Args) []int {
	others, admin := s.bot.StillAsked(s.Table, seat)
	args["Names"] = NamesOf(s.names, others)
	said := "bot.handover.asks"
	switch {
	case s.Table.Seats[seat].Vouch == store.AllVouch:
		said = "bot.handover.asks-all"
	case admin && len(others) > 0:
		said = "bot.handover.asks-both"
	case admin:
		said = "bot.handover.asks-admin"
	}
	s.tell(s.Say(said, args))
	return others
}
