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

// TestWaitingForAnotherReplicaIsCounted has a change wait for one of the same chat on another replica: for how long it
// has is told by the replica that it waited on.
func TestWaitingForAnotherReplicaIsCounted(t *testing.T) {
	needs.Long(t)
	name := storetest.OnServer(t)
	var on [2]*store.Store
	for i := range on {
		s, err := store.Open(t.Context(), name, store.Shared())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		on[i] = s
	}
	table := added(t, on[0])
	look := func(tx *store.Tx) error {
		_, err := tx.Tables.Table(table.ID)
		return err
	}
	begun, goOn := make(chan struct{}), make(chan struct{})
	first := going(on[0], store.OfChat(table.Chat), func(tx *store.Tx) error {
		err := look(tx)
		close(begun)
		<-goOn
		return err
	})
	<-begun
	before := on[1].Commits().Waits.Sum
	second := going(on[1], store.OfChat(table.Chat), look)
	db, err := sql.Open("pgx", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		var waiting bool
		if err := db.QueryRow(`SELECT EXISTS (SELECT 1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
		if waiting {
			break
		}
		if time.Since(began) > fakes.Patience {
			t.Fatal("nobody waits")
		}
	}
	since := time.Now()
	const holds = 50 * time.Millisecond
	time.Sleep(holds) // it is this long that is to be counted
	held := time.Since(since)
	close(goOn)
	within(t, "the one that held the chat", first)
	within(t, "the one that waited", second)
	if waited := on[1].Commits().Waits.Sum - before; waited < held.Microseconds() {
		t.Errorf("%v are counted, of at least %v", time.Duration(waited)*time.Microsecond, held)
	}
}
