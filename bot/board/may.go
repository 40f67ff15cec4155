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
// checked by these functions. Boards leave out the buttons whose presses these functions would refuse.

const (
	// A seated opener decides the terms alone for decidesFor after each of their actions in the lobby.
	decidesFor = 5 * time.Minute
	// keptFor is how long a lobby stays protected from being replaced, after each press by a seated person.
	keptFor = 15 * time.Minute
)

// OpenerSits reports whether the opener of a table has a confirmed seat, and the bot has not opened it by itself.
func OpenerSits(t store.Table) bool { return t.Occasion == "" && hasSeat(t, chat.User(t.Opener)) }

// DecidesUntil returns when the opener stops deciding the terms of a lobby alone, in Unix milliseconds.
func DecidesUntil(t store.Table) int64 {
	return max(t.Clock.Minded, t.Opened) + decidesFor.Milliseconds()
}

// OpenerDecides reports whether the opener decides the terms of a lobby alone: they have a seat and did something there
// within decidesFor. Otherwise every seated person decides. now is in Unix milliseconds.
func OpenerDecides(t store.Table, now int64) bool { return OpenerSits(t) && now < DecidesUntil(t) }

// KeptUntil returns until when a new table cannot replace this lobby, in Unix milliseconds.
func KeptUntil(t store.Table) int64 { return max(t.Clock.Pressed, t.Opened) + keptFor.Milliseconds() }

// Hosts reports whether one of people may decide the terms of a lobby: the opener while OpenerDecides, else any seated
// person. now is in Unix milliseconds.
func Hosts(t store.Table, now int64, people ...chat.User) bool {
	minded := OpenerDecides(t, now)
	return slices.ContainsFunc(people, func(user chat.User) bool {
		return hasSeat(t, user) && (t.Opener == string(user) || !minded)
	})
}

// HoldsBox reports whether one of people has a seat and is holder, the stored holder of the chat's box (jackpot): the
// latest winner. The holder may start the game like the opener.
func HoldsBox(t store.Table, holder string, people ...chat.User) bool {
	return holder != "" && slices.Contains(people, chat.User(holder)) && hasSeat(t, chat.User(holder))
}

// hasSeat reports whether a person has a seat that is confirmed, not only reserved.
func hasSeat(t store.Table, user chat.User) bool {
	i := SeatOf(t, user)
	return i >= 0 && t.Seats[i].Confirmed
}

// openPage returns the page of a table's board that a viewer sees: the page that they opened, if they may see it and no
// move was made since, else the game. After the end everyone sees the stored page. now is in Unix milliseconds.
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

// EndsAlone reports, as may, whether a person may end a table without a vote. In the lobby and in a match, these may:
// any person if no person has a seat; the opener before the first roll; the only person with a seat or with a vote. In
// a lobby whose opener is not active, every seated person may. never means that even an admin may not: the table is
// over, or the person is out and would get their lost stake back as a refund. now is in Unix milliseconds.
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

// OffersEnd reports whether the board shows a person a button to end the table: they have a vote, or they opened the
// table, have no seat, and no dice have been rolled.
func OffersEnd(t store.Table, user chat.User) bool {
	if mine := SeatOf(t, user); mine >= 0 {
		return HasVote(t.Seats[mine])
	}
	return t.Opener == string(user) && t.Dice.Thrown == 0
}

// HasVote reports whether the seat has a vote: its player is a person with a confirmed seat, and neither away nor out.
func HasVote(s store.Seat) bool {
	return s.House == "" && s.Confirmed && s.Absence != store.Gone && s.Absence != store.Out
}

// VotingSeats returns the seats counted in a vote to end a table: the seats with a vote. After the first roll, people
// who are away are counted too, unless someone can lose something.
func VotingSeats(t store.Table) (seats []store.Seat) {
	for _, s := range t.Seats {
		if HasVote(s) || s.Absence == store.Gone && isPerson(s) && t.Dice.Thrown > 0 && !MayLose(t) {
			seats = append(seats, s)
		}
	}
	return seats
}

// Ballot returns the number of votes to end the table, and the number needed: more than half of VotingSeats, or all of
// them after the first roll if people can lose something. In a majority vote, people on one device count as one, since
// they could be one person. If all people use the same device, each counts.
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

// HasEndVote reports whether at least one person at the table has voted to end it.
func HasEndVote(t store.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Ends && HasVote(s) })
}

// Taker returns the person who has asked for an offered seat; "": no person has, or their data was deleted.
func Taker(t store.Table, seat int) chat.User {
	if store.Forgotten(t.Seats[seat].Taker) > 0 {
		return ""
	}
	return chat.User(t.Seats[seat].Taker)
}

// TakerMark returns a hash of the person who asks for a seat. Buttons carry it, so that stale ones are recognized.
func TakerMark(t store.Table, seat int) string {
	mark := fnv.New32a()
	fmt.Fprint(mark, t.ID, " ", t.Seats[seat].Taker)
	return fmt.Sprintf("%08x", mark.Sum32())
}

