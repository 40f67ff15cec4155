package record

import (
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/dice"
)

// Retold is a turn as it was played, or the part of one that was.
type Retold struct {
	Seat   games.Seat
	Auto   bool          // a part of it was played for somebody absent
	Before games.Match   // as it stood when the turn, or this part, began
	Throws []games.Faces // in order; of each throw the dice that fell
	Ended  bool
	How    games.Line // how it came out; an empty key: nothing can be said
}

// Retell plays moves of a match again, each with the dice that it threw, and returns the turns that
// they were. The error says which move, from 1, cannot have been.
func Retell(m games.Match, moves []Move) (turns []Retold, err error) {
	open := false // the last of the turns goes on
	for i, move := range moves {
		if last := len(turns) - 1; !open || turns[last].Seat != move.Seat {
			turns = append(turns, Retold{Seat: move.Seat, Before: m})
		}
		turn := &turns[len(turns)-1]
		thrown := &throws{fallen: dice.NewFallen(move.Dice)}
		next, _, err := games.Play(m, move.Seat, move.Move, thrown)
		if err == nil {
			err = thrown.fallen.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("retell move %d, seat %d, %q: %w", i+1, move.Seat, move.Move, err)
		}
		m = next
		turn.Throws = append(turn.Throws, thrown.all...)
		turn.Auto = turn.Auto || move.Auto
		turn.How, turn.Ended = games.EndedTurn(m, move.Seat)
		open = !turn.Ended
	}
	return turns, nil
}

// throws are dice as they once fell, told throw by throw.
type throws struct {
	fallen *dice.Fallen
	all    []games.Faces
}

// Throw returns the next faces, and remembers them.
func (t *throws) Throw(count, sides int) []int {
	faces := t.fallen.Throw(count, sides)
	t.all = append(t.all, slices.Clone(faces))
	return faces
}
