package sheet

func init() { // selects the functions with AVX2 if the machine supports it
	if hasAVX2() {
		average, choose, raise = averageAVX, chooseAVX, raiseAVX
		bestOfThree, bestOfBoth, expect = bestOfThreeAVX, bestOfBothAVX, expectAVX
	}
}

// hasAVX2 reports whether the processor and the operating system support AVX2: vectors of four float64 numbers.
func hasAVX2() bool

// The functions of kernel_amd64.s. Each does the same as the function named beside it, with vectors.
func averageAVX(v []lane, up [][sides]uint16)                                                    // see averagePlain
func chooseAVX(to, itself, best []lane, down []uint16)                                           // see choosePlain
func raiseAVX(ends []lane, gives []scored, rest *lane)                                           // see raisePlain
func bestOfThreeAVX(to []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) // see bestOfThreePlain
func bestOfBothAVX(to []lane, halves [][2]uint16, first, last []lane)                            // see bestOfBothPlain
func expectAVX(sum *lane, chance []float64, v []lane)                                            // see expectPlain
