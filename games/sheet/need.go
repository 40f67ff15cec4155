package sheet

// What dice must have for a row.

// sides is how many faces a die has.
const sides = 6

// counts says how many dice show each face; nothing stands at 0.
type counts [sides + 1]uint8

// Need is what the dice must have for a row to be written. The zero Need is nothing: such a row is always
// written, and never struck.
type Need struct {
	// Groups are numbers of equal dice: 3 and 2 for a full house. Each is of another face, unless Shared.
	Groups []int
	Shared bool
	// Faces lists runs and other sets of faces: all faces of one of them must lie.
	Faces  [][]int
	Total  int    // all dice add up to this, where it is not 0
	Pair   bool   // two dice are equal, whatever else there is
	Colour bool   // the dice that count are of one colour
	With   string // the row that must hold points already
}

// Equal needs so many dice of one face.
func Equal(n int) Need { return Need{Groups: []int{n}} }

// Groups needs so many equal dice for each number, each group of another face.
func Groups(n ...int) Need { return Need{Groups: n} }

// Run needs so many faces in a row, anywhere.
func Run(length int) Need {
	var all [][]int
	for first := 1; first+length-1 <= sides; first++ {
		all = append(all, From(first, first+length-1))
	}
	return Need{Faces: all}
}

// AnyOf needs all faces of one of these sets.
func AnyOf(sets ...[]int) Need { return Need{Faces: sets} }

// From lists the faces from one to another.
func From(first, last int) []int {
	var faces []int
	for face := first; face <= last; face++ {
		faces = append(faces, face)
	}
	return faces
}

// any reports whether nothing is needed.
func (n Need) any() bool {
	return len(n.Groups)+len(n.Faces)+n.Total == 0 && !n.Pair && !n.Colour && n.With == ""
}

// readings calls each with the dice that meet the need, for every way to read them: none where it is missing.
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

// groups places the groups that are left.
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

// all returns one die of each of some faces, and false if one is missing.
func (c counts) all(faces []int) (used counts, there bool) {
	for _, face := range faces {
		if c[face] == 0 {
			return counts{}, false
		}
		used[face] = 1
	}
	return used, true
}

// oneColour reports whether all dice are of the same colour.
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

// highest returns the highest face that at least n dice show, or 0.
func (c counts) highest(n uint8) int {
	for face := sides; face > 0; face-- {
		if c[face] >= n {
			return face
		}
	}
	return 0
}

// size returns how many dice there are.
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

// equal returns the face that all dice show, or 0.
func (c counts) equal() int { return c.highest(uint8(c.size())) }

// Points is what a row gives.
type Points struct {
	Count Count // the dice that it counts
	Face  int   // for OfFace and OverThree
	Plus  int   // beside the dice
	// First and Served are more of it right after the first throw of a turn, and when the last throw threw all
	// dice. ByThrow, where there is one, is Plus by the throw of the turn, its last also for later ones.
	First, Served int
	ByThrow       []int
	Doubled       Doubling
}

// Count says which dice a row counts.
type Count uint8

// What a row counts.
const (
	NoDice    Count = iota
	Used            // the dice that meet the need
	AllDice         // all of them
	OfFace          // those that show the face
	OverThree       // those of the face beyond three, less than three being missing
)

// Doubling says what counts double right after the first throw of a turn.
type Doubling uint8

// The doublings.
const (
	Single    Doubling = iota
	TwiceDice          // the dice, not what there is beside them
	Twice              // everything
)

// Fixed returns so many points.
func Fixed(points int) Points { return Points{Plus: points} }

// moment is when a row is written.
type moment struct {
	throw  int  // of the turn, from 1
	served bool // that throw threw all dice
}

// countsFor returns what some dice give, of which some are used.
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

// at returns what dice that count so much give in a moment.
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

// points returns what a row gives for some dice, and false where its need is missing: what another row must hold
// aside.
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
