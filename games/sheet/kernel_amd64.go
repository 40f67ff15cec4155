package sheet

// vectors reports whether the processor and its operating system know vectors of four numbers (AVX2).
var vectors = hasAVX2()

// hasAVX2 asks the processor.
func hasAVX2() bool

func averageAVX(v *lane, up *[sides]uint32, n int)
func chooseAVX(to, itself, best *lane, down *uint32, n int)
func raiseAVX(ends *lane, gives *scored, n int, rest *lane)
func raiseShownAVX(ends *lane, shown *uint8, n int, worth *lane)
func expectAVX(chance *float64, v *lane, n int, sum *lane)

func average(v []lane, up [][sides]uint32) {
	if !vectors {
		averagePlain(v, up)
		return
	}
	averageAVX(&v[0], &up[0], len(up))
}

func choose(to, itself, best []lane, down []uint32) {
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

func raiseShown(ends []lane, shown []uint8, worth *[8]lane) {
	if !vectors {
		raiseShownPlain(ends, shown, worth)
		return
	}
	raiseShownAVX(&ends[0], &shown[0], len(ends), &worth[0])
}

func expect(chance []float64, v []lane) (sum lane) {
	if !vectors {
		return expectPlain(chance, v)
	}
	expectAVX(&chance[0], &v[0], len(chance), &sum)
	return sum
}
