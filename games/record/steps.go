package record

import (
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/dice"
)

// Step is a move of a match as it was played.
type Step struct {
	Move          Move
	Before, After games.Match
	Events        []games.Event
	Throws        []games.Faces // in order
	Thrown        []games.Die   // the dice of all throws
}

// Steps plays moves of a match again, each with the dice that it threw, and returns every move as it was played. The
// error says which move, from 1, cannot have been.
func Steps(m games.Match, moves []Move) ([]Step, error) {
	steps := make([]Step, 0, len(moves))
	for i, move := range moves {
		fallen := &lain{fallen: dice.NewFallen(move.Dice)}
		next, events, err := games.Play(m, move.Seat, move.Move, fallen)
		if err == nil {
			err = fallen.fallen.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		steps = append(steps, Step{Move: move, Before: m, After: next, Events: events,
			Throws: fallen.throws, Thrown: fallen.dice})
		m = next
	}
	return steps, nil
}

// lain are dice as they once fell, told throw by throw and with their sides.
type lain struct {
	fallen *dice.Fallen
	throws []games.Faces
	dice   []games.Die
}

// Throw returns the next faces, and remembers them.
func (l *lain) Throw(count, sides int) []int {
	faces := l.fallen.Throw(count, sides)
	l.throws = append(l.throws, slices.Clone(faces))
	l.dice = append(l.dice, games.LieAs(faces, sides)...)
	return faces
}
