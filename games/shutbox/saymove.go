package shutbox

import (
	"strings"

	"knobel/games"
)

// SayMove puts a move into words.
func (m *classic) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(m.Moves(s), mv) }

// SayMove puts a move into words.
func (d duel) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(d.Moves(s), mv) }

// SayMove puts a move into words.
func (l lucky) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(l.Moves(s), mv) }

// sayMove puts one of the legal moves into words. A throw names its dice only
// where they can be chosen.
func sayMove(legal []games.Move, mv games.Move) games.Line {
	verb, rest, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		throws := 0
		for _, other := range legal {
			if strings.HasPrefix(string(other), "throw ") {
				throws++
			}
		}
		if throws < 2 {
			return say("move.throw", nil)
		}
		return say("move.throw-"+rest, nil)
	case "declare":
		return say("move.declare", nil)
	}
	set, _ := parseSet(rest) // a legal move is spelled as it must be
	return say("move."+verb, games.Args{"Tiles": set.falling()})
}
