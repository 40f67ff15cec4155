//go:build !amd64

package sheet

func average(v []lane, up [][sides]uint16)          { averagePlain(v, up) }
func choose(to, itself, best []lane, down []uint16) { choosePlain(to, itself, best, down) }
func raise(ends []lane, gives []scored, rest *lane) { raisePlain(ends, gives, rest) }
func expect(chance []float64, v []lane) lane        { return expectPlain(chance, v) }
func bestOfThree(to []lane, shown [][sides / 2]uint8, rows *[sides / 2]*[8]lane, least *lane) {
	bestOfThreePlain(to, shown, rows, least)
}
func bestOfBoth(to []lane, halves [][2]uint16, first, last []lane) {
	bestOfBothPlain(to, halves, first, last)
}
func expectBest(chance []float64, itself, best []lane, down []uint16) lane {
	return expectBestPlain(chance, itself, best, down)
}
