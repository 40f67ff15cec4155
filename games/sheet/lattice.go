package sheet

import (
	"slices"
	"sync"
)

// The sets of dice that a player can keep and how one leads to another, for perfect play.

// lanes is the number of positions (states of a page) that perfect play computes side by side, one in each lane. They
// are independent and need the same operations, so a processor with vectors computes them at once.
const lanes = 8

// lane holds one value for each of the positions that are computed side by side.
type lane [lanes]float64

// stride is the distance in values between neighbouring lanes in memory. Indices are stored multiplied by it, so that
// the assembly code need not do that.
const stride = lanes

// lattice holds the keeps of a number of dice, and which follow from which. A keep is a set of kept dice: how many show
// each face. With five dice there are 462 keeps, of none to five dice; the 252 keeps of all five dice are the throws.
//
// Before the other dice are thrown, the value of a keep is the average of the six keeps with one die more, so it is not
// necessary to visit all throws that may follow. Keeps are sorted by size, then by the number of faces they show. A
// keep that shows n faces has n keeps with one die less, so the processor does equal work for many keeps in a row.
type lattice struct {
	counts  []counts
	fewer   int                // number of keeps with less than all dice; they come first
	up      [][sides]uint16    // by keep and face: the index of the keep with one die more, times stride
	down    []uint16           // the result of fewerDice for the keeps with less than all dice
	downAll []uint16           // the result of fewerDice for the throws
	chance  []float64          // the probability of each throw
	number  map[counts]uint32  // the index of each keep in the field counts
	some    [][sides / 2]uint8 // all possible numbers of dice that show each of three faces, times stride
	halves  [][2]uint16        // by throw: two indices in the field some, for its faces 1 to 3 and 4 to 6, times stride
}

// lattices holds, by number of dice, functions that return the lattice of that many dice, built on their first call.
var lattices = func() (all [maxDice + 1]func() *lattice) {
	for dice := range all {
		all[dice] = sync.OnceValue(func() *lattice { return newLattice(dice) })
	}
	return all
}()

// newLattice returns the lattice (all sets of kept dice, and which follow from which) of that many dice.
func newLattice(dice int) *lattice {
	l := &lattice{number: map[counts]uint32{}}
	for size := range dice + 1 {
		l.fewer = len(l.counts)
		l.add(counts{}, 1, size)
		slices.SortStableFunc(l.counts[l.fewer:], func(a, b counts) int { return a.faceCount() - b.faceCount() })
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
	l.down, l.downAll = l.fewerDice(l.counts[:l.fewer]), l.fewerDice(l.throws())
	l.setHalves()
	return l
}

// setHalves sets the fields some and halves, which divide each throw into its faces 1 to 3 and its faces 4 to 6.
func (l *lattice) setHalves() {
	indices := map[[sides / 2]uint8]uint16{}
	indexOf := func(shown []uint8) uint16 {
		some := [sides / 2]uint8{}
		for i, n := range shown {
			some[i] = n * stride
		}
		if _, known := indices[some]; !known {
			indices[some] = uint16(len(l.some)) * stride
			l.some = append(l.some, some)
		}
		return indices[some]
	}
	for _, c := range l.throws() {
		l.halves = append(l.halves, [2]uint16{indexOf(c[1 : 1+sides/2]), indexOf(c[1+sides/2:])})
	}
}

// fewerDice returns a list of the sets of kept dice that have one die less than each of keeps. keeps consists of runs
// that show equally many faces. For each run the list holds its length, that number of faces, and then for each keep of
// the run the indices, times stride, of its sets with one die less.
func (l *lattice) fewerDice(keeps []counts) (list []uint16) {
	run := 0
	for i, c := range keeps {
		if i == 0 || c.faceCount() != keeps[i-1].faceCount() {
			run = len(list)
			list = append(list, 0, uint16(c.faceCount()))
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

// add appends all sets of kept dice that consist of c and further dice: more is their number, face their least face.
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

// throws returns the possible throws: the sets of kept dice that contain all dice.
func (l *lattice) throws() []counts { return l.counts[l.fewer:] }

// faceCount returns how many different faces c contains.
func (c counts) faceCount() int {
	n := 0
	for _, count := range c {
		n += min(int(count), 1)
	}
	return n
}

// chance returns the probability that a throw of as many dice as c contains shows exactly c.
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

// The arithmetic of perfect play, on all lanes at once, in plain Go. On processors with AVX2 (vectors) the variables
// hold the functions of kernel_amd64.s instead, which return exactly the same numbers.
var (
	average     = averagePlain
	choose      = choosePlain
	raise       = raisePlain
	bestOfThree = bestOfThreePlain
	bestOfBoth  = bestOfBothPlain
	expect      = expectPlain
)

// scored is one throw, by its index, and its points in one row.
type scored struct {
	throw  uint32
	points float64
}

// averagePlain sets the elements of v for all sets of kept dice with less than all dice: each to the average of its six
// sets with one die more, whose indices, times stride, are in up.
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

// choosePlain sets results[i], for each set i of kept dice, to the maximum of kept[i] and of the elements of best for
// the subsets of i with one die less. down lists the indices of these subsets, as returned by lattice.fewerDice.
func choosePlain(results, kept, best []lane, down []uint16) {
	for i := 0; len(down) > 0; {
		keeps, each := down[0], down[1]
		for down = down[2:]; keeps > 0; keeps-- {
			results[i] = kept[i]
			for _, k := range down[:each] {
				from := &best[k/stride]
				for l := range lanes {
					results[i][l] = max(results[i][l], from[l])
				}
			}
			down = down[each:]
			i++
		}
	}
}

// raisePlain sets ends[g.throw], for each g in gives, to g.points plus rest if this is more. gives holds throws with
// their points in one row; rest is the value of the page after that row is filled.
func raisePlain(ends []lane, gives []scored, rest *lane) {
	for _, g := range gives {
		to := &ends[g.throw]
		for l := range lanes {
			to[l] = max(to[l], g.points+rest[l])
		}
	}
}

// bestOfThreePlain sets results[i] to the maximum of least and, for each of three rows r of faces, rows[r][n]: n is the
// number of dice that show the face of row r; shown[i][r] holds n times stride.
func bestOfThreePlain(results []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) {
	for i, n := range shown {
		results[i] = *least
		for r, worth := range rows {
			from := &worth[n[r]/stride]
			for l := range lanes {
				results[i][l] = max(results[i][l], from[l])
			}
		}
	}
}

// bestOfBothPlain sets each element of results, one for each throw, to the larger of two values: one in first, for its
// dice that show 1 to 3, and one in last, for those that show 4 to 6. halves holds their indices, times stride.
func bestOfBothPlain(results []lane, halves [][2]uint16, first, last []lane) {
	for i, h := range halves {
		a, b := &first[h[0]/stride], &last[h[1]/stride]
		for l := range lanes {
			results[i][l] = max(a[l], b[l])
		}
	}
}

// expectPlain sets sum to the expected value of a throw: v holds the value of each throw, chance its probability.
func expectPlain(sum *lane, chance []float64, v []lane) {
	*sum = lane{}
	for i, p := range chance {
		for l := range lanes {
			sum[l] += float64(p * v[i][l]) // the conversion forbids fused multiply-add, so all processors agree
		}
	}
}
