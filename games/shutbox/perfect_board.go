package shutbox

import (
	"math/bits"
	"slices"
)

// mostSolved is the most tiles that a board may have for perfect play: there
// are 2 to the power of it sets of open tiles, and a value for each.
const mostSolved = 16

// board is how a turn leads from open tiles to open tiles, laid out for perfect
// play: every set of open tiles with the throws that it allows, every throw
// with the sets that stay open after it. A set is a mask, a bit for each tile
// of the board, the lowest tile the lowest bit. Closing tiles makes a mask
// smaller, so that masks in rising order are an order in which to solve them.
type board struct {
	r       *rules
	numbers []int   // the tile of each bit
	full    int     // the mask of all tiles
	tiles   []tiles // by mask
	points  []int   // by mask
	first   []int32 // by mask, and one beyond: where its throwings begin, the safest first
	throws  []throwing
	falls   []fall
	next    []uint16 // masks: what stays open
}

// throwing is throwing so many dice at some open tiles.
type throwing struct {
	dice      int
	ways      float64 // in which the dice can fall
	scale     float64 // one by ways
	stuck     float64 // how many of them end the turn
	seven     float64 // how many end the round
	from, end int32   // its falls
}

// good is how many ways leave something to close.
func (t *throwing) good() float64 { return t.ways - t.stuck - t.seven }

// fall is a way in which dice fall that leaves a choice. Its choices, masks of
// what stays open, are those from where the fall before ends; they stand in the
// order of Match.Moves.
type fall struct {
	ways float64 // how many throws of dice it is
	end  int32   // of its choices
}

// thrown is what some throws of the dice have in common: what may be closed.
type thrown struct {
	key    int
	ways   int
	seven  bool
	closes []uint16 // masks, in the order of Match.Moves
}

// newBoard lays a board of at most mostSolved tiles out.
func newBoard(r *rules) *board {
	b := outline(r)
	all, ones := b.kinds()
	b.room(all, ones)
	for mask := 1; mask <= b.full; mask++ {
		b.first[mask] = int32(len(b.throws))
		may, must := r.oneDieAt(b.tiles[mask])
		if !must {
			b.lay(mask, r.dice, all)
		}
		if may {
			b.lay(mask, 1, ones)
		}
		if two := b.throws[b.first[mask]:]; len(two) == 2 && two[1].good()*two[0].ways > two[0].good()*two[1].ways {
			two[0], two[1] = two[1], two[0]
		}
	}
	b.first[b.full+1] = int32(len(b.throws))
	return b
}

// outline is a board that is not laid out.
func outline(r *rules) *board {
	b := &board{r: r, numbers: r.tiles.list()}
	b.full = 1<<len(b.numbers) - 1
	b.tiles, b.points = make([]tiles, b.full+1), make([]int, b.full+1)
	for mask := 1; mask <= b.full; mask++ {
		b.tiles[mask] = b.tiles[mask&(mask-1)] | tile(b.numbers[bits.TrailingZeros(uint(mask))])
		b.points[mask] = r.points(b.tiles[mask])
	}
	return b
}

// work is how many choices the pool of so many seats has, at most, and how many
// scores a turn may have.
func (r *rules) work(seats int) (work, scores int) {
	b := outline(r)
	scores = len(b.scoresOf())
	return turnsOf(seats, scores) * (b.choices(b.kinds()) + b.full), scores
}

// size is how many bytes the board takes.
func (b *board) size() int {
	return 24*len(b.tiles) + 48*len(b.throws) + 16*len(b.falls) + 2*cap(b.next)
}

// mask is a set of tiles of the board.
func (b *board) mask(open tiles) int {
	mask := 0
	for i, n := range b.numbers {
		if open.has(n) {
			mask |= 1 << i
		}
	}
	return mask
}

// kinds lists the throws of all dice, and of one where it may ever be thrown
// instead.
func (b *board) kinds() (all, ones []thrown) {
	ever := slices.ContainsFunc(b.tiles[1:], func(open tiles) bool {
		may, _ := b.r.oneDieAt(open)
		return may
	})
	if ever {
		ones = b.thrown(1)
	}
	return b.thrown(b.r.dice), ones
}

// thrown lists what may be closed on a full board by each kind of throw: on
// every other board it is as much of that as is open.
func (b *board) thrown(dice int) []thrown {
	var list []thrown
	b.r.throws(dice, func(faces []int) bool {
		key := b.r.sort(faces)
		i := slices.IndexFunc(list, func(t thrown) bool { return t.key == key })
		if i < 0 {
			i = len(list)
			list = append(list, thrown{key: key, seven: b.r.seven == endsRound && total(faces) == 7})
			for _, set := range b.r.closable(b.r.tiles, faces, false) {
				list[i].closes = append(list[i].closes, uint16(b.mask(set)))
			}
		}
		list[i].ways++
		return true
	})
	return list
}

// choices counts the choices at all open tiles together, or more.
func (b *board) choices(all, ones []thrown) int {
	n := 0
	for _, list := range [][]thrown{all, ones} {
		for _, t := range list {
			for _, set := range t.closes {
				n += (b.full + 1) >> bits.OnesCount16(set)
			}
		}
	}
	return n
}

// room makes room for all that lay will append.
func (b *board) room(all, ones []thrown) {
	choices := b.choices(all, ones)
	b.first = make([]int32, b.full+2)
	b.throws = make([]throwing, 0, 2*b.full)
	b.falls = make([]fall, 0, min(choices, b.full*(len(all)+len(ones))))
	b.next = make([]uint16, 0, choices)
}

// lay adds throwing dice at a set of open tiles. A full board is that of a first
// throw, which has to close its tile.
func (b *board) lay(mask, dice int, list []thrown) {
	t, shut := throwing{dice: dice, from: int32(len(b.falls))}, uint16(^mask)
	needed := uint16(0)
	if mask == b.full && b.r.first != 0 {
		needed = uint16(b.mask(tile(b.r.first)))
	}
	for i := range list {
		kind := &list[i]
		t.ways += float64(kind.ways)
		from := len(b.next)
		for _, set := range kind.closes {
			if set&shut == 0 && set&needed == needed {
				b.next = append(b.next, uint16(mask)&^set)
			}
		}
		switch {
		case len(b.next) > from:
			b.falls = append(b.falls, fall{ways: float64(kind.ways), end: int32(len(b.next))})
		case kind.seven:
			t.seven += float64(kind.ways)
		default:
			t.stuck += float64(kind.ways)
		}
	}
	t.scale, t.end = 1/t.ways, int32(len(b.falls))
	b.throws = append(b.throws, t)
}
