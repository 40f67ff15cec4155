package sheet

import (
	"maps"
	"slices"
)

// alone is what a throw of one face alone gives in a row, and whether its need is there.
type alone struct {
	points float64
	there  bool
}

// scores is what each row gives for each throw, for perfect play.
type scores struct {
	lattice *lattice
	// moments are those in which rows give different points; the first is that of a later throw of some dice.
	moments []moment
	gives   [][]scored           // by row, in the first moment: what throws that meet its need give
	more    [][][]scored         // by moment and row: where it gives more than in the first
	equal   [sides + 1]uint32    // the throw of one face alone
	alone   [][sides + 1][]alone // by moment, face and row: what that gives
	// Which moment, of those told apart, each throw of the turn is: of some dice, and of all.
	some, all []int
}

// steady reports whether rows of faces give the same in all moments, and no row gives less in another moment than after
// the last throw of some dice: other papers are not solved.
func (p *plan) steady() bool {
	throws := p.paper.Throws
	last := moment{throws, throws == 1}
	for r := range p.rows {
		for _, counted := range []int{0, maxDice * sides} { // what stands between these lies between what they give
			points := p.rows[r].Points
			for throw := 1; throw <= throws; throw++ {
				for _, served := range []bool{throw == 1, true} {
					more := points.at(counted, moment{throw, served}) - points.at(counted, last)
					if more < 0 || more > 0 && p.rows[r].face > 0 {
						return false
					}
				}
			}
		}
	}
	return true
}

// newScores computes them for a paper that is steady.
func (p *plan) newScores() *scores {
	l, throws := lattices[p.paper.Dice](), p.paper.Throws
	s := &scores{lattice: l, gives: make([][]scored, len(p.rows)), some: make([]int, throws), all: make([]int, throws)}
	for i, c := range l.throws() {
		s.equal[c.equal()] = uint32(i)
	}
	for throw := throws; throw >= 1; throw-- {
		s.some[throw-1] = s.add(p, moment{throw, throw == 1}) // all dice are thrown first
		s.all[throw-1] = s.add(p, moment{throw, true})
	}
	return s
}

// add notes a moment, unless all is as in one that is noted, and returns its place.
func (s *scores) add(p *plan, at moment) (place int) {
	more := make([][]scored, len(p.rows))
	for r := range p.rows {
		for i, c := range s.lattice.throws() {
			points, there := p.points(r, c, at)
			if !there {
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
	s.moments, s.more, s.alone = append(s.moments, at), append(s.more, more), append(s.alone, s.allAlone(p, at))
	return len(s.moments) - 1
}

// allAlone returns the throws of one face alone in a moment.
func (s *scores) allAlone(p *plan, at moment) (all [sides + 1][]alone) {
	for face := 1; face <= sides; face++ {
		for r := range p.rows {
			points, there := p.points(r, s.lattice.throws()[s.equal[face]], at)
			all[face] = append(all[face], alone{float64(points), there})
		}
	}
	return all
}

// sums are the sums that the filled rows of a section may have. Once it is whole its bonus is counted, and they are
// forgotten.
type sums struct {
	told   []int // those told apart, ascending; all below the first, and above the last, count as one
	places []int // of all sums from the first to the last: the place among those told apart
}

// newSums tells these apart, which ascend.
func newSums(told []int) sums {
	s := sums{told: told}
	for place, sum := range told {
		if place > 0 {
			for range sum - told[place-1] - 1 {
				s.places = append(s.places, place-1) // it does not come up
			}
		}
		s.places = append(s.places, place)
	}
	return s
}

// at returns the place of a sum among those told apart.
func (s *sums) at(sum int) int { return s.places[min(max(sum-s.told[0], 0), len(s.places)-1)] }

func (s *sums) count() int { return len(s.told) }

// sumsBeside returns the sums of the section with a bonus of which these rows are open.
func (at *positions) sumsBeside(upper rowSet) sums {
	steps := at.steps()
	if len(steps) == 0 || upper == 0 {
		return newSums([]int{0})
	}
	least, most := 0, 0 // what the open rows may still bring
	reached := map[int]bool{0: true}
	for i, r := range at.upper {
		var gives []int
		for n := range at.plan.paper.Dice + 1 {
			gives = append(gives, at.plan.faceWorth(r, n))
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
	told := map[int]bool{}
	// One sum stands for all from which the same bonuses can be reached: above the last step that is sure, and below
	// the first that is out of reach.
	lowest, highest := steps[0].From-most-1, steps[len(steps)-1].From-least
	for sum := range reached {
		told[min(max(sum, lowest), highest)] = true
	}
	return newSums(slices.Sorted(maps.Keys(told)))
}

// steps returns those that a sum may still come to: not one that every sum is at.
func (at *positions) steps() []Step {
	section := at.plan.bonusSection()
	if section < 0 {
		return nil
	}
	lowest := 0
	for _, r := range at.upper {
		lowest += at.plan.faceWorth(r, 0)
	}
	return slices.DeleteFunc(slices.Clone(at.plan.paper.Sections[section].Bonus), func(s Step) bool {
		return s.From <= lowest
	})
}

// faceWorth returns what so many dice give in a row of a face.
func (p *plan) faceWorth(r, shown int) int {
	var c counts
	c[p.rows[r].face] = uint8(shown)
	points := p.rows[r].Points
	return points.countsFor(c, c) + points.Plus
}
