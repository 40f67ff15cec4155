package shutbox

import (
	"math/bits"
	"slices"
)

// All sets of tiles of a board and all throws, numbered for perfect play.

// maxSolved is the largest number of tiles for which perfect play is computed: n tiles have 2^n sets of open tiles,
// each with a value.
const maxSolved = 16

// board holds all positions of a turn: for every set of open tiles the possible throws, and for every throw the sets
// that can stay open after it. A set is a mask with a bit for each tile of the board, the lowest bit for the lowest
// tile. Closing tiles makes a mask smaller, so masks can be solved in ascending order.
type board struct {
	r       *rules
	numbers []int      // the tile number of each bit
	full    int        // the mask of all tiles
	tiles   []tiles    // by mask
	points  []int      // by mask, the score if exactly these tiles stay open
	first   []int32    // by mask, the index in throws of its first one; one more element for the end of throws
	throws  []throwing // by mask; those of a mask begin with the throw most likely to close a set
	falls   []fall     // the falls of throws[0], then those of throws[1], and so on
	next    []uint16   // by fall, the masks of the tiles that stay open
}

// throwing is a throw of a certain number of dice while a certain set of tiles is open.
type throwing struct {
	ways  float32 // number of equally likely results
	good  float32 // number of results with which a set can be closed
	stuck float32 // number of results that end the turn, but not the round
	seven float32 // number of results that end the round
	dice  int32
	falls [2]int32 // its falls are board.falls[falls[0]:falls[1]]
	next  int32    // the index in board.next of the first choice of its first fall
}

// fall is a group of those results of a throw that leave the same choices. A choice is the mask of the tiles that stay
// open. board.next holds the choices of a throw fall by fall, in the order of Match.Moves.
type fall struct {
	ways    uint16 // number of results in the group
	choices uint16 // number of choices, at least 1
}

// newBoard returns the board of r, complete with its throws. r has at most maxSolved tiles.
func newBoard(r *rules) *board {
	b := newOutline(r)
	all, one := b.newClosing(r.dice), b.newClosing(1)
	b.first = make([]int32, b.full+2)
	b.throws = make([]throwing, 0, b.full)
	b.falls = make([]fall, 0, min(all.choices(), b.full*len(all.kinds)))
	b.next = make([]uint16, 0, all.choices())
	for mask := 1; mask <= b.full; mask++ {
		first := len(b.throws)
		b.first[mask] = int32(first)
		may, must := r.oneDieAt(b.tiles[mask])
		if !must {
			b.appendThrow(mask, all)
		}
		if may {
			b.appendThrow(mask, one)
		}
		if two := b.throws[first:]; len(two) == 2 && two[1].good*two[0].ways > two[0].good*two[1].ways {
			slices.Reverse(two)
		}
	}
	b.first[b.full+1] = int32(len(b.throws))
	return b
}

// newOutline returns the board of r without its throws, only with its masks and points.
func newOutline(r *rules) *board {
	b := &board{r: r, numbers: r.tiles.list()}
	b.full = 1<<len(b.numbers) - 1
	b.tiles, b.points = make([]tiles, b.full+1), make([]int, b.full+1)
	for mask := 1; mask <= b.full; mask++ {
		b.tiles[mask] = b.tiles[mask&(mask-1)] | 1<<b.numbers[bits.TrailingZeros(uint(mask))]
		b.points[mask] = r.points(b.tiles[mask])
	}
	return b
}

// work returns an upper bound for the number of choices in all turns that are solved for a pool of that many seats, and
// the number of different scores that a turn can have.
func (r *rules) work(seats int) (work, scores int) {
	b := newOutline(r)
	scores = len(b.possibleScores())
	return turnCount(seats, scores) * (b.newClosing(r.dice).choices() + b.newClosing(1).choices() + b.full), scores
}

// size returns about how many bytes the board occupies.
func (b *board) size() int {
	return 16*len(b.tiles) + 32*cap(b.throws) + 4*cap(b.falls) + 2*cap(b.next)
}

