package games

import "slices"

// Moves that need no decision: a chat may have them played at once.

// Flowing is a Match whose turns have several moves of one seat, of which some need no decision.
type Flowing interface {
	Match
	// MidTurn reports whether the seat that is to move has thrown in its present turn already. The
	// first throw of a turn is always its own press.
	MidTurn() bool
}

// Follows returns the move of a seat that needs no decision: it is in the middle of its turn, and there is no other.
func Follows(m Match, s Seat) (Move, bool) {
	flowing, ok := m.(Flowing)
	if !ok || !slices.Equal(m.Turn(), []Seat{s}) || !flowing.MidTurn() {
		return "", false
	}
	moves := m.Moves(s)
	if len(moves) != 1 {
		return "", false
	}
	return moves[0], true
}

// ThrowsOn reports whether a legal move throws no dice itself, and one that follows it without a decision does.
func ThrowsOn(m Match, s Seat, mv Move) bool {
	var dice ones
	next, _, err := Play(m, s, mv, &dice)
	if err != nil || dice > 0 {
		return false
	}
	follows, ok := Follows(next, s)
	if !ok {
		return false
	}
	next.Apply(s, follows, &dice)
	return dice > 0
}

// ones are dice that fall on one, counted: they tell a throw from other moves.
type ones int

func (o *ones) Throw(count, _ int) []int {
	*o += ones(count)
	return slices.Repeat([]int{1}, count)
}

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
