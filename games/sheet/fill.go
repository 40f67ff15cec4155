package sheet

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// group is positions with the same rows of the section open, and those others that turn.begin asks for.
type group struct {
	upper rowSet
	rests []int
}

// fill computes the values of all positions, those with fewer turns left first: these need nothing of each other. It
// calls there, if it is not nil, with each wave that is done, that of no turn left first.
func (at *positions) fill(s *scores, there func(left int)) {
	alike := at.alikeRests()
	for left := range at.waves {
		w := &at.waves[left]
		w.values = make([]float64, w.size)
		if left > 0 { // else they are 0
			at.fillWave(s, at.groups(alike, left), left)
		}
		if there != nil {
			there(left)
		}
	}
}

// fillWave computes the values of a wave.
func (at *positions) fillWave(s *scores, groups []group, left int) {
	var next atomic.Int64
	var working sync.WaitGroup
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

// alikeRests are the numbers of rests by their open places, and by the rows that are open in them where that makes a
// difference to more than what these rows are worth.
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

// groups are the positions with so many turns left.
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

// part is how many positions a group has at most, unless it is of one rest: no goroutine waits long for another's last.
const part = 256

// told are the sums to be told apart.
func (at *positions) told(upper rowSet, left int) []int {
	if at.bonusless(upper, left) {
		return at.sums[upper].told[:1] // all are alike
	}
	return at.sums[upper].told
}

// fillGroup computes the values of a group, as many at once as there are lanes.
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
