package shutbox

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// Houses returns the strategies of computer players. They only read the text of moves, so they fit all variants.
func (Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: random},
		{Name: "fewest", Choose: fewest},
		{Name: "perfect", Solved: true},
	}
}

// random returns one of the sets to choose, all equally likely. Before a throw it returns what moveBeforeThrow returns.
func random(m games.Match, s games.Seat, r games.Rand) games.Move {
	moves := m.Moves(s)
	if mv, ok := moveBeforeThrow(moves); ok {
		return mv
	}
	return moves[r.IntN(len(moves))]
}

// fewest returns the set with the fewest tiles; of sets of equally many, the one with the higher highest tile, then the
// higher second highest, and so on. In Canoga it prefers covering. Before a throw it returns moveBeforeThrow's move.
func fewest(m games.Match, s games.Seat, _ games.Rand) games.Move {
	moves := m.Moves(s)
	if mv, ok := moveBeforeThrow(moves); ok {
		return mv
	}
	return slices.MinFunc(moves, func(a, b games.Move) int {
		verbA, spellingA, _ := strings.Cut(string(a), " ")
		verbB, spellingB, _ := strings.Cut(string(b), " ")
		setA, _ := parseSet(spellingA)
		setB, _ := parseSet(spellingB)
		return cmp.Or(strings.Compare(verbA, verbB), compareSets(setA, setB)) // "cover" comes before "uncover"
	})
}

// moveBeforeThrow returns "declare" if it is among moves, else the throw with the most dice. It returns false if moves
// are sets to choose from.
func moveBeforeThrow(moves []games.Move) (games.Move, bool) {
	var best games.Move
	for _, mv := range moves {
		if mv == "declare" {
			return mv, true
		}
		if strings.HasPrefix(string(mv), "throw ") && mv > best {
			best = mv // the numbers have one digit, so the greater text has more dice
		}
	}
	return best, best != ""
}

// The chance to shut the box, and the mean score, of turns played at random.

// maxByChance and maxDiceByChance are the largest numbers of tiles and dice for which ShutByChance knows the result.
const (
	maxByChance     = 12
	maxDiceByChance = 2
)

// ShutByChance returns the exact probability that a turn played at random shuts the box. It returns false for variants
// and for boards that are too large. Played at random means: with all dice if allowed, every fitting set equally
// likely, and victory never declared.
func (Game) ShutByChance(options games.Rules) (float64, bool) {
	r := parseRules(options)
	if r.variant != "" || r.tiles.count() > maxByChance || r.dice > maxDiceByChance {
		return 0, false
	}
	shut, _ := playAtRandom(r)
	return shut, true
}

// fate holds the probability to shut the box and the mean score of a turn that is played at random from some position.
type fate struct{ shut, score float64 }

// playAtRandom returns the probability to shut the box and the mean score of a turn that is played at random. It caches
// results by the open tiles alone: a throw is the first one of the turn exactly if all tiles are open.
func playAtRandom(r *rules) (shut, score float64) {
	known := map[tiles]fate{0: {shut: 1}}
	var from func(open tiles, first bool) fate
	from = func(open tiles, first bool) fate {
		if f, ok := known[open]; ok {
			return f
		}
		var sum fate
		all := 0.0
		r.eachThrow(r.diceCounts(open)[0], func(faces []int) bool {
			if !slices.IsSorted(faces) {
				return true // counted with the same faces in ascending order
			}
			ways := 1.0 // number of results with these sorted faces, of at most two dice
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
