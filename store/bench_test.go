package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// press writes the same rows as a button press with the number n at a table in play.
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

// disks holds the measured disks: the real one, and simulated slower ones.
var disks = []struct {
	name string
	disk storetest.Disk
}{
	{"bare", storetest.Disk{}},
	{"+1ms", storetest.Slow(time.Millisecond)},
	{"+5ms", storetest.Slow(5 * time.Millisecond)},
}

// BenchmarkUpdate measures durable presses per second at several tables, with shared and with separate commits.
func BenchmarkUpdate(b *testing.B) {
	for _, d := range disks {
		for _, tables := range []int{1, 16, 256} {
			b.Run(fmt.Sprintf("disk=%s/tables=%d", d.name, tables), func(b *testing.B) {
				storetest.Use(b, d.disk)
				press, alone := serialized(pressFunc(b, openNew(b), tables))
				storetest.Compare(b, tables, press, alone)
			})
		}
	}
}

// serialized returns same, which calls press, and a switch: after alone(true), calls of same run one at a time.
func serialized(press func(table, n int) error) (same func(table, n int) error, alone func(bool)) {
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

// pressFunc adds tables in play and returns a function that makes a press at table, an index from 0; it ignores n.
func pressFunc(tb testing.TB, s *store.Store, tables int) func(table, n int) error {
	numbers := make([]int64, tables)
	var all sync.WaitGroup
	for i := range numbers {
		all.Go(func() { numbers[i] = addPlaying(tb, s, fmt.Sprintf("test:%d", i)).ID })
	}
	all.Wait()
	return pressAt(s, func(table int) int64 { return numbers[table] })
}

// pressAt returns a function that makes a press at table, an index, and ignores n. number maps an index to an id.
func pressAt(s *store.Store, number func(table int) int64) func(table, n int) error {
	var n atomic.Int64
	return func(table, _ int) error {
		return s.Update(context.Background(), func(tx *store.Tx) error { return press(tx, number(table), n.Add(1)) })
	}
}

// TestTogetherIsFaster checks that concurrent presses are committed faster and wait less than single ones if a flush
// takes time. Its limits are far below the measured values.
func TestTogetherIsFaster(t *testing.T) {
	needs.Long(t)
	storetest.Use(t, storetest.Slow(2*time.Millisecond))
	s := openNew(t)
	const tables = 32
	press, inTurn := serialized(pressFunc(t, s, tables))
	var alone, together float64
	for range 4 { // in turns, so that the load of the machine is the same for both
		inTurn(true)
		alone += storetest.Load(t, tables, tables/2, press).Rate / 4
		inTurn(false)
		together += storetest.Load(t, tables, 2*tables, press).Rate / 4
	}
	t.Logf("alone %.0f a second, together %.0f", alone, together)
	if together < 2*alone {
		t.Errorf("together %.0f presses a second, alone %.0f", together, alone)
	}
}

// BenchmarkFlushing compares durable commits with commits that a power cut may lose, for presses that share commits.
func BenchmarkFlushing(b *testing.B) {
	const tables = 256
	flushed := pressFunc(b, openNew(b), tables)
	storetest.Use(b, storetest.Disk{Lazy: true})
	lazy := pressFunc(b, openNew(b), tables)
	storetest.Load(b, tables, tables, flushed)
	storetest.Load(b, tables, tables, lazy)
	var full, none float64
	const parts = 4 // of each measurement; they alternate, so that both run under the same load of the machine
	for range parts {
		none += storetest.Load(b, tables, max(b.N/parts, tables), lazy).Rate / parts
		full += storetest.Load(b, tables, max(b.N/parts, tables), flushed).Rate / parts
	}
	b.ReportMetric(full, "flushed-presses/s")
	b.ReportMetric(none, "lazy-presses/s")
	b.ReportMetric(full/none, "flushed-of-lazy")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLarge compares presses at 256 tables in a large database with presses in an empty one. The large one has a
// thousand tables for each press of the benchmark, at most a million.
func BenchmarkLarge(b *testing.B) {
	const tables = 256
	stored := min(1000*b.N, 1_000_000)
	empty, large := openNew(b), openNew(b)
	fill(b, large, stored)
	onEmpty, onLarge := pressFunc(b, empty, tables), pressSpread(large, stored, tables)
	storetest.Load(b, tables, tables, onEmpty)
	storetest.Load(b, tables, tables, onLarge)
	var small, great float64
	const parts = 4
	b.ResetTimer()
	for range parts {
		small += storetest.Load(b, tables, max(b.N/parts, tables), onEmpty).Rate / parts
		great += storetest.Load(b, tables, max(b.N/parts, tables), onLarge).Rate / parts
	}
	b.ReportMetric(float64(stored), "tables")
	b.ReportMetric(great, "presses/s")
	b.ReportMetric(small, "empty-presses/s")
	b.ReportMetric(great/small, "of-empty")
	b.ReportMetric(0, "ns/op")
}

// fill adds the given number of tables in play, with two seats and six moves each.
func fill(tb testing.TB, s *store.Store, tables int) {
	tb.Helper()
	store.Behind(tb, s,
		`INSERT INTO chats (id) VALUES ('test:large')`,
		store.Counted(tables)+`INSERT INTO players (id, name) SELECT 'test:' || n, 'Player ' || n FROM counted`,
		store.Counted(tables)+`
			INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, draft, commitment, seed, thrown, saved,
				turn, box_in, box_out, version, changed, opened)
			SELECT n, 'test:large', 'test:large/' || n, 'shutbox', '{"tiles":"9"}', 10, 'chips', 'playing', '',
				HEX(RANDOMBLOB(32)), RANDOMBLOB(32), 12, RANDOMBLOB(120), 6, 0, 0, 7, 0, 0 FROM counted`,
		`INSERT INTO boards (table_id, place, message, page, drawn, away, posted, repost, seen, tapped, tapper)
			SELECT id, place, 'test:message ' || id, '', 7, FALSE, 0, FALSE, 0, 0, -1 FROM tables`,
		`INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed)
			SELECT t.id, n.value, 'test:' || t.id, 'Player ' || t.id, '', HEX(RANDOMBLOB(16)), TRUE
				FROM tables t, JSON_EACH('[0,1]') n`,
		`INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
			SELECT t.id, n.value, 0, 'throw 2', '[5,6]', FALSE, 0 FROM tables t, JSON_EACH('[1,2,3,4,5,6]') n`)
}

// pressSpread returns a function that makes presses at the given number of tables, with ids spread over 1 to stored.
func pressSpread(s *store.Store, stored, tables int) func(table, n int) error {
	return pressAt(s, func(table int) int64 { return int64(1 + table*max(1, stored/tables)) })
}

// errBack is the error of a change that has to be rolled back.
var errBack = errors.New("back")

// BenchmarkSealed measures the cost of encryption for a press: the ratio of the times with and without a key, in turns.
// With flush=disk each press is committed and flushed; with flush=none its transaction is rolled back.
func BenchmarkSealed(b *testing.B) {
	s := openSealed(b, filepath.Join(b.TempDir(), "sealed.db"), testKey(b))
	o := openSealed(b, filepath.Join(b.TempDir(), "open.db"), nil)
	on := map[*store.Store]int64{s: addPlaying(b, s, "test:place").ID, o: addPlaying(b, o, "test:place").ID}
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
