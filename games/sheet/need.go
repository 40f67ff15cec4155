package sheet

// The needs of rows and the points they give.

// sides is the number of faces of a die.
const sides = 6

// counts holds how many dice show each face; index 0 is unused.
type counts [sides + 1]uint8

// Need is the condition that the dice must meet for a row to be written. Rows with the zero Need are never struck.
type Need struct {
	// Groups holds sizes of groups of equal dice: 3 and 2 for a full house. Unless Shared, their faces differ.
	Groups []int
	Shared bool
	// Faces holds runs and other sets of faces: the dice must show all faces of one of them.
	Faces  [][]int
	Total  int    // the required sum of all dice; 0 for any
	Pair   bool   // at least two dice must be equal
	Colour bool   // the dice that count must have one colour
	With   string // the name of a row that must already hold points, or ""
}

// Equal returns the need of n equal dice.
func Equal(n int) Need { return Need{Groups: []int{n}} }

// Groups returns the need of several groups of equal dice, each of another face; n holds their sizes.
func Groups(n ...int) Need { return Need{Groups: n} }

// Run returns the need of consecutive faces, as in a straight; length is their number.
func Run(length int) Need {
	var all [][]int
	for first := 1; first+length-1 <= sides; first++ {
		all = append(all, From(first, first+length-1))
	}
	return Need{Faces: all}
}

// AnyOf returns the need that the dice show all faces of at least one of sets.
func AnyOf(sets ...[]int) Need { return Need{Faces: sets} }

// From returns the faces from first to last.
func From(first, last int) []int {
	var faces []int
	for face := first; face <= last; face++ {
		faces = append(faces, face)
	}
	return faces
}

// isAlwaysMet reports whether every throw meets the need.
func (n Need) isAlwaysMet() bool {
	return len(n.Groups)+len(n.Faces)+n.Total == 0 && !n.Pair && !n.Colour && n.With == ""
}

// eachReading selects dice of c that meet the need, in every possible way, and calls each with the selected dice. If c
// does not meet the need it makes no call. colours holds the colour of each face, as Paper.Colours does.
func (n Need) eachReading(c counts, colours []int, each func(used counts)) {
	if n.Total != 0 && c.sum() != n.Total || n.Pair && c.highest(2) == 0 {
		return
	}
	ifColoured := func(used counts) {
		if !n.Colour || used.hasOneColour(colours) {
			each(used)
		}
	}
	switch {
	case len(n.Groups) > 0:
		n.eachGrouping(n.Groups, c, counts{}, ifColoured)
	case len(n.Faces) > 0:
		for _, faces := range n.Faces {
			if used, found := c.oneOfEach(faces); found {
				ifColoured(used)
			}
		}
	default:
		ifColoured(c)
	}
}

// eachGrouping calls each with used plus groups of equal dice with these sizes, in every way to choose them from c.
func (n Need) eachGrouping(sizes []int, c, used counts, each func(used counts)) {
	if len(sizes) == 0 {
		each(used)
		return
	}
	size := uint8(sizes[0])
	for face := sides; face > 0; face-- {
		if c[face] < used[face]+size || used[face] > 0 && !n.Shared {
			continue
		}
		used[face] += size
		n.eachGrouping(sizes[1:], c, used, each)
		used[face] -= size
	}
}

// oneOfEach returns one die for each of faces, and false if not all of faces are among the dice c.
func (c counts) oneOfEach(faces []int) (used counts, complete bool) {
	for _, face := range faces {
		if c[face] == 0 {
			return counts{}, false
		}
		used[face] = 1
	}
	return used, true
}

// hasOneColour reports whether all dice have the same colour; colours holds the colour of each face, that of 1 first.
func (c counts) hasOneColour(colours []int) bool {
	seen := -1
	for face := 1; face <= sides; face++ {
		if c[face] == 0 {
			continue
		}
		if seen >= 0 && colours[face-1] != seen {
			return false
		}
		seen = colours[face-1]
	}
	return true
}

// highest returns the highest face that at least n dice show, 0 if there is none.
func (c counts) highest(n uint8) int {
	for face := sides; face > 0; face-- {
		if c[face] >= n {
			return face
		}
	}
	return 0
}

// size returns the number of dice.
func (c counts) size() int {
	n := 0
	for _, count := range c {
		n += int(count)
	}
	return n
}

// sum returns the sum of the faces of all dice.
func (c counts) sum() int {
	sum := 0
	for face, count := range c {
		sum += face * int(count)
	}
	return sum
}

// equalFace returns the face that all dice show, 0 if they differ.
func (c counts) equalFace() int { return c.highest(uint8(c.size())) }

// Points defines the points of a row.
type Points struct {
	Count Count // the dice whose faces are added up
	Face  int   // the face that OfFace and OverThree count
	Plus  int   // points added to those of the dice
	// First is added to Plus right after the first throw of a turn, and Served after a throw of all dice. ByThrow, if
	// not empty, replaces Plus: it holds points by throw of the turn; its last value also holds for later throws.
	First, Served int
	ByThrow       []int
	Doubled       Doubling
}

// Count selects the dice whose faces a row adds up.
type Count uint8

// The values of Count.
const (
	NoDice    Count = iota
	Used            // the dice that meet the need
	AllDice         // all dice
	OfFace          // the dice that show Points.Face
	OverThree       // the dice that show Points.Face, except three of them; fewer than three give a loss
)

// Doubling selects the points that count double right after the first throw of a turn.
type Doubling uint8

// The doublings.
const (
	Single    Doubling = iota
	TwiceDice          // the points of the dice count double, but not Plus
	Twice              // all points count double
)

// Fixed returns a fixed number of points, whatever the dice.
func Fixed(points int) Points { return Points{Plus: points} }

// moment is the throw after which a row is written, as far as points depend on it.
type moment struct {
	throw  int  // the number of the throw in its turn, from 1
	served bool // all dice were thrown, none kept
}

// dicePoints returns the points that faces give, without Plus: all holds all dice, used the dice that meet the need.
func (p Points) dicePoints(used, all counts) int {
	switch p.Count {
	case Used:
		return used.sum()
	case AllDice:
		return all.sum()
	case OfFace:
		return int(all[p.Face]) * p.Face
	case OverThree:
		return (int(all[p.Face]) - 3) * p.Face
	}
	return 0
}

// total returns the points of a row: dicePoints, with the extras and the doubling for the throw described by when.
func (p Points) total(dicePoints int, when moment) int {
	plus := p.Plus
	if len(p.ByThrow) > 0 {
		plus = p.ByThrow[min(max(when.throw, 1), len(p.ByThrow))-1]
	}
	if when.served {
		plus += p.Served
	}
	if when.throw != 1 {
		return dicePoints + plus
	}
	switch p.Doubled {
	case TwiceDice:
		return 2*dicePoints + plus + p.First
	case Twice:
		return 2*(dicePoints+plus) + p.First
	}
	return dicePoints + plus + p.First
}

// points returns the points of row r for the dice c after the throw described by when, and false if c does not meet the
// row's need. It does not check Need.With (a row that must have points).
func (p *plan) points(r int, c counts, when moment) (points int, met bool) {
	row := &p.rows[r]
	row.Need.eachReading(c, p.paper.Colours, func(used counts) {
		total := row.Points.total(row.Points.dicePoints(used, c), when)
		if !met || total > points {
			points, met = total, true
		}
	})
	return points, met
}
