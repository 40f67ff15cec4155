package board

import (
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// OffersEnd reports whether a person is offered to end a table: they have a vote on it, or have opened it and have no
// seat, before the first throw.
func OffersEnd(t store.Table, user chat.User) bool {
	if mine := SeatOf(t, user); mine >= 0 {
		return HasVote(t.Seats[mine])
	}
	return t.Opener == string(user) && t.Dice.Thrown == 0
}

// Voting returns the seats of which a vote to end a table is counted: of all who are there and, once dice have fallen
// and as long as people can lose nothing, of those who are away.
func Voting(t store.Table) (seats []store.Seat) {
	for _, s := range t.Seats {
		away := s.Absence == store.Gone && s.House == "" && store.Forgotten(s.Player) == 0
		if HasVote(s) || away && t.Dice.Thrown > 0 && !Weighty(t) {
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

// devices is at how many devices the people of some seats play.
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
		args["Names"] = s.endNames()
		s.tellFirst(s.Say("bot.vote", args))
		s.refunds()
		yes, no := s.button(games.Say("bot.button.vote", args), "!vote yes", games.Danger),
			s.key("vote-no", "!vote no", games.Plain)
		yes.For, no.For = s.voter(false), s.voter(true)
		s.beside(yes, no)
	case s.Table.Board.Page == PageOffer:
		s.beside(s.key("end", "!end", games.Danger))
	}
}

// voter is the first with a vote who would end the table, or would not: of people
// at one screen, whose press is meant.
func (s *BoardView) voter(ends bool) chat.User {
	for _, seat := range s.Table.Seats {
		if HasVote(seat) && seat.Ends == ends {
			return chat.User(seat.Player)
		}
	}
	return ""
}

// endNames returns the names of the people who would end the table.
func (s *BoardView) endNames() []string {
	var names []string
	for i, seat := range s.Table.Seats {
		if seat.Ends && HasVote(seat) {
			names = append(names, s.names[i])
		}
	}
	return names
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
