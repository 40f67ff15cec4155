// Package money keeps the books of a pool: stakes, shares, what stays in the box. All amounts are whole numbers of a
// chat's unit, and every settlement adds up exactly.
package money

import (
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

// MaxStake is the largest stake of a seat.
const MaxStake = 1_000_000

// The bounds below keep every sum far inside 64 bits.
const (
	// MaxBox is the largest amount that a box may hold.
	MaxBox = 1_000_000_000_000
	// MaxSeats is the largest number of seats at a table.
	MaxSeats = 64
	// MaxDoubles is the largest number of second stakes in one match.
	MaxDoubles = 10_000
)

// CheckStake returns a *games.Refusal unless that many seats may play for the stake: it is from 0
// to MaxStake, and 0 for one seat alone.
func CheckStake(stake int64, seats int) error {
	switch {
	case stake < 0:
		return games.Refuse("games.stake-negative", nil)
	case stake > MaxStake:
		return games.Refuse("games.stake-large", games.Args{"Most": MaxStake})
	case stake > 0 && seats == 1:
		return games.Refuse("games.stake-alone", nil)
	}
	return nil
}

// Pool is what a match is played for, fixed when it starts.
type Pool struct {
	Stake int64 // of each seat
	Seats int
	Box   int64 // what the box adds to the stakes
}

// Open returns the pool of a match that starts when the chat's box holds standing. A friendly game,
// with no stake, leaves the box alone.
func Open(stake int64, seats int, standing int64) Pool {
	if stake == 0 {
		standing = 0
	}
	return Pool{Stake: stake, Seats: seats, Box: standing}
}

// Total returns what the winner takes: all stakes and the box.
func (p Pool) Total() int64 { return p.Stake*int64(p.Seats) + p.Box }

// Settlement is the change that a match makes to the books.
type Settlement struct {
	// Amounts holds what each seat has won, or lost when negative, its own
	// stake counted, in seat order. They add up to In − Out.
	Amounts []int64
	// In is what the box added to the pool, Out what went back into it.
	In, Out int64
}

// Settle shares the pool: the winners take equal parts and what cannot be divided goes into the box; for every seat
// in doubles each other seat pays it one stake more. A friendly game moves nothing.
func (p Pool) Settle(winners, doubles []games.Seat) (Settlement, error) {
	if err := p.check(winners, doubles); err != nil {
		return Settlement{}, fmt.Errorf("settle the pool: %w", err)
	}
	s := Settlement{Amounts: make([]int64, p.Seats)}
	if p.Stake == 0 {
		return s, nil
	}
	for seat := range s.Amounts {
		s.Amounts[seat] = -p.Stake
	}
	for _, seat := range winners {
		s.Amounts[seat] += p.Total() / int64(len(winners))
	}
	for _, owed := range doubles {
		for seat := range s.Amounts {
			s.Amounts[seat] -= p.Stake
		}
		s.Amounts[owed] += p.Stake * int64(p.Seats)
	}
	s.In, s.Out = p.Box, p.Total()%int64(len(winners))
	return s, nil
}

// Refund returns the settlement of an abandoned match: each seat gets its stake back, and the box what it held.
func (p Pool) Refund() Settlement {
	return Settlement{Amounts: make([]int64, p.Seats), In: p.Box, Out: p.Box}
}

// check returns an error unless the pool is within its bounds, and all winners and doubles are seats of it.
func (p Pool) check(winners, doubles []games.Seat) error {
	switch {
	case p.Seats < 1 || p.Seats > MaxSeats:
		return fmt.Errorf("%d seats", p.Seats)
	case p.Stake < 0 || p.Stake > MaxStake:
		return fmt.Errorf("a stake of %d", p.Stake)
	case p.Box < 0 || p.Box > MaxBox:
		return fmt.Errorf("a box of %d", p.Box)
	case p.Stake > 0 && len(winners) == 0:
		return errors.New("nobody has won it")
	case len(doubles) > MaxDoubles:
		return fmt.Errorf("%d second stakes", len(doubles))
	}
	won := make([]bool, p.Seats)
	for _, seat := range winners {
		if seat < 0 || int(seat) >= p.Seats || won[seat] {
			return fmt.Errorf("seat %d among the winners", seat)
		}
		won[seat] = true
	}
	for _, seat := range doubles {
		if seat < 0 || int(seat) >= p.Seats {
			return fmt.Errorf("a second stake for seat %d", seat)
		}
	}
	return nil
}

// Settlement of games without a pool in which the seats pay each other.

// MaxOwnPoints is the largest score, of either sign, that a seat can pay for by points.
const MaxOwnPoints = 1_000_000

// Owe settles a match without a pool, in which each seat pays each of the others the same number of stakes: by
// ShapeLastPays one stake if it has the last place, by ShapeOwnPoints as many as its score says, so that a negative
// score is paid for by the others. The amounts add up to zero. Several who share the last place pay all who do not;
// among each other it makes no difference.
//
// Seats that are out are paid nothing. By ShapeLastPays they are the last, and the others pay nothing; by
// ShapeOwnPoints they pay at least one stake to each of those who are still in, and their part of negative scores.
func Owe(shape games.Shape, stake int64, result games.Result, out []games.Seat) (Settlement, error) {
	stakes, err := owedStakes(shape, result, out)
	if err != nil {
		return Settlement{}, fmt.Errorf("settle by %q: %w", shape, err)
	}
	if stake < 0 || stake > MaxStake {
		return Settlement{}, fmt.Errorf("settle by %q: a stake of %d", shape, stake)
	}
	s := Settlement{Amounts: make([]int64, len(stakes))}
	for payer, n := range stakes {
		for payee := range stakes {
			if payee != payer && (n < 0 || !slices.Contains(out, games.Seat(payee))) {
				s.Amounts[payer] -= n * stake
				s.Amounts[payee] += n * stake
			}
		}
	}
	return s, nil
}

// owedStakes returns how many stakes each seat pays to each of the others.
func owedStakes(shape games.Shape, result games.Result, out []games.Seat) ([]int64, error) {
	if n := len(result.Rows); n < 1 || n > MaxSeats || !shape.Owed() {
		return nil, fmt.Errorf("%d seats cannot owe anything", n)
	}
	last := 0
	for _, row := range result.Rows {
		last = max(last, row.Place)
	}
	stakes := make([]int64, len(result.Rows))
	for seat, row := range result.Rows {
		isOut := slices.Contains(out, games.Seat(seat))
		if shape == games.ShapeOwnPoints {
			if row.Score < -MaxOwnPoints || row.Score > MaxOwnPoints {
				return nil, fmt.Errorf("seat %d has %d points", seat, row.Score)
			}
			stakes[seat] = int64(row.Score)
		} else if len(out) == 0 && row.Place == last {
			stakes[seat] = 1
		}
		if isOut {
			stakes[seat] = max(stakes[seat], 1)
		}
	}
	return stakes, nil
}
