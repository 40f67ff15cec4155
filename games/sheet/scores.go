package sheet

import (
	"maps"
	"slices"
)

// equalScore is the points of a throw of equal dice in a row; met reports whether they meet the row's need.
type equalScore struct {
	points float64
	met    bool
}

// scores holds the points of each throw in each row, for perfect play.
type scores struct {
	lattice *lattice
	// moments holds moments (throws after which a row is written) with different points; the first is the last throw of
	// a turn, with some dice kept.
	moments     []moment
	gives       [][]scored                // by row: the throws that meet its need, with their points in moments[0]
	more        [][][]scored              // by moment and row: the throws that give more than in moments[0]
	equal       [sides + 1]uint32         // by face, the throw that shows only it
	equalScores [][sides + 1][]equalScore // by moment, face and row: the points of the throw that shows only this face
	// By throw of the turn, from 0: the index in moments if some dice were kept (some) or none (all).
	some, all []int
}

// isSteady reports whether the paper can be solved: rows of faces give equal points after every throw of a turn, and no
// row gives less than after the last throw with some dice kept.
func (p *plan) isSteady() bool {
	throws := p.paper.Throws
	last := moment{throws, throws == 1}
	for r := range p.rows {
		for _, counted := range []int{0, maxDice * sides} { // points are monotonic between these
			points := p.rows[r].Points
			for throw := 1; throw <= throws; throw++ {
				for _, served := range []bool{throw == 1, true} {
					more := points.total(counted, moment{throw, served}) - points.total(counted, last)
					if more < 0 || more > 0 && p.rows[r].face > 0 {
						return false
					}
				}
			}
		}
	}
	return true
}

// newScores returns the scores of the paper, which must be solvable (isSteady).
func (p *plan) newScores() *scores {
	l, throws := lattices[p.paper.Dice](), p.paper.Throws
	s := &scores{lattice: l, gives: make([][]scored, len(p.rows)), some: make([]int, throws), all: make([]int, throws)}
	for i, c := range l.throws() {
		s.equal[c.equalFace()] = uint32(i)
	}
	for throw := throws; throw >= 1; throw-- {
		s.some[throw-1] = s.addMoment(p, moment{throw, throw == 1}) // the first throw always throws all dice
		s.all[throw-1] = s.addMoment(p, moment{throw, true})
	}
	return s
}

// addMoment adds when (a throw of a turn) to moments unless an earlier one gives equal points, and returns its index.
func (s *scores) addMoment(p *plan, when moment) (index int) {
	more := make([][]scored, len(p.rows))
	for r := range p.rows {
		for i, c := range s.lattice.throws() {
			points, met := p.points(r, c, when)
			if !met {
				continue
			}
			if len(s.moments) == 0 {
				s.gives[r] = append(s.gives[r], scored{uint32(i), float64(points)})
				continue
			}
			if first, _ := p.points(r, c, s.moments[0]); points > first {
				more[r] = append(more[r], scored{uint32(i), float64(points)})
			}
		}
	}
	same := slices.IndexFunc(s.more, func(known [][]scored) bool {
		return slices.EqualFunc(known, more, slices.Equal[[]scored])
	})
	if same >= 0 {
		return same
	}
	s.moments, s.more, s.equalScores = append(s.moments, when), append(s.more, more),
		append(s.equalScores, s.equalPoints(p, when))
	return len(s.moments) - 1
}

// equalPoints returns, by face and row, the points of dice that all show this face; when describes their throw.
func (s *scores) equalPoints(p *plan, when moment) (all [sides + 1][]equalScore) {
	for face := 1; face <= sides; face++ {
		for r := range p.rows {
			points, met := p.points(r, s.lattice.throws()[s.equal[face]], when)
			all[face] = append(all[face], equalScore{float64(points), met})
		}
	}
	return all
}

// sums holds the possible sums of the filled rows of the bonus section. When all are filled the sum no longer matters.
type sums struct {
	distinct []int // the distinct sums, ascending; lower sums count as the first, higher ones as the last
	places   []int // places[sum-distinct[0]] is the index in distinct of the entry that represents sum
}

// newSums returns sums with these distinct values, which must ascend.
func newSums(distinct []int) sums {
	s := sums{distinct: distinct}
	for place, sum := range distinct {
		if place > 0 {
			for range sum - distinct[place-1] - 1 {
				s.places = append(s.places, place-1) // sums between two distinct ones are impossible
			}
		}
		s.places = append(s.places, place)
	}
	return s
}

// indexOf returns the index in distinct of the entry that represents sum.
func (s *sums) indexOf(sum int) int { return s.places[min(max(sum-s.distinct[0], 0), len(s.places)-1)] }

func (s *sums) count() int { return len(s.distinct) } // the number of distinct sums

// possibleSums returns the sums that the bonus section can have when its rows upper are open and all its others filled.
func (ps *positions) possibleSums(upper rowSet) sums {
	steps := ps.steps()
	if len(steps) == 0 || upper == 0 {
		return newSums([]int{0})
	}
	least, most := 0, 0 // the points that the open rows can still add
	reached := map[int]bool{0: true}
	for i, r := range ps.upper {
		var gives []int
		for n := range ps.plan.paper.Dice + 1 {
			gives = append(gives, ps.plan.facePoints(r, n))
		}
		if upper.has(i) {
			least, most = least+slices.Min(gives), most+slices.Max(gives)
			continue
		}
		more := map[int]bool{}
		for sum := range reached {
			for _, points := range gives {
				more[sum+points] = true
			}
		}
		reached = more
	}
	distinct := map[int]bool{}
	// One sum represents all from which the same bonuses can be reached: highest for those certain of the last step,
	// lowest for those that cannot reach the first one.
	lowest, highest := steps[0].From-most-1, steps[len(steps)-1].From-least
	for sum := range reached {
		distinct[min(max(sum, lowest), highest)] = true
	}
	return newSums(slices.Sorted(maps.Keys(distinct)))
}

// steps returns the steps of the bonus, ascending, without those that every sum reaches.
func (ps *positions) steps() []Step {
	section := ps.plan.bonusSection()
	if section < 0 {
		return nil
	}
	lowest := 0
	for _, r := range ps.upper {
		lowest += ps.plan.facePoints(r, 0)
	}
	return slices.DeleteFunc(slices.Clone(ps.plan.paper.Sections[section].Bonus), func(s Step) bool {
		return s.From <= lowest
	})
}

// facePoints returns the points of row r, which counts one face, if shown is the number of dice that show it.
func (p *plan) facePoints(r, shown int) int {
	var c counts
	c[p.rows[r].face] = uint8(shown)
	points := p.rows[r].Points
	return points.dicePoints(c, c) + points.Plus
}
