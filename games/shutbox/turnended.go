package shutbox

import "knobel/games"

// TurnEnded says how a turn came out by its points, or by the box that it shut.
func (m *classic) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch m.news.What {
	case "", didClose:
		return games.Nobody, games.Line{}, false
	case didBox:
		return m.news.Seat, say("turn.box", nil), true
	}
	return m.news.Seat, say("turn.points", games.Args{"Points": m.news.Score}), true
}

// TurnEnded says what ended a turn of Canoga. The throws for the start are none.
func (d duel) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch d.told.Key {
	case "stuck", "covered-all", "uncovered-all":
		return d.told.Seat, say("turn."+d.told.Key, nil), true
	}
	return games.Nobody, games.Line{}, false
}

// TurnEnded says the total of the throw, which is all of a turn.
func (l lucky) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch sum := total(l.faces); {
	case len(l.faces) == 0:
		return games.Nobody, games.Line{}, false
	case sum == 7:
		return l.last, say("turn.box", nil), true
	default:
		return l.last, say("turn.points", games.Args{"Points": sum}), true
	}
}
