package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"knobel/store"
)

// errBack rolls a press back.
var errBack = errors.New("back")

// BenchmarkSealed is what a key costs a press: the same presses, by turns on a
// database with one and on one without, and the ratio of their times. disk is
// with the flush of each commit; none is what a press does beside that, in a
// transaction that is rolled back.
func BenchmarkSealed(b *testing.B) {
	s := sealed(b, filepath.Join(b.TempDir(), "sealed.db"), aKey(b))
	o := sealed(b, filepath.Join(b.TempDir(), "open.db"), nil)
	on := map[*store.Store]int64{s: started(b, s, "test:place").ID, o: started(b, o, "test:place").ID}
	for name, end := range map[string]error{"flush=disk": nil, "flush=none": errBack} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			n := int64(0)
			for b.Loop() {
				for i, db := range []*store.Store{s, o} {
					n++
					began := time.Now()
					err := db.Update(context.Background(), func(tx *store.Tx) error {
						if err := press(tx, on[db], n); err != nil {
							return err
						}
						return end
					})
					took[i] += time.Since(began)
					if err != end {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(took[0].Microseconds())/float64(n/2), "sealed-µs")
			b.ReportMetric(float64(took[1].Microseconds())/float64(n/2), "open-µs")
			b.ReportMetric(float64(took[0])/float64(took[1]), "times")
		})
	}
}
