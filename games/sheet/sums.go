package sheet

import (
	"maps"
	"slices"
)

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
	for sum := range reached {
		told[alike(sum, least, most, steps)] = true
	}
	return newSums(slices.Sorted(maps.Keys(told)))
}

// steps are those that a sum may still come to: not one that every sum is at.
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

// alike is the sum that stands for all from which the same bonuses can be reached: above the last step that is sure,
// and below the first that is out of reach.
func alike(sum, least, most int, steps []Step) int {
	lowest, highest := steps[0].From-most-1, steps[len(steps)-1].From-least
	return min(max(sum, lowest), highest)
}

// faceWorth is what so many dice give in a row of a face.
func (p *plan) faceWorth(r, shown int) int {
	var c counts
	c[p.rows[r].face] = uint8(shown)
	points := p.rows[r].Points
	return points.countsFor(c, c) + points.Plus
}
