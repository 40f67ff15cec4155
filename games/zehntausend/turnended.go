package zehntausend

import "knobel/games"

// TurnEnded says how a turn came out by what was banked, if anything was.
func (m match) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	seat := games.Seat(m.ended.Seat)
	switch m.ended.Kind {
	case stopped:
		return seat, say("turn.banked", games.Args{"Points": m.ended.Points}), true
	case lost:
		if cost := m.cost(); cost > 0 {
			return seat, say("turn.cost", games.Args{"Points": cost}), true
		}
		return seat, say("turn.lost", nil), true
	}
	return games.Nobody, games.Line{}, false
}
