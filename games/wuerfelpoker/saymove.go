package wuerfelpoker

import (
	"strings"

	"knobel/games"
)

// SayMove puts a move into words.
func (m match) SayMove(_ games.Seat, move games.Move) games.Line {
	verb, rest, _ := strings.Cut(string(move), " ")
	w, _ := rowNamed(rest) // a legal move is spelled as it must be
	switch verb {
	case "write":
		points, _ := m.rules.points(w, m.hand, m.throws == 1)
		return m.offerLine("move.write", offer{w, points})
	case "keep":
		k, _ := parseKeep(rest)
		return m.sayKeep(k)
	case "strike":
		return say("move.strike", games.Args{"Row": w.name()})
	}
	return say("move."+verb, nil)
}

// sayKeep names the dice that are kept, in order of their faces, however they
// lie: to keep either of two equal dice is the same.
func (m match) sayKeep(k keep) games.Line {
	var kept []string
	for face, n := range m.showingIn(k) {
		for range n {
			kept = append(kept, spell(face))
		}
	}
	if len(kept) == 0 {
		return say("move.throw-all", nil)
	}
	return say("move.keep", games.Args{"Dice": strings.Join(kept, " "), "N": handSize - len(kept)})
}
