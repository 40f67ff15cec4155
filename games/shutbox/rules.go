package shutbox

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// rules holds the options of a table in parsed form. All states of a match share them, and nothing changes them after
// read.
type rules struct {
	variant string // canoga, luckySeven, or "" for a classic match
	tiles   tiles  // the open tiles at the start of a turn
	dice    int    // how many dice there are
	sides   int
	oneDie  string
	close   string
	score   string
	first   int // the tile that the first throw must close, or 0
	seven   string
	match   string // single, rounds, knockout or until
	limit   int    // the number of match, 0 for single
	shut    string
	ties    string
}

// read parses canonical rules, as returned by Check.
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

// points returns the score of a row whose open tiles are open.
func (r *rules) points(open tiles) int {
	switch r.score {
	case scoreCount:
		return open.count()
	case scoreDigits:
		return open.digits()
	}
	return open.sum()
}

// counts returns how many dice may be thrown at these open tiles: all dice first if there is a choice.
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

// choices returns every set of the open tiles that the throw faces may close, in the order of sets. It ignores the
// rules on the first throw and on a seven.
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

// sort returns a key of a throw. Throws with equal keys may close the same sets.
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

// fall reports whether faces can be a throw under these rules. No dice at all are accepted, too.
func (r *rules) fall(faces []int) bool {
	wrong := func(face int) bool { return face < 1 || face > r.sides }
	return slices.Contains([]int{0, 1, r.dice}, len(faces)) && !slices.ContainsFunc(faces, wrong)
}

// total returns the sum of faces.
func total(faces []int) int {
	sum := 0
	for _, face := range faces {
		sum += face
	}
	return sum
}

// difference returns the difference of two dice, 0 for any other number of dice.
func difference(faces []int) int {
	if len(faces) != 2 {
		return 0
	}
	return max(faces[0]-faces[1], faces[1]-faces[0])
}

// oneOf returns a set of one tile for each of numbers that is open, the highest first.
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

// fewestFirst sorts found into the order of the function sets. No set occurs twice, because a total and a difference
// are never equal.
func fewestFirst(found []tiles) []tiles {
	slices.SortFunc(found, inOrder)
	return found
}

// inOrder compares sets: fewer tiles first; with as many, the highest tile in which they differ decides.
func inOrder(a, b tiles) int { return cmp.Or(a.count()-b.count(), int(b)-int(a)) }

// closable returns the sets that a throw of a turn may close under all rules: none after a seven that ends the turn,
// and only sets with the required tile if first is true.
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

// chance returns how many results of a throw of count dice close something, and how many results there are.
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

// throws calls each with every result of a throw of count dice, until it returns false. The faces are valid during the
// call only.
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
