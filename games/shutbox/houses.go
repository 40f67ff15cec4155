package shutbox

import (
	"slices"
	"strings"

	"knobel/games"
)

// houses are the strategies that may take a seat. They work on moves by their
// spelling, so they play every variant.
func houses() []games.House {
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
		if verbA != verbB {
			return strings.Compare(verbA, verbB) // "cover" comes before "uncover"
		}
		setA, _ := parseSet(spellingA)
		setB, _ := parseSet(spellingB)
		if fewer(setA, setB) {
			return -1
		}
		return 1
	})
}

// fewer reports whether set a comes before set b in the order of sets.
func fewer(a, b tiles) bool {
	if a.count() != b.count() {
		return a.count() < b.count()
	}
	return a > b
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
