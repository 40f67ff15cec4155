package money

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// Limits that keep every amount and every sum of amounts within an int64.
const (
	// MaxParties is the largest number of balances that are settled together.
	MaxParties = 1000
	// MaxBalance is the largest balance of a party, positive or negative.
	MaxBalance = 4_000_000_000_000_000
)

// MaxExact is the largest number of balances other than 0 for which SettleUp always finds the fewest possible payments.
const MaxExact = 16

// Payment is an amount greater than zero that the party From pays to the party To. A party is an index into the
// balances passed to SettleUp.
type Payment struct {
	From, To int
	Amount   int64
}

// Plan is a list of payments that settles all balances.
type Plan struct {
	// Payments bring every balance to zero, each from a debtor to a creditor. They are sorted by amount, the largest
	// first, then by From and To.
	Payments []Payment
	// Least is a lower bound: every plan for these balances has at least that many payments.
	Least int
}

// Fewest reports whether the plan is known to have the fewest possible payments. It is always true for up to MaxExact
// balances other than 0.
func (p Plan) Fewest() bool { return len(p.Payments) == p.Least }

// SettleUp returns payments that bring all balances to zero, as few as it can find. A party with a negative balance
// owes, one with a positive balance is owed. The balances must add up to zero. Equal balances give equal plans.
//
// A group of parties whose balances add up to zero can settle with one payment less than it has parties. So splitting
// all parties into as many such groups as possible gives the fewest payments.
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
	groups, rest := pairOpposites(balances, open)
	plan := Plan{Least: len(groups) + leastPayments(balances, rest)}
	exact := len(rest) <= MaxExact
	if !exact {
		var triples [][]int
		triples, rest = groupTriples(balances, rest)
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
		plan.Payments = append(plan.Payments, groupPayments(balances, group)...)
	}
	slices.SortFunc(plan.Payments, func(a, b Payment) int {
		return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return plan, nil
}

// checkBalances returns an error unless balances are within MaxParties and MaxBalance and add up to zero.
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

// pairOpposites returns as groups the pairs of parties in open with opposite balances, and as rest the parties without
// a partner. Making such a pair a group never costs a group: if each of the two was in a larger group, the other
// members of both groups add up to zero and form one group.
func pairOpposites(balances []int64, open []int) (groups [][]int, rest []int) {
	waiting := map[int64][]int{}
	for _, party := range open {
		opposite := -balances[party]
		if partners := waiting[opposite]; len(partners) > 0 {
			groups = append(groups, []int{partners[0], party})
			waiting[opposite] = partners[1:]
		} else {
			waiting[balances[party]] = append(waiting[balances[party]], party)
		}
	}
	for _, party := range open {
		if partners := waiting[balances[party]]; len(partners) > 0 && partners[0] == party {
			rest = append(rest, party)
			waiting[balances[party]] = partners[1:]
		}
	}
	return groups, rest
}

// leastPayments returns a lower bound for the number of payments that settle parties, no two of which have opposite
// balances. So each group has three or more parties, each debtor pays, and each creditor is paid.
func leastPayments(balances []int64, parties []int) int {
	owing := 0
	for _, party := range parties {
		if balances[party] < 0 {
			owing++
		}
	}
	return max(len(parties)-len(parties)/3, owing, len(parties)-owing)
}

// groupTriples returns groups of three parties in open that add up to zero, found greedily, and as rest all others.
func groupTriples(balances []int64, open []int) (groups [][]int, rest []int) {
	left := slices.Clone(open)
	slices.SortStableFunc(left, func(a, b int) int { return cmp.Compare(balances[a], balances[b]) })
	for first := 0; first < len(left); {
		second, third, found := findTriple(balances, left, first)
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

// findTriple returns two parties after first whose balances and that of first add up to zero; found is false if there
// are none. sorted holds parties by rising balance; first, second and third are indices into it.
func findTriple(balances []int64, sorted []int, first int) (second, third int, found bool) {
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

// maxGroups splits parties into the largest number of groups whose balances add up to zero. It computes this number for
// every set of parties: the largest number among the sets with one party less, plus one if the set adds up to zero.
// This counts the groups: if they are removed one after another, the remaining set adds up to zero after each of them.
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

// groupPayments returns the payments that settle one group. The largest debtor pays the largest creditor, so each
// payment settles one of the two, and the last payment settles both.
func groupPayments(balances []int64, group []int) []Payment {
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
