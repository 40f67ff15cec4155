package sheet

// The needs of rows and the points they give.

// sides is the number of faces of a die.
const sides = 6

// counts holds how many dice show each face; index 0 is unused.
type counts [sides + 1]uint8

// Need is the condition that the dice must meet for a row to be written. The zero Need is always met: such a row is
// never struck.
type Need struct {
	// Groups holds the sizes of groups of equal dice: 3 and 2 for a full house. Each group has another face, unless
	// Shared.
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

// Groups returns the need of a group of equal dice for each number in n, each of another face.
func Groups(n ...int) Need { return Need{Groups: n} }

// Run returns the need of that many consecutive faces.
func Run(length int) Need {
	var all [][]int
	for first := 1; first+length-1 <= sides; first++ {
		all = append(all, From(first, first+length-1))
	}
	return Need{Faces: all}
}

// AnyOf returns the need of all faces of one of these sets.
func AnyOf(sets ...[]int) Need { return Need{Faces: sets} }

// From returns the faces from first to last.
func From(first, last int) []int {
	var faces []int
	for face := first; face <= last; face++ {
		faces = append(faces, face)
	}
	return faces
}

// any reports whether every throw meets the need.
func (n Need) any() bool {
	return len(n.Groups)+len(n.Faces)+n.Total == 0 && !n.Pair && !n.Colour && n.With == ""
}

// readings calls each with the dice that meet the need, once for every way to select them; never if c does not meet it.
func (n Need) readings(c counts, colours []int, each func(used counts)) {
	if n.Total != 0 && c.sum() != n.Total || n.Pair && c.highest(2) == 0 {
		return
	}
	some := func(used counts) {
		if !n.Colour || used.oneColour(colours) {
			each(used)
		}
	}
	switch {
	case len(n.Groups) > 0:
		n.groups(n.Groups, c, counts{}, some)
	case len(n.Faces) > 0:
		for _, faces := range n.Faces {
			if used, there := c.all(faces); there {
				some(used)
			}
		}
	default:
		some(c)
	}
}

// groups selects dice for the groups in left from c, beside those in used, and calls each with every complete
// selection.
func (n Need) groups(left []int, c, used counts, each func(used counts)) {
	if len(left) == 0 {
		each(used)
		return
	}
	size := uint8(left[0])
	for face := sides; face > 0; face-- {
		if c[face] < used[face]+size || used[face] > 0 && !n.Shared {
			continue
		}
		used[face] += size
		n.groups(left[1:], c, used, each)
		used[face] -= size
	}
}

// all returns one die of each of faces, and false if one is missing.
func (c counts) all(faces []int) (used counts, there bool) {
	for _, face := range faces {
		if c[face] == 0 {
			return counts{}, false
		}
		used[face] = 1
	}
	return used, true
}

// oneColour reports whether all dice have the same colour.
func (c counts) oneColour(colours []int) bool {
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

func (c counts) sum() int {
	sum := 0
	for face, count := range c {
		sum += face * int(count)
	}
	return sum
}

// equal returns the face that all dice show, 0 if they differ.
func (c counts) equal() int { return c.highest(uint8(c.size())) }

// Points defines the points of a row.
type Points struct {
	Count Count // the dice that it counts
	Face  int   // the face of OfFace and OverThree
	Plus  int   // points added to those of the dice
	// First is added to Plus right after the first throw of a turn, and Served if the last throw threw all dice.
	// ByThrow, if not empty, replaces Plus by the throw of the turn; its last value also holds for later throws.
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
	AllDice         // all of them
	OfFace          // those that show the face
	OverThree       // those of the face beyond three; fewer than three give a loss
)

// Doubling selects the points that count double right after the first throw of a turn.
type Doubling uint8

// The doublings.
const (
	Single    Doubling = iota
	TwiceDice          // the points of the dice, without Plus
	Twice              // everything
)

// Fixed returns a fixed number of points, whatever the dice.
func Fixed(points int) Points { return Points{Plus: points} }

// moment is the time at which a row is written.
type moment struct {
	throw  int  // of the turn, from 1
	served bool // that throw threw all dice
}

// countsFor returns the points of the dice alone: all are the dice, used those that meet the need.
func (p Points) countsFor(used, all counts) int {
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

// at returns the points of a row in a moment, if its dice give counted.
func (p Points) at(counted int, at moment) int {
	plus := p.Plus
	if len(p.ByThrow) > 0 {
		plus = p.ByThrow[min(max(at.throw, 1), len(p.ByThrow))-1]
	}
	if at.served {
		plus += p.Served
	}
	if at.throw != 1 {
		return counted + plus
	}
	switch p.Doubled {
	case TwiceDice:
		return 2*counted + plus + p.First
	case Twice:
		return 2*(counted+plus) + p.First
	}
	return counted + plus + p.First
}

// points returns the points of row r for the dice c, and false if they do not meet its need. It ignores Need.With.
func (p *plan) points(r int, c counts, at moment) (points int, there bool) {
	row := &p.rows[r]
	row.Need.readings(c, p.paper.Colours, func(used counts) {
		given := row.Points.at(row.Points.countsFor(used, c), at)
		if !there || given > points {
			points, there = given, true
		}
	})
	return points, there
}
