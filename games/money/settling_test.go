package money_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"knobel/games/money"
)

func TestSettleUp(t *testing.T) {
	for _, c := range []struct {
		name     string
		balances []int64
		want     string
	}{
		{"nobody", nil, "[]"},
		{"all even", []int64{0, 0, 0}, "[]"},
		{"one owes one", []int64{-7, 7}, "[{0 1 7}]"},
		{"two are paid by one", []int64{35, 120, -155}, "[{2 1 120} {2 0 35}]"},
		{"two pairs", []int64{-5, -3, 3, 5}, "[{0 3 5} {1 2 3}]"},
		{"a pair and a three", []int64{4, -4, 1, 2, -3}, "[{1 0 4} {4 3 2} {4 2 1}]"},
		{"two threes that paying the greatest first would join", []int64{-6, 5, 4, 3, -5, -1},
			"[{4 1 5} {0 2 4} {0 3 2} {5 3 1}]"},
		{"four fours among sixteen",
			[]int64{1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400, -111, -222, -333, -444},
			"[{15 11 400} {14 10 300} {13 9 200} {12 8 100} {15 7 40} {14 6 30} {13 5 20} {12 4 10} {15 3 4} " +
				"{14 2 3} {13 1 2} {12 0 1}]"},
		{"no groups", []int64{-6, -6, 4, 4, 4}, "[{0 4 4} {1 3 4} {0 2 2} {1 2 2}]"},
	} {
		plan, err := money.SettleUp(c.balances)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := fmt.Sprint(plan.Payments); got != c.want || !plan.Fewest() {
			t.Errorf("%s: %s, fewest %v, want %s", c.name, got, plan.Fewest(), c.want)
		}
	}
}

func TestSettleUpRefuses(t *testing.T) {
	for name, balances := range map[string][]int64{
		"a sum above zero":   {1},
		"a sum below zero":   {3, -4},
		"a great balance":    {money.MaxBalance + 1, -money.MaxBalance - 1},
		"a sum that wraps":   {1 << 62, 1 << 62, 1 << 62, 1 << 62},
		"too many to settle": make([]int64, money.MaxParties+1),
	} {
		if plan, err := money.SettleUp(balances); err == nil {
			t.Errorf("%s: settled by %+v", name, plan)
		}
	}
}

// zeroSum returns random balances of that many parties that add up to zero. All but the first are from -most to most.
func zeroSum(t *rapid.T, parties int, most int64) []int64 {
	balances := rapid.SliceOfN(rapid.Int64Range(-most, most), parties, parties).Draw(t, "balances")
	sum := int64(0)
	for _, b := range balances[1:] {
		sum += b
	}
	balances[0] = -sum
	return balances
}

// settled returns the plan of SettleUp for balances and fails the test if it breaks a rule that holds for all plans.
func settled(t interface{ Fatalf(string, ...any) }, balances []int64) money.Plan {
	plan, err := money.SettleUp(balances)
	if err != nil {
		t.Fatalf("%v: %v", balances, err)
	}
	left := append([]int64(nil), balances...)
	open := 0
	for _, b := range balances {
		if b != 0 {
			open++
		}
	}
	for i, p := range plan.Payments {
		if p.Amount <= 0 || balances[p.From] >= 0 || balances[p.To] <= 0 {
			t.Fatalf("%v: payment %+v", balances, p)
		}
		if i > 0 && plan.Payments[i-1].Amount < p.Amount {
			t.Fatalf("%v: not the greatest first: %v", balances, plan.Payments)
		}
		left[p.From] += p.Amount
		left[p.To] -= p.Amount
	}
	for party, b := range left {
		if b != 0 {
			t.Fatalf("%v: party %d is left with %d by %v", balances, party, b, plan.Payments)
		}
	}
	switch n := len(plan.Payments); {
	case n < plan.Least || n > max(open-1, 0):
		t.Fatalf("%v: %d payments, at least %d, of %d open balances", balances, n, plan.Least, open)
	case open <= money.MaxExact && !plan.Fewest():
		t.Fatalf("%v: %d payments are not known to be fewest", balances, n)
	}
	if again, _ := money.SettleUp(balances); !reflect.DeepEqual(again, plan) {
		t.Fatalf("%v: %+v, then %+v", balances, plan, again)
	}
	return plan
}

func TestNobodySettlesUpWithFewer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		balances := zeroSum(t, rapid.IntRange(1, 7).Draw(t, "parties"),
			rapid.SampledFrom([]int64{2, 5, 12, 1_000_000}).Draw(t, "most"))
		if got, want := len(settled(t, balances).Payments), fewest(balances); got != want {
			t.Fatalf("%v: %d payments, %d would do", balances, got, want)
		}
	})
}

func TestManyAreSettledWell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{3, 30, 1_000_000}).Draw(t, "most")
		settled(t, zeroSum(t, rapid.IntRange(8, 60).Draw(t, "parties"), most))
	})
}

func FuzzSettleUp(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Add([]byte{250, 6, 5, 251, 9, 9, 9, 229, 128, 128, 1, 255, 3, 253, 77})
	f.Fuzz(func(t *testing.T, amounts []byte) {
		balances := make([]int64, 1, len(amounts)+1)
		for _, b := range amounts {
			balances = append(balances, int64(int8(b)))
			balances[0] -= int64(int8(b))
		}
		if len(balances) <= money.MaxParties {
			settled(t, balances)
		}
	})
}

// fewest returns the smallest number of payments that settle balances. It tries all ways: the first party whose balance
// is not 0 settles it with one of the others, then the rest is settled. Seven balances take almost no time.
func fewest(balances []int64) int {
	for len(balances) > 0 && balances[0] == 0 {
		balances = balances[1:]
	}
	if len(balances) == 0 {
		return 0
	}
	best := len(balances)
	for other := 1; other < len(balances); other++ {
		if balances[other] == 0 {
			continue
		}
		rest := append([]int64(nil), balances[1:]...)
		rest[other-1] += balances[0]
		best = min(best, 1+fewest(rest))
	}
	return best
}
