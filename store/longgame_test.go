package store_test

import (
	"database/sql"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// TestCallsReadFewMovesOfALongGame adds calls at a table of many moves on a server that does not know yet how many
// there are. To find out when a seat has last moved takes the last moves, and not all of the game.
func TestCallsReadFewMovesOfALongGame(t *testing.T) {
	needs.Long(t)
	const moves, calls = 4000, 50
	name := storetest.OnServer(t)
	opened := func(do func(*store.Store)) {
		t.Helper()
		s, err := store.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		do(s)
		closes(t, s)
	}
	var table store.Table
	opened(func(s *store.Store) { table = started(t, s, "test:place") })
	db := rawly(t, name)
	if _, err := db.Exec(`INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
		SELECT $1::BIGINT, n, n % 2, 'throw 2', '[1,2]', FALSE, n FROM generate_series(1, $2::BIGINT) n`,
		table.ID, moves); err != nil {
		t.Fatal(err)
	}
	before := movesRead(t, db)
	opened(func(s *store.Store) {
		for range calls {
			call := store.Call{Table: table.ID, Seat: 1, Since: moves, Due: 1}
			update(t, s, func(tx *store.Tx) error { return tx.Calls.AddCall(&call, moves) })
			if want := int64(moves - 1 + moves); call.Due != want {
				t.Fatalf("a call is due at %d, not %d", call.Due, want)
			}
			update(t, s, func(tx *store.Tx) error { return tx.Calls.DropCall(call.ID) })
		}
	})
	if each := float64(movesRead(t, db)-before) / calls; each == 0 || each > 10 {
		t.Errorf("a call reads %v moves", each)
	}
}

// movesRead is how many moves the server has read, once all but this connection have ended and told it.
func movesRead(t *testing.T, db *sql.DB) (read int64) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		var others int
		if err := db.QueryRow(`SELECT COUNT(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&others); err != nil {
			t.Fatal(err)
		}
		if others == 0 {
			break
		}
		if time.Since(began) > fakes.Patience {
			t.Fatalf("%d connections have not ended", others)
		}
	}
	err := db.QueryRow(`SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'moves'`).
		Scan(&read)
	if err != nil {
		t.Fatal(err)
	}
	return read
}
