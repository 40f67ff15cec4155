package store_test

import (
	"testing"
	"time"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// Presses that come together are answered many times faster where a flush takes
// a while, and nobody waits as long. Both are told far more modestly than they
// are measured.
func TestTogetherIsFaster(t *testing.T) {
	needs.Long(t)
	storetest.Use(t, storetest.Slow(2*time.Millisecond))
	s := fresh(t)
	const tables = 32
	press, inTurn := inTurns(presses(t, s, tables))
	var alone, together float64
	for range 4 { // in turns, so that both see the same weather
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

// BenchmarkFlushing is what durable commits cost against ones that a power cut
// may take back, when presses share them.
func BenchmarkFlushing(b *testing.B) {
	const tables = 256
	flushed := presses(b, fresh(b), tables)
	storetest.Use(b, storetest.Disk{Lazy: true})
	lazy := presses(b, fresh(b), tables)
	storetest.Load(b, tables, tables, flushed)
	storetest.Load(b, tables, tables, lazy)
	var full, none float64
	const parts = 4 // in turns, so that both see the same weather
	for range parts {
		none += storetest.Load(b, tables, max(b.N/parts, tables), lazy).Rate / parts
		full += storetest.Load(b, tables, max(b.N/parts, tables), flushed).Rate / parts
	}
	b.ReportMetric(full, "flushed-presses/s")
	b.ReportMetric(none, "lazy-presses/s")
	b.ReportMetric(full/none, "flushed-of-lazy")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkLarge is presses at 256 tables on a database that holds many more,
// against an empty one: a thousand for each press of the benchmark, a million at
// most.
func BenchmarkLarge(b *testing.B) {
	const tables = 256
	stored := min(1000*b.N, 1_000_000)
	empty, large := fresh(b), fresh(b)
	fill(b, large, stored)
	onEmpty, onLarge := presses(b, empty, tables), spread(large, stored, tables)
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

// fill writes tables that are being played, of two seats and six moves each.
func fill(tb testing.TB, s *store.Store, tables int) {
	tb.Helper()
	store.Behind(tb, s,
		`INSERT INTO chats (id) VALUES ('test:large')`,
		store.Counted(tables)+`INSERT INTO players (id, name) SELECT 'test:' || n, 'Player ' || n FROM counted`,
		store.Counted(tables)+`
			INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, page, draft, commitment, seed,
				thrown, saved, turn,
				box_in, box_out, version, drawn, board, away, behind, changed, posted, opened)
			SELECT n, 'test:large', 'test:large/' || n, 'shutbox', '{"tiles":"9"}', 10, 'chips', 'playing', '', '',
				HEX(RANDOMBLOB(32)), RANDOMBLOB(32), 12, RANDOMBLOB(120), 6, 0, 0, 7, 7, 'test:message ' || n, FALSE,
					0, 0, 0, 0 FROM counted`,
		`INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed)
			SELECT t.id, n.value, 'test:' || t.id, 'Player ' || t.id, '', HEX(RANDOMBLOB(16)), TRUE
				FROM tables t, JSON_EACH('[0,1]') n`,
		`INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
			SELECT t.id, n.value, 0, 'throw 2', '[5,6]', FALSE, 0 FROM tables t, JSON_EACH('[1,2,3,4,5,6]') n`)
}

// spread presses at tables that lie far from each other.
func spread(s *store.Store, stored, tables int) func(table, n int) error {
	return pressing(s, func(table int) int64 { return int64(1 + table*max(1, stored/tables)) })
}
