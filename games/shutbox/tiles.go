package shutbox

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// highestTile is the highest number that a tile may have.
const highestTile = 24

// tiles is a set of tiles: bit n is set if it contains tile n.
type tiles uint32

// upTo returns the set of the tiles from 1 to n.
func upTo(n int) tiles { return 1<<(n+1) - 2 }

// has reports whether the set contains tile n.
func (t tiles) has(n int) bool { return t>>n&1 == 1 }

// count returns the number of tiles in the set.
func (t tiles) count() int { return bits.OnesCount32(uint32(t)) }

// top returns the highest tile, -1 if there is none.
func (t tiles) top() int { return bits.Len32(uint32(t)) - 1 }

// sum returns the sum of the numbers of the tiles.
func (t tiles) sum() int {
	sum := 0
	for ; t != 0; t &= t - 1 {
		sum += bits.TrailingZeros32(uint32(t))
	}
	return sum
}

// digits returns the number that the tiles show when read in ascending order as decimal digits: 1, 4 and 10 are 1410.
func (t tiles) digits() int {
	number := 0
	for ; t != 0; t &= t - 1 {
		n := bits.TrailingZeros32(uint32(t))
		if n >= 10 {
			number *= 10
		}
		number = number*10 + n
	}
	return number
}

// list returns the numbers of the tiles, the lowest first.
func (t tiles) list() []int {
	numbers := make([]int, 0, t.count())
	for ; t != 0; t &= t - 1 {
		numbers = append(numbers, bits.TrailingZeros32(uint32(t)))
	}
	return numbers
}

// descending returns the numbers of the tiles, the highest first, as moves and buttons name them.
func (t tiles) descending() games.Tiles {
	numbers := t.list()
	slices.Reverse(numbers)
	return numbers
}

// String returns the set as a move spells it: "9+2".
func (t tiles) String() string {
	var room [3 * highestTile]byte
	b := room[:0]
	for t != 0 {
		if len(b) > 0 {
			b = append(b, '+')
		}
		n := t.top()
		b = strconv.AppendInt(b, int64(n), 10)
		t &^= 1 << n
	}
	return string(b)
}

// parseSet returns the set that s spells, as String does, and false if s is not a set.
func parseSet(s string) (tiles, bool) {
	var set tiles
	for word := range strings.SplitSeq(s, "+") {
		n, ok := parseNumber(word)
		if !ok || n < 1 || n > highestTile || set.has(n) {
			return 0, false
		}
		set |= 1 << n
	}
	return set, set.String() == s
}

// sumSets returns every set of at most maxTiles open tiles whose sum is total. Sets of fewer tiles come first, of sets
// of equally many the one with the higher highest tile: 9+2, 8+3, 7+4, 6+5, 8+2+1, … The strategy "fewest" prefers sets
// in this order, and buttons show them in it.
func sumSets(open tiles, total, maxTiles int) []tiles {
	var found []tiles
	maxTiles = min(maxTiles, open.count())
	for size, least := 1, 1; size <= maxTiles && least <= total; size++ {
		found = appendSets(found, open, 0, total, size)
		least += size + 1 // the sum of the size+1 lowest tiles there can be
	}
	return found
}

// appendSets appends to found the union of chosen with every set of size tiles in open whose sum is total. It tries the
// higher tiles first, which gives the order of sumSets.
func appendSets(found []tiles, open, chosen tiles, total, size int) []tiles {
	if size == 1 {
		if total > 0 && total <= highestTile && open.has(total) {
			found = append(found, chosen|1<<total)
		}
		return found
	}
	for open != 0 {
		n := open.top()
		open &^= 1 << n
		if n*size-size*(size-1)/2 < total {
			return found // this tile and the size-1 numbers right below it add up to less than total
		}
		if n < total {
			found = appendSets(found, open, chosen|1<<n, total-n, size-1)
		}
	}
	return found
}

// parseTiles returns the tiles of a board that s spells: "9" means 1 to 9, "1,3-5" lists numbers and ranges. Spaces are
// ignored. It returns false for any other text.
func parseTiles(s string) (tiles, bool) {
	s = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, s)
	if n, ok := parseNumber(s); ok {
		return upTo(min(n, highestTile)), n >= 1 && n <= highestTile
	}
	var set tiles
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		low, ok := parseNumber(from)
		high, ok2 := parseNumber(to)
		if !ok || !ok2 || low < 1 || low > high || high > highestTile {
			return 0, false
		}
		set |= upTo(high) &^ upTo(low-1)
	}
	return set, true
}

// spellTiles returns the canonical spelling of the tiles of a board: "9" for 1 to 9, "4-9", "1,3,5,7,9", or "7-7" for
// tile 7 alone. Three or more consecutive tiles become a range.
func spellTiles(set tiles) string {
	if set == upTo(set.top()) {
		return strconv.Itoa(set.top())
	}
	var parts []string
	for left := set; left != 0; {
		low := bits.TrailingZeros32(uint32(left))
		high := low
		for left.has(high + 1) {
			high++
		}
		left &^= upTo(high)
		switch high - low {
		case 0:
			parts = append(parts, strconv.Itoa(low))
		case 1:
			parts = append(parts, strconv.Itoa(low), strconv.Itoa(high))
		default:
			parts = append(parts, strconv.Itoa(low)+"-"+strconv.Itoa(high))
		}
	}
	if set.count() == 1 {
		return parts[0] + "-" + parts[0]
	}
	return strings.Join(parts, ",")
}

// parseNumber returns the number that the digits of s spell, and false for any other text.
func parseNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 60)
	return int(n), err == nil
}
