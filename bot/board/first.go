package board

import (
	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
)

// A table explains itself to people who are new to it, one line a step: in the lobby, before a person's first throw,
// and at their first choice after it. The game's lines have the keys GAME.first.throw and .choose; for a variant that
// options cannot express, GAME.first.VARIANT.throw and .choose. A step without a line is not explained.

// guideLobby explains the lobby.
func (s *BoardView) guideLobby() error {
	if s.Table.Board.Page != PageGame || !AnybodySits(s.Table) {
		return nil
	}
	first, err := readOnce(s, "first game", func(int64) (bool, error) {
		return s.Tx.Scores.FirstGame(s.Table.Chat, s.Table.Game, s.Table.Opener)
	})
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
	if len(turn) != 1 || !s.Table.Begins() || s.Table.Seats[turn[0]].House != "" || s.Table.Board.Page != PageGame {
		return nil
	}
	made := int(s.Table.Turn) // one who sits alone has made all moves
	guided := view.Pick != nil && view.Pick.Guide.Key != ""
	if len(s.Table.Seats) > 1 && !guided {
		moves, err := readOnce(s, "moves by seat", s.Tx.Scores.MovesBySeat)
		if err != nil || int(turn[0]) >= len(moves) {
			return err
		}
		made = moves[turn[0]]
	}
	var step games.Line
	switch {
	case guided:
		step = view.Pick.Guide
	case made > 1:
		return nil
	case made == 1 && s.viewer != nil && s.Message.Pick != nil && s.Message.Pick.Kind == "tiles":
		step.Key = "bot.first.touch" // a page has tiles that can be pressed
	default:
		step.Key = s.Table.Game + ".first."
		if variant := s.Table.Rules["variant"]; variant != "" {
			step.Key += variant + "."
		}
		step.Key += [...]string{"throw", "choose"}[made]
	}
	if !s.bot.Words.Has(step.Key) {
		return nil
	}
	first, err := readOnce(s, "first games", s.Tx.Scores.FirstGamesAt)
	if err == nil && int(turn[0]) < len(first) && first[turn[0]] {
		s.Message.Guide = s.Line(step)
	}
	return err
}
