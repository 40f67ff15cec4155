package sheet

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// group is a set of positions whose turns can be computed side by side (turn.begin): they have the same open rows of
// the bonus section, and the states of their other rows have the same effect on a turn.
type group struct {
	upper  rowSet // the open rows of the bonus section
	states []int  // the numbers of the states of the rows outside the bonus section
}

// fill computes the values of all positions in waves: a wave is all positions with equally many turns left, and depends
// only on the wave with one turn less. If afterWave is not nil, it is called after each wave, from 0 turns left on.
func (ps *positions) fill(s *scores, afterWave func(turnsLeft int)) {
	stateGroups := ps.groupStates()
	for turnsLeft := range ps.waves {
		w := &ps.waves[turnsLeft]
		w.values = make([]float64, w.size)
		if turnsLeft > 0 { // with no turn left all values are 0
			var next atomic.Int64
			var working sync.WaitGroup
			groups := ps.groups(stateGroups, turnsLeft)
			for range min(runtime.GOMAXPROCS(0), len(groups)) {
				working.Go(func() {
					t := newTurn(ps, s, false)
					for i := next.Add(1) - 1; int(i) < len(groups); i = next.Add(1) - 1 {
						ps.fillGroup(t, groups[i], turnsLeft)
					}
				})
			}
			working.Wait()
		}
		if afterWave != nil {
			afterWave(turnsLeft)
		}
	}
}

// groupStates returns the numbers of all states of the rows outside the bonus section, grouped by number of open places
// and, if rows are filled in a fixed order or equal dice have special effects, also by which rows are open.
func (ps *positions) groupStates() map[otherState][]int {
	stateGroups, p := map[otherState][]int{}, ps.plan
	for number, r := range ps.states {
		if p.paper.Order == Free && !p.equalMatters() {
			r.open = 0
		}
		stateGroups[r] = append(stateGroups[r], number)
	}
	return stateGroups
}

// groups returns all positions with turnsLeft turns left, in groups; stateGroups is the result of groupStates.
func (ps *positions) groups(stateGroups map[otherState][]int, turnsLeft int) []group {
	var all []group
	for upper := range ps.whole + 1 {
		for open, states := range stateGroups {
			places := upper.size() + open.left
			misses := ps.plan.paper.Misses && (ps.plan.paper.Order != Parts || upper == 0)
			if !(places == turnsLeft || misses && places > turnsLeft) || !ps.isPossible(upper, states[0]) {
				continue
			}
			for part := range slices.Chunk(states, max(maxGroup/len(ps.distinctSums(upper, turnsLeft)), 1)) {
				all = append(all, group{upper, part})
			}
		}
	}
	return all
}

// maxGroup is the most positions in a group, the work of one goroutine; only a group of a single state may have more.
// Groups are small so that all goroutines finish at about the same time.
const maxGroup = 256

// distinctSums returns the sums of the bonus section that differ in effect: upper holds the section's open rows.
func (ps *positions) distinctSums(upper rowSet, turnsLeft int) []int {
	if ps.bonusOutOfReach(upper, turnsLeft) {
		return ps.sums[upper].distinct[:1] // the bonus is out of reach, so sums do not matter
	}
	return ps.sums[upper].distinct
}

// fillGroup computes and stores the values of the positions in g, with turnsLeft turns left. t is working memory.
func (ps *positions) fillGroup(t *turn, g group, turnsLeft int) {
	batch := t.waiting[:0]
	flush := func() {
		worths := t.expected(batch)
		for _, same := range t.stretches {
			row := ps.valuesOf(g.upper, same.state, turnsLeft)
			for l := same.from; l < same.to; l++ {
				row[t.sum[l]] = worths[l]
			}
		}
		batch = batch[:0]
	}
	distinct := ps.distinctSums(g.upper, turnsLeft)
	for _, number := range g.states {
		for _, sum := range distinct {
			batch = append(batch, position{g.upper, number, sum, turnsLeft})
			if len(batch) == lanes {
				flush()
			}
		}
	}
	if len(batch) > 0 {
		flush()
	}
}

// The values of positions in memory.

// wave holds the values of all positions with the same number of turns left, which depend only on the wave with one
// turn less. They are sorted by open rows of the bonus section, then by state of the other rows, then by sum.
type wave struct {
	first  []int     // by open rows of the bonus section: the index of their first value
	beside []*subset // by open rows of the bonus section: the possible states of the other rows
	size   int
	values []float64
}

// subset numbers some states of the rows outside the bonus section from 0. A wave has memory for their values only.
type subset struct {
	numbers []int   // the numbers of its states, ascending
	places  []int32 // by number of a state: its index in numbers, or -1
}

// newSubset returns the subset of those states of the rows outside the bonus section whose numbers isWanted accepts.
func (ps *positions) newSubset(isWanted func(number int) bool) *subset {
	r := &subset{places: make([]int32, len(ps.states))}
	for number := range ps.states {
		r.places[number] = -1
		if isWanted(number) {
			r.places[number] = int32(len(r.numbers))
			r.numbers = append(r.numbers, number)
		}
	}
	return r
}

