package shutbox

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// rules holds the options of a match in parsed form. All states of the match share them, so they must not be changed.
type rules struct {
	variant string // canoga, luckySeven, or "" for a classic match
	tiles   tiles  // the open tiles at the start of a turn
	dice    int    // number of dice
	sides   int    // number of sides of each die
	oneDie  string // highShut, highShutForced, sumSix, lastOne or never
	close   string // plainSum, sumOrDifference, sumOrTile, twoTiles or oneTile
	score   string // plainSum, scoreCount or scoreDigits
	first   int    // the tile that the first throw of a turn must close, or 0
	seven   string // none, endsTurn or endsRound
	match   string // single, rounds, knockout or until
	limit   int    // the number of rounds or the limit of the total, 0 for single
	shut    string // shutWins, shutZero or shutDouble
	ties    string // share or rollOff
}

// parseRules returns the parsed form of canonical options, as returned by Check.
func parseRules(canonical games.Rules) *rules {
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
	out.first, _ = parseNumber(value["first-throw"])
	dice, sides, _ := strings.Cut(value["dice"], "d")
	out.dice, _ = parseNumber(dice)
	out.sides, _ = parseNumber(sides)
	if out.variant == luckySeven {
		out.tiles = 1 << 7
	}
	return out
}

// points returns the score of a turn in which the tiles of open stay open.
func (r *rules) points(open tiles) int {
	switch r.score {
	case scoreCount:
		return open.count()
	case scoreDigits:
		return open.digits()
	}
	return open.sum()
}

// diceCounts returns the numbers of dice that may be thrown while these tiles are open, the number of all dice first.
func (r *rules) diceCounts(open tiles) []int {
	switch may, must := r.oneDieAt(open); {
	case must:
		return []int{1}
	case may:
		return []int{r.dice, 1}
	}
	return []int{r.dice}
}

// oneDieAt reports whether one die may be thrown instead of all while these tiles are open, and whether it must be.
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

// choices returns every set of open tiles that the throw faces may close, in the order of sumSets. It ignores the
// rules on the first throw and on a seven; closable applies them.
func (r *rules) choices(open tiles, faces []int) []tiles {
	sum := total(faces)
	switch r.close {
	case twoTiles:
		return sumSets(open, sum, 2)
	case oneTile:
		return singleTiles(open, append(slices.Clone(faces), sum)...)
	case sumOrTile:
		return fewestFirst(append(sumSets(open, sum, highestTile), singleTiles(open, difference(faces))...))
	case sumOrDifference:
		return fewestFirst(append(sumSets(open, sum, highestTile), sumSets(open, difference(faces), highestTile)...))
	}
	return sumSets(open, sum, highestTile)
}

// throwKey returns a key for the throw faces. Throws with the same key may close the same sets.
func (r *rules) throwKey(faces []int) int {
	if r.close == plainSum || r.close == twoTiles || len(faces) == 1 {
		return total(faces)
	}
	sorted, key := slices.Clone(faces), 0
	slices.Sort(sorted)
	for _, face := range sorted {
		key = key*32 + face
	}
	return key
}

// isThrow reports whether faces is empty or a possible throw under these rules.
func (r *rules) isThrow(faces []int) bool {
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

// difference returns the difference between the faces of two dice, 0 for any other number of dice.
func difference(faces []int) int {
	if len(faces) != 2 {
		return 0
	}
	return max(faces[0]-faces[1], faces[1]-faces[0])
}

// singleTiles returns a set of one tile for each tile that is open and in numbers, the highest tile first.
func singleTiles(open tiles, numbers ...int) []tiles {
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

// fewestFirst sorts found in place, the sets with the fewest tiles first, and returns it. It need not remove
// duplicates: the total and the difference of two dice are never equal, so they close different sets.
func fewestFirst(found []tiles) []tiles {
	slices.SortFunc(found, compareSets)
	return found
}

// compareSets is negative if set a comes before set b: a has fewer tiles or, if both have equally many, the highest of
// the tiles that only one of them has.
func compareSets(a, b tiles) int { return cmp.Or(a.count()-b.count(), int(b)-int(a)) }

// closable returns the sets that the throw faces may close under all rules: none after a seven that ends the turn.
// first is true for the first throw of a turn, which may only close sets with the required tile, if a tile is required.
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

// chance returns how many results of a throw of count dice can close something (good), and how many results there are
// (all). first is true for the first throw of a turn.
func (r *rules) chance(open tiles, count int, first bool) (good, all int) {
	r.eachThrow(count, func(faces []int) bool {
		all++
		if len(r.closable(open, faces, first)) > 0 {
			good++
		}
		return true
	})
	return good, all
}

// eachThrow calls each with the results of a throw of count dice, one after another, until each returns false. faces is
// valid during the call only.
func (r *rules) eachThrow(count int, each func(faces []int) bool) {
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
