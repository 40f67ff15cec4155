package shutbox

import (
	"fmt"
	"math"

	"knobel/games"
)

// perfectLucky is lucky-seven, where nothing is decided. Of n seats that throw round and round, the one whose throw
// comes after d others is the first to throw a 7 with the chance
//
//	(5/6)^d · 1/6 / (1 − (5/6)^n)
type perfectLucky struct{ *perfect }

// first returns the chance to throw the first 7.
func first(after, seats int) float64 {
	const miss = 5.0 / 6
	return math.Pow(miss, float64(after)) * (1 - miss) / (1 - math.Pow(miss, float64(seats)))
}

// Expect returns what each seat expects.
func (p perfectLucky) Expect(played games.Match) ([]float64, error) {
	m, ours := played.(lucky)
	if ours {
		like, n := m.rules.alike(m.Seats)
		ours = like == p.r && n == p.seats
	}
	if !ours {
		return nil, fmt.Errorf("shutbox: perfect play of other rules for a %T", played)
	}
	result, over := m.Result()
	if p.shares() {
		if over {
			return won(result, m.Seats), nil
		}
		return p.share(m), nil
	}
	open := float64(p.r.points(p.r.tiles))
	values := m.below(func(place, seats int) float64 { return open * (1 - first(place, seats)) })
	if over || m.RollOff > 0 {
		return values, nil
	}
	for after, seat := range m.order() {
		values[seat] -= open * (1 - first(after, len(m.Playing)))
	}
	return values, nil
}

// share returns what each seat expects to win.
func (p perfectLucky) share(m lucky) []float64 {
	values, stakes := make([]float64, m.Seats), 1.0
	if p.r.shut == shutDouble {
		stakes = 2
	}
	for after, seat := range m.order() {
		values[seat] = stakes * (float64(m.Seats)*first(after, m.Seats) - 1)
	}
	return values
}

// order returns who throws now, and next, and so on.
func (l lucky) order() []games.Seat {
	order := []games.Seat{l.Mover}
	for s := l.after(l.Mover); s != l.Mover; s = l.after(s) {
		order = append(order, s)
	}
	return order
}

// Worths returns what the one move leads to.
func (p perfectLucky) Worths(played games.Match, s games.Seat) ([]games.Worth, error) {
	values, err := p.Expect(played)
	if err != nil || len(played.Moves(s)) == 0 {
		return nil, err
	}
	return []games.Worth{{Move: throwTwo, Values: values}}, nil
}
