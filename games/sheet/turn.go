package sheet

import (
	"math"
	"slices"
)

// turn finds what a turn is worth in several positions at once, from what its end is worth in each. It is the working
// space of one goroutine. The positions have the same rows of the section open and turns left, and where equal dice
// may do or bring more than others, the same other rows open.
type turn struct {
	at     *positions
	scores *scores
	throws int

	waiting         [lanes]position // to be looked at
	pos             [lanes]position
	sum             [lanes]int        // the place of the sum of each
	stretches       []stretch         // of positions with the same rest
	section, others rowSet            // rows that may be filled, in any of the positions
	faces           [maxFaces][8]lane // what rows of faces give and leave, by the dice that show it
	write, strike   []lane            // what other rows leave, written and struck
	least           lane              // what a turn brings that writes nothing

	by     [2][sides / 2]*[8]lane // faces, by their face
	halves [2][]lane              // the best of the rows of the first three faces, and of the last
	ends   [][]lane               // what it is worth to end the turn with each throw, by moment

	// thrown holds what a keep is worth when its other dice are thrown now, and of all dice what they are worth,
	// whatever is done with them. best holds what the best keep within a keep of less dice is worth.
	thrown, best []lane
	// worthAll is what each throw of all dice is worth: where that is nothing special, the end of thrown.
	worthAll []lane
	expects  lane // what the turn is worth before its first throw
}

// stretch is positions with the same rest, up to one.
type stretch struct{ rest, from, to int }

// maxFaces is how many rows the section with a bonus may have.
const maxFaces = 6

// newTurn makes the working space. What keeps are worth when their other dice are thrown is asked for, or else
// forgotten for the best keep within: the less memory is used, the more of it is next to the processor.
func newTurn(at *positions, s *scores, asked bool) *turn {
	t := &turn{at: at, scores: s, throws: at.plan.paper.Throws}
	l, n := s.lattice, len(s.lattice.chance)
	t.thrown = make([]lane, len(l.counts))
	t.best = t.thrown[:l.fewer]
	if asked {
		t.best = make([]lane, l.fewer)
	}
	t.ends = [][]lane{t.worth()} // a throw more is worth no less, so that what an end is worth need not be kept
	if len(s.moments) > 1 {
		t.ends = make([][]lane, len(s.moments))
		for i := range t.ends {
			t.ends[i] = make([]lane, n)
		}
	}
	t.write, t.strike = make([]lane, len(at.plan.rows)), make([]lane, len(at.plan.rows))
	t.halves = [2][]lane{make([]lane, len(l.some)), make([]lane, len(l.some))}
	if t.worthAll = t.worth(); !slices.Equal(s.some, s.all) {
		t.worthAll = make([]lane, n)
	}
	return t
}

// expected returns what the turn is worth before its first throw in each of some positions.
func (t *turn) expected(pos []position) lane {
	t.begin(pos)
	for throw := t.throws; throw > 0; throw-- {
		t.after(throw)
	}
	expect(&t.expects, t.scores.lattice.chance, t.worthAll)
	return t.expects
}

// begin looks at positions, at most as many as there are lanes.
func (t *turn) begin(pos []position) {
	t.section, t.others, t.stretches = 0, 0, t.stretches[:0]
	for l := range t.pos {
		t.pos[l] = pos[min(l, len(pos)-1)]
		t.sum[l] = t.at.sums[t.pos[l].upper].at(t.pos[l].sum)
		if rest := t.pos[l].rest; l == 0 || rest != t.pos[l-1].rest {
			section, others := t.at.fillable(t.pos[l].upper, rest)
			t.section, t.others = section, t.others|others
			t.stretches = append(t.stretches, stretch{rest: rest, from: l})
		}
		t.stretches[len(t.stretches)-1].to = l + 1
	}
	t.leave()
	t.end()
}

// end finds what it is worth to end the turn with each throw.
//
// A row whose need is missing is struck, which is worth what the page is without it. One that is there cannot be
// struck, but to write it is worth no less; so the best strike of all open rows bounds every throw.
func (t *turn) end() {
	l, ends := t.scores.lattice, t.ends[0]
	for i := range t.by {
		t.by[i] = [sides / 2]*[8]lane{&closed, &closed, &closed}
	}
	for i, r := range t.at.upper {
		if face := t.at.plan.rows[r].face - 1; t.section.has(i) {
			t.by[face*2/sides][face%(sides/2)] = &t.faces[i]
		}
	}
	for i := range t.halves {
		bestOfThree(t.halves[i], l.some, &t.by[i], &t.least)
	}
	bestOfBoth(ends, l.halves, t.halves[0], t.halves[1])
	for _, o := range t.at.others {
		if t.others.has(o.row) {
			raise(ends, t.scores.gives[o.row], &t.write[o.row])
		}
	}
	for k := 1; k < len(t.ends); k++ {
		copy(t.ends[k], ends)
		for _, o := range t.at.others {
			if t.others.has(o.row) {
				raise(t.ends[k], t.scores.more[k][o.row], &t.write[o.row])
			}
		}
	}
	t.endEqual()
}

