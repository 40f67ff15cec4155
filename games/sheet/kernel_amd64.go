package sheet

// The arithmetic of perfect play with vectors, where there are any.

// vectors reports whether the processor and its operating system know vectors of four numbers (AVX2).
var vectors = hasAVX2()

// hasAVX2 asks the processor.
func hasAVX2() bool

func averageAVX(v *lane, up *[sides]uint16, n int)
func chooseAVX(to, itself, best *lane, down *uint16, n int)
func raiseAVX(ends *lane, gives *scored, n int, rest *lane)
func bestOfThreeAVX(to *lane, shown *[sides / 2]uint8, n int, rows *[sides / 2]*[8]lane, least *lane)
func bestOfBothAVX(to *lane, halves *[2]uint16, n int, first, last *lane)
func expectAVX(chance *float64, v *lane, n int, sum *lane)
func expectBestAVX(chance *float64, itself, best *lane, down *uint16, n int, sum *lane)

func average(v []lane, up [][sides]uint16) {
	if !vectors {
		averagePlain(v, up)
		return
	}
	averageAVX(&v[0], &up[0], len(up))
}

func choose(to, itself, best []lane, down []uint16) {
	if !vectors {
		choosePlain(to, itself, best, down)
		return
	}
	chooseAVX(&to[0], &itself[0], &best[0], &down[0], len(down))
}

func raise(ends []lane, gives []scored, rest *lane) {
	if !vectors || len(gives) == 0 {
		raisePlain(ends, gives, rest)
		return
	}
	raiseAVX(&ends[0], &gives[0], len(gives), rest)
}

func bestOfThree(to []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) {
	if !vectors {
		bestOfThreePlain(to, shown, rows, least)
		return
	}
	bestOfThreeAVX(&to[0], &shown[0], len(shown), rows, least)
}

func bestOfBoth(to []lane, halves [][2]uint16, first, last []lane) {
	if !vectors {
		bestOfBothPlain(to, halves, first, last)
		return
	}
	bestOfBothAVX(&to[0], &halves[0], len(halves), &first[0], &last[0])
}

func expect(chance []float64, v []lane) (sum lane) {
	if !vectors {
		return expectPlain(chance, v)
	}
	expectAVX(&chance[0], &v[0], len(chance), &sum)
	return sum
}

func expectBest(chance []float64, itself, best []lane, down []uint16) (sum lane) {
	if !vectors {
		return expectBestPlain(chance, itself, best, down)
	}
	expectBestAVX(&chance[0], &itself[0], &best[0], &down[0], len(down), &sum)
	return sum
}
