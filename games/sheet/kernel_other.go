//go:build !amd64

package sheet

func average(v []lane, up [][sides]uint32)                  { averagePlain(v, up) }
func choose(to, itself, best []lane, down []uint32)         { choosePlain(to, itself, best, down) }
func raise(ends []lane, gives []scored, rest *lane)         { raisePlain(ends, gives, rest) }
func raiseShown(ends []lane, shown []uint8, worth *[8]lane) { raiseShownPlain(ends, shown, worth) }
func expect(chance []float64, v []lane) lane                { return expectPlain(chance, v) }