// newWaves returns the waves, indexed by the number of turns left. Their memory for values is not allocated yet.
func (ps *positions) newWaves() []wave {
	p := ps.plan
	others := 0 // the number of turns for rows outside the bonus section
	if len(ps.states) > 0 {
		others = ps.states[0].left
	}
	none := ps.newSubset(func(int) bool { return false })
	first := ps.newSubset(func(number int) bool { return number == 0 })
	turns := make([]*subset, others+1)
	for left := range turns {
		turns[left] = ps.newSubset(func(number int) bool {
			open := ps.states[number].left
			return open == left || p.paper.Misses && open > left
		})
	}
	waves := make([]wave, p.places+1)
	for left := range waves {
		w := &waves[left]
		for upper := range ps.whole + 1 {
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
			w.size += len(beside.numbers) * ps.sums[upper].count()
		}
	}
	return waves
}

// valuesOf returns the values of positions with turnsLeft turns left, by index of their sum. upper holds their open
// rows of the bonus section, and state is the number of the other rows' state.
func (ps *positions) valuesOf(upper rowSet, state, turnsLeft int) []float64 {
	w, count := &ps.waves[turnsLeft], ps.sums[upper].count()
	from := w.first[upper] + int(w.beside[upper].places[state])*count
	return w.values[from:][:count]
}

// The positions that a turn leads to.

// leap holds the results of a turn that fills a row of the bonus section. Both fields are indexed by the section's sum
// before the turn (its index in sums.distinct), then by the number of dice that show the row's face.
type leap struct {
	sums  [][maxDice + 1]uint16  // the index of the resulting sum
	gives [][maxDice + 1]float64 // points plus the bonus if the row completes the section; else points, at index 0 only
}

// newLeaps returns the result of filling each row of the bonus section, by the section's open rows and the row.
func (ps *positions) newLeaps() [][maxFaces]leap {
	all := make([][maxFaces]leap, ps.whole+1)
	for upper := range ps.whole + 1 {
		for i := range ps.upper {
			if upper.has(i) {
				all[upper][i] = ps.newLeap(upper, i)
			}
		}
	}
	return all
}

// newLeap returns the result of filling row i of the bonus section when the rows upper of that section are open.
func (ps *positions) newLeap(upper rowSet, i int) (leap leap) {
	next, section := upper&^(1<<i), ps.plan.bonusSection()
	for place, sum := range ps.sums[upper].distinct {
		var sums [maxDice + 1]uint16
		var gives [maxDice + 1]float64
		for shown := range ps.plan.paper.Dice + 1 {
			points := ps.plan.facePoints(ps.upper[i], shown)
			sums[shown], gives[shown] = uint16(ps.sums[next].indexOf(sum+points)), float64(points)
			if next == 0 && section >= 0 {
				gives[shown] += float64(ps.plan.paper.Sections[section].bonusFor(sum + points))
			}
		}
		leap.sums = append(leap.sums, sums)
		if place == 0 || next == 0 {
			leap.gives = append(leap.gives, gives)
		}
	}
	return leap
}

// evaluateFills computes, for every way to fill a row or to fill none (a miss), the values of the positions after it.
func (t *turn) evaluateFills() {
	ps, p := t.ps, t.ps.plan
	t.least = below
	if p.paper.Misses && (p.paper.Order != Parts || t.pos[0].upper == 0) {
		for l, pos := range t.pos {
			t.least[l] = ps.missValue(pos)
		}
	}
	for i := range ps.upper {
		if t.section.has(i) {
			t.evaluateUpper(i)
		}
	}
	for _, o := range ps.others {
		if t.others.has(o.row) {
			t.evaluateOther(o)
		}
	}
}

// evaluateUpper stores in t.faces[i], by number of dice that show the face of row i of the bonus section, the worth of
// filling this row: its points plus the value of the position afterwards.
func (t *turn) evaluateUpper(i int) {
	ps, upper, left := t.ps, t.pos[0].upper, t.pos[0].left-1
	to, leap, next := &t.faces[i], &ps.leaps[upper][i], upper&^(1<<i)
	bonusless, shown := ps.bonusOutOfReach(next, left), ps.plan.paper.Dice+1
	for _, same := range t.stretches {
		beside := ps.valuesOf(next, same.state, left)
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

// evaluateOther computes the values of the positions after row o is written with points (not counting these), and after
// it is struck (crossed out). They are minus infinity for positions in which o is not open.
func (t *turn) evaluateOther(o otherRow) {
	ps, upper, left := t.ps, t.pos[0].upper, t.pos[0].left-1
	write, strike := &t.write[o.row], &t.strike[o.row]
	*write, *strike = below, below
	bonusless := ps.bonusOutOfReach(upper, left)
	for _, same := range t.stretches {
		if !ps.states[same.state].open.has(o.row) {
			continue
		}
		struck := ps.valuesOf(upper, same.state+o.digit, left)
		written := struck
		if o.flags {
			written = ps.valuesOf(upper, same.state+2*o.digit, left)
		}
		isBarred := o.with >= 0 && !ps.stateHolds(same.state, o.with)
		for l := same.from; l < same.to; l++ {
			place := t.sum[l]
			if bonusless {
				place = 0
			}
			if !isBarred {
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

// missValue returns the value of the position that follows pos after a turn that fills no row.
func (ps *positions) missValue(pos position) float64 {
	pos.left--
	return *ps.valueAt(pos)
}

// stateHolds reports whether row r has points in state, the number of a state of the rows outside the bonus section.
func (ps *positions) stateHolds(state, r int) bool {
	for _, o := range ps.others {
		if o.row == r && o.flags {
			return state/o.digit%o.digits == 2
		}
	}
	return false
}
