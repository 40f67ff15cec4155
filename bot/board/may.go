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

// Who may do what at a table: decide its terms, start, end, vote, take over a seat, see a page. A press that is not
// allowed is refused by these functions, and a board leaves out its button by the same.

const (
	// mindedFor is how long a lobby is its opener's alone after the last that they did there.
	mindedFor = 5 * time.Minute
	// keptFor is how long a lobby keeps its place after the last press of a person who sits there.
	keptFor = 15 * time.Minute
)

// OpenerSits reports whether the person who opened a table sits there.
func OpenerSits(t store.Table) bool { return sits(t, chat.User(t.Opener)) }

// MindedUntil returns until when a lobby is its opener's alone, in Unix milliseconds.
func MindedUntil(t store.Table) int64 {
	return max(t.Clock.Minded, t.Opened) + mindedFor.Milliseconds()
}

// Minded reports whether the opener of a lobby decides there: they sit, and are about. Otherwise all seated people do.
func Minded(t store.Table, now int64) bool { return OpenerSits(t) && now < MindedUntil(t) }

// KeptUntil returns until when a lobby keeps its place, in Unix milliseconds.
func KeptUntil(t store.Table) int64 { return max(t.Clock.Pressed, t.Opened) + keptFor.Milliseconds() }

// Hosts reports whether one of some people decides the terms of a lobby at a moment, in Unix milliseconds: its opener,
// or each person who sits there where the opener does not, or is away.
func Hosts(t store.Table, now int64, people ...chat.User) bool {
	minded := Minded(t, now)
	return slices.ContainsFunc(people, func(user chat.User) bool {
		return sits(t, user) && (t.Opener == string(user) || !minded)
	})
}

// HoldsBox reports whether one of some people sits at a table and holds the box of its chat: they may start as well.
func HoldsBox(t store.Table, holder string, people ...chat.User) bool {
	return holder != "" && slices.Contains(people, chat.User(holder)) && sits(t, chat.User(holder))
}

// sits reports whether a person has a seat that is not only reserved for them.
func sits(t store.Table, user chat.User) bool {
	i := SeatOf(t, user)
	return i >= 0 && t.Seats[i].Confirmed
}

// openPage returns the page of a table that is drawn for one who looks: what they have opened while no move was made
// since, or else what the table says to all about its end.
func openPage(t store.Table, by chat.Viewer, now int64) string {
	switch t.State {
	case store.Lobby, store.Playing:
	default:
		return t.Board.Page
	}
	if by.Open.Table != t.ID || by.Open.Turn != t.Turn {
		return PageGame
	}
	page, _, _ := strings.Cut(by.Open.Page, "/")
	lobby := slices.Contains([]string{PageRules, pageVariants, pageHouses}, page)
	elsewhere := lobby != (t.State == store.Lobby) && page != PageEnd && page != PageOffer
	if elsewhere || lobby && !Hosts(t, now, by.People...) {
		return PageGame
	}
	return by.Open.Page
}

// EndsAlone reports whether a person may end a table at a moment, in Unix milliseconds, without asking the others:
// before the first throw the opener may, and who decides in a lobby whose opener is away; a person alone at a table, or
// with house seats only, needs no consent. After the first throw an end would undo what the dice have done. With never
// nothing else allows it either: the table is over, or the person is out, whose stake is lost and must not come back.
func EndsAlone(t store.Table, user chat.User, now int64) (may, never bool) {
	mine := SeatOf(t, user)
	if t.State != store.Lobby && t.State != store.Playing || mine >= 0 && t.Seats[mine].Absence == store.Out {
		return false, true
	}
	people := Where(t, func(_ int, s store.Seat) bool { return isPerson(s) && s.Confirmed })
	alone := mine >= 0 && (len(people) == 1 && t.Seats[mine].Confirmed || HasVote(t.Seats[mine]) && len(Voting(t)) == 1)
	return !peopleSit(t) || alone || t.Dice.Thrown == 0 && t.Opener == string(user) ||
		t.State == store.Lobby && Hosts(t, now, user) && now >= MindedUntil(t), false
}

// peopleSit reports whether at least one person sits at a table.
func peopleSit(t store.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.House == "" && s.Confirmed })
}

