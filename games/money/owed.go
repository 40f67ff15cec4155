package money

import (
	"fmt"
	"slices"

	"knobel/games"
)

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
