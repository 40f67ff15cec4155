// Package review analyses a finished match move by move: the luck and the decisions of each seat, and their effects on
// the other seats.
//
// Let E be the values that perfect play expects for the seats. A decision changes E(before the move) to the value of
// the chosen move, which is never higher for its seat. The dice of the move then change that to E(after the move). If
// all these changes from the first move to the last are added up,
//
//	E(start) + all dice + all decisions = E(end),
//
// and E(end) is the result of each seat at the end. So for every seat
//
//	start + own dice + own decisions + decisions made for it while absent + others' dice and decisions + box = result.
//
// Box is the amount booked beyond the seat's exact share of the stakes: what the chat's box (its jackpot) added to the
// pool, minus the units that could not be divided.
//
// All values are in the measure of the game's perfect play: stakes, or points. If perfect play maximizes totals
// although players settle something else, they are points of totals.
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
	// ForTotal is true if perfect play maximizes totals although players settle something else (see games.AimsAtTotal).
	// Then Seat.Result is computed from totals and is not the amount booked.
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
	Dice []int // the faces that the move threw
	Auto bool  // the move was played for an absent player
	// Choice is true if the legal moves differed in value, so that the move was a decision.
	Choice bool
	// Cost is the seat's loss by the move compared with the best move. Costs up to games.Noise are stored as 0.
	Cost float64
	// Best lists the best moves, Worths the values of all legal moves, both in the order of Match.Moves. Both are nil
	// if Cost is 0.
	Best   []games.Move
	Worths []games.Worth
	// Worth holds the expected value of each seat after the move was chosen and before its dice fell, Expect the
	// expected value after the dice fell.
	Worth, Expect []float64
}

// Seat holds the effects of all moves on one seat, added up. Start, Dice, Decisions, PlayedFor, OthersDice,
// OthersDecisions and Box add up to Result.
type Seat struct {
	Start           float64 // its expected value before the first move
	Dice            float64 // gain by its own dice
	Decisions       float64 // gain by its own decisions: 0 or a loss
	PlayedFor       float64 // gain by the decisions that were made for it while its player was absent
	OthersDice      float64 // gain by the dice of the others
	OthersDecisions float64 // gain by the decisions of the others, including moves played for them
	Box             float64 // amount beyond the exact share of the stakes
	Result          float64 // the amount booked

	Count     int     // number of its own decisions with a choice
	Costs     float64 // sum of the costs of its own decisions
	Squares   float64 // sum of the squares of the costs of its own decisions
	Absent    int     // number of decisions with a choice while its player was absent
	Costliest int     // index in Review.Moves of its costliest mistake, or -1
}

// The smallest costs of moves that are shown to players as mistakes.
const (
	LeastShare  = 0.0005 // of the whole pool
	LeastPoints = 0.01
)

// Least returns the smallest cost, in the measure m, that is shown as a mistake in a match of that many seats.
func Least(m games.Measure, seats int) float64 {
	if m == games.Share {
		return LeastShare * float64(seats)
	}
	return LeastPoints
}

// Shown reports whether a move that costs its seat that much is shown as a mistake.
func (r Review) Shown(cost float64) bool { return cost >= Least(r.Measure, len(r.Start)) }

// Before returns the expected value of each seat before move number index, counted from 0.
func (r Review) Before(index int) []float64 {
	if index == 0 {
		return r.Start
	}
	return r.Moves[index-1].Expect
}

// Decision returns how much seat gained by the choice of move number index, counted from 0; negative if it lost.
func (r Review) Decision(index int, seat games.Seat) float64 {
	return r.Moves[index].Worth[seat] - r.Before(index)[seat]
}

// Luck returns how much seat gained by the dice of move number index, counted from 0; negative if it lost.
func (r Review) Luck(index int, seat games.Seat) float64 {
	return r.Moves[index].Expect[seat] - r.Moves[index].Worth[seat]
}

// Of returns the review of rec, a finished match of g. p must be perfect play for its rules and number of seats. Of
// does not verify the record (see record.Verify), but returns an error for an impossible move or result. The error is a
// *games.Refusal if a seat left the game for good, because its amounts do not follow from dice and decisions alone.
func Of(p games.Perfect, g games.Game, rec record.Record) (Review, error) {
	if len(rec.OutOf()) > 0 {
		return Review{}, games.Refuse("games.review-out", nil)
	}
	r, err := analyse(p, g, rec)
	if err != nil {
		return Review{}, fmt.Errorf("review table %q: %w", rec.Table, err)
	}
	return r, nil
}

// analyse does the same as Of for matches that no seat left. It takes the expected values before a move from the best
// move, because p.Expect would compute them again.
func analyse(p games.Perfect, g games.Game, rec record.Record) (r Review, err error) {
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
		r.storeExpected(i, move.compare(worths))
		end = step.After
	}
	has, err := p.Expect(end)
	if err != nil {
		return r, err
	}
	r.storeExpected(len(steps), has)
	return r, r.sumSeats(end, rec)
}

// storeExpected stores values, by seat, as the expected values after the first count moves.
func (r *Review) storeExpected(count int, values []float64) {
	if count == 0 {
		r.Start = values
		return
	}
	r.Moves[count-1].Expect = values
}

// compare sets Worth, Choice, Cost, Best and Worths of move. worths holds the values of all legal moves at that point.
// It returns the values of the best one, by seat.
func (move *Move) compare(worths []games.Worth) []float64 {
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

// sumSeats computes the field Seats from Moves and from the amounts in rec; end is the finished match.
func (r *Review) sumSeats(end games.Match, rec record.Record) error {
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
		r.countDecision(i)
		for seat := range r.Seats {
			r.addEffects(i, games.Seat(seat))
		}
	}
	last := r.Before(len(r.Moves))
	for i := range r.Seats {
		r.Seats[i].Box, r.Seats[i].Result = r.booked(games.Seat(i), last[i], result, rec)
	}
	return nil
}

// addEffects adds what seat gained by move number index to the sums of seat.
func (r *Review) addEffects(index int, seat games.Seat) {
	s, m := &r.Seats[seat], &r.Moves[index]
	decision, luck := r.Decision(index, seat), r.Luck(index, seat)
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

// countDecision counts move number index and its cost for its seat, unless all legal moves had the same value.
func (r *Review) countDecision(index int) {
	m := &r.Moves[index]
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
		s.Costliest = index
	}
}

// booked returns amount, the gain or loss of seat in the measure of r, and box, the part of it that is due to the
// jackpot and to rounding. If r.ForTotal, or if no amount was booked in this measure, amount is value, the expected
// value of seat at the end.
func (r *Review) booked(seat games.Seat, value float64, result games.Result, rec record.Record) (box, amount float64) {
	row := rec.Result[seat]
	switch {
	case r.ForTotal:
		return 0, value
	case r.Measure == games.Difference && len(r.Seats) > 1 && row.Difference != nil && row.Difference.D > 0:
		return 0, float64(row.Difference.N) / float64(row.Difference.D)
	case r.Measure != games.Share || rec.Stake == 0:
		return 0, value
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

// Scale returns the factor that converts values in the measure m to those shown to players: to units if there is a
// stake, to percent of the pool if there is a pool without a stake, else to points.
func Scale(m games.Measure, seats int, stake int64) float64 {
	switch {
	case m != games.Share:
		return 1
	case stake > 0:
		return float64(stake)
	}
	return 100 / float64(seats)
}
