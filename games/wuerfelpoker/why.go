package wuerfelpoker

import (
	"math"
	"math/bits"
	"strings"

	"knobel/games"
)

// Why one move is better than another, in one sentence.

var _ games.Reasoning = match{}

// Why says how much more points the better move gives, at once or after one
// more throw; where it gives no more, which row it leaves open.
func (m match) Why(_ games.Seat, better, than games.Move) games.Line {
	key := "why.then"
	if !strings.HasPrefix(string(better), "keep") && !strings.HasPrefix(string(than), "keep") {
		key = "why.now"
	}
	more, fewer := int(math.Round(m.brings(better))), int(math.Round(m.brings(than)))
	if more > fewer {
		return say(key, games.Args{"More": spell(more), "Fewer": spell(fewer)})
	}
	verb, rest, _ := strings.Cut(string(than), " ")
	if key == "why.now" && (verb == "write" || verb == "strike") {
		w, _ := rowNamed(rest) // a legal move is spelled as it must be
		return say("why.open", games.Args{"Row": w.name()})
	}
	return games.Line{}
}

// brings is what a move gives in this round: the points that are written, or
// those of the row that fits best after one more throw, on average.
func (m match) brings(move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	switch verb {
	case "write":
		w, _ := rowNamed(rest)
		points, _ := m.rules.points(w, m.hand, m.throws == 1)
		return float64(points)
	case "keep":
		k, _ := parseKeep(rest)
		return m.fits(m.showingIn(k), handSize-bits.OnesCount8(uint8(k)))
	}
	return 0
}

// fits is what the open row that fits best gives on average, when so many dice
// are thrown beside those that are kept: nothing, where none fits.
func (m match) fits(c counts, thrown int) float64 {
	if thrown > 0 {
		sum := 0.0
		for face := 1; face <= sides; face++ {
			c[face]++
			sum += m.fits(c, thrown-1)
			c[face]--
		}
		return sum / sides
	}
	best, some := 0, false
	first, last := m.part()
	for w := first; w <= last; w++ {
		if m.sheets[m.turn][w].mark != open {
			continue
		}
		if points, there := m.rules.pointsOf(w, c, false); there && (!some || points > best) {
			best, some = points, true
		}
	}
	return float64(best)
}
