package money_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"knobel/games/money"
)

func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		totals []int
		say    string
		units  []int64 // the settlement at 1 unit per point
	}{
		{[]int{180, 150, 120}, "[+30 0 -30]", []int64{30, 0, -30}},
		{[]int{100, 101}, "[-1/2 +1/2]", []int64{0, 0}},
		{[]int{10, 10, 11}, "[-1/3 -1/3 +2/3]", []int64{0, 0, 0}},
		{[]int{11, 10, 10}, "[+2/3 -1/3 -1/3]", []int64{1, 0, -1}},
		{[]int{111, 142, 63}, "[+5 2/3 +36 2/3 -42 1/3]", []int64{6, 37, -43}},
		{[]int{-4, 3}, "[-3 1/2 +3 1/2]", []int64{-3, 3}},
		{[]int{5}, "[0]", []int64{0}},
		{[]int{1, 2, 3, 4}, "[-1 1/2 -1/2 +1/2 +1 1/2]", []int64{-1, 0, 0, 1}},
		{[]int{0, 0, 0, 0, 0, 6, 0, 0, 0, 0}, "[-3/5 -3/5 -3/5 -3/5 -3/5 +5 2/5 -3/5 -3/5 -3/5 -3/5]",
			[]int64{0, 0, 0, 0, -1, 5, -1, -1, -1, -1}},
	} {
		differences, err := money.Differences(ended(c.totals...))
		check(t, err)
		if got := fmt.Sprint(differences); got != c.say {
			t.Errorf("%v: %s, want %s", c.totals, got, c.say)
		}
		settled, err := money.Round(differences, 1, 0)
		if err != nil || !slices.Equal(settled.Amounts, c.units) {
			t.Errorf("%v at 1 a point: %v, %v, want %v", c.totals, settled.Amounts, err, c.units)
		}
	}
}

// TestTheOddUnitsGoByTurns checks Round: among equal remainders, seat turn % (number of seats) gets the first unit.
func TestTheOddUnitsGoByTurns(t *testing.T) {
	for _, c := range []struct {
		totals []int
		turn   int64
		want   []int64
	}{
		{[]int{10, 10, 11}, 3, []int64{0, 0, 0}},
		{[]int{10, 10, 11}, 4, []int64{-1, 0, 1}},
		{[]int{10, 10, 11}, 5, []int64{0, -1, 1}},
		{[]int{100, 101}, 6, []int64{0, 0}},
		{[]int{100, 101}, 7, []int64{-1, 1}},
		{[]int{1, 2, 3, 4}, 11, []int64{-1, -1, 0, 2}},
		{[]int{1, 1, 3, 4}, 7, []int64{-1, -1, 0, 2}},
		{[]int{5}, 1 << 62, []int64{0}},
	} {
		differences, err := money.Differences(ended(c.totals...))
		check(t, err)
		settled, err := money.Round(differences, 1, c.turn)
		if err != nil || !slices.Equal(settled.Amounts, c.want) {
			t.Errorf("%v in turn %d: %v, %v, want %v", c.totals, c.turn, settled.Amounts, err, c.want)
		}
	}
}

func TestDifferencesRefuseNonsense(t *testing.T) {
	for _, totals := range [][]int{nil, make([]int, money.MaxSeats+1), {0, money.MaxPoints + 1},
		{-money.MaxPoints - 1}} {
		if got, err := money.Differences(ended(totals...)); err == nil {
			t.Errorf("%.40v: %v", totals, got)
		}
	}
	fair := []money.Difference{{N: -1, D: 2}, {N: 1, D: 2}}
	for name, c := range map[string]struct {
		differences []money.Difference
		point       int
	}{
		"no seats":                 {nil, 1},
		"another number of seats":  {[]money.Difference{{N: -1, D: 3}, {N: 1, D: 3}}, 1},
		"what does not add up":     {[]money.Difference{{N: -1, D: 2}, {N: 2, D: 2}}, 1},
		"what is too large":        {[]money.Difference{{N: -1 << 62, D: 2}, {N: 1 << 62, D: 2}}, 1},
		"a point below nothing":    {fair, -1},
		"a point worth too much":   {fair, money.MaxPoint + 1},
		"a difference of no seats": {[]money.Difference{{}}, 1},
	} {
		if got, err := money.Round(c.differences, c.point, 0); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestDifferencesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		totals := rapid.SliceOfN(rapid.IntRange(-money.MaxPoints, money.MaxPoints), 1, money.MaxSeats).Draw(t, "totals")
		n := int64(len(totals))
		point := rapid.IntRange(0, money.MaxPoint).Draw(t, "point")
		differences, err := money.Differences(ended(totals...))
		check(t, err)
		turn := rapid.Int64Min(0).Draw(t, "turn")
		settled, err := money.Round(differences, point, turn)
		check(t, err)
		var sum, units int64
		for seat, d := range differences {
			sum += d.N
			units += settled.Amounts[seat]
			// A rounded amount differs from the exact one by less than one unit.
			if off := settled.Amounts[seat]*n - d.N*int64(point); off <= -n || off >= n {
				t.Fatalf("seat %d: %v at %d is rounded to %d", seat, d, point, settled.Amounts[seat])
			}
			for other, e := range differences {
				if d.N > e.N && settled.Amounts[seat] < settled.Amounts[other] {
					t.Fatalf("seat %d has more than seat %d and gets less: %v", seat, other, settled.Amounts)
				}
				first := (int64(seat)-turn%n+n)%n < (int64(other)-turn%n+n)%n
				if d.N == e.N && first && settled.Amounts[seat] < settled.Amounts[other] {
					t.Fatalf("seats %d and %d have the same, the later gets more: %v", seat, other, settled.Amounts)
				}
			}
		}
		if sum != 0 || units != 0 || settled.In != 0 || settled.Out != 0 {
			t.Fatalf("%v add up to %d, %+v to %d", differences, sum, settled, units)
		}
	})
}

// TestSharesAddUpOverGames checks that the shares of games with different numbers of seats add up to exactly zero.
func TestSharesAddUpOverGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum, average := int64(0), 0.0
		for range rapid.IntRange(1, 20).Draw(t, "games") {
			totals := rapid.SliceOfN(rapid.IntRange(-200, 600), 1, 10).Draw(t, "totals")
			differences, err := money.Differences(ended(totals...))
			check(t, err)
			for _, d := range differences {
				shares, ok := d.InShares()
				if !ok {
					t.Fatalf("%d seats have no share", d.D)
				}
				sum += shares
				average += float64(shares) / money.Shares
			}
		}
		if sum != 0 || average < -1e-6 || average > 1e-6 {
			t.Fatalf("the games add up to %d shares, %v points", sum, average)
		}
	})
	if shares, ok := (money.Difference{N: -7, D: 3}).InShares(); shares != -5880 || !ok {
		t.Errorf("-7/3 are %d shares, %v", shares, ok)
	}
	if _, ok := (money.Difference{N: 1, D: 11}).InShares(); ok {
		t.Error("eleven seats have a share")
	}
}
