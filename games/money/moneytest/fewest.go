// Package moneytest reckons what money does in the simplest way that there is,
// however slow, for tests to compare.
package moneytest

// Fewest is the number of payments by which balances that add up to zero can be
// settled, found by trying every way: the first open party gives all that it
// owes or is owed to any other, then the rest is settled. Up to seven open
// balances take no time worth mentioning.
func Fewest(balances []int64) int {
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
		best = min(best, 1+Fewest(rest))
	}
	return best
}
