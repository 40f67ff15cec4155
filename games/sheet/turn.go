package sheet

import (
	"math"
	"slices"
)

// turn finds what a turn is worth in several positions at once, from what its end is worth in each. It is the working
// space of one goroutine. The positions have the same rows open.
type turn struct {
	at     *positions
	scores *scores
	throws int

	waiting         [lanes]position // to be looked at
	pos             [lanes]position
	section, others rowSet            // rows that may be filled
	faces           [maxFaces][8]lane // what rows of faces give and leave, by the dice that show it
	write, strike   []lane            // what other rows leave, written and struck
	least           lane              // what a turn brings that writes nothing
	ends            [][]lane          // what each throw is worth to whoever ends the turn with it, by moment

	// thrown holds what a keep is worth when its other dice are thrown now, and of all dice what they are worth,
	// whatever is done with them. best holds what the best keep within a keep of less dice is worth.
	thrown, best []lane
	// worthAll is what each throw of all dice is worth: where that is nothing special, the end of thrown.
	worthAll []lane
}

// maxFaces is how many rows the section with a bonus may have.
const maxFaces = 6

func newTurn(at *positions, s *scores) *turn {
	t := &turn{at: at, scores: s, throws: at.plan.paper.Throws}
	n := len(s.lattice.chance)
	t.ends = make([][]lane, len(s.moments))
	for i := range t.ends {
		t.ends[i] = make([]lane, n)
	}
	t.write, t.strike = make([]lane, len(at.plan.rows)), make([]lane, len(at.plan.rows))
	t.thrown, t.best = make([]lane, len(s.lattice.counts)), make([]lane, s.lattice.fewer)
	if t.worthAll = t.worth(); !slices.Equal(s.some, s.all) {
		t.worthAll = make([]lane, n)
	}
	return t
}

// expected returns what the turn is worth before its first throw in each of some positions.
func (t *turn) expected(pos []position) lane {
	t.begin(pos)
	for throw := t.throws; throw >= 1; throw-- {
		t.after(throw)
	}
	return expect(t.scores.lattice.chance, t.worthAll)
}

// begin looks at positions, at most as many as there are lanes.
func (t *turn) begin(pos []position) {
	for l := range t.pos {
		t.pos[l] = pos[min(l, len(pos)-1)]
	}
	t.section, t.others = t.at.fillable(pos[0].upper, pos[0].rest)
	t.leave()
	t.end()
}

// leave fills what rows leave.
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
			at.afterUpper(&t.faces[i], &t.pos, i)
		}
	}
	for _, o := range at.others {
		if t.others.has(o.row) {
			t.leaveOther(o)
		}
	}
}

// leaveOther fills what one of the other rows leaves.
func (t *turn) leaveOther(o restRow) {
	row := &t.at.plan.rows[o.row]
	strikes := row.strikes() && !t.at.plan.paper.Misses
	for l, pos := range t.pos {
		t.write[o.row][l] = t.at.afterOther(pos, o, true)
		if row.with >= 0 && !t.at.holds(pos, row.with) {
			t.write[o.row][l] = math.Inf(-1)
		}
		if strikes {
			t.strike[o.row][l] = t.at.afterOther(pos, o, false)
			t.least[l] = max(t.least[l], t.strike[o.row][l])
		}
	}
}

// end finds what every throw is worth to whoever ends the turn with it.
//
// A row whose need is missing is struck, which is worth what the page is without it. One that is there cannot be
// struck, but to write it is worth no less; so the best strike of all open rows bounds every throw.
func (t *turn) end() {
	ends := t.ends[0]
	for i := range ends {
		ends[i] = t.least
	}
	for i, r := range t.at.upper {
		if t.section.has(i) {
			raiseShown(ends, t.scores.lattice.shown[t.at.plan.rows[r].face-1], &t.faces[i])
		}
	}
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

// worth is what each throw is worth.
func (t *turn) worth() []lane { return t.thrown[t.scores.lattice.fewer:] }

// after finds what dice are worth after a throw of the turn, when what they are worth after the next is known.
func (t *turn) after(throw int) {
	l, some, all := t.scores.lattice, t.ends[t.scores.some[throw-1]], t.ends[t.scores.all[throw-1]]
	served := &t.worthAll[0] != &t.worth()[0]
	if throw == t.throws {
		copy(t.worth(), some)
		if served {
			copy(t.worthAll, all)
		}
		return
	}
	average(t.thrown, l.up)
	if served {
		t.thrown[0] = expect(l.chance, t.worthAll)
	}
	choose(t.best, t.thrown, t.best, l.down)
	choose(t.worth(), some, t.best, l.downAll)
	if served {
		choose(t.worthAll, all, t.best, l.downAll)
	}
}
