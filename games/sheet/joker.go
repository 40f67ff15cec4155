package sheet

import "math"

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
	for face := 1; face <= sides; face++ {
		throw := t.scores.equal[face]
		for k := range t.ends {
			if again.Joker != NoJoker {
				t.joke(&t.ends[k][throw], throw, face, k)
			}
			for l, pos := range t.pos {
				if at.holds(pos.rest, at.plan.again) {
					t.ends[k][throw][l] += float64(again.Points)
				}
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
func (t *turn) joke(worth *lane, throw uint32, face, k int) {
	at, p := t.at, t.at.plan
	open := at.openRows(t.pos[0].upper, t.pos[0].rest)
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
		points, there := p.points(o.row, t.scores.lattice.throws()[throw], t.scores.moments[k])
		if !there && jokes && p.rows[o.row].fixed() {
			points, there = p.rows[o.row].Points.Plus, true
		}
		leaves := &t.write[o.row]
		if !there {
			leaves = &t.strike[o.row]
		}
		for l := range worth {
			worth[l] = max(worth[l], float64(points)+leaves[l])
		}
	}
}
