//go:build unix

package fakes

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Spent runs a step and returns the processor time that this process used
// meanwhile, and how many bytes more stay allocated behind it.
func Spent(t testing.TB, step func()) (cpu time.Duration, kept int64) {
	t.Helper()
	before, used := heap(), processor(t)
	step()
	cpu = processor(t) - used
	return cpu, heap() - before
}

// heap is what is allocated and in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers held goes with the second
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// processor is the processor time that this process has used.
func processor(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
