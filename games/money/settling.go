package money

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// The payments that settle all balances of a group.

// These bounds keep every sum inside 64 bits.
const (
	// MaxParties is the largest number of balances that are settled together.
	MaxParties = 1000
	// MaxBalance is the largest balance of a party, of either sign.
	MaxBalance = 4_000_000_000_000_000
)

// MaxExact is the largest number of balances other than 0 for which SettleUp always finds the fewest possible payments.
const MaxExact = 16

// Payment is an amount, above zero, that one party pays to another. Parties are indices into the balances.
type Payment struct {
	From, To int
	Amount   int64
}

// Plan is a list of payments that settles all balances.
type Plan struct {
	// Payments bring every balance to zero, each from a party that owes to one that is owed. The largest come first,
	// equal ones are sorted by the parties.
	Payments []Payment
	// Least is a lower bound on the number of payments of any plan.
	Least int
}

// Fewest reports whether it is certain that no plan has fewer payments. It is always true for up to MaxExact balances
// other than 0.
func (p Plan) Fewest() bool { return len(p.Payments) == p.Least }

// SettleUp returns the payments that bring all balances to zero. A party below zero owes, one above is owed, and all
// together must add up to zero; equal balances give equal plans.
//
// If the parties are split into groups that add up to zero each, every group needs one payment less than it has
// parties. So the most groups give the fewest payments.
func SettleUp(balances []int64) (Plan, error) {
	if err := checkBalances(balances); err != nil {
		return Plan{}, fmt.Errorf("settle up: %w", err)
	}
	var open []int
	for party, balance := range balances {
		if balance != 0 {
			open = append(open, party)
		}
	}
	groups, rest := pairs(balances, open)
	plan := Plan{Least: len(groups) + fewestOfUnpaired(balances, rest)}
	exact := len(rest) <= MaxExact
	if !exact {
		var triples [][]int
		triples, rest = threes(balances, rest)
		groups = append(groups, triples...)
	}
	if len(rest) <= MaxExact {
		groups = append(groups, maxGroups(balances, rest)...)
	} else {
		groups = append(groups, rest)
	}
	if exact {
		plan.Least = len(open) - len(groups)
	}
	for _, group := range groups {
		plan.Payments = append(plan.Payments, payAll(balances, group)...)
	}
	slices.SortFunc(plan.Payments, func(a, b Payment) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return plan, nil
}

// checkBalances returns an error unless the balances are within the bounds above and add up to zero.
func checkBalances(balances []int64) error {
	if len(balances) > MaxParties {
		return fmt.Errorf("%d balances", len(balances))
	}
	sum := int64(0)
	for party, balance := range balances {
		if balance > MaxBalance || balance < -MaxBalance {
			return fmt.Errorf("party %d has a balance of %d", party, balance)
		}
		sum += balance
	}
	if sum != 0 {
		return fmt.Errorf("the balances add up to %d", sum)
	}
	return nil
}

// pairs returns pairs of parties whose balances are opposite, and the rest. Pairing two parties never costs a group:
// the rests of the groups that they were in add up to zero together.
func pairs(balances []int64, open []int) (groups [][]int, rest []int) {
	waiting := map[int64][]int{}
	for _, party := range open {
		opposite := -balances[party]
		if there := waiting[opposite]; len(there) > 0 {
			groups = append(groups, []int{there[0], party})
			waiting[opposite] = there[1:]
		} else {
			waiting[balances[party]] = append(waiting[balances[party]], party)
		}
	}
	for _, party := range open {
		if there := waiting[balances[party]]; len(there) > 0 && there[0] == party {
			rest = append(rest, party)
			waiting[balances[party]] = there[1:]
		}
	}
	return groups, rest
}

// fewestOfUnpaired returns a lower bound of the payments among parties without opposite balances: groups have at least
// three parties, each debtor pays, and each creditor is paid.
func fewestOfUnpaired(balances []int64, rest []int) int {
	owing := 0
	for _, party := range rest {
		if balances[party] < 0 {
			owing++
		}
	}
	return max(len(rest)-len(rest)/3, owing, len(rest)-owing)
}

// threes returns groups of three parties that add up to zero, found greedily, and the rest.
func threes(balances []int64, open []int) (groups [][]int, rest []int) {
	left := slices.Clone(open)
	slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(balances[a], balances[b]) })
	for first := 0; first < len(left); {
		second, third, found := twoFor(balances, left, first)
		if !found {
			first++
			continue
		}
		groups = append(groups, []int{left[first], left[second], left[third]})
		left = slices.Delete(left, third, third+1)
		left = slices.Delete(left, second, second+1)
		left = slices.Delete(left, first, first+1)
	}
	slices.Sort(left)
	return groups, left
}

// twoFor returns the indices of two later parties in a list sorted by balance that add up to zero with first.
func twoFor(balances []int64, sorted []int, first int) (second, third int, found bool) {
	second, third = first+1, len(sorted)-1
	for second < third {
		sum := balances[sorted[first]] + balances[sorted[second]] + balances[sorted[third]]
		switch {
		case sum == 0:
			return second, third, true
		case sum < 0:
			second++
		default:
			third--
		}
	}
	return 0, 0, false
}

// maxGroups splits parties into the most groups that add up to zero each. Removing the parties of a split one by one,
// group after group, passes through a set that adds up to zero after each group. So the most groups of a set are the
// most of it without one party, plus one if the set itself adds up to zero.
func maxGroups(balances []int64, parties []int) [][]int {
	sums := make([]int64, 1<<len(parties))
	most := make([]int8, 1<<len(parties))
	for set := 1; set < len(sums); set++ {
		lowest := bits.TrailingZeros(uint(set))
		sums[set] = sums[set&(set-1)] + balances[parties[lowest]]
		for others := set; others != 0; others &= others - 1 {
			most[set] = max(most[set], most[set&^(others&-others)])
		}
		if sums[set] == 0 {
			most[set]++
		}
	}
	var groups [][]int
	for set := len(sums) - 1; set != 0; {
		want := most[set]
		if sums[set] == 0 {
			groups = append(groups, nil)
			want--
		}
		for i, party := range parties {
			if without := set &^ (1 << i); without != set && most[without] == want {
				last := len(groups) - 1
				groups[last] = append(groups[last], party)
				set = without
				break
			}
		}
	}
	return groups
}

// payAll returns the payments of a group: the largest debtor pays the largest creditor, so that each payment brings one
// of them to zero and the last payment both.
func payAll(balances []int64, group []int) []Payment {
	left := map[int]int64{}
	for _, party := range group {
		left[party] = balances[party]
	}
	bySize := func(a, b int) int { return cmp.Or(cmp.Compare(left[a], left[b]), cmp.Compare(a, b)) }
	var payments []Payment
	for {
		from, to := slices.MinFunc(group, bySize), slices.MaxFunc(group, bySize)
		if left[from] == 0 {
			return payments
		}
		amount := min(-left[from], left[to])
		payments = append(payments, Payment{From: from, To: to, Amount: amount})
		left[from] += amount
		left[to] -= amount
	}
}
