package sheet

import (
	"math"
	"slices"
)

// turn computes the values of one turn for several positions (states of a page) at once, one in each lane, from the
// values of the positions after it. It is the working memory of one goroutine. Its positions have the same open rows of
// the bonus section and equally many turns left. If equal dice have special effects, the same other rows are open, too.
type turn struct {
	ps     *positions
	scores *scores
	throws int // the number of throws in a turn

	waiting         [lanes]position   // the next positions, collected by positions.fillGroup
	pos             [lanes]position   // the position in each lane
	sum             [lanes]int        // by lane: the index of the position's sum
	stretches       []stretch         // runs of lanes whose positions have the same state
	section, others rowSet            // rows that may be filled in at least one position
	faces           [maxFaces][8]lane // value of filling a row of a face, by number of dice that show it
	write, strike   []lane            // by row: values after writing or striking it, without its points
	least           lane              // the best value without writing a row

	by     [2][sides / 2]*[8]lane // for faces 1 to 3, then 4 to 6 of a die: pointers into the field faces, or to closed
	halves [2][]lane              // best value in rows of the first three faces, and of the last
	ends   [][]lane               // the value of ending the turn, by moment and throw

	// thrown holds the value of each keep (set of kept dice) if the dice outside it are thrown now, and the value of
	// the best use of each throw. best holds, for each keep with less than all dice, the value of the best keep in it.
	thrown, best []lane
	// worthAll holds the value of each throw if no die was kept; it shares the last part of thrown if values are equal.
	worthAll []lane
	expects  lane // value of the turn before its first throw
}

// stretch is a run of lanes [from, to) whose positions have the same state of the rows outside the bonus section.
type stretch struct{ state, from, to int }

// maxFaces is the largest number of rows of the bonus section.
const maxFaces = 6

// newTurn returns the working memory of one goroutine. If keepAll is true, t.thrown keeps the values of sets of less
// than all dice; else t.best overwrites them, because less memory means a better use of the processor's cache.
func newTurn(ps *positions, s *scores, keepAll bool) *turn {
	t := &turn{ps: ps, scores: s, throws: ps.plan.paper.Throws}
	l, n := s.lattice, len(s.lattice.chance)
	t.thrown = make([]lane, len(l.counts))
	t.best = t.thrown[:l.fewer]
	if keepAll {
		t.best = make([]lane, l.fewer)
	}
	t.ends = [][]lane{t.throwValues()} // shared: a further throw only raises values, so it may raise the ends in place
	if len(s.moments) > 1 {
		t.ends = make([][]lane, len(s.moments))
		for i := range t.ends {
			t.ends[i] = make([]lane, n)
		}
	}
	t.write, t.strike = make([]lane, len(ps.plan.rows)), make([]lane, len(ps.plan.rows))
	t.halves = [2][]lane{make([]lane, len(l.some)), make([]lane, len(l.some))}
	if t.worthAll = t.throwValues(); !slices.Equal(s.some, s.all) {
		t.worthAll = make([]lane, n)
	}
	return t
}

// expected returns, for each of pos (at most as many positions as lanes), the value of the turn before its first throw.
func (t *turn) expected(pos []position) lane {
	t.begin(pos)
	for throw := t.throws; throw > 0; throw-- {
		t.evaluateThrow(throw)
	}
	expect(&t.expects, t.scores.lattice.chance, t.worthAll)
	return t.expects
}

// begin assigns the positions in pos, at most lanes of them, to lanes, and computes the value of each end of the turn.
func (t *turn) begin(pos []position) {
	t.section, t.others, t.stretches = 0, 0, t.stretches[:0]
	for l := range t.pos {
		t.pos[l] = pos[min(l, len(pos)-1)]
		t.sum[l] = t.ps.sums[t.pos[l].upper].indexOf(t.pos[l].sum)
		if state := t.pos[l].state; l == 0 || state != t.pos[l-1].state {
			section, others := t.ps.fillableRows(t.pos[l].upper, state)
			t.section, t.others = section, t.others|others
			t.stretches = append(t.stretches, stretch{state: state, from: l})
		}
		t.stretches[len(t.stretches)-1].to = l + 1
	}
	t.evaluateFills()
	t.evaluateEnds()
}

// evaluateEnds computes the value of ending the turn with each throw.
//
// A row whose need is not met can only be struck. A row whose need is met cannot be struck, but writing it is worth no
// less than striking it. So the best strike of all open rows is a lower bound for every throw.
func (t *turn) evaluateEnds() {
	l, ends := t.scores.lattice, t.ends[0]
	for i := range t.by {
		t.by[i] = [sides / 2]*[8]lane{&closed, &closed, &closed}
	}
	for i, r := range t.ps.upper {
		if face := t.ps.plan.rows[r].face - 1; t.section.has(i) {
			t.by[face*2/sides][face%(sides/2)] = &t.faces[i]
		}
	}
	for i := range t.halves {
		bestOfThree(t.halves[i], l.some, &t.by[i], &t.least)
	}
	bestOfBoth(ends, l.halves, t.halves[0], t.halves[1])
	for _, o := range t.ps.others {
		if t.others.has(o.row) {
			raise(ends, t.scores.gives[o.row], &t.write[o.row])
		}
	}
	for k := 1; k < len(t.ends); k++ {
		copy(t.ends[k], ends)
		for _, o := range t.ps.others {
			if t.others.has(o.row) {
				raise(t.ends[k], t.scores.more[k][o.row], &t.write[o.row])
			}
		}
	}
	t.evaluateEqual()
}

