package board

import "knobel/games"

// A table explains itself to those who are new to it, a line for each step: in
// the lobby, before somebody's first throw, and with the first choice behind
// it. A game's lines for this have the keys GAME.first.throw and .choose; where
// a variant cannot be said in options they are GAME.first.VARIANT.throw and
// .choose, and a step without its line is not explained.

// guideLobby explains the lobby.
func (s *BoardView) guideLobby() error {
	if s.Table.Page != PageGame || !AnybodySits(s.Table) {
		return nil
	}
	first, err := s.Tx.FirstGame(s.Table.Chat, s.Table.Game, s.Table.Opener)
	if err != nil || !first {
		return err
	}
	s.Message.Guide = s.Say("bot.first.lobby", nil)
	return nil
}

// guided is how many turns of a table there may be for each seat before nobody
// can be at their first choice any more.
const guided = 20

// guideTurn explains their first throw and their first choice to whoever is to
// move.
func (s *BoardView) guideTurn(turn []games.Seat) error {
	if len(turn) != 1 || s.Table.Turn > guided*int64(len(s.Table.Seats)) {
		return nil
	}
	seat := s.Table.Seats[turn[0]]
	if seat.House != "" || s.Table.Page != PageGame {
		return nil
	}
	key := s.Table.Game + ".first."
	if variant := s.Table.Rules["variant"]; variant != "" {
		key += variant + "."
	}
	made := int(s.Table.Turn) // whoever sits alone has made all moves
	if len(s.Table.Seats) > 1 {
		var err error
		if made, err = s.Tx.MovesOf(s.Table.ID, int(turn[0])); err != nil {
			return err
		}
	}
	if made > 1 {
		return nil
	}
	key += [...]string{"throw", "choose"}[made]
	if !s.bot.Words.Has(key) {
		return nil
	}
	first, err := s.Tx.FirstGame(s.Table.Chat, s.Table.Game, seat.Player)
	if err != nil || !first {
		return err
	}
	s.Message.Guide = s.Say(key, nil)
	return nil
}
