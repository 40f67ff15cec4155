package sheet

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// group is a set of positions with the same open rows of the section with a bonus, whose rests (states of the other
// rows) turn.begin can handle together.
type group struct {
	upper rowSet
	rests []int
}

// fill computes the values of all positions, those with fewer turns left first; positions with equally many are
// independent. If there is not nil, it is called after each wave with its number of turns left, from 0 on.
func (at *positions) fill(s *scores, there func(left int)) {
	alike := at.alikeRests()
	for left := range at.waves {
		w := &at.waves[left]
		w.values = make([]float64, w.size)
		if left > 0 { // else they are 0
			var next atomic.Int64
			var working sync.WaitGroup
			groups := at.groups(alike, left)
			for range min(runtime.GOMAXPROCS(0), len(groups)) {
				working.Go(func() {
					t := newTurn(at, s, false)
					for i := next.Add(1) - 1; int(i) < len(groups); i = next.Add(1) - 1 {
						at.fillGroup(t, groups[i], left)
					}
				})
			}
			working.Wait()
		}
		if there != nil {
			there(left)
		}
	}
}

// alikeRests returns the numbers of all rests (states of the rows outside the section with a bonus), grouped by their
// open places, and also by their open rows if equal dice or the order make these matter.
func (at *positions) alikeRests() map[rest][]int {
	alike, p := map[rest][]int{}, at.plan
	for number, r := range at.rests {
		if p.paper.Order == Free && !p.equalMatters() {
			r.open = 0
		}
		alike[r] = append(alike[r], number)
	}
	return alike
}

// groups returns all positions with that many turns left, in groups.
func (at *positions) groups(alike map[rest][]int, left int) []group {
	var all []group
	for upper := range at.whole + 1 {
		for open, rests := range alike {
			places := upper.size() + open.left
			misses := at.plan.paper.Misses && (at.plan.paper.Order != Parts || upper == 0)
			if !(places == left || misses && places > left) || !at.comesUp(upper, rests[0]) {
				continue
			}
			for part := range slices.Chunk(rests, max(part/len(at.told(upper, left)), 1)) {
				all = append(all, group{upper, part})
			}
		}
	}
	return all
}

// part is the largest number of positions of a group, unless it has only one rest, so that goroutines finish together.
const part = 256

// told returns the sums to distinguish when the rows upper are open.
func (at *positions) told(upper rowSet, left int) []int {
	if at.bonusless(upper, left) {
		return at.sums[upper].told[:1] // the bonus is out of reach, so sums do not matter
	}
	return at.sums[upper].told
}

// fillGroup computes and stores the values of a group, lanes of them at a time.
func (at *positions) fillGroup(t *turn, g group, left int) {
	waiting := t.waiting[:0]
	flush := func() {
		worths := t.expected(waiting)
		for _, same := range t.stretches {
			row := at.row(g.upper, same.rest, left)
			for l := same.from; l < same.to; l++ {
				row[t.sum[l]] = worths[l]
			}
		}
		waiting = waiting[:0]
	}
	told := at.told(g.upper, left)
	for _, number := range g.rests {
		for _, sum := range told {
			waiting = append(waiting, position{g.upper, number, sum, left})
			if len(waiting) == lanes {
				flush()
			}
		}
	}
	if len(waiting) > 0 {
		flush()
	}
}

// The values of positions in memory.

// wave holds the values of all positions with the same number of turns left. They depend only on the wave with one turn
// less. They are sorted by open rows of the section, then by rest, then by sum.
type wave struct {
	first  []int     // by open rows of the section: the index of their first value
	beside []*ranked // by open rows of the section: the possible rests
	size   int
	values []float64
}

// ranked is a subset of the rests (states of the rows outside the section with a bonus), numbered from 0.
type ranked struct {
	numbers []int
	places  []int32 // by number of a rest: its index in numbers, or -1
}

// newRanked returns the rests for which wanted is true.
func (at *positions) newRanked(wanted func(number int) bool) *ranked {
	r := &ranked{places: make([]int32, len(at.rests))}
	for number := range at.rests {
		r.places[number] = -1
		if wanted(number) {
			r.places[number] = int32(len(r.numbers))
			r.numbers = append(r.numbers, number)
		}
	}
	return r
}

// newWaves returns the waves without memory for their values.
func (at *positions) newWaves() []wave {
	p := at.plan
	others := 0 // turns for rows outside the section
	if len(at.rests) > 0 {
		others = at.rests[0].left
	}
	none := at.newRanked(func(int) bool { return false })
	first := at.newRanked(func(number int) bool { return number == 0 })
	turns := make([]*ranked, others+1)
	for left := range turns {
		turns[left] = at.newRanked(func(number int) bool {
			open := at.rests[number].left
			return open == left || p.paper.Misses && open > left
		})
	}
	waves := make([]wave, p.places+1)
	for left := range waves {
		w := &waves[left]
		for upper := range at.whole + 1 {
			beside, more := none, left-upper.size()
			switch {
			case p.paper.Order == Parts && upper != 0:
				if more == others {
					beside = first
				}
			case more < 0 && p.paper.Misses:
				beside = turns[0]
			case more >= 0 && more <= others:
				beside = turns[more]
			}
			w.first, w.beside = append(w.first, w.size), append(w.beside, beside)
			w.size += len(beside.numbers) * at.sums[upper].count()
		}
	}
	return waves
}

