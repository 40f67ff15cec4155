// Package review takes a finished match apart, move by move: what was luck,
// what was decision, and what the others' luck and decisions did to each seat.
//
// Let E be what perfect play expects for each seat. A decision changes it from E(before) to the worth of the move
// that was made, which is never more for its seat; the dice of the move then change it to E(after). Added up from the
// first move to the last,
//
//	E(start) + all dice + all decisions = E(end),
//
// and E(end) is what each seat has. So for every seat
//
//	start + own dice + own decisions + played for it + others + box = result.
//
// Box is what was booked beyond the exact share of the stakes: what the chat's
// box gave to the pool, less the odd units that could not be divided.
//
// All values are in the measure of the game's perfect play: stakes, or points. Where perfect play goes for totals and
// something else is settled, they are points of totals.
package review

import (
	"errors"
	"fmt"

	"knobel/games"
	"knobel/games/money"
	"knobel/games/record"
)

// Review is what became of one finished match.
type Review struct {
	Measure games.Measure
	// ForTotal says that the measure is differences of totals while something else was settled: results are then these
	// differences, and not what was booked. See games.AimsAtTotal.
	ForTotal bool
	// Start is what each seat expected before the first move.
	Start []float64
	Moves []Move // in order
	Seats []Seat // in seat order
}

// Move is one move, and what it did.
type Move struct {
	Seat games.Seat
	Move games.Move
	Dice []int // the faces that it threw
	Auto bool  // it was played for an absent player
	// Choice says that something hung on the move: not all that were legal are worth the same.
	Choice bool
	// Cost is what the move is worth less than the best one, to the seat that
	// made it: 0 where it is as good, games.Noise aside.
	Cost float64
	// Best lists the moves that are worth most, and Worths what all moves were
	// worth, both in the order of Match.Moves; only where the move has a cost.
	Best   []games.Move
	Worths []games.Worth
	// Worth is what each seat expected once the move was chosen and before its
	// dice fell, Expect what each expected once they lay.
	Worth, Expect []float64
}

// Seat is what became of a seat. Start, Dice, Decisions, PlayedFor, OthersDice,
// OthersDecisions and Box add up to Result.
type Seat struct {
	Start           float64 // what it expected before the first move
	Dice            float64 // what its own dice brought
	Decisions       float64 // what its own decisions brought: nothing or a loss
	PlayedFor       float64 // the same of moves that were played for it
	OthersDice      float64 // what the dice of the others brought
	OthersDecisions float64 // what their decisions brought, played for them or not
	Box             float64 // beyond the exact share of the stakes
	Result          float64 // what was booked

	Count     int     // its own decisions with a choice
	Costs     float64 // what they cost together
	Squares   float64 // the sum of the squares of these costs
	Absent    int     // moves with a choice that were played for it
	Costliest int     // the index of its costliest decision that is shown, -1: none
}

// The least costs that are shown as errors.
const (
	LeastShare  = 0.0005 // of the pool
	LeastPoints = 0.01
)

// Least returns the least cost that is shown as an error.
func Least(m games.Measure, seats int) float64 {
	if m == games.Share {
		return LeastShare * float64(seats)
	}
	return LeastPoints
}

// Shown reports whether a cost is shown as an error.
func (r Review) Shown(cost float64) bool { return cost >= Least(r.Measure, len(r.Start)) }

// Before returns what each seat expected before a move.
func (r Review) Before(move int) []float64 {
	if move == 0 {
		return r.Start
	}
	return r.Moves[move-1].Expect
}

// Decision returns what the choice of a move brought to a seat.
func (r Review) Decision(move int, seat games.Seat) float64 {
	return r.Moves[move].Worth[seat] - r.Before(move)[seat]
}

// Luck returns what the dice of a move brought to a seat.
func (r Review) Luck(move int, seat games.Seat) float64 {
	return r.Moves[move].Expect[seat] - r.Moves[move].Worth[seat]
}

// Of reviews a finished game with the perfect play of its rules and seats. The record is taken as it stands;
// record.Verify reports whether it is right. The error says what in it cannot be followed.
//
// A game in which a seat was out is refused with a *games.Refusal: what was
// booked there does not follow from dice and decisions alone.
func Of(p games.Perfect, g games.Game, rec record.Record) (Review, error) {
	if len(rec.OutOf()) > 0 {
		return Review{}, games.Refuse("games.review-out", nil)
	}
	r, err := of(p, g, rec)
	if err != nil {
		return Review{}, fmt.Errorf("review table %q: %w", rec.Table, err)
	}
	return r, nil
}

// of is Of for games in which no seat was out. What was expected before a move is what the best move is worth: to ask
// for that alone would compute the same again.
func of(p games.Perfect, g games.Game, rec record.Record) (r Review, err error) {
	end, err := g.New(rec.Rules, len(rec.Seats))
	if err != nil {
		return r, err
	}
	steps, err := record.Steps(end, rec.Moves)
	if err != nil {
		return r, err
	}
	r = Review{Measure: p.Measure(), ForTotal: games.AimsAtTotal(g, rec.Rules), Moves: make([]Move, len(steps))}
	for i, step := range steps {
		move := &r.Moves[i]
		*move = Move{Seat: step.Move.Seat, Move: step.Move.Move, Dice: step.Move.Dice, Auto: step.Move.Auto}
		worths, err := p.Worths(step.Before, move.Seat)
		if err != nil {
			return r, fmt.Errorf("move %d: %w", i+1, err)
		}
		r.expected(i, move.weigh(worths))
		end = step.After
	}
	has, err := p.Expect(end)
	if err != nil {
		return r, err
	}
	r.expected(len(steps), has)
	return r, r.add(end, rec)
}

// expected notes what each seat expects after so many moves.
func (r *Review) expected(moves int, values []float64) {
	if moves == 0 {
		r.Start = values
		return
	}
	r.Moves[moves-1].Expect = values
}

// weigh compares the move with the others that were legal, and returns what was expected of the best of them.
func (move *Move) weigh(worths []games.Worth) []float64 {
	s := move.Seat
	best, _ := games.Best(worths, s)
	least := best.Values[s]
	for _, w := range worths {
		least = min(least, w.Values[s])
		if w.Move == move.Move {
			move.Worth = w.Values
		}
	}
	move.Choice = best.Values[s]-least > games.Noise
	cost := best.Values[s] - move.Worth[s]
	if cost <= games.Noise {
		return best.Values
	}
	move.Cost, move.Worths = cost, worths
	for _, w := range worths {
		if best.Values[s]-w.Values[s] <= games.Noise {
			move.Best = append(move.Best, w.Move)
		}
	}
	return best.Values
}

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
