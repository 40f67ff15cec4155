package money_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/gametest"
	"knobel/games/money"
)

// seats returns list as a slice.
func seats(list ...games.Seat) []games.Seat { return list }

// check ends the test on an error.
var check = gametest.Check

func TestSettle(t *testing.T) {
	for name, c := range map[string]struct {
		pool            money.Pool
		winners, double []games.Seat
		amounts         []int64
		in, out         int64
	}{
		"the winner takes the pool":              {money.Open(10, 3, 0), seats(1), nil, []int64{-10, 20, -10}, 0, 0},
		"the box joins the pool":                 {money.Open(10, 2, 3), seats(0), nil, []int64{13, -10}, 3, 0},
		"a tie shares":                           {money.Open(10, 3, 0), seats(0, 2), nil, []int64{5, -10, 5}, 0, 0},
		"what cannot be shared stays in the box": {money.Open(5, 3, 0), seats(0, 1), nil, []int64{2, 2, -5}, 0, 1},
		"the box takes part in the division":     {money.Open(5, 3, 1), seats(0, 1), nil, []int64{3, 3, -5}, 1, 0},
		"all share": {money.Open(1, 7, 6), seats(0, 1, 2, 3, 4, 5, 6), nil,
			[]int64{0, 0, 0, 0, 0, 0, 0}, 6, 6},
		"a shut is paid double": {money.Open(10, 3, 0), seats(1), seats(1),
			[]int64{-20, 40, -20}, 0, 0},
		"two shuts, one of them by a loser": {money.Open(10, 3, 0), seats(1), seats(1, 2),
			[]int64{-30, 30, 0}, 0, 0},
		"the same seat shuts twice": {money.Open(1, 2, 5), seats(0), seats(0, 0), []int64{8, -3}, 5, 0},
		"a friendly game moves nothing": {money.Open(0, 3, 9), seats(0, 1), seats(0),
			[]int64{0, 0, 0}, 0, 0},
		"a friendly game may have nobody to share": {money.Open(0, 1, 9), nil, nil, []int64{0}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := c.pool.Settle(c.winners, c.double)
			check(t, err)
			if !slices.Equal(s.Amounts, c.amounts) || s.In != c.in || s.Out != c.out {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// TestFriendlyGame checks that a game without a stake leaves the chips in the box.
func TestFriendlyGame(t *testing.T) {
	if p := money.Open(0, 3, 9); p.Total() != 0 {
		t.Errorf("%d chips are played for", p.Total())
	}
}

func TestSettleRefusesNonsense(t *testing.T) {
	for name, c := range map[string]struct {
		pool            money.Pool
		winners, double []games.Seat
	}{
		"no winner":              {money.Open(1, 2, 0), nil, nil},
		"a winner at no seat":    {money.Open(1, 2, 0), seats(2), nil},
		"a winner below":         {money.Open(1, 2, 0), seats(games.Nobody), nil},
		"a winner twice":         {money.Open(1, 2, 0), seats(0, 0), nil},
		"a double at no seat":    {money.Open(1, 2, 0), seats(0), seats(2)},
		"no seats":               {money.Open(1, 0, 0), nil, nil},
		"many seats":             {money.Open(1, money.MaxSeats+1, 0), seats(0), nil},
		"a stake too large":      {money.Open(money.MaxStake+1, 2, 0), seats(0), nil},
		"a stake below nothing":  {money.Open(-1, 2, 0), seats(0), nil},
		"a box too full":         {money.Open(1, 2, money.MaxBox+1), seats(0), nil},
		"a box below nothing":    {money.Open(1, 2, -1), seats(0), nil},
		"too many second stakes": {money.Open(1, 2, 0), seats(0), make([]games.Seat, money.MaxDoubles+1)},
	} {
		if s, err := c.pool.Settle(c.winners, c.double); err == nil {
			t.Errorf("%s: settled as %+v", name, s)
		}
	}
}

func TestAmountsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, money.MaxSeats).Draw(t, "seats")
		p := money.Open(rapid.Int64Range(0, money.MaxStake).Draw(t, "stake"), n,
			rapid.Int64Range(0, money.MaxBox).Draw(t, "box"))
		seat := rapid.Map(rapid.IntRange(0, n-1), func(i int) games.Seat { return games.Seat(i) })
		winners := rapid.SliceOfNDistinct(seat, 1, n, rapid.ID).Draw(t, "winners")
		doubles := rapid.SliceOfN(seat, 0, 20).Draw(t, "doubles")
		s, err := p.Settle(winners, doubles)
		check(t, err)
		checkSum(t, s)
		if s.Out < 0 || s.Out >= int64(len(winners)) {
			t.Fatalf("%d stay in the box among %d winners", s.Out, len(winners))
		}
		if len(doubles) == 0 {
			for i, amount := range s.Amounts {
				if won := slices.Contains(winners, games.Seat(i)); !won && amount != -p.Stake ||
					won && amount < -p.Stake {
					t.Fatalf("seat %d gets %d", i, amount)
				}
			}
		}
		refund := p.Refund()
		checkSum(t, refund)
		if slices.ContainsFunc(refund.Amounts, func(a int64) bool { return a != 0 }) {
			t.Fatalf("refunded %v", refund.Amounts)
		}
	})
}

// checkSum fails the test unless the amounts of s add up to the chips from the box minus those put into it.
func checkSum(t *rapid.T, s money.Settlement) {
	sum := int64(0)
	for _, amount := range s.Amounts {
		sum += amount
	}
	if sum != s.In-s.Out {
		t.Fatalf("the amounts add up to %d, the box gave %d and took %d", sum, s.In, s.Out)
	}
}

