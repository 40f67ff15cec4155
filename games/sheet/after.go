package sheet

// What a turn leads to, in the eyes of perfect play.

// leap is what a row of the section with a bonus gives, and the place of the sum that it leaves.
type leap struct {
	gives float64
	sum   int
}

// leaps are the leaps from the sums beside some open rows of the section, by the row, the dice that show its face, and
// the place of the sum.
type leaps [maxFaces][maxDice + 1][]leap

// newLeaps finds all leaps.
func (at *positions) newLeaps() []leaps {
	all := make([]leaps, at.whole+1)
	for upper := range at.whole + 1 {
		from := &at.sums[upper]
		for i := range at.upper {
			if !upper.has(i) {
				continue
			}
			for shown := range at.plan.paper.Dice + 1 {
				list := make([]leap, from.count())
				for place := range list {
					list[place] = at.leap(upper, from.told[place], i, shown)
				}
				all[upper][i][shown] = list
			}
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
	return leap{float64(points), at.sums[upper].at(sum)}
}

// afterUpper fills in what a row of the section with a bonus gives and leaves in some positions with the same rows
// open, by the dice that show its face.
func (at *positions) afterUpper(to *[8]lane, pos *[lanes]position, i int) {
	upper := pos[0].upper
	next := upper &^ (1 << i)
	for l := range pos {
		sum, left := at.sums[upper].at(pos[l].sum), pos[l].left-1
		bonusless, beside := at.bonusless(next, left), at.row(next, pos[l].rest, left)
		for shown := range at.plan.paper.Dice + 1 {
			leap := &at.leaps[upper][i][shown][sum]
			place := leap.sum
			if bonusless {
				place = 0
			}
			to[shown][l] = leap.gives + beside[place]
		}
	}
}

// afterOther is what one of the other rows leaves: written with points, or struck.
func (at *positions) afterOther(pos position, o restRow, points bool) float64 {
	pos.rest += o.digit
	if points && o.flags {
		pos.rest += o.digit
	}
	pos.left--
	return *at.slot(pos)
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
