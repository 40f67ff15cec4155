package money_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/money"
)

func seats(list ...games.Seat) []games.Seat { return list }

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
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.Amounts, c.amounts) || s.In != c.in || s.Out != c.out {
				t.Errorf("got %+v", s)
			}
		})
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
		if err != nil {
			t.Fatal(err)
		}
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
