package store_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/store"
	"knobel/store/storetest"
)

// press is what one press on a running table writes.
func press(tx *store.Tx, table int64, n int64) error {
	if _, err := tx.Chats.Seen(fmt.Sprintf("test:%d", n), n); err != nil {
		return err
	}
	t, err := tx.Tables.Table(table)
	if err != nil {
		return err
	}
	if err := tx.Tables.AddMove(table, store.Move{Move: "throw 2", Dice: []int{5, 6}, At: n}); err != nil {
		return err
	}
	t.Turn++
	t.Dice.Thrown += 2
	t.Version++
	t.Changed = n
	return tx.Tables.SaveTable(t)
}

// disks are those on which presses are measured: the one there is, and slower
// ones.
var disks = []struct {
	name string
	disk storetest.Disk
}{
	{"bare", storetest.Disk{}},
	{"+1ms", storetest.Slow(time.Millisecond)},
	{"+5ms", storetest.Slow(5 * time.Millisecond)},
}

// BenchmarkUpdate is durable presses per second by as many tables at once, and
// how that compares with a transaction for each press.
func BenchmarkUpdate(b *testing.B) {
	for _, d := range disks {
		for _, tables := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("disk=%s/tables=%d", d.name, tables), func(b *testing.B) {
				storetest.Use(b, d.disk)
				press, alone := inTurns(presses(b, fresh(b), tables))
				storetest.Compare(b, tables, press, alone)
			})
		}
	}
}

// inTurns is a press of which each commits alone after alone was told so, until it is
// told otherwise: the next one begins when the one before is answered.
func inTurns(press func(table, n int) error) (same func(table, n int) error, alone func(bool)) {
	var one sync.Mutex
	var turns atomic.Bool
	return func(table, n int) error {
		if turns.Load() {
			one.Lock()
			defer one.Unlock()
		}
		return press(table, n)
	}, turns.Store
}

// presses starts tables and returns what presses at one of them.
func presses(tb testing.TB, s *store.Store, tables int) func(table, n int) error {
	numbers := make([]int64, tables)
	var all sync.WaitGroup
	for i := range numbers {
		all.Go(func() { numbers[i] = started(tb, s, fmt.Sprintf("test:%d", i)).ID })
	}
	all.Wait()
	return pressing(s, func(table int) int64 { return numbers[table] })
}

// pressing presses at the tables of a store that have these numbers.
func pressing(s *store.Store, number func(table int) int64) func(table, n int) error {
	var n atomic.Int64
	return func(table, _ int) error {
		return s.Update(context.Background(), func(tx *store.Tx) error { return press(tx, number(table), n.Add(1)) })
	}
}
