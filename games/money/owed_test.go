package money_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/money"
)

// ended returns a result of these scores; the highest is the best.
func ended(scores ...int) games.Result {
	var r games.Result
	for _, score := range scores {
		row := games.Row{Score: score, Threw: true, Place: 1}
		for _, other := range scores {
			if other > score {
				row.Place++
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func TestOwe(t *testing.T) {
	for name, c := range map[string]struct {
		shape  games.Shape
		scores []int
		out    []games.Seat
		want   []int64 // at a stake of 10
	}{
		"the last pays each of the others": {games.ShapeLastPays, []int{5, 1, 3}, nil, []int64{10, -20, 10}},
		"of two the last pays the other":   {games.ShapeLastPays, []int{5, 1}, nil, []int64{10, -10}},
		"two last ones pay those who are not": {games.ShapeLastPays, []int{5, 1, 3, 1}, nil,
			[]int64{20, -20, 20, -20}},
		"where all are equal nobody pays": {games.ShapeLastPays, []int{4, 4, 4}, nil, []int64{0, 0, 0}},
		"all but one are last":            {games.ShapeLastPays, []int{2, 4, 2}, nil, []int64{-10, 20, -10}},
		"who is out is the last": {games.ShapeLastPays, []int{5, 1, 3}, seats(0),
			[]int64{-20, 10, 10}},
		"two who are out pay who is in": {games.ShapeLastPays, []int{5, 1, 3}, seats(0, 2),
			[]int64{-10, 20, -10}},
		"alone nobody pays":                        {games.ShapeLastPays, []int{5}, nil, []int64{0}},
		"each pays the others by their own points": {games.ShapeOwnPoints, []int{5, 0, 1}, nil, []int64{-90, 60, 30}},
		"below zero the others pay":                {games.ShapeOwnPoints, []int{-2, 0}, nil, []int64{20, -20}},
		"equal points cost nothing":                {games.ShapeOwnPoints, []int{7, 7}, nil, []int64{0, 0}},
		"nobody pays who is out": {games.ShapeOwnPoints, []int{5, 2, 1}, seats(0),
			[]int64{-100, 40, 60}},
		"who is out pays for points below zero as all do": {games.ShapeOwnPoints, []int{2, -3, 1}, seats(0),
			[]int64{-70, 90, -20}},
		"who is out pays for a point at least": {games.ShapeOwnPoints, []int{0, 2, 1}, seats(0),
			[]int64{-20, 0, 20}},
		"two who are out pay who is in by points": {games.ShapeOwnPoints, []int{-4, 2, 1}, seats(0, 1),
			[]int64{-10, -20, 30}},
	} {
		s, err := money.Owe(c.shape, 10, ended(c.scores...), c.out)
		if err != nil || !slices.Equal(s.Amounts, c.want) || s.In != 0 || s.Out != 0 {
			t.Errorf("%s: %+v, %v, want %v", name, s, err, c.want)
		}
	}
}

func TestOweRefusesNonsense(t *testing.T) {
	for name, c := range map[string]struct {
		shape  games.Shape
		stake  int64
		result games.Result
	}{
		"a pool":                {games.ShapePool, 1, ended(1, 2)},
		"differences":           {games.ShapeDifference, 1, ended(1, 2)},
		"no shape":              {"", 1, ended(1, 2)},
		"no seats":              {games.ShapeLastPays, 1, ended()},
		"many seats":            {games.ShapeLastPays, 1, ended(make([]int, money.MaxSeats+1)...)},
		"a stake too large":     {games.ShapeLastPays, money.MaxStake + 1, ended(1, 2)},
		"a stake below nothing": {games.ShapeOwnPoints, -1, ended(1, 2)},
		"too many points":       {games.ShapeOwnPoints, 1, ended(1, money.MaxOwnPoints+1)},
		"too few points":        {games.ShapeOwnPoints, 1, ended(1, -money.MaxOwnPoints-1)},
	} {
		if s, err := money.Owe(c.shape, c.stake, c.result, nil); err == nil {
			t.Errorf("%s: settled as %+v", name, s)
		}
	}
}

// TestWhatIsOwedAddsUp: the amounts of both shapes add up to zero, do not depend on who sits where, and who is out
// is paid nothing.
func TestWhatIsOwedAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom([]games.Shape{games.ShapeLastPays, games.ShapeOwnPoints}).Draw(t, "shape")
		most := rapid.SampledFrom([]int{1, 6, money.MaxOwnPoints}).Draw(t, "most")
		scores := rapid.SliceOfN(rapid.IntRange(-most, most), 1, money.MaxSeats).Draw(t, "scores")
		stake := rapid.Int64Range(0, money.MaxStake).Draw(t, "stake")
		seat := rapid.Map(rapid.IntRange(0, len(scores)-1), func(i int) games.Seat { return games.Seat(i) })
		out := rapid.SliceOfNDistinct(seat, 0, len(scores)-1, rapid.ID).Draw(t, "out")
		s, err := money.Owe(shape, stake, ended(scores...), out)
		if err != nil {
			t.Fatal(err)
		}
		checkSum(t, s)
		order := rapid.Permutation(seated(len(scores))).Draw(t, "order")
		others := make([]int, len(scores))
		var outThere []games.Seat
		for to, from := range order {
			others[to] = scores[from]
			if slices.Contains(out, games.Seat(from)) {
				outThere = append(outThere, games.Seat(to))
			}
		}
		there, err := money.Owe(shape, stake, ended(others...), outThere)
		if err != nil {
			t.Fatal(err)
		}
		in := int64(len(scores) - len(out))
		for to, from := range order {
			amount := s.Amounts[from]
			if there.Amounts[to] != amount {
				t.Fatalf("seat %d gets %d, and %d at seat %d", from, amount, there.Amounts[to], to)
			}
			if slices.Contains(out, games.Seat(from)) && amount > -stake*in {
				t.Fatalf("seat %d is out and gets %d", from, amount)
			}
		}
		if len(out) == 0 {
			checkOwed(t, shape, stake, scores, s.Amounts)
		}
	})
}

func seated(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// checkOwed reckons what is owed in another way.
func checkOwed(t *rapid.T, shape games.Shape, stake int64, scores []int, amounts []int64) {
	worst, last, sum := slices.Min(scores), int64(0), int64(0)
	for _, score := range scores {
		sum += int64(score)
		if score == worst {
			last++
		}
	}
	for seat, score := range scores {
		want := stake * (sum - int64(len(scores)*score))
		if shape == games.ShapeLastPays {
			want = stake * last
			if score == worst {
				want = -stake * (int64(len(scores)) - last)
			}
		}
		if amounts[seat] != want {
			t.Fatalf("seat %d of %v gets %d, want %d", seat, scores, amounts[seat], want)
		}
	}
}
