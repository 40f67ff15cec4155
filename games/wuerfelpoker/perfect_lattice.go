package wuerfelpoker

import "sync"

// The keeps of five dice and how they lead to each other, for perfect play.

// A keep, for perfect play, is a number of dice of each face: there are 462 of
// them with none to five dice, and those with five are the 252 throws. They
// stand in a lattice by size. What a keep is worth before its other dice are
// thrown is the average of its six extensions by one die, so that no keep has
// to look at all throws that it may become.
const (
	allKeeps  = 462
	fewer     = 210 // keeps with at most four dice; they stand first
	allThrows = allKeeps - fewer

	// slots is a power of two above allKeeps: indices that are masked with it
	// need no check of their bounds.
	slots = 512
)

// lattice is how keeps lead to each other.
type lattice struct {
	counts [allKeeps]counts
	up     [fewer][sides]uint16 // with one die more, by its face
	down   [allKeeps]lessOne    // with one die less
	chance [allThrows]float64   // of a throw of five dice
	number map[counts]uint16    // the inverse of counts
	shown  [sides][slots]uint8  // how many dice of a throw show each face
}

// lessOne lists the keeps that have one die less, each once.
type lessOne struct {
	n    int
	keep [handSize]uint16
}

// keepsAndThrows is the lattice, made when it is first asked for.
var keepsAndThrows = sync.OnceValue(func() *lattice {
	l := &lattice{number: map[counts]uint16{}}
	for size := range handSize + 1 {
		l.add(counts{}, 1, size)
	}
	for i, c := range l.counts {
		for face := 1; face <= sides; face++ {
			more, less := c, c
			if more[face]++; i < fewer {
				l.up[i][face-1] = l.number[more]
			}
			if less[face]--; c[face] > 0 {
				d := &l.down[i]
				d.keep[d.n] = l.number[less]
				d.n++
			}
			if i >= fewer {
				l.shown[face-1][i-fewer] = c[face]
			}
		}
		if i >= fewer {
			l.chance[i-fewer] = c.chance()
		}
	}
	return l
})

// add numbers all keeps of c and so many dice more, of this face or higher.
func (l *lattice) add(c counts, face, more int) {
	if more == 0 {
		i := len(l.number)
		l.counts[i], l.number[c] = c, uint16(i)
		return
	}
	for ; face <= sides; face++ {
		c[face]++
		l.add(c, face, more-1)
		c[face]--
	}
}

// chance returns the chance to throw exactly these five dice.
func (c counts) chance() float64 {
	ways, left := 120, []int{1, 1, 2, 6, 24, 120}
	for _, n := range c {
		ways /= left[n]
	}
	return float64(ways) / 7776
}
