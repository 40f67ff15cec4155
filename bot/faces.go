package bot

import (
	"fmt"

	"knobel/games"
	"knobel/store"
)

// countFaces adds the dice of those finished tables of a player that nobody has
// asked about before; whatever has been added is not read again.
func (v *visit) countFaces(player string) error {
	tables, err := v.tx.UncountedFaces(v.chat.ID, player)
	if err != nil {
		return err
	}
	for _, table := range tables {
		t, err := v.tx.Table(table)
		if err != nil {
			return fmt.Errorf("table %d: %w", table, err)
		}
		moves, err := v.tx.Moves(table)
		if err != nil {
			return err
		}
		seats, err := v.bot.facesAt(t, moves)
		if err != nil {
			return fmt.Errorf("dice of table %d: %w", table, err)
		}
		if err := v.tx.AddFaces(table, seats); err != nil {
			return err
		}
	}
	return nil
}

// facesAt counts what every seat of a table has thrown.
func (b *Bot) facesAt(t store.Table, moves []store.Move) ([]store.Faces, error) {
	sides, err := b.sidesAt(t, moves)
	if err != nil {
		return nil, err
	}
	all := make([]store.Faces, len(t.Seats))
	for i := range all {
		all[i] = store.Faces{Seat: i, Sides: sides, Counts: make([]int64, sides)}
	}
	for i, m := range moves {
		if len(m.Dice) == 0 {
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

// sidesAt is how many sides the dice of a table have, 0 where none were thrown:
// those that lie there after the first throw, played again.
func (b *Bot) sidesAt(t store.Table, moves []store.Move) (int, error) {
	for i, m := range moves {
		if len(m.Dice) == 0 {
			continue
		}
		g, err := b.game(t.Game)
		if err != nil {
			return 0, err
		}
		before, err := standing(moves[:i+1])
		if err != nil {
			return 0, err
		}
		rolled := &sidesOf{}
		match, _, err := replayed(g, t, before[:len(before)-1])
		if err != nil {
			return 0, err
		}
		_, _, err = games.Play(match, games.Seat(m.Seat), games.Move(m.Move), rolled)
		return rolled.sides, err
	}
	return 0, nil
}

// sidesOf are dice that remember how many sides they were asked to have.
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
