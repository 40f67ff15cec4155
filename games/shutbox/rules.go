package shutbox

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// rules are the rules of a table, read from their canonical spelling. They
// are shared by all states of a match and never written after read.
type rules struct {
	variant string // canoga, luckySeven, or "" for what options can say
	tiles   tiles  // the tiles that stand open at the start of a turn
	dice    int    // how many dice are all dice
	sides   int
	oneDie  string
	close   string
	score   string
	first   int // the tile that the first throw must close, or 0
	seven   string
	match   string // single, rounds, knockout or until
	limit   int    // the N of match
	shut    string
	ties    string
}

// read reads canonical rules: what Check has returned.
func read(canonical games.Rules) *rules {
	value := games.Filled(houseRules, canonical)
	out := &rules{
		variant: canonical["variant"],
		oneDie:  value["one-die"],
		close:   value["close"],
		score:   value["score"],
		seven:   value["seven"],
		shut:    value["shut"],
		ties:    value["ties"],
	}
	out.tiles, _ = parseTiles(value["tiles"])
	out.match, out.limit, _ = parseMatch(value["match"])
	out.first, _ = number(value["first-throw"])
	dice, sides, _ := strings.Cut(value["dice"], "d")
	out.dice, _ = number(dice)
	out.sides, _ = number(sides)
	if out.variant == luckySeven {
		out.tiles = 1 << 7
	}
	return out
}

// points returns the score of a row with these tiles open.
func (r *rules) points(open tiles) int {
	switch r.score {
	case scoreCount:
		return open.count()
	case scoreDigits:
		return open.digits()
	}
	return open.sum()
}

// counts returns how many dice may be thrown at these open tiles: all dice first where there is a choice.
func (r *rules) counts(open tiles) []int {
	switch may, must := r.oneDieAt(open); {
	case must:
		return []int{1}
	case may:
		return []int{r.dice, 1}
	}
	return []int{r.dice}
}

// oneDieAt reports whether one die may be thrown at these open tiles instead of all dice, and whether it must be.
func (r *rules) oneDieAt(open tiles) (may, must bool) {
	if r.dice == 1 || r.close == oneTile {
		return false, false
	}
	switch r.oneDie {
	case highShut:
		return open.top() <= 6, false
	case highShutForced:
		forced := open.top() <= 6
		return forced, forced
	case sumSix:
		return open.sum() <= 6, false
	case lastOne:
		return open == 1<<1, false
	}
	return false, false
}

// choices returns every set of the open tiles that a throw may close, in the
// order of sets. What the first throw and a seven do is not looked at.
func (r *rules) choices(open tiles, faces []int) []tiles {
	sum := total(faces)
	switch r.close {
	case twoTiles:
		return sets(open, sum, 2)
	case oneTile:
		return oneOf(open, append(slices.Clone(faces), sum)...)
	case sumOrTile:
		return fewestFirst(append(sets(open, sum, highestTile), oneOf(open, difference(faces))...))
	case sumOrDifference:
		return fewestFirst(append(sets(open, sum, highestTile), sets(open, difference(faces), highestTile)...))
	}
	return sets(open, sum, highestTile)
}

// sort returns a number that throws have in common only if they may close the same.
func (r *rules) sort(faces []int) int {
	if r.close == plainSum || r.close == twoTiles || len(faces) == 1 {
		return total(faces)
	}
	sorted, sort := slices.Clone(faces), 0
	slices.Sort(sorted)
	for _, face := range sorted {
		sort = sort*32 + face
	}
	return sort
}

// fall reports whether these may be the dice of a throw, or none.
func (r *rules) fall(faces []int) bool {
	wrong := func(face int) bool { return face < 1 || face > r.sides }
	return slices.Contains([]int{0, 1, r.dice}, len(faces)) && !slices.ContainsFunc(faces, wrong)
}

// total adds the faces of a throw.
func total(faces []int) int {
	sum := 0
	for _, face := range faces {
		sum += face
	}
	return sum
}

// difference returns that of two dice, 0 of other throws.
func difference(faces []int) int {
	if len(faces) != 2 {
		return 0
	}
	return max(faces[0]-faces[1], faces[1]-faces[0])
}

// oneOf returns those of the numbers that are open, each as a set of one tile.
func oneOf(open tiles, numbers ...int) []tiles {
	var wanted tiles
	for _, n := range numbers {
		if n >= 1 && n <= highestTile {
			wanted |= 1 << n
		}
	}
	var found []tiles
	for left := open & wanted; left != 0; {
		n := left.top()
		left &^= 1 << n
		found = append(found, 1<<n)
	}
	return found
}

// fewestFirst puts sets into the order of the function sets. No set occurs
// twice, because a total and a difference are never equal.
func fewestFirst(found []tiles) []tiles {
	slices.SortFunc(found, inOrder)
	return found
}

// inOrder compares sets: the fewest tiles first, of as many the highest tile in which they differ decides.
func inOrder(a, b tiles) int { return cmp.Or(a.count()-b.count(), int(b)-int(a)) }

// closable returns what a throw of a turn may close, with all that a throw
// does: a seven first, then the first throw, then the choice of a set.
func (r *rules) closable(open tiles, faces []int, first bool) []tiles {
	if r.seven != none && total(faces) == 7 {
		return nil
	}
	found := r.choices(open, faces)
	if first && r.first != 0 {
		found = slices.DeleteFunc(found, func(set tiles) bool { return !set.has(r.first) })
	}
	return found
}

// chance counts the throws of a number of dice that close something, and all throws.
func (r *rules) chance(open tiles, count int, first bool) (good, all int) {
	r.throws(count, func(faces []int) bool {
		all++
		if len(r.closable(open, faces, first)) > 0 {
			good++
		}
		return true
	})
	return good, all
}

// throws calls each with all throws of a number of dice, until it returns false. The faces are
// valid during the call only.
func (r *rules) throws(count int, each func(faces []int) bool) {
	faces := slices.Repeat([]int{1}, count)
	for each(faces) {
		i := 0
		for i < count && faces[i] == r.sides {
			faces[i] = 1
			i++
		}
		if i == count {
			return
		}
		faces[i]++
	}
}
