package money

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxPoint is the largest number of units that a point may be worth.
const MaxPoint = 1_000_000

// Round turns the differences of one game into whole units, at point units a
// point, so that they still add up to zero: each amount is rounded down, then those with the largest remainders get
// one unit more, of equal ones those first that sit from seat turn modulo the number of seats on. With the number of
// the table as the turn no seat gains over many tables.
func Round(differences []Difference, point int, turn int64) (Settlement, error) {
	if err := checkRound(differences, point); err != nil {
		return Settlement{}, fmt.Errorf("settle differences: %w", err)
	}
	amounts := make([]int64, len(differences))
	remainders := make([]int64, len(differences))
	bySize := make([]int, len(differences))
	seats := int64(len(differences))
	first := int((turn%seats + seats) % seats)
	short := int64(0) // what rounding down has taken from all together
	for seat, d := range differences {
		exact := d.N * int64(point)
		remainders[seat] = (exact%d.D + d.D) % d.D
		amounts[seat] = (exact - remainders[seat]) / d.D
		short -= amounts[seat]
		bySize[seat] = (first + seat) % len(bySize)
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, seat := range bySize[:short] {
		amounts[seat]++
	}
	return Settlement{Amounts: amounts}, nil
}

// checkRound checks that the differences are those of one game, so that after rounding down fewer
// units are missing than there are seats.
func checkRound(differences []Difference, point int) error {
	seats := int64(len(differences))
	if seats < 1 || seats > MaxSeats {
		return fmt.Errorf("%d seats", seats)
	}
	if point < 0 || point > MaxPoint {
		return fmt.Errorf("a point worth %d", point)
	}
	sum := int64(0)
	for seat, d := range differences {
		if most := 2 * MaxPoints * seats; d.D != seats || d.N < -most || d.N > most {
			return fmt.Errorf("seat %d has %d/%d points among %d seats", seat, d.N, d.D, seats)
		}
		sum += d.N
	}
	if sum != 0 {
		return fmt.Errorf("they add up to %d/%d", sum, seats)
	}
	return nil
}
