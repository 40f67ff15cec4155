package games

import "io"

// Solutions that are kept outside the program: plain numbers in a fixed order.

// Storing is a Solver whose solutions can be kept outside the program.
type Storing interface {
	Solver
	// Layout says what the numbers of a solution are, for rules and seats as Alike returns them. Its error is that of
	// Solve.
	Layout(rules Rules, seats int) (Layout, error)
	// Restore is Solve with the numbers at hand. It returns an error if they are not a solution of the rules, as far as
	// a moment's computing tells. What it returns may read them as long as it is used.
	Restore(rules Rules, seats int, values Values) (Perfect, error)
}

// Layout says what the numbers of a solution are.
type Layout struct {
	// Means is what the numbers depend on, in their order: solutions by one program that mean the same have the same
	// numbers.
	Means string
	// Count is how many there are.
	Count int
}

// Values are the numbers of a solution where they are kept. They are safe for concurrent use.
type Values interface {
	// Read fills to with those from a place on.
	Read(to []float64, from int) error
}

// Numbers are Values in memory.
type Numbers []float64

// Read copies them.
func (n Numbers) Read(to []float64, from int) error {
	if from < 0 || from+len(to) > len(n) {
		return io.ErrUnexpectedEOF
	}
	copy(to, n[from:])
	return nil
}

// Stored is the perfect play of a Storing.
type Stored interface {
	Perfect
	// Store hands all numbers to write, part by part in their order. Its error is that of write.
	Store(write func(part []float64) error) error
}

// Vast is a Storing with rules that have too many positions to be solved while a program runs. Alike refuses them
// unless somebody else has solved them.
type Vast interface {
	Storing
	// Offline returns the game as it is solved beside a running program: with what is too much else.
	Offline() Vast
	// SolveTo computes perfect play as Solve does, but keeps no more numbers in memory than it needs at a time: it
	// hands them to write, as Store does, and returns the figures that are known then.
	SolveTo(rules Rules, seats int, write func(part []float64) error) ([]Figure, error)
	// With returns the game in which such rules, as Alike returns them, are solved by the numbers that find returns. It
	// is called when they are first needed, and its error means that there are none. The game itself stays as it is.
	With(rules Rules, seats int, find func() (Values, error)) Game
}
