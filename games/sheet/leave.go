package sheet

// What a turn leads to, in the eyes of perfect play.

// leap is what a row of the section with a bonus leads to, by the place of the sum beside its open rows, and the dice
// that show its face.
type leap struct {
	sums  [][maxDice + 1]uint16  // the place of the sum that it leaves
	gives [][maxDice + 1]float64 // points, and the bonus where the section is whole then; else the same for all sums
}

// newLeaps finds the leaps of all rows, by the open rows of the section.
func (at *positions) newLeaps() [][maxFaces]leap {
	all := make([][maxFaces]leap, at.whole+1)
	for upper := range at.whole + 1 {
		for i := range at.upper {
			if upper.has(i) {
				all[upper][i] = at.newLeap(upper, i)
			}
		}
	}
	return all
}

func (at *positions) newLeap(upper rowSet, i int) (leap leap) {
	next, section := upper&^(1<<i), at.plan.bonusSection()
	for place, sum := range at.sums[upper].told {
		var sums [maxDice + 1]uint16
		var gives [maxDice + 1]float64
		for shown := range at.plan.paper.Dice + 1 {
			points := at.plan.faceWorth(at.upper[i], shown)
			sums[shown], gives[shown] = uint16(at.sums[next].at(sum+points)), float64(points)
			if next == 0 && section >= 0 {
				gives[shown] += float64(at.plan.paper.Sections[section].bonusFor(sum + points))
			}
		}
		leap.sums = append(leap.sums, sums)
		if place == 0 || next == 0 {
			leap.gives = append(leap.gives, gives)
		}
	}
	return leap
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
	to, leap, next := &t.faces[i], &at.leaps[upper][i], upper&^(1<<i)
	bonusless, shown := at.bonusless(next, left), at.plan.paper.Dice+1
	for _, same := range t.stretches {
		beside := at.row(next, same.rest, left)
		if bonusless {
			beside = beside[:1]
		}
		last := len(beside) - 1
		for l := same.from; l < same.to; l++ {
			gives := &leap.gives[min(t.sum[l], len(leap.gives)-1)]
			for n, sum := range leap.sums[t.sum[l]][:shown] {
				to[n][l] = gives[n] + beside[min(int(sum), last)]
			}
		}
	}
}

// leaveOther fills what one of the other rows leaves: written with points, or struck. Where it is not open it is worth
// nothing that anybody would choose.
func (t *turn) leaveOther(o restRow) {
	at, upper, left := t.at, t.pos[0].upper, t.pos[0].left-1
	write, strike := &t.write[o.row], &t.strike[o.row]
	*write, *strike = below, below
	bonusless := at.bonusless(upper, left)
	for _, same := range t.stretches {
		if !at.rests[same.rest].open.has(o.row) {
			continue
		}
		struck := at.row(upper, same.rest+o.digit, left)
		written := struck
		if o.flags {
			written = at.row(upper, same.rest+2*o.digit, left)
		}
		lacks := o.with >= 0 && !at.holds(same.rest, o.with)
		for l := same.from; l < same.to; l++ {
			place := t.sum[l]
			if bonusless {
				place = 0
			}
			if !lacks {
				write[l] = written[place]
			}
			if worth := struck[place]; o.strikes {
				strike[l] = worth
				if worth > t.least[l] {
					t.least[l] = worth
				}
			}
		}
	}
}

// afterMiss is what a turn without a row leaves.
func (at *positions) afterMiss(pos position) float64 {
	pos.left--
	return *at.slot(pos)
}

// holds reports whether a row holds points in a rest.
func (at *positions) holds(rest, r int) bool {
	for _, o := range at.others {
		if o.row == r && o.flags {
			return rest/o.digit%o.digits == 2
		}
	}
	return false
}
