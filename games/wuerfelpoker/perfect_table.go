package wuerfelpoker

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// The table of what every sheet is worth under perfect play.

// workers is how many goroutines fill a table.
const workers = 2

// rowSet is a set of rows, one bit each, the upper row the lower bit.
type rowSet uint16

const (
	wholeSchool rowSet = 1<<schoolRows - 1
	wholeSheet  rowSet = 1<<rows - 1
	wholeRest          = wholeSheet &^ wholeSchool
)

func (s rowSet) has(w row) bool { return s>>w&1 == 1 }
func (s rowSet) size() int      { return bits.OnesCount16(uint16(s)) }

// table holds what the rest of a match is worth to a seat that plays its own
// total as high as can be, before each of its rounds:
//
//	V(open, sum, 0)    = the bonus of a whole school, else 0
//	V(open, sum, left) = the average over the throws of the round of the best of
//	                     points + V(open without the row, sum of the school with it, left-1)
//
// Under miss=strike the rounds left are as many as open rows; under
// miss=deferred they may be fewer, and a round may end with no row.
//
// A sum of the school matters only while it can still change the bonus: those
// from which the school cannot come to 0 or cannot fall below it count as one,
// and all do where the rounds left are too few for its open rows.
type table struct {
	rules  rules
	within rowSet // the rows that may be open
	misses bool   // a round may end with no row
	values [1 << schoolRows][]float64
	sums   [1 << schoolRows]sums
	later  [rows][]scored // by throw, what each row gives
	first  [rows][]scored // the same on the first throw, where that is more
}

// scored is what one throw gives in one row.
type scored struct {
	throw  uint16
	points float64
}

// sums are the sums that the written rows of a school may have.
type sums struct {
	low, high int   // all below low, and above high, count as one
	reached   []int // those that can come up
}

// at returns the place of a sum among those told apart.
func (s sums) at(sum int) int { return min(max(sum, s.low), s.high) - s.low }

func (s sums) count() int { return s.high - s.low + 1 }

// newTable returns the table of all sheets whose open rows are within a set,
// to be filled.
func newTable(r rules, within rowSet) *table {
	t := &table{rules: r, within: within, misses: r.deferred && within&wholeRest != 0}
	for school := rowSet(0); school <= wholeSchool; school++ {
		if school&^within != 0 {
			continue
		}
		t.sums[school] = t.sumsBeside(school)
		t.values[school] = make([]float64, t.sums[school].count()*t.perSum())
	}
	t.score()
	return t
}

// sumsBeside returns the sums of a school of which these rows are open.
func (t *table) sumsBeside(openRows rowSet) sums {
	if t.within&wholeSchool == 0 || !t.rules.plus && !t.rules.minus {
		return sums{reached: []int{0}}
	}
	const least, spread = -3 * 21, 5*21 + 1 // all handSize wrong, all dice right
	faces := 0
	var reached, told [spread]bool
	reached[-least] = true
	for w := ones; w <= sixes; w++ {
		if openRows.has(w) {
			faces += w.face()
			continue
		}
		var more [spread]bool
		for i, is := range reached {
			for n := range handSize + 1 {
				if is {
					more[i+(n-3)*w.face()] = true
				}
			}
		}
		reached = more
	}
	for i, is := range reached {
		if is {
			told[min(max(i+least, -2*faces-1), 3*faces)-least] = true
		}
	}
	s := sums{}
	for i, is := range told {
		if is {
			s.reached = append(s.reached, i+least)
		}
	}
	s.low, s.high = s.reached[0], s.reached[len(s.reached)-1]
	return s
}

// perSum is how many values stand for one school and one sum of it.
func (t *table) perSum() int {
	n := 1
	if t.within&wholeRest != 0 {
		n = 1 << combinations
	}
	if t.misses {
		n *= rows + 1
	}
	return n
}

// bytes is how much memory the values take.
func (t *table) bytes() int {
	n := 0
	for _, values := range t.values {
		n += len(values) * 8
	}
	return n
}

// slot is the place of a value among those of its school.
func (t *table) slot(openRows rowSet, sum, left int) *float64 {
	school := openRows & wholeSchool
	if t.bonusless(openRows, left) {
		sum = 0
	}
	i := int(openRows >> schoolRows)
	if t.misses {
		i = i*(rows+1) + left
	}
	return &t.values[school][t.sums[school].at(sum)*t.perSum()+i]
}