// OffersEnd reports whether a person is offered to end a table: they have a vote on it, or have opened it and have no
// seat, before the first throw.
func OffersEnd(t store.Table, user chat.User) bool {
	if mine := SeatOf(t, user); mine >= 0 {
		return HasVote(t.Seats[mine])
	}
	return t.Opener == string(user) && t.Dice.Thrown == 0
}

// HasVote reports whether the owner of a seat has a vote.
func HasVote(s store.Seat) bool {
	return s.House == "" && s.Confirmed && s.Absence != store.Gone && s.Absence != store.Out
}

// Voting returns the seats of which a vote to end a table is counted: of all who are there and, once dice have fallen
// and as long as people can lose nothing, of those who are away.
func Voting(t store.Table) (seats []store.Seat) {
	for _, s := range t.Seats {
		if HasVote(s) || s.Absence == store.Gone && isPerson(s) && t.Dice.Thrown > 0 && !Weighty(t) {
			seats = append(seats, s)
		}
	}
	return seats
}

// Ballot returns how many would end the table, and how many votes that takes: more than half of Voting or, where dice
// have fallen and people can lose something, all of them. Where most decide, people who use one device have one vote
// together, because they could be one person; only if all use one device is each counted.
func (b *Boards) Ballot(t store.Table) (votes, needed int) {
	all := Voting(t)
	everyone := t.Dice.Thrown > 0 && Weighty(t)
	count := b.devices
	if everyone || b.devices(all) == 1 {
		count = func(seats []store.Seat) int { return len(seats) }
	}
	needed = count(all)/2 + 1
	if everyone {
		needed = max(needed, count(all))
	}
	return count(slices.DeleteFunc(all, func(s store.Seat) bool { return !HasVote(s) || !s.Ends })), needed
}

// devices returns the number of devices at which the people of some seats play.
func (b *Boards) devices(seats []store.Seat) int {
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

// Voted reports whether at least one vote to end a table was cast.
func Voted(t store.Table) bool {
	return slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Ends && HasVote(s) })
}

// Taker returns the person who asks to take over a seat, "" if there is none or they are forgotten.
func Taker(t store.Table, seat int) chat.User {
	if store.Forgotten(t.Seats[seat].Taker) > 0 {
		return ""
	}
	return chat.User(t.Seats[seat].Taker)
}

// TakerMark returns a mark for a button that tells one person who asks for a seat from the next.
func TakerMark(t store.Table, seat int) string {
	mark := fnv.New32a()
	fmt.Fprint(mark, t.ID, " ", t.Seats[seat].Taker)
	return fmt.Sprintf("%08x", mark.Sum32())
}

// OfferedSeat reads the number of a seat that is offered.
func OfferedSeat(t store.Table, said string) (seat int, ok bool) {
	seat, err := strconv.Atoi(said)
	return seat, err == nil && seat >= 0 && seat < len(t.Seats) && t.Seats[seat].Offered && t.Seats[seat].House == ""
}

// Agreeing returns the other people at a table who may agree that a seat goes to taker. People who
// use the same device as either of the two may not: they could be the same person.
func (b *Boards) Agreeing(t store.Table, seat int, taker chat.User) []int {
	return Where(t, func(i int, s store.Seat) bool {
		user := chat.User(s.Player)
		return i != seat && isPerson(s) && !b.Same(user, chat.User(t.Seats[seat].Player)) && !b.Same(user, taker)
	})
}

