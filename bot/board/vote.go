package board

import (
	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

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

// voter returns the first with a vote who would end the table, or would not: of people
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