// mask returns the set open as a mask: a bit for each tile of the board.
func (b *board) mask(open tiles) int {
	mask := 0
	for i, n := range b.numbers {
		if open.has(n) {
			mask |= 1 << i
		}
	}
	return mask
}

// appendThrow appends to b.throws the throw of c.dice dice while the tiles of mask are open. If these are all tiles, it
// applies the rule about the first throw, which may have to close a certain tile.
func (b *board) appendThrow(mask int, c *closing) {
	needed := 0
	if mask == b.full && b.r.first != 0 {
		needed = b.mask(1 << b.r.first)
	}
	c.findSets(mask, needed)
	t := throwing{ways: c.ways, seven: c.seven, dice: int32(c.dice), next: int32(len(b.next))}
	t.falls[0] = int32(len(b.falls))
	last := -1
	for word, can := range c.can {
		for ; can != 0; can &= can - 1 {
			i := word*64 + bits.TrailingZeros64(can)
			b.next = append(b.next, uint16(mask)&^c.sets[i])
			if of := int(c.of[i]); of != last {
				last = of
				b.falls = append(b.falls, fall{ways: c.kinds[of].ways})
				t.good += float32(c.kinds[of].ways)
			}
			b.falls[len(b.falls)-1].choices++
		}
	}
	t.stuck = t.ways - t.seven - t.good
	t.falls[1] = int32(len(b.falls))
	b.throws = append(b.throws, t)
}

// closing holds the sets that a throw of some dice can close while all tiles are open. If some are shut, findSets
// finds those still possible. In the fields with and can, each set is one bit, so that 64 sets are tested at a time.
type closing struct {
	dice  int
	ways  float32    // number of equally likely results
	seven float32    // number of results that end the round because their sum is seven
	kinds []kind     // the groups of results
	sets  []uint16   // masks, by kind, then in the order of Match.Moves
	of    []uint16   // by set, the index of the kind that may close it
	with  [][]uint64 // by tile, the bits of the sets that contain it
	can   []uint64   // the bits of the sets that findSets has found
}

// kind is a group of those results of a throw that may close the same sets.
type kind struct {
	key  int    // see rules.throwKey
	ways uint16 // number of results in the group
}

// newClosing returns the sets that a throw of that many dice can close while all tiles are open.
func (b *board) newClosing(dice int) *closing {
	c := &closing{dice: dice, with: make([][]uint64, len(b.numbers))}
	b.r.eachThrow(dice, func(faces []int) bool {
		key := b.r.throwKey(faces)
		i := slices.IndexFunc(c.kinds, func(k kind) bool { return k.key == key })
		if i < 0 {
			i = len(c.kinds)
			c.kinds = append(c.kinds, kind{key: key})
			for _, set := range b.r.closable(b.r.tiles, faces, false) {
				c.sets, c.of = append(c.sets, uint16(b.mask(set))), append(c.of, uint16(i))
			}
		}
		c.kinds[i].ways++
		c.ways++
		if b.r.seven == endsRound && total(faces) == 7 {
			c.seven++
		}
		return true
	})
	c.can = make([]uint64, (len(c.sets)+63)/64)
	for tile := range c.with {
		c.with[tile] = make([]uint64, len(c.can))
		for i, set := range c.sets {
			c.with[tile][i/64] |= uint64(set>>tile&1) << (i % 64)
		}
	}
	return c
}

// findSets stores in can which sets contain all tiles of needed and only tiles of open; both are masks.
func (c *closing) findSets(open, needed int) {
	for i := range c.can {
		c.can[i] = ^uint64(0)
	}
	if extra := len(c.sets) % 64; extra > 0 {
		c.can[len(c.can)-1] >>= 64 - extra
	}
	for tile, with := range c.with {
		for i, sets := range with {
			switch {
			case open>>tile&1 == 0:
				c.can[i] &^= sets
			case needed>>tile&1 == 1:
				c.can[i] &= sets
			}
		}
	}
}

// choices returns the number of choices after the throw, added up over all sets of open tiles.
func (c *closing) choices() int {
	n := 0
	for _, set := range c.sets {
		n += 1 << (len(c.with) - bits.OnesCount16(set))
	}
	return n
}
