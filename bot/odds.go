package bot

import "gonum.org/v1/gonum/stat/distuv"

// leastDice is how many dice a face needs on average, before a test says
// anything: the usual bound of Pearson's test.
const leastDice = 5

// oddness says how many fair dice out of all would look at least as odd as dice
// that fell so, from 0 to 1: Pearson's chi-square of the faces against all faces
// being alike. It is false where there are too few dice, and needed says how
// many it takes.
//
// Turns end because of what is thrown, yet every throw is fair whatever came
// before it, so that the test holds for sums of many turns as well.
func oddness(counts []int64) (share float64, needed int64, enough bool) {
	sides := int64(len(counts))
	if sides < 2 {
		return 0, 0, false
	}
	thrown := sumOfCounts(counts)
	if needed = leastDice * sides; thrown < needed {
		return 0, needed, false
	}
	expected := float64(thrown) / float64(sides)
	square := 0.0
	for _, n := range counts {
		square += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return beyond(square, int(sides-1)), needed, true
}

// beyond is the chance that a chi-square with so many degrees of freedom is at
// least so large.
func beyond(square float64, degrees int) float64 {
	return distuv.ChiSquared{K: float64(degrees)}.Survival(square)
}

func sumOfCounts(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// pips adds up what dice have shown.
func pips(counts []int64) (sum int64) {
	for i, n := range counts {
		sum += n * int64(i+1)
	}
	return sum
}
