package sheet

import (
	"strings"

	"knobel/games"
)

// SayMove puts a move into words.
func (m match) SayMove(_ games.Seat, move games.Move) games.Line {
	verb, rest, _ := strings.Cut(string(move), " ")
	at, _ := m.plan.spotNamed(rest) // a legal move is spelled as it must be
	switch verb {
	case "write":
		return m.offerLine("move.write", offer{at, m.gives(at)}, m.plan.rowWord(at))
	case "keep":
		k, _ := m.plan.parseKeep(rest)
		return m.sayKeep(k)
	case "strike":
		return m.plan.say("move.strike", games.Args{"Row": m.plan.rowWord(at)})
	case "call":
		return m.plan.say("move.call", games.Args{"Row": m.plan.word("row." + rest)})
	}
	return m.plan.say("move."+verb, nil)
}

// gives is what the dice give in a spot that may be written.
func (m match) gives(at spot) int {
	writes, _ := m.fills()
	for _, o := range writes {
		if o.spot == at {
			return o.points
		}
	}
	return 0
}

// sayKeep names the dice that are kept, in order of their faces, however they lie: to keep either of two equal dice
// is the same.
func (m match) sayKeep(k keep) games.Line {
	var kept []string
	for face, n := range m.keptCounts(k) {
		for range n {
			kept = append(kept, spell(face))
		}
	}
	if len(kept) == 0 {
		return m.plan.say("move.throw-all", nil)
	}
	args := games.Args{"Dice": strings.Join(kept, " "), "N": m.plan.paper.Dice - len(kept)}
	return m.plan.say("move.keep", args)
}

// TurnEnded says how a turn came out by what was done to the sheet.
func (m match) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	seat := games.Seat(m.before())
	switch m.ended.kind {
	case nothing:
		return games.Nobody, games.Line{}, false
	case missed:
		return seat, m.plan.say("turn.missed", nil), true
	}
	args := games.Args{"Row": m.plan.rowWord(m.ended.spot)}
	if m.ended.kind == struckOut {
		return seat, m.plan.say("turn.struck", args), true
	}
	args["Points"] = m.plan.spellPoints(m.ended.spot.row, m.lastPoints())
	return seat, m.plan.say("turn.wrote", args), true
}
