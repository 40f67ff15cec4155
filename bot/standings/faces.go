package standings

import (
	"fmt"

	"knobel/bot/board"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// FacesAt counts what every seat of a table has thrown. Throws for absent players count for no one.
func (b *Standings) FacesAt(t store.Table, moves []store.Move) ([]store.Faces, error) {
	sides, err := b.sidesAt(t, moves)
	if err != nil {
		return nil, err
	}
	all := make([]store.Faces, len(t.Seats))
	for i := range all {
		all[i] = store.Faces{Seat: i, Sides: sides, Counts: make([]int64, sides)}
	}
	for i, m := range moves {
		if len(m.Dice) == 0 || m.Auto {
			continue
		}
		f := &all[m.Seat]
		f.Throws++
		for _, face := range m.Dice {
			if face < 1 || face > sides {
				return nil, fmt.Errorf("move %d shows a %d on %d sides", i+1, face, sides)
			}
			f.Counts[face-1]++
		}
	}
	return all, nil
}

// sidesAt returns the number of sides of a table's dice, by replaying its first throw; 0 if none were thrown.
func (b *Standings) sidesAt(t store.Table, moves []store.Move) (int, error) {
	for i, m := range moves {
		if len(m.Dice) == 0 {
			continue
		}
		g, err := b.Game(t.Game)
		if err != nil {
			return 0, err
		}
		before, err := board.Standing(moves[:i+1])
		if err != nil {
			return 0, err
		}
		rolled := &sidesOf{}
		match, _, err := table.Replayed(g, t, before[:len(before)-1])
		if err != nil {
			return 0, err
		}
		_, _, err = games.Play(match, games.Seat(m.Seat), games.Move(m.Move), rolled)
		return rolled.sides, err
	}
	return 0, nil
}

// sidesOf are dice that record the number of sides that they are asked to have.
type sidesOf struct{ sides int }

// Throw throws ones.
func (s *sidesOf) Throw(count, sides int) []int {
	s.sides = sides
	thrown := make([]int, count)
	for i := range thrown {
		thrown[i] = 1
	}
	return thrown
}