// OfferedSeat parses number as the number of a seat. ok: the seat exists and its player offers it to others.
func OfferedSeat(t store.Table, number string) (seat int, ok bool) {
	seat, err := strconv.Atoi(number)
	return seat, err == nil && seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Offered && t.Seats[seat].House == ""
}

// AgreeingSeats returns the seats of the people who may agree that taker gets seat: all people except the players on
// the same device as taker or as the present player of the seat, who could be one person.
func (b *Boards) AgreeingSeats(t store.Table, seat int, taker chat.User) []int {
	return SeatsWhere(t, func(i int, s store.Seat) bool {
		user := chat.User(s.Player)
		return i != seat && isPerson(s) && !b.Same(user, chat.User(t.Seats[seat].Player)) && !b.Same(user, taker)
	})
}

// StillAsked returns who must still agree to a handover of seat. admin: an admin or the host must. seats: one of these
// people must, if there are any. If the seat's Vouch is store.AllVouch, all present people must, and seats holds those
// who have not agreed yet; if there are none, store.AllVouch has no effect.
func (b *Boards) StillAsked(t store.Table, seat int) (seats []int, admin bool) {
	s := t.Seats[seat]
	others := b.AgreeingSeats(t, seat, Taker(t, seat))
	admin = s.NeedsAdmin()
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

// NeedsAgreement reports whether a person has asked for a seat and other people or an admin must still agree.
func (b *Boards) NeedsAgreement(t store.Table, seat int) bool {
	seats, admin := b.StillAsked(t, seat)
	return Taker(t, seat) != "" && (admin || len(seats) > 0)
}

// BallotArgs returns the number of votes to end the table and the number needed, as arguments of sentences.
func (b *Boards) BallotArgs(t store.Table) games.Args {
	votes, needed := b.Ballot(t)
	return games.Args{"Votes": votes, "Needed": needed}
}

// addEndQuestion adds the question whether to end the table, if a person has asked it, or the vote on it, if one is
// running. Both show the refunds and have buttons. On the page PageOffer it only adds a button that asks the question.
func (s *BoardView) addEndQuestion() {
	switch {
	case s.Table.Board.Page == PageEnd:
		question := "bot.end-ask"
		if s.Table.State == store.Lobby {
			question = "bot.end-lobby"
		}
		s.tellFirst(s.Say(question, nil))
		if s.Table.State == store.Lobby {
			s.Message.Told = nil // the question replaces the heading, which says who opened the lobby
		}
		s.addRefunds()
		s.addBeside(s.endButton("!end yes"), s.namedButton("end-no", "!end no", games.Plain))
	case HasEndVote(s.Table):
		args := s.bot.BallotArgs(s.Table)
		args["Names"] = NamesOf(s.names, s.voters(true))
		s.tellFirst(s.Say("bot.vote", args))
		s.addRefunds()
		yes, no := s.button(games.Say("bot.button.vote", args), "!vote yes", games.Danger),
			s.namedButton("vote-no", "!vote no", games.Plain)
		// Button.For names a person who may press: people who share a screen press as that person.
		no.For = chat.User(s.Table.Seats[s.voters(true)[0]].Player)
		if others := s.voters(false); len(others) > 0 {
			yes.For = chat.User(s.Table.Seats[others[0]].Player)
		}
		s.addBeside(yes, no)
	case s.Table.Board.Page == PageOffer:
		s.addBeside(s.endButton("!end"))
	}
}

// endButton returns a button with that action, which ends a running game or closes a lobby.
func (s *BoardView) endButton(action string) chat.Button {
	key := "bot.button.end-yes"
	if s.Table.State == store.Lobby {
		key = "bot.button.end"
	}
	return s.button(games.Say(key, nil), action, games.Danger)
}

// voters returns the seats that have voted to end the table or, with end false, those that could but have not.
func (s *BoardView) voters(end bool) []int {
	return SeatsWhere(s.Table, func(_ int, seat store.Seat) bool { return HasVote(seat) && seat.Ends == end })
}

// addRefunds adds a line on the refunds for each seat and the box (jackpot) if the table ended now.
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

// The message that offers seats of a table to other people.

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

// addOffer adds the line about an offered seat and returns its buttons: one to take the seat, one to keep it. While a
// request for the seat needs agreement, Agree and Withdraw replace the button that takes it.
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

// addRequest adds a line that names the person who asks for a seat and the people who must agree. It stores the names
// of those people in args["Names"] and returns their seats.
func (s *BoardView) addRequest(seat int, args games.Args) []int {
	others, admin := s.bot.StillAsked(s.Table, seat)
	args["Names"] = NamesOf(s.names, others)
	said, host := "bot.handover.asks", s.Table.Seats[seat].Vouch == store.HostVouches
	switch {
	case s.Table.Seats[seat].Vouch == store.AllVouch:
		said = "bot.handover.asks-all"
	case host && len(others) > 0:
		said = "bot.handover.asks-both-host"
	case host:
		said = "bot.handover.asks-host"
	case admin && len(others) > 0:
		said = "bot.handover.asks-both"
	case admin:
		said = "bot.handover.asks-admin"
	}
	s.tell(s.Say(said, args))
	return others
}
