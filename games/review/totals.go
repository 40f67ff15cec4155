package review

import (
	"errors"
	"fmt"

	"knobel/games"
	"knobel/games/money"
	"knobel/games/record"
)

// add adds up what the moves did to each seat, and sets beside it what was booked at the end of the match.
func (r *Review) add(end games.Match, rec record.Record) error {
	result, over := end.Result()
	if !over {
		return errors.New("the game is not over")
	}
	if len(rec.Result) != len(r.Start) {
		return fmt.Errorf("the result has %d rows for %d seats", len(rec.Result), len(r.Start))
	}
	r.Seats = make([]Seat, len(r.Start))
	for i := range r.Seats {
		r.Seats[i] = Seat{Start: r.Start[i], Costliest: -1}
	}
	for i := range r.Moves {
		r.count(i)
		for seat := range r.Seats {
			r.share(i, games.Seat(seat))
		}
	}
	last := r.Before(len(r.Moves))
	for i := range r.Seats {
		r.Seats[i].Box, r.Seats[i].Result = r.booked(games.Seat(i), last[i], result, rec)
	}
	return nil
}

// share adds what a move did to a seat to that seat's parts.
func (r *Review) share(move int, seat games.Seat) {
	s, m := &r.Seats[seat], &r.Moves[move]
	decision, luck := r.Decision(move, seat), r.Luck(move, seat)
	switch {
	case m.Seat != seat:
		s.OthersDice += luck
		s.OthersDecisions += decision
		return
	case m.Auto:
		s.PlayedFor += decision
	default:
		s.Decisions += decision
	}
	s.Dice += luck
}

// count counts a move among the decisions of its seat.
func (r *Review) count(move int) {
	m := &r.Moves[move]
	s := &r.Seats[m.Seat]
	switch {
	case !m.Choice:
		return
	case m.Auto:
		s.Absent++
		return
	}
	s.Count++
	s.Costs += m.Cost
	s.Squares += m.Cost * m.Cost
	if r.Shown(m.Cost) && (s.Costliest < 0 || m.Cost > r.Moves[s.Costliest].Cost) {
		s.Costliest = move
	}
}

// booked returns what a seat was booked, in the measure, and what of it comes from the box and from whole units.
// Where nothing is booked, what the seat has is its result.
func (r *Review) booked(seat games.Seat, has float64, result games.Result, rec record.Record) (box, amount float64) {
	row := rec.Result[seat]
	switch {
	case r.ForTotal:
		return 0, has
	case r.Measure == games.Difference && len(r.Seats) > 1 && row.Difference != nil && row.Difference.D > 0:
		return 0, float64(row.Difference.N) / float64(row.Difference.D)
	case r.Measure != games.Share || rec.Stake == 0:
		return 0, has
	}
	in := int64(0)
	if rec.Box != nil {
		in = rec.Box.In
	}
	pool := money.Open(rec.Stake, len(r.Seats), in)
	for _, winner := range result.Winners {
		if winner == seat {
			k := int64(len(result.Winners))
			exact := float64(len(r.Seats)) / float64(k)
			box = float64(pool.Total()/k)/float64(rec.Stake) - exact
		}
	}
	return box, float64(row.Pool) / float64(rec.Stake)
}

// Scale returns what values in the measure are multiplied by to be told to people: in units where there is a stake,
// in percent of the pool where a pool was played for without one, else in points.
func Scale(m games.Measure, seats int, stake int64) float64 {
	switch {
	case m != games.Share:
		return 1
	case stake > 0:
		return float64(stake)
	}
	return 100 / float64(seats)
}
