package bot

import "knobel/games"

// A table explains itself to those who are new to it, a line for each step: in
// the lobby, before somebody's first throw, and with the first choice behind
// it. A game's lines for this have the keys GAME.first.throw and .choose; where
// a variant cannot be said in options they are GAME.first.VARIANT.throw and
// .choose, and a step without its line is not explained.

// guideLobby explains the lobby.
func (s *scribe) guideLobby() error {
	if s.t.Page != pageGame || !anybodySits(s.t) {
		return nil
	}
	first, err := s.tx.FirstGame(s.t.Chat, s.t.Game, s.t.Opener)
	if err != nil || !first {
		return err
	}
	s.m.Guide = s.say("bot.first.lobby", nil)
	return nil
}

// guided is how many turns of a table there may be for each seat before nobody
// can be at their first choice any more.
const guided = 20

// guideTurn explains their first throw and their first choice to whoever is to
// move.
func (s *scribe) guideTurn(turn []games.Seat) error {
	if len(turn) != 1 || s.t.Turn > guided*int64(len(s.t.Seats)) {
		return nil
	}
	seat := s.t.Seats[turn[0]]
	if seat.House != "" || s.t.Page != pageGame {
		return nil
	}
	key := s.t.Game + ".first."
	if variant := s.t.Rules["variant"]; variant != "" {
		key += variant + "."
	}
	made := int(s.t.Turn) // whoever sits alone has made all moves
	if len(s.t.Seats) > 1 {
		var err error
		if made, err = s.tx.MovesOf(s.t.ID, int(turn[0])); err != nil {
			return err
		}
	}
	if made > 1 {
		return nil
	}
	key += [...]string{"throw", "choose"}[made]
	if !s.bot.words.Has(key) {
		return nil
	}
	first, err := s.tx.FirstGame(s.t.Chat, s.t.Game, seat.Player)
	if err != nil || !first {
		return err
	}
	s.m.Guide = s.say(key, nil)
	return nil
}