func TestCheckStake(t *testing.T) {
	for _, c := range []struct {
		stake int64
		seats int
		want  string
	}{
		{0, 1, "<nil>"}, {0, 5, "<nil>"}, {1, 2, "<nil>"}, {money.MaxStake, 10, "<nil>"},
		{1, 1, "games.stake-alone"}, {-1, 2, "games.stake-negative"},
		{money.MaxStake + 1, 2, "games.stake-large Most=1000000"},
	} {
		if got := fmt.Sprint(money.CheckStake(c.stake, c.seats)); got != c.want {
			t.Errorf("%d at %d seats: %s, want %s", c.stake, c.seats, got, c.want)
		}
	}
}

func TestCleanUnit(t *testing.T) {
	for name, want := range map[string]string{
		"chips":                     "chips",
		"  dirty   dishes ":         "dirty dishes",
		"☕":                         "☕",
		"👩‍🍳 Abwasch":               "👩‍🍳 Abwasch",
		"<b>*_[x](y)@everyone":      "<b>*_[x](y)@everyone",
		strings.Repeat("ü", 24):     strings.Repeat("ü", 24),
		strings.Repeat("ü", 25):     "games.unit-long N=24",
		strings.Repeat("x", 4000):   "games.unit-long N=24",
		"":                          "games.unit-empty",
		"   ":                       "games.unit-empty",
		"\u200b":                    "games.unit-empty",
		"a\nb":                      "games.unit-unreadable",
		"\u202eabc":                 "games.unit-unreadable",
		"a\u2028b":                  "games.unit-unreadable",
		"\xff":                      "games.unit-unreadable",
		"\u200fשקל":                 "games.unit-unreadable",
		"Striche\u00a0auf dem Glas": "Striche auf dem Glas",
	} {
		got, err := money.CleanUnit(name)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.30q: %q, want %q", name, got, want)
		}
	}
}

func TestLooksLikeMoney(t *testing.T) {
	for _, unit := range []string{
		"€", "10 €", "$", "£", "¥", "₿", "EUR", "eur", "Euro", "EUROS", "USD", "usd", "dollars", "US-Dollar", "cents",
		"Cent", "pound", "pence",
		"Rappen", "CHF", "Fr. CHF", "bitcoin", "BTC", "Satoshis", "real money", "Bargeld", "eu\u200bro",
		"E u r o", "euroſ", "еuro", "ΕURO",
		"10cent", "zł złoty", "рублей", "GEL", "Eur0", "d0llar", "do11ars", "3ur05", "ꓰuro", "ᴇᴜʀᴏ", "rubl",
	} {
		if !money.LooksLikeMoney(unit) {
			t.Errorf("%q is not seen as money", unit)
		}
	}
	for _, unit := range []string{
		"chips", "Chips", "strokes", "coffees", "☕", "dishes", "Abwasch", "cup", "cups", "pen", "all", "points",
		"Striche", "Scent", "center",
		"Europa", "Gummibärchen", "top", "mad hats", "Marken", "10", "5 km", "R2D2", "1 o",
	} {
		if money.LooksLikeMoney(unit) {
			t.Errorf("%q is seen as money", unit)
		}
	}
}

func FuzzCleanUnit(f *testing.F) {
	f.Add("chips")
	f.Add("  a\u200d b ")
	f.Fuzz(func(t *testing.T, name string) {
		unit, err := money.CleanUnit(name)
		if err != nil {
			if _, ok := games.Refused(err); !ok {
				t.Fatalf("%q: %v is no refusal", name, err)
			}
			return
		}
		if again, err := money.CleanUnit(unit); err != nil || again != unit {
			t.Fatalf("%q is cleaned to %q and then to %q, %v", name, unit, again, err)
		}
	})
}

// ended returns the result of a match with these scores, by seat; the highest is the best.
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
		want   []int64 // the amounts at a stake of 10
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

// TestWhatIsOwedAddsUp checks for ShapeLastPays and ShapeOwnPoints that the amounts add up to zero and do not depend on
// the order of the seats, and that a seat that has left the game loses at least one stake to each remaining seat.
func TestWhatIsOwedAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom([]games.Shape{games.ShapeLastPays, games.ShapeOwnPoints}).Draw(t, "shape")
		most := rapid.SampledFrom([]int{1, 6, money.MaxOwnPoints}).Draw(t, "most")
		scores := rapid.SliceOfN(rapid.IntRange(-most, most), 1, money.MaxSeats).Draw(t, "scores")
		stake := rapid.Int64Range(0, money.MaxStake).Draw(t, "stake")
		seat := rapid.Map(rapid.IntRange(0, len(scores)-1), func(i int) games.Seat { return games.Seat(i) })
		out := rapid.SliceOfNDistinct(seat, 0, len(scores)-1, rapid.ID).Draw(t, "out")
		s, err := money.Owe(shape, stake, ended(scores...), out)
		check(t, err)
		checkSum(t, s)
		order := rapid.Permutation(seatNumbers(len(scores))).Draw(t, "order")
		others := make([]int, len(scores))
		var outThere []games.Seat
		for to, from := range order {
			others[to] = scores[from]
			if slices.Contains(out, games.Seat(from)) {
				outThere = append(outThere, games.Seat(to))
			}
		}
		there, err := money.Owe(shape, stake, ended(others...), outThere)
		check(t, err)
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

// seatNumbers returns the numbers from 0 to n-1.
func seatNumbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// checkOwed fails the test unless amounts are those of Owe for these scores, computed in another way. No seat has left.
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
