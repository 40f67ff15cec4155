package sheet

import (
	"slices"
)

// scores is what each row gives for each throw, for perfect play.
type scores struct {
	lattice *lattice
	// moments are those in which rows give different points; the first is that of a later throw of some dice.
	moments []moment
	gives   [][]scored        // by row, in the first moment: what throws that meet its need give
	more    [][][]scored      // by moment and row: where it gives more than in the first
	equal   [sides + 1]uint32 // the throw of one face alone
	// Which moment, of those told apart, each throw of the turn is: of some dice, and of all.
	some, all []int
}

// newScores computes them. It returns false where a row of faces gives different points in different moments, or a row
// gives less in another moment than the first: such a paper is not solved.
func (p *plan) newScores() (*scores, bool) {
	l, throws := lattices[p.paper.Dice](), p.paper.Throws
	s := &scores{lattice: l, gives: make([][]scored, len(p.rows)), some: make([]int, throws), all: make([]int, throws)}
	for i, c := range l.throws() {
		s.equal[c.equal()] = uint32(i)
	}
	for throw := throws; throw >= 1; throw-- {
		var ok bool
		if s.some[throw-1], ok = s.add(p, moment{throw, throw == 1}); !ok { // all dice are thrown first
			return nil, false
		}
		if s.all[throw-1], ok = s.add(p, moment{throw, true}); !ok {
			return nil, false
		}
	}
	return s, true
}

// add notes a moment, unless all is as in one that is noted, and returns its place.
func (s *scores) add(p *plan, at moment) (place int, ok bool) {
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
			first, _ := p.points(r, c, s.moments[0])
			if points < first || points != first && p.rows[r].face > 0 {
				return 0, false
			}
			if points > first {
				more[r] = append(more[r], scored{uint32(i), float64(points)})
			}
		}
	}
	same := slices.IndexFunc(s.more, func(known [][]scored) bool {
		return slices.EqualFunc(known, more, slices.Equal[[]scored])
	})
	if same >= 0 {
		return same, true
	}
	s.moments, s.more = append(s.moments, at), append(s.more, more)
	return len(s.moments) - 1, true
}
