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
