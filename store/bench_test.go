package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"knobel/store"
)

// press is what one press on a running table writes.
func press(tx *store.Tx, table int64, n int64) error {
	if _, err := tx.Seen(fmt.Sprintf("test:%d", n), n); err != nil {
		return err
	}
	t, err := tx.Table(table)
	if err != nil {
		return err
	}
	if err := tx.AddMove(table, store.Move{Move: "throw 2", Dice: []int{5, 6}, At: n}); err != nil {
		return err
	}
	t.Turn++
	t.Thrown += 2
	t.Version++
	t.Changed = n
	return tx.SaveTable(t)
}

// BenchmarkUpdate is durable presses per second by as many tables at once, and
// how that compares with writing a file and syncing it, which is as fast as one
// commit after the other can be.
func BenchmarkUpdate(b *testing.B) {
	for _, tables := range []int{1, 16, 256} {
		b.Run(fmt.Sprintf("tables=%d", tables), func(b *testing.B) {
			bare := syncsPerSecond(b)
			s := fresh(b)
			numbers := make(chan int64, tables)
			for i := range tables {
				numbers <- started(b, s, fmt.Sprintf("test:%d", i)).ID
			}
			var n atomic.Int64
			b.SetParallelism(tables)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					table := <-numbers
					err := s.Update(b.Context(), func(tx *store.Tx) error { return press(tx, table, n.Add(1)) })
					numbers <- table
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
			rate := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(rate, "presses/s")
			b.ReportMetric(bare, "syncs/s")
			b.ReportMetric(rate/bare, "presses/sync")
		})
	}
}

// syncsPerSecond measures how often a second a page can be added to a file and
// made durable.
func syncsPerSecond(b *testing.B) float64 {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	page := make([]byte, 4096)
	begin, syncs := time.Now(), 0
	for ; syncs < 20 || time.Since(begin) < 300*time.Millisecond; syncs++ {
		if _, err := file.Write(page); err != nil {
			b.Fatal(err)
		}
		if err := syncData(file); err != nil {
			b.Fatal(err)
		}
	}
	return float64(syncs) / time.Since(begin).Seconds()
}

// BenchmarkView is a table read with its seats.
func BenchmarkView(b *testing.B) {
	s := fresh(b)
	table := started(b, s, "test:place")
	b.ReportAllocs()
	for b.Loop() {
		if err := s.View(b.Context(), func(tx *store.Tx) error { _, err := tx.Table(table.ID); return err }); err != nil {
			b.Fatal(err)
		}
	}
}