// worth returns what each throw is worth.
func (t *turn) worth() []lane { return t.thrown[t.scores.lattice.fewer:] }

// served reports whether throws of all dice are worth something special.
func (t *turn) served() bool { return &t.worthAll[0] != &t.worth()[0] }

// after finds what dice are worth after a throw of the turn, when what they are worth after the next is known.
func (t *turn) after(throw int) {
	l, some, all := t.scores.lattice, t.ends[t.scores.some[throw-1]], t.ends[t.scores.all[throw-1]]
	if throw == t.throws {
		copy(t.worth(), some)
		if t.served() {
			copy(t.worthAll, all)
		}
		return
	}
	average(t.thrown, l.up)
	if t.served() {
		expect(&t.thrown[0], l.chance, t.worthAll)
	}
	choose(t.best, t.thrown, t.best, l.down)
	choose(t.worth(), some, t.best, l.downAll)
	if t.served() {
		choose(t.worthAll, all, t.best, l.downAll)
	}
}

// What all dice equal bring once their own row is filled, in the eyes of perfect play.

// equalMatters reports whether all dice equal may do more than others, or bring more, once their own row is filled.
func (p *plan) equalMatters() bool {
	again := p.paper.Again
	return again.Row != "" && (again.Joker != NoJoker || again.Points > 0)
}

// endEqual finds what throws of all dice equal are worth where they may do more than others, or bring more.
func (t *turn) endEqual() {
	at, again := t.at, t.at.plan.paper.Again
	if !at.plan.equalMatters() || at.rests[t.pos[0].rest].open.has(at.plan.again) {
		return
	}
	var further lane
	for _, same := range t.stretches {
		if at.holds(same.rest, at.plan.again) {
			for l := same.from; l < same.to; l++ {
				further[l] = float64(again.Points)
			}
		}
	}
	open := at.openRows(t.pos[0].upper, t.pos[0].rest)
	for face := 1; face <= sides; face++ {
		for k := range t.ends {
			worth := &t.ends[k][t.scores.equal[face]]
			if again.Joker != NoJoker {
				t.joke(worth, open, face, k)
			}
			for l := range worth {
				worth[l] += further[l]
			}
		}
	}
}

// below is worth less than everything.
var below = func() (l lane) {
	for i := range l {
		l[i] = math.Inf(-1)
	}
	return l
}()

// closed is in the place of a row of a face that is not open.
var closed = [8]lane{below, below, below, below, below, below, below, below}

// joker says which of the open rows of a sheet of one column equal dice may fill once the row that needs them is full,
// and whether they write rows of fixed points without their need: where the row of their face is full.
func (p *plan) joker(face int, open rowSet) (lets rowSet, jokes bool) {
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

// fixed reports whether the row gives the same for all dice that meet its need.
func (r *row) fixed() bool { return r.Points.Count == NoDice && r.lower }

// joke fills what a throw of one face alone is worth as a joker.
func (t *turn) joke(worth *lane, open rowSet, face, k int) {
	at, p := t.at, t.at.plan
	lets, jokes := p.joker(face, open)
	if lets != open {
		*worth = below
	}
	for i, r := range at.upper {
		if t.section.has(i) && lets.has(r) {
			shown := 0
			if p.rows[r].face == face {
				shown = p.paper.Dice
			}
			for l := range worth {
				worth[l] = max(worth[l], t.faces[i][shown][l])
			}
		}
	}
	for _, o := range at.others {
		if !t.others.has(o.row) || !lets.has(o.row) {
			continue
		}
		given := t.scores.alone[k][face][o.row]
		if !given.there && jokes && p.rows[o.row].fixed() {
			given = alone{float64(p.rows[o.row].Points.Plus), true}
		}
		leaves := &t.write[o.row]
		if !given.there {
			leaves = &t.strike[o.row]
		}
		for l := range worth {
			worth[l] = max(worth[l], given.points+leaves[l])
		}
	}
}