// score prepares what each row gives for each throw.
func (t *table) score() {
	l := keepsAndThrows()
	for w := pair; w <= chance; w++ {
		if !t.within.has(w) {
			continue
		}
		for i := range allThrows {
			c := l.counts[fewer+i]
			points, there := t.rules.pointsOf(w, c, false)
			if !there {
				continue
			}
			t.later[w] = append(t.later[w], scored{uint16(i), float64(points)})
			if double, _ := t.rules.pointsOf(w, c, true); double > points {
				t.first[w] = append(t.first[w], scored{uint16(i), float64(double)})
			}
		}
	}
}

// fill computes all values, those with fewer rounds left first: they need
// nothing of each other.
func (t *table) fill() {
	for left := range t.within.size() + 1 {
		var sets []rowSet
		for s := t.within; ; s = (s - 1) & t.within {
			if s.size() == left || t.misses && s.size() > left {
				sets = append(sets, s)
			}
			if s == 0 {
				break
			}
		}
		var next atomic.Int64
		var group sync.WaitGroup
		for range min(workers, len(sets)) {
			group.Go(func() {
				w := &roundWorth{lattice: keepsAndThrows()}
				for i := next.Add(1) - 1; int(i) < len(sets); i = next.Add(1) - 1 {
					t.fillSet(w, sets[i], left)
				}
			})
		}
		group.Wait()
	}
}

// bonusless says that the school cannot become whole any more.
func (t *table) bonusless(openRows rowSet, left int) bool {
	return t.misses && left < (openRows&wholeSchool).size()
}

func (t *table) fillSet(w *roundWorth, openRows rowSet, left int) {
	reached := t.sums[openRows&wholeSchool].reached
	if t.bonusless(openRows, left) {
		reached = reached[:1] // all are alike
	}
	for _, sum := range reached {
		*t.slot(openRows, sum, left) = t.value(w, openRows, sum, left)
	}
}

func (t *table) value(w *roundWorth, openRows rowSet, sum, left int) float64 {
	switch {
	case left > 0:
		t.ends(w, openRows, sum, left)
		return w.expected()
	case openRows&wholeSchool == 0 && t.within&wholeSchool != 0:
		return float64(t.rules.bonusFor(sum))
	}
	return 0
}

// ends finds what every throw is worth to whoever ends the round with it.
//
// A combination that is missing is struck, which is worth the value of the
// sheet without it. One that is there cannot be struck, but to write it is
// worth no less; so the best strike of all open ones bounds every throw.
func (t *table) ends(w *roundWorth, openRows rowSet, sum, left int) {
	least := -1e9
	if t.misses {
		least = *t.slot(openRows, sum, left-1)
	}
	var without [rows]float64
	for r := pair; r <= chance; r++ {
		if openRows.has(r) {
			without[r] = *t.slot(openRows&^(1<<r), sum, left-1)
			if !t.misses && r != chance {
				least = max(least, without[r])
			}
		}
	}
	for i := range allThrows {
		w.later[i] = least
	}
	t.endsInSchool(w, openRows, sum, left)
	for r := pair; r <= chance; r++ {
		if openRows.has(r) {
			raise(&w.later, t.later[r], without[r])
		}
	}
	w.first = w.later
	for r := pair; r <= chance; r++ {
		if openRows.has(r) {
			raise(&w.first, t.first[r], without[r])
		}
	}
}

func raise(ends *[slots]float64, gives []scored, rest float64) {
	for _, g := range gives {
		i := g.throw % slots
		ends[i] = max(ends[i], g.points+rest)
	}
}

func (t *table) endsInSchool(w *roundWorth, openRows rowSet, sum, left int) {
	for r := ones; r <= sixes; r++ {
		if !openRows.has(r) {
			continue
		}
		var worth [8]float64 // by the number of dice that show the face
		for n := range handSize + 1 {
			points := (n - 3) * r.face()
			worth[n] = float64(points) + *t.slot(openRows&^(1<<r), sum+points, left-1)
		}
		shown := &w.lattice.shown[r]
		for i := range allThrows {
			w.later[i] = max(w.later[i], worth[shown[i]%8])
		}
	}
}
