package sheet

import (
	"slices"
	"sync"
)

// The keeps of some dice and how they lead to each other, for perfect play.

// lanes is how many positions are computed side by side: what stands in one lane has nothing to do with what stands in
// another, so that the work on all of them is the same, and a processor does it at once.
const lanes = 8

// lane holds a value for each of these positions.
type lane [lanes]float64

// stride is what stands for each value before another in a list of such places, so that a processor need not multiply.
const stride = lanes

// lattice is how keeps lead to each other. A keep, for perfect play, is a number of dice of each face: with five dice
// there are 462 of none to five dice, and those with five are the 252 throws. They stand by size. What a keep is worth
// before its other dice are thrown is the average of its six extensions by one die, so that no keep has to look at all
// throws that it may become. Those of one size stand by how many faces they show, which is how many have one die less:
// so a processor does the same for many of them in a row.
type lattice struct {
	counts  []counts
	fewer   int             // keeps with less than all dice; they stand first
	up      [][sides]uint16 // with one die more, by its face, as strides
	down    []uint16        // those with one die less of each keep of fewer dice, as choose reads them
	downAll []uint16        // the same for throws
	chance  []float64       // of a throw
	number  map[counts]uint32
	some    [][sides / 2]uint8 // how often three faces may be shown: all there is, in dice by stride
	halves  [][2]uint16        // of a throw: what the first three faces show among some, and what the last, as strides
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
		slices.SortStableFunc(l.counts[l.fewer:], func(a, b counts) int { return a.faces() - b.faces() })
	}
	for i, c := range l.counts {
		l.number[c] = uint32(i)
	}
	l.up = make([][sides]uint16, l.fewer)
	for i, c := range l.counts {
		for face := 1; face <= sides; face++ {
			if more := c; i < l.fewer {
				more[face]++
				l.up[i][face-1] = uint16(l.number[more] * stride)
			}
		}
		if i >= l.fewer {
			l.chance = append(l.chance, c.chance())
		}
	}
	l.down, l.downAll = l.less(l.counts[:l.fewer]), l.less(l.throws())
	l.halve()
	return l
}

// halve finds what three faces show.
func (l *lattice) halve() {
	place := map[[sides / 2]uint8]uint16{}
	of := func(shown []uint8) uint16 {
		some := [sides / 2]uint8{}
		for i, n := range shown {
			some[i] = n * stride
		}
		if _, known := place[some]; !known {
			place[some] = uint16(len(l.some)) * stride
			l.some = append(l.some, some)
		}
		return place[some]
	}
	for _, c := range l.throws() {
		l.halves = append(l.halves, [2]uint16{of(c[1 : 1+sides/2]), of(c[1+sides/2:])})
	}
}

// less lists the keeps with one die less than some: for all in a row that have the same number of them, how many keeps
// these are, that number, and then the keeps with one die less of each, as strides.
func (l *lattice) less(of []counts) (list []uint16) {
	run := 0
	for i, c := range of {
		if i == 0 || c.faces() != of[i-1].faces() {
			run = len(list)
			list = append(list, 0, uint16(c.faces()))
		}
		list[run]++
		for face := range c {
			if fewer := c; c[face] > 0 {
				fewer[face]--
				list = append(list, uint16(l.number[fewer]*stride))
			}
		}
	}
	return list
}

// add lists all keeps of c and so many dice more, of this face or higher.
func (l *lattice) add(c counts, face, more int) {
	if more == 0 {
		l.counts = append(l.counts, c)
		return
	}
	for ; face <= sides; face++ {
		c[face]++
		l.add(c, face, more-1)
		c[face]--
	}
}

// throws returns the keeps of all dice.
func (l *lattice) throws() []counts { return l.counts[l.fewer:] }

// faces returns how many different faces there are.
func (c counts) faces() int {
	n := 0
	for _, count := range c {
		n += min(int(count), 1)
	}
	return n
}

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

// The arithmetic of perfect play, on all lanes at once, in plain Go. A processor with vectors of four numbers does it
// with these (kernel_amd64.s), which gives the same bits.
var (
	average     = averagePlain
	choose      = choosePlain
	raise       = raisePlain
	bestOfThree = bestOfThreePlain
	bestOfBoth  = bestOfBothPlain
	expect      = expectPlain
)

// scored is what one throw gives in one row.
type scored struct {
	throw  uint32
	points float64
}

// averagePlain fills v for all keeps of less than all dice: the average of the six keeps of one die more.
func averagePlain(v []lane, up [][sides]uint16) {
	for i := len(up) - 1; i >= 0; i-- {
		u := &up[i]
		a, b, c := &v[u[0]/stride], &v[u[1]/stride], &v[u[2]/stride]
		d, e, f := &v[u[3]/stride], &v[u[4]/stride], &v[u[5]/stride]
		to := &v[i]
		for l := range lanes {
			to[l] = (((a[l] + b[l]) + (c[l] + d[l])) + (e[l] + f[l])) * (1.0 / sides)
		}
	}
}

// choosePlain fills to: what a keep is worth by itself, or the best of those with one die less. The list down holds
// them as lattice.less makes it.
func choosePlain(to, itself, best []lane, down []uint16) {
	for i := 0; len(down) > 0; {
		keeps, each := down[0], down[1]
		for down = down[2:]; keeps > 0; keeps-- {
			to[i] = itself[i]
			for _, k := range down[:each] {
				from := &best[k/stride]
				for l := range lanes {
					to[i][l] = max(to[i][l], from[l])
				}
			}
			down = down[each:]
			i++
		}
	}
}

// raisePlain raises what throws are worth to what a row gives for them and leaves.
func raisePlain(ends []lane, gives []scored, rest *lane) {
	for _, g := range gives {
		to := &ends[g.throw]
		for l := range lanes {
			to[l] = max(to[l], g.points+rest[l])
		}
	}
}

// bestOfThreePlain fills to: the best of what rows of three faces are worth, by how many dice show each, and of least.
func bestOfThreePlain(to []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) {
	for i, n := range shown {
		to[i] = *least
		for r, worth := range rows {
			from := &worth[n[r]/stride]
			for l := range lanes {
				to[i][l] = max(to[i][l], from[l])
			}
		}
	}
}

// bestOfBothPlain fills to: the best of what the first three faces and the last are worth.
func bestOfBothPlain(to []lane, halves [][2]uint16, first, last []lane) {
	for i, h := range halves {
		a, b := &first[h[0]/stride], &last[h[1]/stride]
		for l := range lanes {
			to[i][l] = max(a[l], b[l])
		}
	}
}

// expectPlain fills sum with the average of what throws are worth.
func expectPlain(sum *lane, chance []float64, v []lane) {
	*sum = lane{}
	for i, p := range chance {
		for l := range lanes {
			sum[l] += float64(p * v[i][l]) // rounded by itself, on every processor
		}
	}
}
