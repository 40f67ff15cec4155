package record

import (
	"fmt"

	"knobel/games"
)

// Replay plays moves through games.Play, with dice that throw what was thrown
// then, and returns the match they lead to. The error says which move, from
// 1, was not legal; the match is the one before that move.
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
