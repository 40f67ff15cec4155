package shutbox

import (
	"math"
	"strconv"
	"strings"

	"knobel/games"
)

// Why says how much more likely the next throw closes something after the better move.
func (m *classic) Why(s games.Seat, better, than games.Move) games.Line {
	one, ok1 := m.closes(better)
	other, ok2 := m.closes(than)
	more, fewer := int(math.Round(100*one)), int(math.Round(100*other))
	if !ok1 || !ok2 || more <= fewer {
		return games.Line{}
	}
	return say("why.closes", games.Args{"More": more, "Fewer": fewer})
}

// closes returns the chance that the throw after a move closes something, with the number of dice that makes it more
// likely where they can be chosen. It is false where no throw follows.
func (m *classic) closes(mv games.Move) (float64, bool) {
	open, counts := m.open, []int(nil)
	verb, word, _ := strings.Cut(string(mv), " ")
	switch verb {
	case "throw":
		count, _ := strconv.Atoi(word) // a legal move is spelled as it must be
		counts = []int{count}
	case "shut":
		set, _ := parseSet(word)
		if open &^= set; open == 0 {
			return 1, true
		}
		counts = m.r.counts(open)
	default:
		return 0, false
	}
	best := 0.0
	for _, count := range counts {
		good, all := m.r.chance(open, count, verb == "throw" && m.Throws == 0)
		best = max(best, float64(good)/float64(all))
	}
	return best, true
}

// SayMove puts a move into words.
func (m *classic) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(m.Moves(s), mv) }

// SayMove puts a move into words.
func (d duel) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(d.Moves(s), mv) }

// SayMove puts a move into words.
func (l lucky) SayMove(s games.Seat, mv games.Move) games.Line { return sayMove(l.Moves(s), mv) }

// sayMove puts one of the legal moves into words. A throw names its dice only where they can be chosen.
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

// TurnEnded says how a turn came out by its points, or by the box that it shut.
func (m *classic) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch m.News.What {
	case "", didClose:
		return games.Nobody, games.Line{}, false
	case didBox:
		return m.News.Seat, say("turn.box", nil), true
	}
	return m.News.Seat, say("turn.points", games.Args{"Points": m.News.Score}), true
}

// TurnEnded says what ended a turn of Canoga. The throws for the start are none.
func (d duel) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch d.Told.Key {
	case "stuck", "covered-all", "uncovered-all":
		return d.Told.Seat, say("turn."+d.Told.Key, nil), true
	}
	return games.Nobody, games.Line{}, false
}

// TurnEnded says the total of the throw, which is all of a turn.
func (l lucky) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	switch sum := total(l.Faces); {
	case len(l.Faces) == 0:
		return games.Nobody, games.Line{}, false
	case sum == 7:
		return l.Last, say("turn.box", nil), true
	default:
		return l.Last, say("turn.points", games.Args{"Points": sum}), true
	}
}

// Shuts reports whether a turn has shut the box: in Canoga the own row, in lucky-seven, where a turn is one throw,
// the 7.
func (Game) Shuts(how games.Line) bool {
	return how.Key == "shutbox.turn.box" || how.Key == "shutbox.turn.covered-all"
}
