package lock

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

// TestOneAtATimeForAKey checks that callers get the lock of a key one at a time in their order, that other keys do not
// wait, and that nothing is stored after an unlock.
func TestOneAtATimeForAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k Keyed[string]
		first, err := k.Lock(t.Context(), "anna")
		if err != nil {
			t.Fatal(err)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := k.Lock(ended, "anna"); err == nil {
			t.Error("two have the lock of one key")
		}
		other, err := k.Lock(t.Context(), "ben") // a key waits for no other
		if err != nil {
			t.Fatal(err)
		}
		other()
		impatient, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := k.Lock(impatient, "anna"); !errors.Is(err, context.Canceled) {
				t.Errorf("who has stopped waiting gets %v", err)
			}
		})
		var came []int
		for i := range 5 {
			synctest.Wait()
			all.Go(func() {
				unlock, err := k.Lock(t.Context(), "anna")
				if err != nil {
					t.Error(err)
					return
				}
				came = append(came, i)
				unlock()
			})
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		first()
		all.Wait()
		if !slices.IsSorted(came) || len(came) != 5 {
			t.Errorf("they came in the order %v", came)
		}
		if len(k.all) != 0 {
			t.Errorf("%d locks are kept", len(k.all))
		}
	})
}
