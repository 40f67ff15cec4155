package board

import (
	"slices"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/store"
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

// playsOtherwise says that who is to play perfectly cannot any more, as where the file of a solution is gone.
func (s *BoardView) playsOtherwise() {
	perfect, there := PerfectHouse(s.Game)
	playing := func(seat store.Seat) bool {
		return seat.House == perfect.Name || seat.Absence != store.Present && s.Table.Clock.Absent == store.PlaysPerfect
	}
	if !there || !slices.ContainsFunc(s.Table.Seats, playing) {
		return
	}
	if _, err := ProblemOf(s.Game, s.Table); err != nil {
		s.Note("bot.plays-otherwise", nil)
	}
}
