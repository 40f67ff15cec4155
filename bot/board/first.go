package board

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// A table explains itself to people who are new to it, one line a step: in the lobby, before a
// person's first throw, and at their first choice after it. The game's lines have the keys
// GAME.first.throw and .choose; for a variant that options cannot express, GAME.first.VARIANT.throw
// and .choose. A step without a line is not explained.

// guideLobby explains the lobby.
func (s *BoardView) guideLobby() error {
	if s.Table.Board.Page != PageGame || !AnybodySits(s.Table) {
		return nil
	}
	first, err := s.Tx.Scores.FirstGame(s.Table.Chat, s.Table.Game, s.Table.Opener)
	if err != nil || !first {
		return err
	}
	key := "bot.first.lobby"
	if s.owner != "" {
		key = "bot.first.lobby-alone"
	}
	var args games.Args
	opener := SeatOf(s.Table, chat.User(s.Table.Opener))
	if s.viewer != nil && Minded(s.Table, s.bot.Now()) && !s.hosts() {
		key, args = "bot.first.lobby-guest", games.Args{"Seat": games.Seat(opener)}
		if s.any(func(_ int, seat store.Seat) bool { return seat.Confirmed }) {
			key = "bot.first.lobby-seated"
		}
	}
	s.Message.Guide = s.Say(key, args)
	return nil
}

// guideTurn explains the first throw and the first choice to the person who is to move, and how to pick as long
// as they are new.
func (s *BoardView) guideTurn(view games.View, turn []games.Seat) error {
	if len(turn) != 1 || !s.Table.Begins() {
		return nil
	}
	if s.Table.Seats[turn[0]].House != "" || s.Table.Board.Page != PageGame {
		return nil
	}
	step, err := s.lesson(view, turn[0])
	if err != nil || step.Key == "" || !s.bot.Words.Has(step.Key) {
		return err
	}
	first, err := s.Tx.Scores.FirstGamesAt(s.Table.ID)
	if err != nil || int(turn[0]) >= len(first) || !first[turn[0]] {
		return err
	}
	s.Message.Guide = s.Line(step)
	return nil
}

// lesson is the line for the next step of a seat that is new.
func (s *BoardView) lesson(view games.View, seat games.Seat) (games.Line, error) {
	if view.Pick != nil && view.Pick.Guide.Key != "" {
		return view.Pick.Guide, nil
	}
	made := int(s.Table.Turn) // whoever sits alone has made all moves
	if len(s.Table.Seats) > 1 {
		moves, err := s.Tx.Scores.MovesBySeat(s.Table.ID)
		if err != nil || int(seat) >= len(moves) {
			return games.Line{}, err
		}
		made = moves[seat]
	}
	if made > 1 {
		return games.Line{}, nil
	}
	if made == 1 && s.viewer != nil && s.Message.Pick != nil && s.Message.Pick.Kind == "tiles" {
		return games.Say("bot.first.touch", nil), nil // a page has tiles that can be pressed
	}
	key := s.Table.Game + ".first."
	if variant := s.Table.Rules["variant"]; variant != "" {
		key += variant + "."
	}
	return games.Say(key+[...]string{"throw", "choose"}[made], nil), nil
}
