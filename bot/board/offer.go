package board

// The message beside a board that shows which seats of the table are offered.

import (
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// Offering reports whether a seat of a table in play is offered.
func Offering(t store.Table) bool {
	return t.State == store.Playing && slices.ContainsFunc(t.Seats, func(s store.Seat) bool { return s.Offered })
}

// offers draws a line on each seat that is offered, and the buttons for it.
func (s *BoardView) offers() error {
	var row []chat.Button
	for i, seat := range s.Table.Seats {
		if !seat.Offered || seat.House != "" {
			continue
		}
		buttons, err := s.offer(i)
		if err != nil {
			return err
		}
		for _, b := range buttons { // those of several seats may carry the same
			if !slices.ContainsFunc(row, func(other chat.Button) bool { return other.Press == b.Press }) {
				row = append(row, b)
			}
		}
	}
	s.Message.Rows(chat.ChoiceRow, row...)
	return nil
}

// offer adds a line on an offered seat, with the person who would take it and the people who may
// agree, and returns the buttons for it.
func (s *BoardView) offer(seat int) ([]chat.Button, error) {
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
		return []chat.Button{take, stay}, nil
	}
	player, err := s.Tx.Chats.Player(string(Taker(s.Table, seat)))
	if err != nil {
		return nil, fmt.Errorf("who takes seat %d: %w", seat, err)
	}
	args["Name"] = s.bot.ShownName(player.Name, s.lang)
	others := s.asks(seat, args)
	hand := s.button(games.Say("bot.button.hand", args), fmt.Sprint("!hand ", TakerMark(s.Table, seat), " ", seat),
		games.Plain)
	if len(others) > 0 {
		hand.For = chat.User(s.Table.Seats[others[0]].Player)
	}
	not := s.key("take-not", fmt.Sprint("!take ", seat), games.Plain)
	not.For = Taker(s.Table, seat)
	return []chat.Button{hand, stay, not}, nil
}

// asks adds a line on the person who asks for a seat, and whose word that takes. It returns the seats among these.
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
