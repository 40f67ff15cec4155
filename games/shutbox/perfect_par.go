package shutbox

import (
	"fmt"
	"math"
	"slices"

	"knobel/games"
)

// par is perfect play of the rounds of a match in which totals decide, or of who plays alone: every seat scores as
// little as it can on average. The ends of a turn are worth what is scored, in points below 0; beside that stands the
// chance that the turn ends the round, which leaves all tiles to those after it.
//
// With E what a turn scores on average, c the chance that it does not end the round, and F all tiles, the seat at
// place i of a round (from 0) scores on average
//
//	P(0) = E    P(i) = c·P(i−1) + (1−c)·F
//
// and what a seat has is the sum over its rounds of P less its score.
type par struct {
	*turn
	all    float64 // F
	places [maxSeats]float64
}

// newPar solves a turn for its score.
func newPar(b *board) *par {
	wide := 1
	if b.r.match == single || b.r.shut == shutZero && b.r.seven != endsRound {
		wide = 0 // no turn keeps another seat from its own
	}
	p := &par{turn: scoring(b, wide), all: float64(b.points[b.full])}
	p.solve()
	for place := range p.places {
		p.places[place] = p.later(place, p.own[b.full], p.restOf(b.full))
	}
	return p
}

// scoring returns a turn, to be solved, whose ends are worth their score below 0, and
// beside that, if wanted, whether they end the round.
func scoring(b *board, wide int) *turn {
	n := b.full + 1
	t := &turn{board: b, wide: wide, own: make([]float64, n), rest: make([]float64, wide*n), ends: ends{
		place: make([]uint16, n), noise: games.Noise, stuck: make([]float64, n),
		stuckRest: make([]float64, wide*n), boxRest: make([]float64, wide),
	}}
	for mask, points := range b.points {
		t.place[mask], t.stuck[mask] = uint16(mask), -float64(points)
	}
	t.seven, t.sevenRest = t.stuck, t.stuckRest
	if b.r.seven == endsRound {
		t.sevenRest = slices.Repeat([]float64{1}, wide*n)
	}
	if b.r.shut != shutZero && wide > 0 {
		t.boxRest[0] = 1
	}
	return t
}

// later returns what a seat scores on average that plays so many places after one
// whose turn is worth so much and ends the round by such a chance, if any.
func (p *par) later(places int, own float64, ends []float64) float64 {
	switch {
	case places == 0:
		return -own
	case len(ends) == 0:
		return p.places[places-1]
	}
	return (1-ends[0])*p.places[places-1] + ends[0]*p.all
}

// values returns those of all seats, in seat order, at a turn of a match.
func (p *par) values(m *classic, own float64, rest []float64) []float64 {
	values, places := p.standing(m), 0
	for _, seat := range m.Playing {
		switch {
		case seat < m.Mover:
			values[seat] -= float64(m.Scores[seat])
		default:
			values[seat] -= p.later(places, own, rest)
			places++
		}
	}
	return values
}

// standing returns what the seats have by the rounds that are over, and what they
// are to score on average in that which has begun.
func (p *par) standing(m *classic) []float64 {
	return m.below(func(place, _ int) float64 { return p.places[place] })
}

// below is, for each seat, how far its total lies below what average scores, by
// the place and the number of seats of a round, make of all rounds begun.
func (s *sheet) below(average func(place, seats int) float64) []float64 {
	values := make([]float64, s.Seats)
	for from := 1; from <= s.Round; {
		to, playing := s.Round, make([]games.Seat, 0, s.Seats)
		for seat := range games.Seat(s.Seats) {
			if out := s.out(seat); out == 0 || out >= from {
				playing = append(playing, seat)
				to = min(to, s.survived(seat))
			}
		}
		for place, seat := range playing {
			values[seat] += float64(to-from+1) * average(place, len(playing))
		}
		from = to + 1
	}
	for seat := range values {
		values[seat] -= float64(s.Totals[seat])
	}
	return values
}

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
	if !ours || !p.fits(&m.sheet) {
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
