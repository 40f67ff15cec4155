// Package review analyses a finished match move by move: the luck and the decisions of each seat, and their effects on
// the other seats.
//
// Let E be the values that perfect play expects for the seats. A decision changes it from E(before) to the worth of the
// move that was made, which is never more for its seat; the dice of the move then change it to E(after). Added up from
// the first move to the last,
//
//	E(start) + all dice + all decisions = E(end),
//
// and E(end) is what each seat has at the end. So for every seat
//
//	start + own dice + own decisions + played for it + others + box = result.
//
// Box is the amount booked beyond the exact share of the stakes: what the chat's box (its jackpot) gave to the pool,
// less the odd units that could not be divided.
//
// All values are in the measure of the game's perfect play: stakes, or points. If perfect play maximizes totals and
// something else is settled, they are points of totals.
package review

import (
	"errors"
	"fmt"

	"knobel/games"
	"knobel/games/money"
	"knobel/games/record"
)

// Review is the analysis of one finished match.
type Review struct {
	Measure games.Measure
	// ForTotal is true if the measure is differences of totals while something else was settled: results are then these
	// differences, not the amounts booked. See games.AimsAtTotal.
	ForTotal bool
	// Start holds the expected value of each seat before the first move.
	Start []float64
	Moves []Move // in order
	Seats []Seat // in seat order
}

// Move is one move and its effects.
type Move struct {
	Seat games.Seat
	Move games.Move
	Dice []int // the faces that it threw
	Auto bool  // it was played for an absent player
	// Choice is true if the move mattered: not all legal moves had the same value.
	Choice bool
	// Cost is the loss of value compared with the best move, for the seat that made it: 0 if it is equally good within
	// games.Noise.
	Cost float64
	// Best lists the best moves, and Worths the values of all moves, both in the order of Match.Moves; both are set
	// only if Cost is not 0.
	Best   []games.Move
	Worths []games.Worth
	// Worth holds the value of each seat after the move was chosen and before its dice fell, Expect the value after the
	// dice fell.
	Worth, Expect []float64
}

// Seat is the sum of all moves for a seat. Start, Dice, Decisions, PlayedFor, OthersDice, OthersDecisions and Box add
// up to Result.
type Seat struct {
	Start           float64 // its expected value before the first move
	Dice            float64 // gain by its own dice
	Decisions       float64 // gain by its own decisions: 0 or a loss
	PlayedFor       float64 // the same for moves that were played for it
	OthersDice      float64 // gain by the dice of the others
	OthersDecisions float64 // gain by the decisions of the others, including moves played for them
	Box             float64 // amount beyond the exact share of the stakes
	Result          float64 // the amount booked

	Count     int     // number of its own decisions with a choice
	Costs     float64 // sum of their costs
	Squares   float64 // the sum of the squares of these costs
	Absent    int     // number of moves with a choice that were played for it
	Costliest int     // index in Review.Moves of its costliest mistake, or -1
}

// The smallest costs that are shown as mistakes.
const (
	LeastShare  = 0.0005 // of the pool
	LeastPoints = 0.01
)

// Least returns the smallest cost that is shown as a mistake, in the measure m.
func Least(m games.Measure, seats int) float64 {
	if m == games.Share {
		return LeastShare * float64(seats)
	}
	return LeastPoints
}

// Shown reports whether a cost is large enough to be shown as a mistake.
func (r Review) Shown(cost float64) bool { return cost >= Least(r.Measure, len(r.Start)) }

// Before returns the expected value of each seat before move number move, from 0.
func (r Review) Before(move int) []float64 {
	if move == 0 {
		return r.Start
	}
	return r.Moves[move-1].Expect
}

// Decision returns the gain of seat by the choice of a move.
func (r Review) Decision(move int, seat games.Seat) float64 {
	return r.Moves[move].Worth[seat] - r.Before(move)[seat]
}

// Luck returns the gain of seat by the dice of a move.
func (r Review) Luck(move int, seat games.Seat) float64 {
	return r.Moves[move].Expect[seat] - r.Moves[move].Worth[seat]
}

// Of reviews a finished game with the perfect play p of its rules and seats. It trusts the record; record.Verify checks
// it. The error names the part of it that is impossible.
//
// A game that a seat left for good is refused with a *games.Refusal: the amounts booked there do not follow from dice
// and decisions alone.
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

// of does the same as Of for games that no seat left. The expected value before a move is that of the best move, so
// calling Expect for it would repeat the computation.
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

// expected stores the expected values of the seats after that many moves.
func (r *Review) expected(moves int, values []float64) {
	if moves == 0 {
		r.Start = values
		return
	}
	r.Moves[moves-1].Expect = values
}

// weigh compares the move with the other legal moves, and returns the values of the best one.
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

// add computes Seats from the moves and from the amounts booked at the end of the match.
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

// share adds the effects of a move on seat to the sums of that seat.
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

// count adds a move to the decisions of its seat.
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

// booked returns the amount booked for a seat, in the measure, and box, the part of it that comes from the box and from
// rounding. If nothing is booked, amount is has, the value at the end of the match.
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

// Scale returns the factor that converts values to those shown to players: units if there is a stake, percent of the
// pool for a pool without a stake, else points.
func Scale(m games.Measure, seats int, stake int64) float64 {
	switch {
	case m != games.Share:
		return 1
	case stake > 0:
		return float64(stake)
	}
	return 100 / float64(seats)
}
