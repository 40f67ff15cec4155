package sheet

import "math"

// What all dice equal bring once their own row is filled, in the eyes of perfect play.

// endEqual finds what throws of all dice equal are worth where they may do more than others, or bring more.
func (t *turn) endEqual() {
	at, again := t.at, t.at.plan.paper.Again
	if again.Row == "" || at.rests[t.pos[0].rest].open.has(at.plan.again) {
		return
	}
	for face := 1; face <= sides; face++ {
		throw := t.scores.equal[face]
		for k := range t.ends {
			if again.Joker != NoJoker {
				t.joke(&t.ends[k][throw], throw, face, k)
			}
			for l, pos := range t.pos {
				if at.holds(pos, at.plan.again) {
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

// joke fills what a throw of one face alone is worth as a joker.
func (t *turn) joke(worth *lane, throw uint32, face, k int) {
	p, dice := t.at.plan, t.at.plan.paper.Dice
	forced := p.paper.Again.Joker == ForcedJoker
	for i, r := range t.at.upper {
		if p.rows[r].face == face && t.pos[0].upper.has(i) {
			if forced {
				*worth = t.faces[i][dice]
			}
			return
		}
	}
	any := false
	for _, o := range t.at.others {
		if !t.others.has(o.row) {
			continue
		}
		if !any && forced {
			*worth = below
		}
		any = true
		points, there := p.points(o.row, t.scores.lattice.throws()[throw], t.scores.moments[k])
		if !there && p.rows[o.row].fixed() {
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
