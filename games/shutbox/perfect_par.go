package shutbox

import (
	"fmt"
	"math"
	"slices"

	"knobel/games"
)

// par is the perfect play of a seat that minimizes its average score: in matches that are decided by totals, and for a
// single player. A way to end a turn is worth its score times -1. It has one further value: 1 if it ends the round, so
// that the seats after it score all tiles, else 0.
//
// Let E be the average score of a turn, c the chance that it does not end the round, and F the points of all tiles. The
// seat that plays a round as number i (from 0) scores on average
//
//	P(0) = E    P(i) = c·P(i−1) + (1−c)·F
//
// and the value of a seat is the sum of P over its rounds, minus its score.
type par struct {
	*turn
	all    float64           // the points of all tiles: F in the formulas
	places [maxSeats]float64 // by place in the round, the average score: P in the formulas
}

// newPar returns the perfect play that minimizes the average score on the board b.
func newPar(b *board) *par {
	wide := 1
	if b.r.match == single || b.r.shut == shutZero && b.r.seven != endsRound {
		wide = 0 // no turn can end the round for the seats after it
	}
	p := &par{turn: newScoreTurn(b, wide), all: float64(b.points[b.full])}
	p.solve()
	for place := range p.places {
		p.places[place] = p.laterScore(place, p.own[b.full], p.restOf(b.full))
	}
	return p
}

// newScoreTurn returns an unsolved turn on b in which each way to end it is worth its score times -1. If wide is 1,
// each way has a further value: 1 if it ends the round, else 0. If wide is 0, it has none.
func newScoreTurn(b *board, wide int) *turn {
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

// laterScore returns the average score in this round of the places-th seat to play after the mover (0: the mover
// itself). own is the value of the mover's turn, ends[0] the chance that it ends the round; ends is empty if it cannot.
func (p *par) laterScore(places int, own float64, ends []float64) float64 {
	switch {
	case places == 0:
		return -own
	case len(ends) == 0:
		return p.places[places-1]
	}
	return (1-ends[0])*p.places[places-1] + ends[0]*p.all
}

// values returns the values of all seats of m, by seat. own is the value of the mover's turn, rest[0] the chance that
// this turn ends the round (rest is empty if it cannot).
func (p *par) values(m *classic, own float64, rest []float64) []float64 {
	values, places := p.pointsBelowPar(m), 0
	for _, seat := range m.Playing {
		switch {
		case seat < m.Mover:
			values[seat] -= float64(m.Scores[seat])
		default:
			values[seat] -= p.laterScore(places, own, rest)
			places++
		}
	}
	return values
}

// pointsBelowPar returns, by seat, the average score of perfect play in the rounds that have begun minus the total.
func (p *par) pointsBelowPar(m *classic) []float64 {
	return m.pointsBelow(func(place, _ int) float64 { return p.places[place] })
}

// pointsBelow returns, by seat, how far the seat's total is below its average score in all rounds that have begun.
// average(place, seats) returns the average score of the seat that plays as number place (from 0) of that many seats.
func (s *sheet) pointsBelow(average func(place, seats int) float64) []float64 {
	values := make([]float64, s.Seats)
	for from := 1; from <= s.Round; {
		to, playing := s.Round, make([]games.Seat, 0, s.Seats)
		for seat := range games.Seat(s.Seats) {
			if out := s.outRound(seat); out == 0 || out >= from {
				playing = append(playing, seat)
				to = min(to, s.lastRoundOf(seat))
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

// perfectLucky is the perfect play of lucky-seven, a variant without decisions. If n seats throw in turn, the seat that
// throws after d others is the first to throw a 7 with the chance
//
//	(5/6)^d · 1/6 / (1 − (5/6)^n)
type perfectLucky struct{ *perfect }

// firstSevenChance returns the chance that a seat is the first to throw a 7. seats is the number of seats that throw in
// turn, ahead the number of seats that throw before this one.
func firstSevenChance(ahead, seats int) float64 {
	const miss = 5.0 / 6
	return math.Pow(miss, float64(ahead)) * (1 - miss) / (1 - math.Pow(miss, float64(seats)))
}

// Expect returns, by seat, the expected share of the pool in a match of one round, else the points below the average.
func (p perfectLucky) Expect(played games.Match) ([]float64, error) {
	m, ours := played.(lucky)
	if !ours || !p.fits(&m.sheet) {
		return nil, fmt.Errorf("shutbox: perfect play does not fit the rules of %T", played)
	}
	result, over := m.Result()
	if p.playsForShare() {
		if over {
			return resultValues(result, m.Seats), nil
		}
		return p.expectedShares(m), nil
	}
	open := float64(p.r.points(p.r.tiles))
	values := m.pointsBelow(func(place, seats int) float64 { return open * (1 - firstSevenChance(place, seats)) })
	if over || m.RollOff > 0 {
		return values, nil
	}
	for after, seat := range m.throwOrder() {
		values[seat] -= open * (1 - firstSevenChance(after, len(m.Playing)))
	}
	return values, nil
}

// expectedShares returns, by seat, the average win or loss in stakes.
func (p perfectLucky) expectedShares(m lucky) []float64 {
	values, stakes := make([]float64, m.Seats), 1.0
	if p.r.shut == shutDouble {
		stakes = 2
	}
	for after, seat := range m.throwOrder() {
		values[seat] = stakes * (float64(m.Seats)*firstSevenChance(after, m.Seats) - 1)
	}
	return values
}

// throwOrder returns the seats of the round in the order in which they throw next, the mover first.
func (l lucky) throwOrder() []games.Seat {
	order := []games.Seat{l.Mover}
	for s := l.nextThrower(l.Mover); s != l.Mover; s = l.nextThrower(s) {
		order = append(order, s)
	}
	return order
}

// Worths returns the values of all seats after the only move, the same as before it; nil if it is not the turn of s.
func (p perfectLucky) Worths(played games.Match, s games.Seat) ([]games.Worth, error) {
	values, err := p.Expect(played)
	if err != nil || len(played.Moves(s)) == 0 {
		return nil, err
	}
	return []games.Worth{{Move: throwTwo, Values: values}}, nil
}
