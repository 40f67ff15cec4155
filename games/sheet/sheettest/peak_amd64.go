package sheettest

// Sweep adds up half of some numbers and takes the most of the other half, four at once and all of them so many times:
// as fast as a processor with AVX2 does that, with what lies next to it and nothing that waits for another.
func Sweep(v *[512]float64, times int)
