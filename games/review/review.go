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
	"fmt"

	"knobel/games"
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
