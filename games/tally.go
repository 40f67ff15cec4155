package games

// Tally holds what statistics are made of: sums by names of the game's own. Those of one game are added up, whatever
// its rules are.
type Tally map[string]int64

// Add adds the sums of another.
func (t Tally) Add(more Tally) {
	for name, n := range more {
		t[name] += n
	}
}

// Tallied is a Game whose moves tell more about a player than results do.
type Tallied interface {
	Game
	// Tally returns what a move counts for the seat that made it, with the matches before and after it; nil for
	// nothing.
	Tally(before, after Match, s Seat, mv Move) Tally
	// SayTally puts a sum of tallies into sentences that stand behind the game's name and a colon; none where there is
	// too little to say.
	SayTally(sum Tally) []Line
}

// Decimal is an argument of a Line: a number that is put into words with one digit behind the point, or with none
// where that digit is 0.
type Decimal float64