// StillAsked returns the seats that may still agree to a handover, and whether an admin has to as well. One other seat
// suffices or, if all vouch, all seats whose people are there have to.
func (b *Boards) StillAsked(t store.Table, seat int) (seats []int, admin bool) {
	s := t.Seats[seat]
	others := b.Agreeing(t, seat, Taker(t, seat))
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

// Asks reports whether a person asks for a seat and others still have to agree.
func (b *Boards) Asks(t store.Table, seat int) bool {
	seats, admin := b.StillAsked(t, seat)
	return Taker(t, seat) != "" && (admin || len(seats) > 0)
}

// BallotArgs returns the arguments of sentences about a vote.
func (b *Boards) BallotArgs(t store.Table) games.Args {
	votes, needed := b.Ballot(t)
	return games.Args{"Votes": votes, "Needed": needed}
}

// ending shows the question whether to end the table, the votes to do so, or the offer to, with
// what each seat would get back.
func (s *BoardView) ending() {
	switch {
	case s.Table.Board.Page == PageEnd:
		question := "bot.end-ask"
		if s.Table.State == store.Lobby {
			question = "bot.end-lobby"
		}
		s.tellFirst(s.Say(question, nil))
		if s.Table.State == store.Lobby {
			s.Message.Told = nil // who has opened it is over
		}
		s.refunds()
		s.beside(s.key("end-yes", "!end yes", games.Danger), s.key("end-no", "!end no", games.Plain))
	case Voted(s.Table):
		args := s.bot.BallotArgs(s.Table)
		args["Names"] = Named(s.names, s.voters(true))
		s.tellFirst(s.Say("bot.vote", args))
		s.refunds()
		yes, no := s.button(games.Say("bot.button.vote", args), "!vote yes", games.Danger),
			s.key("vote-no", "!vote no", games.Plain)
		// For names the person whose press counts if several share a screen.
		no.For = chat.User(s.Table.Seats[s.voters(true)[0]].Player)
		if others := s.voters(false); len(others) > 0 {
			yes.For = chat.User(s.Table.Seats[others[0]].Player)
		}
		s.beside(yes, no)
	case s.Table.Board.Page == PageOffer:
		s.beside(s.key("end", "!end", games.Danger))
	}
}

// voters returns the seats with a vote whose people would end the table, or would not.
func (s *BoardView) voters(end bool) []int {
	return Where(s.Table, func(_ int, seat store.Seat) bool { return HasVote(seat) && seat.Ends == end })
}

// refunds adds what all seats, and the box, get back if the table is ended now.
func (s *BoardView) refunds() {
	if s.Table.State != store.Playing || !AtStake(s.Table) || !s.pooled() {
		return
	}
	said := s.Say("bot.end-refund", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.Stake)})
	if s.Table.BoxIn > 0 {
		said += " " + s.Say("bot.end-box", games.Args{"Amount": bot.Amount(s.Table.Unit, s.Table.BoxIn)})
	}
	s.Message.Lines = append(s.Message.Lines, said)
}

// The message beside a board that shows which seats of the table are offered.

// Offering reports whether a seat of a table in play is offered.
func Offering(t store.Table) bool {
	return t.State == store.Playing && slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Offered })
}

// offers draws a line on each seat that is offered, and the buttons for it.
func (s *BoardView) offers() {
	var row []chat.Button
	for i, seat := range s.Table.Seats {
		if !seat.Offered || seat.House != "" {
			continue
		}
		for _, b := range s.offer(i) { // those of several seats may carry the same
			if !slices.ContainsFunc(row, func(other chat.Button) bool { return other.Press == b.Press }) {
				row = append(row, b)
			}
		}
	}
	s.Message.Rows(chat.ChoiceRow, row...)
}

// offer adds a line on an offered seat, with the person who would take it and the people who may
// agree, and returns the buttons for it.
func (s *BoardView) offer(seat int) []chat.Button {
	args := games.Args{"Seat": games.Seat(seat), "Amount": bot.Amount(s.Table.Unit, s.Table.Stake)}
	offers := "bot.handover.offers-plain"
	if AtStake(s.Table) {
		offers = "bot.handover.offers"
	}
	s.tell(s.Say(offers, args))
	stay := s.key("stay", "!stay", games.Plain)
	stay.For = chat.User(s.Table.Seats[seat].Player)
	if !s.bot.Asks(s.Table, seat) {
		take := s.button(games.Say("bot.button.take", args), fmt.Sprint("!take ", seat), games.Plain)
		return []chat.Button{take, stay}
	}
	player, err := s.Tx.Chats.Player(string(Taker(s.Table, seat)))
	s.Err = cmp.Or(s.Err, err)
	args["Name"] = s.bot.ShownName(player.Name, s.lang)
	others := s.asks(seat, args)
	hand := s.button(games.Say("bot.button.hand", args), fmt.Sprint("!hand ", TakerMark(s.Table, seat), " ", seat),
		games.Plain)
	if len(others) > 0 {
		hand.For = chat.User(s.Table.Seats[others[0]].Player)
	}
	not := s.key("take-not", fmt.Sprint("!take ", seat), games.Plain)
	not.For = Taker(s.Table, seat)
	return []chat.Button{hand, stay, not}
}

// asks adds a line on the person who asks for a seat and on who has to agree, and returns the seats that have to.
func (s *BoardView) asks(seat int, args games.Args) []int {
	others, admin := s.bot.StillAsked(s.Table, seat)
	args["Names"] = Named(s.names, others)
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
