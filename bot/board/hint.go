package board

import (
	"knobel/bot/chat"
	"knobel/games"
)

// hintButton asks for the best move, where hints are agreed on and there is
// perfect play to ask for.
func (s *BoardView) hintButton(turn []games.Seat) []chat.Button {
	if !games.AllowsHints(s.Table.Rules) || len(turn) != 1 {
		return nil
	}
	if _, err := ProblemOf(s.Game, s.Table); err != nil {
		return nil
	}
	b := s.key("hint", "/hint", games.Plain)
	b.For = chat.User(s.Table.Seats[turn[0]].Player)
	return []chat.Button{b}
}
