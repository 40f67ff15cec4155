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

// size is how many dice there are.
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
