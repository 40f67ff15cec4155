package shutbox

import (
	"math"
	"strconv"
	"strings"

	"knobel/games"
)

// Why says how much more likely the next throw closes something after the
// better move.
func (m *classic) Why(s games.Seat, better, than games.Move) games.Line {
	one, ok1 := m.closes(better)
	other, ok2 := m.closes(than)
	more, fewer := int(math.Round(100*one)), int(math.Round(100*other))
	if !ok1 || !ok2 || more <= fewer {
		return games.Line{}
	}
	return say("why.closes", games.Args{"More": more, "Fewer": fewer})
}

// closes is the chance that the throw after a move closes something, with the
// number of dice that makes it more likely where they can be chosen. It is
// false where no throw follows.
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
		good, all := m.r.chance(open, count, verb == "throw" && m.throws == 0)
		best = max(best, float64(good)/float64(all))
	}
	return best, true
}
