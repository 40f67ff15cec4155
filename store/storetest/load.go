package storetest

// Measuring a load of presses.

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Figures are the results of a load.
type Figures struct {
	Rate     float64 // presses per second
	P50, P99 time.Duration
}

// Load calls press presses times in all, in one goroutine for each of the given number of tables. Each goroutine calls
// press again once it has returned. press gets the number of the table and that of the press, both from 0.
func Load(tb testing.TB, tables, presses int, press func(table, n int) error) Figures {
	tb.Helper()
	durations := make([]time.Duration, presses)
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for table := range tables {
		all.Go(func() {
			for {
				n := int(next.Add(1) - 1)
				if n >= presses {
					return
				}
				sent := time.Now()
				if err := press(table, n); err != nil {
					tb.Error(err)
					return
				}
				durations[n] = time.Since(sent)
			}
		})
	}
	all.Wait()
	rate := float64(presses) / time.Since(began).Seconds()
	slices.Sort(durations)
	return Figures{Rate: rate, P50: durations[presses/2], P99: durations[presses*99/100]}
}

// maxAlone is the largest number of presses in the load without shared commits, which is slow.
const maxAlone = 1500

// Compare measures b.N calls of press that share commits. To compare, it measures the disk, and up to maxAlone calls
// that commit one by one: alone(true) switches to that, alone(false) back. It reports the figures and their ratios.
func Compare(b *testing.B, tables int, press func(table, n int) error, alone func(bool)) {
	b.Helper()
	flushes := FlushesPerSecond(b)
	alone(true)
	Load(b, tables, tables, press) // one-time work is done before the measurement
	single := Load(b, tables, min(b.N, maxAlone), press)
	alone(false)
	Load(b, tables, tables, press)
	b.ResetTimer()
	shared := Load(b, tables, b.N, press)
	b.StopTimer()
	for unit, value := range map[string]float64{
		"presses/s": shared.Rate, "alone-presses/s": single.Rate, "times-alone": shared.Rate / single.Rate,
		"flushes/s": flushes, "presses/flush": shared.Rate / flushes,
		"p50-ms": ms(shared.P50), "p99-ms": ms(shared.P99), "alone-p99-ms": ms(single.P99),
		"p99-of-alone": ms(shared.P99) / ms(single.P99),
	} {
		b.ReportMetric(value, unit)
	}
	b.ReportMetric(0, "ns/op")
}

// ms returns d in milliseconds.
func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
