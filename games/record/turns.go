package record

import "knobel/games"

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
	steps, err := Steps(m, moves)
	if err != nil {
		return nil, err
	}
	counts := make([]Turns, seats)
	for _, step := range steps {
		for _, e := range step.Events {
			seat, ended, shut := g.Turned(e)
			if ended {
				counts[seat].Turns++
			}
			if shut {
				counts[seat].Shut++
			}
		}
	}
	return counts, nil
}
