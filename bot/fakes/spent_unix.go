//go:build unix

package fakes

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Spent runs step. It returns the processor time that this process used meanwhile, and the growth of its heap in bytes.
func Spent(t testing.TB, step func()) (cpu time.Duration, kept int64) {
	t.Helper()
	before, usedBefore := heap(), processor(t)
	step()
	cpu = processor(t) - usedBefore
	return cpu, heap() - before
}

// Beside reports processor time and kept bytes of one press, for our bot and for one with only the platform's library.
// ours and theirs make presses and return the totals. They run in turns, so that other load affects both.
func Beside(b *testing.B, ours, theirs func(presses int) (cpu time.Duration, kept int64)) {
	b.Helper()
	ours(200)
	theirs(200)
	var cpu [2]time.Duration
	var kept [2]int64
	const parts = 4
	n := max(b.N/parts, 50)
	b.ResetTimer()
	for range parts {
		for i, press := range []func(int) (time.Duration, int64){ours, theirs} {
			c, k := press(n)
			cpu[i], kept[i] = cpu[i]+c, kept[i]+k
		}
	}
	b.StopTimer()
	presses := float64(parts * n)
	b.ReportMetric(float64(cpu[0].Microseconds())/presses, "us-cpu/press")
	b.ReportMetric(float64(cpu[1].Microseconds())/presses, "us-cpu-bare/press")
	b.ReportMetric(float64(cpu[0])/float64(cpu[1]), "of-bare")
	b.ReportMetric(float64(kept[0])/presses, "kept-B/press")
	b.ReportMetric(float64(kept[1])/presses, "kept-B-bare/press")
	b.ReportMetric(0, "ns/op")
}

// heap returns the bytes that are in use after a garbage collection.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the second frees the memory that finalizers held
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// processor returns the processor time that this process has used so far.
func processor(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
