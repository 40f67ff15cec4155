package record

import (
	"fmt"

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
		fallen := dice.NewFallen(move.Dice)
		next, events, err := games.Play(m, move.Seat, move.Move, fallen)
		if err == nil {
			err = fallen.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		steps = append(steps, Step{Move: move, Before: m, After: next, Events: events,
			Throws: fallen.Throws, Thrown: fallen.Dice})
		m = next
	}
	return steps, nil
}

// Retold is a turn as it was played, or the part of one that was.
type Retold struct {
	Seat   games.Seat
	Auto   bool          // a part of it was played for an absent player
	Before games.Match   // as it stood when the turn, or this part, began
	Throws []games.Faces // in order; of each throw the dice that fell
	Ended  bool
	How    games.Line // how it came out; an empty key: nothing can be said
}

// Retell returns the turns that some steps of a match were.
func Retell(steps []Step) (turns []Retold) {
	open := false // the last of the turns goes on
	for _, step := range steps {
		move := step.Move
		if last := len(turns) - 1; !open || turns[last].Seat != move.Seat {
			turns = append(turns, Retold{Seat: move.Seat, Before: step.Before})
		}
		turn := &turns[len(turns)-1]
		turn.Throws = append(turn.Throws, step.Throws...)
		turn.Auto = turn.Auto || move.Auto
		turn.How, turn.Ended = games.EndedTurn(step.After, move.Seat)
		open = !turn.Ended
	}
	return turns
}

// Replay plays moves through games.Play, with dice that throw what was thrown then, and returns the match they lead
// to. The error says which move, from 1, was not legal; the match is the one before that move.
func Replay(m games.Match, moves []Move, d games.Dice) (games.Match, error) {
	for i, move := range moves {
		next, _, err := games.Play(m, move.Seat, move.Move, d)
		if err != nil {
			return m, fmt.Errorf("replay move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		m = next
	}
	return m, nil
}

// Turns are how many turns a seat has had at a box, and how many of these shut it.
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
		turned, says := step.After.(games.Turned)
		if !says {
			continue
		}
		if seat, how, ended := turned.TurnEnded(); ended {
			counts[seat].Turns++
			if g.Shuts(how) {
				counts[seat].Shut++
			}
		}
	}
	return counts, nil
}
