package sheet

import (
	"math"
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
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return m.sayKeep(k)
	case "strike":
		return m.plan.say("move.strike", games.Args{"Row": m.plan.rowWord(at)})
	case "call":
		return m.plan.say("move.call", games.Args{"Row": m.plan.word("row." + rest)})
	}
	return m.plan.say("move."+verb, nil)
}

// gives returns what the dice give in a spot that may be written.
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
func (m match) sayKeep(k games.DiceSet) games.Line {
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
	args["Points"] = m.plan.spellPoints(m.ended.spot.row, m.lastCell().points)
	return seat, m.plan.say("turn.wrote", args), true
}

// Why one move is better than another, in one sentence.

var _ games.Reasoning = match{}

// Why says how much more points the better move gives, at once or after one more throw; where it gives no more,
// which row it leaves open.
func (m match) Why(_ games.Seat, better, than games.Move) games.Line {
	key := "why.then"
	if !strings.HasPrefix(string(better), "keep") && !strings.HasPrefix(string(than), "keep") {
		key = "why.now"
	}
	more, fewer := int(math.Round(m.brings(better))), int(math.Round(m.brings(than)))
	if more > fewer {
		return m.plan.say(key, games.Args{"More": spell(more), "Fewer": spell(fewer)})
	}
	verb, rest, _ := strings.Cut(string(than), " ")
	if key == "why.now" && (verb == "write" || verb == "strike") {
		at, _ := m.plan.spotNamed(rest) // a legal move is spelled as it must be
		return m.plan.say("why.open", games.Args{"Row": m.plan.rowWord(at)})
	}
	return games.Line{}
}

// brings returns what a move gives in this turn: the points that are written, or those of the row that fits best
// after one more throw, on average.
func (m match) brings(move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	switch verb {
	case "write":
		at, _ := m.plan.spotNamed(rest)
		return float64(m.gives(at))
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		next := m
		next.throws, next.kept = m.throws+1, k
		return next.fits(m.fillable(), m.keptCounts(k), m.plan.paper.Dice-k.Count())
	}
	return 0
}

// fits returns what the row among some that fits best gives on average, when so many dice are thrown beside those
// that are kept: nothing, where none fits.
func (m match) fits(spots []spot, c counts, thrown int) float64 {
	if thrown > 0 {
		sum := 0.0
		for face := 1; face <= sides; face++ {
			c[face]++
			sum += m.fits(spots, c, thrown-1)
			c[face]--
		}
		return sum / sides
	}
	best, some := 0, false
	for _, s := range spots {
		if points, there := m.plan.points(s.row, c, m.moment()); there && (!some || points > best) {
			best, some = points, true
		}
	}
	return float64(best)
}
