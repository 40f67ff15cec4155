//go:build unix

package sheet_test

import (
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/sheet/sheettest"
)

// BenchmarkLimit compares the additions and comparisons of solving a sheet, by the second of a processor, with as many
// as the processors do when nothing else is to be done: "fraction" is what of that is reached.
func BenchmarkLimit(b *testing.B) {
	for _, g := range []sheet.Game{sets.Kniffel(), sets.Yatzy()} {
		b.Run(g.Name(), func(b *testing.B) {
			w := work(b, g)
			var limit, solving time.Duration
			for b.Loop() {
				limit += spent(b, sweep)
				solving += spent(b, func() { _, _ = g.Solve(nil, 1) })
			}
			most := float64(sweeps*numbers*runtime.GOMAXPROCS(0)*b.N) / limit.Seconds()
			done := float64((w.Additions+w.Maxima)*b.N) / solving.Seconds()
			b.ReportMetric(most/1e9, "limit-G/s")
			b.ReportMetric(done/1e9, "solving-G/s")
			b.ReportMetric(done/most, "fraction")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const (
	numbers = 512
	sweeps  = 1 << 20
)

// sweep adds and compares on all processors.
func sweep() {
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() { sheettest.Sweep(new([numbers]float64), sweeps) })
	}
	all.Wait()
}

// spent is the processor time that a step takes.
func spent(b *testing.B, step func()) time.Duration {
	b.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	step()
	return used() - before
}
