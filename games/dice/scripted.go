package dice

import "slices"

// Tester is the part of *testing.T that Scripted dice need.
type Tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Scripted dice fall as a test has written down. They fail the test when it
// asks for more faces than were written, or for a face that the die lacks.
type Scripted struct {
	t     Tester
	faces []int
	next  int
}

// NewScripted returns dice that show these faces, one after the other.
func NewScripted(t Tester, faces ...int) *Scripted {
	return &Scripted{t: t, faces: faces}
}

// Throw returns the next faces that were written down.
func (s *Scripted) Throw(count, sides int) []int {
	s.t.Helper()
	if len(s.faces)-s.next < count {
		s.t.Fatalf("scripted dice: %d more dice thrown, %v are left", count, s.faces[s.next:])
		return slices.Repeat([]int{1}, count)
	}
	faces := slices.Clone(s.faces[s.next : s.next+count])
	s.next += count
	for _, face := range faces {
		if face < 1 || face > sides {
			s.t.Fatalf("scripted dice: no face %d on a die with %d sides", face, sides)
		}
	}
	return faces
}

// Left returns the faces that were written down and not thrown yet.
func (s *Scripted) Left() []int { return slices.Clone(s.faces[s.next:]) }
