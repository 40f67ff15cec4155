package shutbox

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// Houses returns the strategies that may take a seat. They work on moves by their
// spelling, so they play every variant.
func (Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: random},
		{Name: "fewest", Choose: fewest},
		{Name: "perfect", Solved: true},
	}
}

// random takes any legal set, each alike.
func random(m games.Match, s games.Seat, r games.Rand) games.Move {
	moves := m.Moves(s)
	if mv, ok := beforeThrow(moves); ok {
		return mv
	}
	return moves[r.IntN(len(moves))]
}

// fewest takes the set with the fewest tiles; among as many the one with the
// higher top tile, then the higher next. In Canoga it prefers covering.
func fewest(m games.Match, s games.Seat, _ games.Rand) games.Move {
	moves := m.Moves(s)
	if mv, ok := beforeThrow(moves); ok {
		return mv
	}
	return slices.MinFunc(moves, func(a, b games.Move) int {
		verbA, spellingA, _ := strings.Cut(string(a), " ")
		verbB, spellingB, _ := strings.Cut(string(b), " ")
		setA, _ := parseSet(spellingA)
		setB, _ := parseSet(spellingB)
		return cmp.Or(strings.Compare(verbA, verbB), inOrder(setA, setB)) // "cover" comes before "uncover"
	})
}

// beforeThrow declares where that is offered, else throws all dice where that
// is allowed. It is false when a set is to be chosen.
func beforeThrow(moves []games.Move) (games.Move, bool) {
	var best games.Move
	for _, mv := range moves {
		if mv == "declare" {
			return mv, true
		}
		if strings.HasPrefix(string(mv), "throw ") && mv > best {
			best = mv // one digit each: the higher spelling is the more dice
		}
	}
	return best, best != ""
}

// Turns that are all chance: how likely they shut the box, and their mean score.

// maxByChance is up to how many tiles, and dice, chance alone is worked out.
const (
	maxByChance     = 12
	maxDiceByChance = 2
)

// ShutByChance returns the probability that a turn under these rules shuts the box when all of it is chance: every
// time any fitting set is taken, each alike, with all dice where that is allowed. It is the strategy of the house
// "random", which also declares victory, worked out exactly. It is false for rules with no box of one's own and for
// boards too large for that.
func (Game) ShutByChance(given games.Rules) (float64, bool) {
	r := read(given)
	if r.variant != "" || r.tiles.count() > maxByChance || r.dice > maxDiceByChance {
		return 0, false
	}
	shut, _ := byChance(r)
	return shut, true
}

// fate is what chance makes of a turn from some tiles on.
type fate struct{ shut, score float64 }

// byChance works out the probability to shut the box and the mean score of a turn that is all chance. Only the first
// throw of a turn sees all tiles, so what is known of some open tiles holds for all throws behind it.
func byChance(r *rules) (shut, score float64) {
	known := map[tiles]fate{0: {shut: 1}}
	var from func(open tiles, first bool) fate
	from = func(open tiles, first bool) fate {
		if f, ok := known[open]; ok {
			return f
		}
		var sum fate
		all := 0.0
		r.throws(r.counts(open)[0], func(faces []int) bool {
			if !slices.IsSorted(faces) {
				return true // counted with the same dice in order
			}
			ways := 1.0 // in which at most two sorted dice can fall
			if len(faces) == 2 && faces[0] != faces[1] {
				ways = 2
			}
			all += ways
			found := r.closable(open, faces, first)
			if len(found) == 0 {
				sum.score += ways * float64(r.points(open))
			}
			for _, set := range found {
				f := from(open&^set, false)
				sum.shut += ways * f.shut / float64(len(found))
				sum.score += ways * f.score / float64(len(found))
			}
			return true
		})
		known[open] = fate{sum.shut / all, sum.score / all}
		return known[open]
	}
	f := from(r.tiles, true)
	return f.shut, f.score
}
