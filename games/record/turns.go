package record

import (
	"fmt"

	"knobel/games"
	"knobel/games/dice"
)

// Turns are how many turns a seat has had at a box, and how many of these shut
// it.
type Turns struct{ Turns, Shut int }

// TurnsOf counts the turns of every seat by playing the moves of a match again,
// each with the dice that it threw. The error says which move cannot have been.
func TurnsOf(g games.Boxed, rules games.Rules, seats int, moves []Move) ([]Turns, error) {
	m, err := g.New(rules, seats)
	if err != nil {
		return nil, err
	}
	counts := make([]Turns, seats)
	for i, move := range moves {
		d := dice.NewFallen(move.Dice)
		next, events, err := games.Play(m, move.Seat, move.Move, d)
		if err == nil && d.Err() != nil {
			err = fmt.Errorf("the dice %v do not fit: %w", move.Dice, d.Err())
		}
		if err != nil {
			return nil, fmt.Errorf("move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		for _, e := range events {
			seat, ended, shut := g.Turned(e)
			if ended {
				counts[seat].Turns++
			}
			if shut {
				counts[seat].Shut++
			}
		}
		m = next
	}
	return counts, nil
}