// throwValues returns the values of all throws: the last part of thrown.
func (t *turn) throwValues() []lane { return t.thrown[t.scores.lattice.fewer:] }

// distinguishesServed reports whether the value of a throw depends on whether all dice were thrown.
func (t *turn) distinguishesServed() bool { return &t.worthAll[0] != &t.throwValues()[0] }

// evaluateThrow computes the values of the dice after the n-th throw of the turn, given those after the next one.
func (t *turn) evaluateThrow(n int) {
	l, some, all := t.scores.lattice, t.ends[t.scores.some[n-1]], t.ends[t.scores.all[n-1]]
	if n == t.throws {
		copy(t.throwValues(), some)
		if t.distinguishesServed() {
			copy(t.worthAll, all)
		}
		return
	}
	average(t.thrown, l.up)
	if t.distinguishesServed() {
		expect(&t.thrown[0], l.chance, t.worthAll)
	}
	choose(t.best, t.thrown, t.best, l.down)
	choose(t.throwValues(), some, t.best, l.downAll)
	if t.distinguishesServed() {
		choose(t.worthAll, all, t.best, l.downAll)
	}
}

// The effects of equal dice once their row is full, in perfect play.

// equalMatters reports whether equal dice have special effects (a joker or bonus points) once their row is full.
func (p *plan) equalMatters() bool {
	again := p.paper.Again
	return again.Row != "" && (again.Joker != NoJoker || again.Points > 0)
}

// evaluateEqual corrects the values of ending the turn with all dice equal, if such dice have special effects.
func (t *turn) evaluateEqual() {
	ps, again := t.ps, t.ps.plan.paper.Again
	if !ps.plan.equalMatters() || ps.states[t.pos[0].state].open.has(ps.plan.again) {
		return
	}
	var further lane
	for _, same := range t.stretches {
		if ps.stateHolds(same.state, ps.plan.again) {
			for l := same.from; l < same.to; l++ {
				further[l] = float64(again.Points)
			}
		}
	}
	open := ps.openRows(t.pos[0].upper, t.pos[0].state)
	for face := 1; face <= sides; face++ {
		for k := range t.ends {
			worth := &t.ends[k][t.scores.equal[face]]
			if again.Joker != NoJoker {
				t.evaluateJoker(worth, open, face, k)
			}
			for l := range worth {
				worth[l] += further[l]
			}
		}
	}
}

// below is minus infinity in each lane: less than every value.
var below = func() (l lane) {
	for i := range l {
		l[i] = math.Inf(-1)
	}
	return l
}()

// closed holds the values of a row of a face that is not open: minus infinity.
var closed = [8]lane{below, below, below, below, below, below, below, below}

// jokerFills returns the rows in open that dice that all show face may fill once the row for equal dice is full.
// isJoker reports whether they may write rows of fixed points without meeting a need: only if the row of face is full.
func (p *plan) jokerFills(face int, open rowSet) (allowed rowSet, isJoker bool) {
	own, lower, forced := p.own[face], p.lower, p.paper.Again.Joker == ForcedJoker
	switch {
	case open&own != 0 && forced:
		return open & own, false
	case open&own != 0:
		return open, false
	case open&lower != 0 && forced:
		return open & lower, true
	}
	return open, true
}

// isFixed reports whether the row gives the same points for all dice that meet its need.
func (r *row) isFixed() bool { return r.Points.Count == NoDice && r.lower }

// evaluateJoker sets worth to the value of ending the turn with a joker: dice that all show face. open holds the open
// rows, and k is the index in scores.moments of the throw after which it ends.
func (t *turn) evaluateJoker(worth *lane, open rowSet, face, k int) {
	ps, p := t.ps, t.ps.plan
	allowed, isJoker := p.jokerFills(face, open)
	if allowed != open {
		*worth = below
	}
	for i, r := range ps.upper {
		if t.section.has(i) && allowed.has(r) {
			shown := 0
			if p.rows[r].face == face {
				shown = p.paper.Dice
			}
			for l := range worth {
				worth[l] = max(worth[l], t.faces[i][shown][l])
			}
		}
	}
	for _, o := range ps.others {
		if !t.others.has(o.row) || !allowed.has(o.row) {
			continue
		}
		gained := t.scores.equalScores[k][face][o.row]
		if !gained.met && isJoker && p.rows[o.row].isFixed() {
			gained = equalScore{float64(p.rows[o.row].Points.Plus), true}
		}
		values := &t.write[o.row]
		if !gained.met {
			values = &t.strike[o.row]
		}
		for l := range worth {
			worth[l] = max(worth[l], gained.points+values[l])
		}
	}
}
