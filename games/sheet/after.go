package sheet

// What a turn leads to, in the eyes of perfect play.

// leap is what a row of the section with a bonus gives, and the place of the sum that it leaves.
type leap struct{ gives, sum int32 }

// leaps are the leaps from the sums beside some open rows of the section, by the row, the place of the sum, and the
// dice that show its face.
type leaps [maxFaces][][maxDice + 1]leap

// newLeaps finds all leaps.
func (at *positions) newLeaps() []leaps {
	all := make([]leaps, at.whole+1)
	for upper := range at.whole + 1 {
		for i := range at.upper {
			if !upper.has(i) {
				continue
			}
			list := make([][maxDice + 1]leap, at.sums[upper].count())
			for place, sum := range at.sums[upper].told {
				for shown := range at.plan.paper.Dice + 1 {
					list[place][shown] = at.leap(upper, sum, i, shown)
				}
			}
			all[upper][i] = list
		}
	}
	return all
}

// leap is what a row gives for so many dice that show its face, with the bonus where the section is whole then.
func (at *positions) leap(upper rowSet, sum, i, shown int) leap {
	points := at.plan.faceWorth(at.upper[i], shown)
	upper &^= 1 << i
	sum += points
	if section := at.plan.bonusSection(); upper == 0 && section >= 0 {
		points += at.plan.paper.Sections[section].bonusFor(sum)
	}
	return leap{int32(points), int32(at.sums[upper].at(sum))}
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
			t.leaveUpper(i)
		}
	}
	for _, o := range at.others {
		if t.others.has(o.row) {
			t.leaveOther(o)
		}
	}
}

// leaveUpper fills what a row of the section with a bonus gives and leaves, by the dice that show its face.
func (t *turn) leaveUpper(i int) {
	at, upper, left := t.at, t.pos[0].upper, t.pos[0].left-1
	to, leaps, next := &t.faces[i], at.leaps[upper][i], upper&^(1<<i)
	bonusless, shown := at.bonusless(next, left), at.plan.paper.Dice+1
	var beside []float64
	for l := range lanes {
		if t.turns(l) {
			beside = at.row(next, t.pos[l].rest, left)
		}
		for n, leap := range leaps[t.sum[l]][:shown] {
			if bonusless {
				leap.sum = 0
			}
			to[n][l] = float64(leap.gives) + beside[leap.sum]
		}
	}
}

// leaveOther fills what one of the other rows leaves: written with points, or struck. Where it is not open it is worth
// nothing that anybody would choose.
func (t *turn) leaveOther(o restRow) {
	at, upper, left := t.at, t.pos[0].upper, t.pos[0].left-1
	row := &at.plan.rows[o.row]
	write, strike, strikes := &t.write[o.row], &t.strike[o.row], row.strikes() && !at.plan.paper.Misses
	var written, struck []float64
	lacks := false // it must not be written
	for l := range lanes {
		if rest := t.pos[l].rest; t.turns(l) {
			if written = nil; at.rests[rest].open.has(o.row) {
				struck = at.row(upper, rest+o.digit, left)
				if written = struck; o.flags {
					written = at.row(upper, rest+2*o.digit, left)
				}
				lacks = row.with >= 0 && !at.holds(t.pos[l], row.with)
			}
		}
		write[l], strike[l] = below[l], below[l]
		if written == nil {
			continue
		}
		place := t.sum[l]
		if at.bonusless(upper, left) {
			place = 0
		}
		if !lacks {
			write[l] = written[place]
		}
		if strikes {
			strike[l] = struck[place]
			t.least[l] = max(t.least[l], strike[l])
		}
	}
}

// afterMiss is what a turn without a row leaves.
func (at *positions) afterMiss(pos position) float64 {
	pos.left--
	return *at.slot(pos)
}

// holds reports whether a row holds points in a position.
func (at *positions) holds(pos position, r int) bool {
	for _, o := range at.others {
		if o.row == r && o.flags {
			return pos.rest/o.digit%o.digits == 2
		}
	}
	return false
}
