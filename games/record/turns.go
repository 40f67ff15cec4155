package record

import (
	"fmt"

	"knobel/games"
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
		d := fallen{faces: move.Dice}
		next, events, err := games.Play(m, move.Seat, move.Move, &d)
		if err == nil && (d.wrong || len(d.faces) > 0) {
			err = fmt.Errorf("the dice %v do not fit", move.Dice)
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

// fallen are dice as they once fell. Where more are thrown, or others, they are
// wrong and show ones.
type fallen struct {
	faces []int
	wrong bool
}

func (f *fallen) Throw(count, sides int) []int {
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
		if i < len(f.faces) && f.faces[i] >= 1 && f.faces[i] <= sides {
			thrown[i] = f.faces[i]
		} else {
			f.wrong = true
		}
	}
	f.faces = f.faces[min(count, len(f.faces)):]
	return thrown
}
