package review_test

import (
	"errors"
	"slices"

	"knobel/games"
)

// brute is perfect play by looking at everything that can happen: for games so
// small that this ends. It shares the pool by the result of the match and knows
// nothing else about its game.
type brute struct {
	seats int
	known map[string][]float64
}

func newBrute(seats int) *brute { return &brute{seats: seats, known: map[string][]float64{}} }

func (b *brute) Measure() games.Measure { return games.Share }
func (b *brute) Size() int              { return len(b.known) * b.seats * 8 }

func (b *brute) Expect(m games.Match) ([]float64, error) {
	saved, err := m.Save()
	if err != nil {
		return nil, err
	}
	if values, met := b.known[string(saved)]; met {
		return values, nil
	}
	var values []float64
	if result, over := m.Result(); over {
		values = b.shares(result)
	} else {
		worths, err := b.Worths(m, m.Turn()[0])
		if err != nil {
			return nil, err
		}
		best, _ := games.Best(worths, m.Turn()[0])
		values = best.Values
	}
	b.known[string(saved)] = values
	return values, nil
}

func (b *brute) shares(result games.Result) []float64 {
	values := make([]float64, b.seats)
	for s := range values {
		values[s] = -1 - float64(len(result.Doubles))
	}
	for _, s := range result.Winners {
		values[s] += float64(b.seats) / float64(len(result.Winners))
	}
	for _, s := range result.Doubles {
		values[s] += float64(b.seats)
	}
	return values
}

func (b *brute) Worths(m games.Match, s games.Seat) ([]games.Worth, error) {
	var all []games.Worth
	for _, move := range m.Moves(s) {
		values := make([]float64, b.seats)
		err := every(nil, 1, func(d *branching) error {
			next, _ := m.Apply(s, move, d)
			if d.short {
				return nil
			}
			after, err := b.Expect(next)
			for i := range values {
				values[i] += d.chance * after[i]
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, games.Worth{Move: move, Values: values})
	}
	return all, nil
}

// branching are dice that show what was said, and note when more are asked for.
type branching struct {
	faces  []int
	chance float64
	short  bool
	sides  int
}

func (d *branching) Throw(count, sides int) []int {
	d.sides = sides
	shown := slices.Repeat([]int{1}, count)
	if len(d.faces) < count {
		d.short = true
		return shown
	}
	copy(shown, d.faces)
	d.faces = d.faces[count:]
	return shown
}

// every calls try with every way in which the dice that it throws can fall.
func every(faces []int, chance float64, try func(*branching) error) error {
	d := &branching{faces: slices.Clone(faces), chance: chance}
	if err := try(d); err != nil || !d.short {
		return err
	}
	if len(faces) > 4 {
		return errors.New("too many dice to look at all")
	}
	for face := 1; face <= d.sides; face++ {
		if err := every(append(slices.Clone(faces), face), chance/float64(d.sides), try); err != nil {
			return err
		}
	}
	return nil
}
