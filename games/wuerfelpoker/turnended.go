package wuerfelpoker

import "knobel/games"

// TurnEnded says how a turn came out by what was done to the paper.
func (m match) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	seat, w := m.before(), m.ended.row
	switch m.ended.kind {
	case nothing:
		return games.Nobody, games.Line{}, false
	case missed:
		return games.Seat(seat), say("turn.missed", nil), true
	case struckOut:
		return games.Seat(seat), say("turn.struck", games.Args{"Row": w.name()}), true
	}
	points := m.rules.cellPoints(&m.sheets[seat], w)
	said := spell(points)
	if w.school() {
		said = signed(points)
	}
	return games.Seat(seat), say("turn.wrote", games.Args{"Row": w.name(), "Points": said}), true
}
