package sqlitetest

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FlushesPerSecond measures how often a second a page can be added to a file and flushed on the disk of the test's
// folder: the limit of commits one after the other.
func FlushesPerSecond(tb testing.TB) float64 {
	tb.Helper()
	file, err := os.Create(filepath.Join(tb.TempDir(), "bare"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	began, flushes := time.Now(), 0
	for ; flushes < 20 || time.Since(began) < 300*time.Millisecond; flushes++ {
		if _, err := file.Write(page); err != nil {
			tb.Fatal(err)
		}
		if err := flush(file); err != nil {
			tb.Fatal(err)
		}
	}
	return float64(flushes) / time.Since(began).Seconds()
}
