package money

import (
	"cmp"
	"fmt"
	"slices"

	"knobel/games"
)

// Settlement by the difference to the average of a game.

// MaxPoints is the largest total, of either sign, that differences are made
// of: it keeps every product far inside 64 bits.
const MaxPoints = 1_000_000_000

// Shares is divisible by every number of seats up to ten, so that differences
// of games with any numbers of seats can be added as whole Shares of a point.
const Shares = 2520

// Difference is what a seat has won, or lost when negative, against the average of its game: N/D points, where D is
// the number of seats. It is not reduced, so that the differences of one game add up by their N.
type Difference struct {
	N int64 `json:"n"`
	D int64 `json:"d"`
}

// Differences returns the differences of all seats to the average of their scores, in seat order. They add up to
// exactly zero.
func Differences(result games.Result) ([]Difference, error) {
	n, sum := int64(len(result.Rows)), int64(0)
	if n < 1 || n > MaxSeats {
		return nil, fmt.Errorf("differences of %d seats", n)
	}
	for seat, row := range result.Rows {
		if row.Score < -MaxPoints || row.Score > MaxPoints {
			return nil, fmt.Errorf("differences: seat %d has %d points", seat, row.Score)
		}
		sum += int64(row.Score)
	}
	list := make([]Difference, n)
	for seat, row := range result.Rows {
		list[seat] = Difference{N: n*int64(row.Score) - sum, D: n}
	}
	return list, nil
}

// InShares returns the difference as a whole number of Shares of a point, and false if the number
// of seats does not divide Shares.
func (d Difference) InShares() (int64, bool) {
	if d.D < 1 || Shares%d.D != 0 {
		return 0, false
	}
	return d.N * (Shares / d.D), true
}

// String spells the difference in lowest terms and as a mixed number, with its
// sign: "+30", "-1/3", "+2 1/2", "0".
func (d Difference) String() string {
	if d.N == 0 || d.D < 1 {
		return "0"
	}
	sign, n := '+', d.N
	if n < 0 {
		sign, n = '-', -n
	}
	whole, rest, part := n/d.D, n%d.D, d.D
	for a, b := part, rest; ; a, b = b, a%b {
		if b == 0 {
			rest, part = rest/a, part/a
			break
		}
	}
	switch {
	case rest == 0:
		return fmt.Sprintf("%c%d", sign, whole)
	case whole == 0:
		return fmt.Sprintf("%c%d/%d", sign, rest, part)
	}
	return fmt.Sprintf("%c%d %d/%d", sign, whole, rest, part)
}

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
