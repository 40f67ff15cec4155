package shutbox

import (
	"math/bits"
	"slices"
)

// closing is what throws of so many dice may close on a full board: on every
// other board it is as much of that as is open. Every set has a bit in some
// words, so that those that are open are found in a few steps.
type closing struct {
	dice  int
	ways  float32 // in which the dice can fall
	seven float32 // how many of them end the round
	kinds []kind
	sets  []uint16   // masks, those of the first kind first, each in the order of Match.Moves
	of    []uint16   // by set, the kind of throw that may close it
	with  [][]uint64 // by tile, the sets that it is in
	can   []uint64   // the sets to be closed at the open tiles that were looked at
}

// kind is what some throws have in common: what may be closed.
type kind struct {
	key  int
	ways uint16 // how many throws of dice it is
}

// closing lists what so many dice may close.
func (b *board) closing(dice int) *closing {
	c := &closing{dice: dice}
	var sets [][]tiles
	b.r.throws(dice, func(faces []int) bool {
		key := b.r.sort(faces)
		i := slices.IndexFunc(c.kinds, func(k kind) bool { return k.key == key })
		if i < 0 {
			i = len(c.kinds)
			c.kinds = append(c.kinds, kind{key: key})
			sets = append(sets, b.r.closable(b.r.tiles, faces, false))
		}
		c.kinds[i].ways++
		c.ways++
		if b.r.seven == endsRound && total(faces) == 7 {
			c.seven++
		}
		return true
	})
	for i := range sets {
		for _, set := range sets[i] {
			c.sets, c.of = append(c.sets, uint16(b.mask(set))), append(c.of, uint16(i))
		}
	}
	c.number(len(b.numbers))
	return c
}

// number gives each set its bit.
func (c *closing) number(tiles int) {
	words := (len(c.sets) + 63) / 64
	room := make([]uint64, (tiles+1)*words)
	c.can, c.with = room[:words], make([][]uint64, tiles)
	for i := range c.with {
		c.with[i] = room[(i+1)*words:][:words]
	}
	for i, set := range c.sets {
		for ; set != 0; set &= set - 1 {
			c.with[bits.TrailingZeros16(set)][i/64] |= 1 << (i % 64)
		}
	}
}

// look finds what can be closed at some open tiles, if it has to hold all tiles
// that are needed.
func (c *closing) look(open, needed int) {
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

// choices counts the choices at all open tiles together.
func (c *closing) choices() int {
	n := 0
	for _, set := range c.sets {
		n += 1 << (len(c.with) - bits.OnesCount16(set))
	}
	return n
}