// row returns the values of the positions with these open rows, rest and turns left, by the index of their sum.
func (at *positions) row(upper rowSet, rest, left int) []float64 {
	w, count := &at.waves[left], at.sums[upper].count()
	from := w.first[upper] + int(w.beside[upper].places[rest])*count
	return w.values[from:][:count]
}

// The positions that a turn leads to.

// leap is the effect of filling a row of the section with a bonus: by index of the section's sum, and by number of dice
// that show the row's face.
type leap struct {
	sums  [][maxDice + 1]uint16  // the index of the resulting sum
	gives [][maxDice + 1]float64 // points, with the bonus if this completes the section; else one entry for all sums
}

// newLeaps returns the leaps of all rows, by the open rows of the section.
func (at *positions) newLeaps() [][maxFaces]leap {
	all := make([][maxFaces]leap, at.whole+1)
	for upper := range at.whole + 1 {
		for i := range at.upper {
			if upper.has(i) {
				all[upper][i] = at.newLeap(upper, i)
			}
		}
	}
	return all
}

func (at *positions) newLeap(upper rowSet, i int) (leap leap) {
	next, section := upper&^(1<<i), at.plan.bonusSection()
	for place, sum := range at.sums[upper].told {
		var sums [maxDice + 1]uint16
		var gives [maxDice + 1]float64
		for shown := range at.plan.paper.Dice + 1 {
			points := at.plan.faceWorth(at.upper[i], shown)
			sums[shown], gives[shown] = uint16(at.sums[next].at(sum+points)), float64(points)
			if next == 0 && section >= 0 {
				gives[shown] += float64(at.plan.paper.Sections[section].bonusFor(sum + points))
			}
		}
		leap.sums = append(leap.sums, sums)
		if place == 0 || next == 0 {
			leap.gives = append(leap.gives, gives)
		}
	}
	return leap
}

// leave computes the values of the positions that each row leads to.
func (t *turn) leave() {
	at, p := t.at, t.at.plan
	t.least = below
	if p.paper.Misses && (p.paper.Order != Parts || t.pos[0].upper == 0) {
		for l, pos := range t.pos {
			t.least[l] = at.afterMiss(pos)
		}
	}
	for i := range at.upper {
		if t.section.has(i) {
			t.leaveUpper(i)
		}
	}
	for _, o := range at.others {
		if t.others.has(o.row) {
			t.leaveOther(o)
		}
	}
}

// leaveUpper computes the points of row i of the section with a bonus plus the value of the resulting position, by
// number of dice that show its face.
func (t *turn) leaveUpper(i int) {
	at, upper, left := t.at, t.pos[0].upper, t.pos[0].left-1
	to, leap, next := &t.faces[i], &at.leaps[upper][i], upper&^(1<<i)
	bonusless, shown := at.bonusless(next, left), at.plan.paper.Dice+1
	for _, same := range t.stretches {
		beside := at.row(next, same.rest, left)
		if bonusless {
			beside = beside[:1]
		}
		last := len(beside) - 1
		for l := same.from; l < same.to; l++ {
			gives := &leap.gives[min(t.sum[l], len(leap.gives)-1)]
			for n, sum := range leap.sums[t.sum[l]][:shown] {
				to[n][l] = gives[n] + beside[min(int(sum), last)]
			}
		}
	}
}

// leaveOther computes the values of the positions after row o is written with points, and after it is struck. They are
// below in lanes in which the row is not open.
func (t *turn) leaveOther(o restRow) {
	at, upper, left := t.at, t.pos[0].upper, t.pos[0].left-1
	write, strike := &t.write[o.row], &t.strike[o.row]
	*write, *strike = below, below
	bonusless := at.bonusless(upper, left)
	for _, same := range t.stretches {
		if !at.rests[same.rest].open.has(o.row) {
			continue
		}
		struck := at.row(upper, same.rest+o.digit, left)
		written := struck
		if o.flags {
			written = at.row(upper, same.rest+2*o.digit, left)
		}
		lacks := o.with >= 0 && !at.holds(same.rest, o.with)
		for l := same.from; l < same.to; l++ {
			place := t.sum[l]
			if bonusless {
				place = 0
			}
			if !lacks {
				write[l] = written[place]
			}
			if worth := struck[place]; o.strikes {
				strike[l] = worth
				if worth > t.least[l] {
					t.least[l] = worth
				}
			}
		}
	}
}

// afterMiss returns the value of the position after a turn that fills no row.
func (at *positions) afterMiss(pos position) float64 {
	pos.left--
	return *at.slot(pos)
}

// holds reports whether row r holds points in the rest with that number.
func (at *positions) holds(rest, r int) bool {
	for _, o := range at.others {
		if o.row == r && o.flags {
			return rest/o.digit%o.digits == 2
		}
	}
	return false
}
