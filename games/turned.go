package games

import "slices"

// Turned is a Match that says how a turn has come out.
type Turned interface {
	Match
	// TurnEnded returns the seat whose turn the last move has ended, and in a word or two, without a
	// name, how it came out: "16", "Chance 17", "banks 450". false: the last move has ended none.
	TurnEnded() (s Seat, how Line, ended bool)
}

// EndedTurn reports whether a move of a seat that has led to a match has ended the seat's turn, and
// how it came out. Of a match that does not say so itself, it is over when another seat is to move,
// and what came out is how the seat stands. An empty key: nothing can be said.
func EndedTurn(m Match, s Seat) (how Line, ended bool) {
	passed := !slices.Contains(m.Turn(), s)
	says, ok := m.(Turned)
	if ok {
		if of, how, ended := says.TurnEnded(); ended && of == s {
			return how, true
		}
		return Line{}, passed
	}
	if stands := m.View().Stands; passed && int(s) < len(stands) {
		how = stands[s].Line
	}
	return how, passed
}
