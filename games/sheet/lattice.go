package sheet

import "sync"

// The keeps of some dice and how they lead to each other, for perfect play.

// lanes is how many positions are computed side by side: what stands in one lane has nothing to do with what stands in
// another, so that the work on all of them is the same, and a processor does it at once.
const lanes = 8

// lane holds a value for each of these positions.
type lane [lanes]float64

// lattice is how keeps lead to each other. A keep, for perfect play, is a number of dice of each face: with five dice
// there are 462 of none to five dice, and those with five are the 252 throws. They stand by size. What a keep is worth
// before its other dice are thrown is the average of its six extensions by one die, so that no keep has to look at all
// throws that it may become.
type lattice struct {
	counts  []counts
	fewer   int             // keeps with less than all dice; they stand first
	up      [][sides]uint32 // with one die more, by its face
	down    []uint32        // for each keep of fewer dice, how many have one die less, and these
	downAll []uint32        // the same for throws
	chance  []float64       // of a throw
	number  map[counts]uint32
	shown   [sides][]uint8 // how many dice of a throw show each face
}

// lattices are those of one to six dice, each made when it is first asked for.
var lattices = func() (all [maxDice + 1]func() *lattice) {
	for dice := range all {
		all[dice] = sync.OnceValue(func() *lattice { return newLattice(dice) })
	}
	return all
}()

func newLattice(dice int) *lattice {
	l := &lattice{number: map[counts]uint32{}}
	for size := range dice + 1 {
		l.fewer = len(l.counts)
		l.add(counts{}, 1, size)
	}
	l.up = make([][sides]uint32, l.fewer)
	for i, c := range l.counts {
		less := []uint32{0}
		for face := 1; face <= sides; face++ {
			more, fewer := c, c
			if more[face]++; i < l.fewer {
				l.up[i][face-1] = l.number[more]
			}
			if fewer[face]--; c[face] > 0 {
				less = append(less, l.number[fewer])
				less[0]++
			}
			if i >= l.fewer {
				l.shown[face-1] = append(l.shown[face-1], c[face])
			}
		}
		if i < l.fewer {
			l.down = append(l.down, less...)
		} else {
			l.downAll = append(l.downAll, less...)
			l.chance = append(l.chance, c.chance())
		}
	}
	return l
}

// add numbers all keeps of c and so many dice more, of this face or higher.
func (l *lattice) add(c counts, face, more int) {
	if more == 0 {
		l.number[c] = uint32(len(l.counts))
		l.counts = append(l.counts, c)
		return
	}
	for ; face <= sides; face++ {
		c[face]++
		l.add(c, face, more-1)
		c[face]--
	}
}

// throws are the keeps of all dice.
func (l *lattice) throws() []counts { return l.counts[l.fewer:] }

// chance returns the chance to throw exactly these dice.
func (c counts) chance() float64 {
	ways, all := 1, 1
	for n := range c.size() {
		ways *= n + 1
		all *= sides
	}
	for _, n := range c {
		for k := range n {
			ways /= int(k) + 1
		}
	}
	return float64(ways) / float64(all)
}
