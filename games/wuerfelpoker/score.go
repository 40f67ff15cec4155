package wuerfelpoker

// What dice are worth in each row.

const (
	handSize  = 5
	sides     = 6
	maxThrows = 3

	smallStraightPoints = 15
	bigStraightPoints   = 20
	pokerBonus          = 50 // for five equal, beside their sum
	schoolBonus         = 50 // for a school that is not negative, or is
)

// hand is the five dice as they lie, left to right.
type hand [handSize]uint8

// counts says how many dice show each face; nothing stands at 0.
type counts [sides + 1]uint8

func (h hand) counts() counts {
	var c counts
	for _, face := range h {
		c[face]++
	}
	return c
}

// points returns what a row gives for these dice, and false where its
// combination is missing. first says that they lie as the round's first throw
// left them.
func (r *rules) points(w row, h hand, first bool) (points int, there bool) {
	return r.pointsOf(w, h.counts(), first)
}

func (r *rules) pointsOf(w row, c counts, first bool) (points int, there bool) {
	if w.school() {
		return (int(c[w.face()]) - 3) * w.face(), true
	}
	points, there = r.combination(w, c)
	if !there || !first || !r.doubles(w) {
		return points, there
	}
	if w == poker && r.poker == once {
		return 2*points - pokerBonus, true
	}
	return 2 * points, true
}

// doubles reports whether a row counts double when it is written directly after
// the first throw.
func (r *rules) doubles(w row) bool {
	switch {
	case !r.firstDoubles || w.school():
		return false
	case w == chance:
		return r.chanceDoubles
	case w == poker:
		return r.poker != never
	}
	return true
}

// combination returns what a row of part two gives, nothing doubled.
func (r *rules) combination(w row, c counts) (points int, there bool) {
	switch w {
	case pair:
		return times(2, c.highest(2))
	case three:
		return times(3, c.highest(3))
	case four:
		return times(4, c.highest(4))
	case twoPairs:
		return r.twoPairs(c)
	case fullHouse:
		return r.fullHouse(c)
	case smallStraight:
		return smallStraightPoints, c[6] == 0 && c.distinct() == handSize
	case bigStraight:
		return bigStraightPoints, c[1] == 0 && c.distinct() == handSize
	case poker:
		face := c.highest(5)
		return 5*face + pokerBonus, face > 0
	case chance:
		return c.sum(), true
	}
	return 0, false
}

func (r *rules) twoPairs(c counts) (points int, there bool) {
	high := c.highest(2)
	if high == 0 {
		return 0, false
	}
	if r.fourAsTwoPairs && c[high] >= 4 {
		return 4 * high, true
	}
	c[high] = 0
	low := c.highest(2)
	return 2*high + 2*low, low > 0
}

func (r *rules) fullHouse(c counts) (points int, there bool) {
	if r.fiveAsFullHouse && c.highest(5) > 0 {
		return c.sum(), true
	}
	trio := c.highest(3)
	if trio == 0 {
		return 0, false
	}
	sum := c.sum()
	c[trio] = 0
	return sum, c.highest(2) > 0
}

// times is what so many dice of a face are worth; there are none of face 0.
func times(n, face int) (points int, there bool) { return n * face, face > 0 }

// highest returns the highest face that at least n dice show, or 0.
func (c counts) highest(n uint8) int {
	for face := sides; face > 0; face-- {
		if c[face] >= n {
			return face
		}
	}
	return 0
}

// distinct returns how many faces the dice show.
func (c counts) distinct() int {
	n := 0
	for _, count := range c {
		if count > 0 {
			n++
		}
	}
	return n
}

func (c counts) sum() int {
	sum := 0
	for face, count := range c {
		sum += face * int(count)
	}
	return sum
}
