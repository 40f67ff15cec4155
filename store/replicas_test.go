package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestReplicasShareAStore checks that two stores can change one database on a server, while a file belongs to only one.
func TestReplicasShareAStore(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	key := store.SealedBy(storetest.Key(t))
	var told []string
	one, err := store.Open(t.Context(), address, key, store.Shared(),
		func(o *store.Options) { o.Waiting = func(what string) { told = append(told, what) } })
	check(t, err)
	defer one.Close()
	if len(told) != 2 || !strings.Contains(told[0], "migrating the schema") || told[1] != "" {
		t.Errorf("it has waited for %q", told)
	}
	other, err := store.Open(t.Context(), address, key, store.Shared())
	check(t, err)
	defer other.Close()
	update(t, one, func(tx *store.Tx) error { return tx.Chats.SaveSetting("a", "1") })
	update(t, other, func(tx *store.Tx) error { return tx.Chats.SaveSetting("b", "1") })
	wantSettings(t, one, map[string]bool{"a": true, "b": true})
	if _, err := store.Open(t.Context(), address, store.Shared()); !errors.Is(err, store.ErrKey) {
		t.Errorf("a replica without the key: %v", err)
	}
	if needs.IsLong() { // this waits until a lease is renewed
		if _, err := store.Open(t.Context(), address, key); err == nil {
			t.Error("somebody has it alone beside them")
		}
	}
	file := filepath.Join(t.TempDir(), "knobel.db")
	alone, err := store.Open(t.Context(), file, store.Shared())
	check(t, err)
	defer alone.Close()
	if _, err := store.Open(t.Context(), file, store.Shared()); err == nil {
		t.Error("two work with one file")
	}
}

// TestReplicasHaveOneTimeZone starts replicas in the zone of the others, in an equal zone with another name, and in
// different zones, which must be refused until all other replicas have ended.
func TestReplicasHaveOneTimeZone(t *testing.T) {
	needs.Long(t)
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	key := store.SealedBy(storetest.Key(t))
	open := func(name string) (*store.Store, error) {
		zone, err := time.LoadLocation(name)
		check(t, err)
		return store.Open(t.Context(), address, key, store.Shared(), func(o *store.Options) { o.Zone = zone })
	}
	for _, round := range []struct {
		first   string
		fit, no []string
	}{
		{"Europe/Berlin", []string{"Europe/Berlin", "Europe/Vienna"},
			[]string{"UTC", "Africa/Lagos" /* an hour ahead, too, in winter */, "America/New_York"}},
		{"UTC", []string{"Africa/Abidjan"}, []string{"Europe/London", "Europe/Berlin"}},
		{"Europe/London", nil, []string{"UTC"}},
	} {
		var all []*store.Store
		for _, name := range append([]string{round.first}, round.fit...) {
			s, err := open(name)
			if err != nil {
				t.Fatalf("%s beside %s: %v", name, round.first, err)
			}
			all = append(all, s)
		}
		for _, name := range round.no {
			if s, err := open(name); err == nil {
				s.Close()
				t.Errorf("%s is taken beside %s", name, round.first)
			} else if !strings.Contains(err.Error(), "time zone "+name+" differs") {
				t.Errorf("%s beside %s: %v", name, round.first, err)
			}
		}
		for _, s := range all {
			closeDB(t, s)
		}
	}
}

// TestWaitingForAnotherReplicaIsCounted checks that the time for which a change waits for one of the same chat on
// another replica is counted.
func TestWaitingForAnotherReplicaIsCounted(t *testing.T) {
	needs.Long(t)
	name := storetest.OnServer(t)
	var on [2]*store.Store
	for i := range on {
		s, err := store.Open(t.Context(), name, store.Shared())
		check(t, err)
		defer s.Close()
		on[i] = s
	}
	table := addLobby(t, on[0], "test:1")
	look := func(tx *store.Tx) error {
		_, err := tx.Tables.Table(table.ID)
		return err
	}
	begun, goOn := make(chan struct{}), make(chan struct{})
	first := launch(on[0], store.OfChat(table.Chat), func(tx *store.Tx) error {
		err := look(tx)
		close(begun)
		<-goOn
		return err
	})
	<-begun
	before := on[1].Commits().Waits.Sum
	second := launch(on[1], store.OfChat(table.Chat), look)
	db, err := sql.Open("pgx", name)
	check(t, err)
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
	time.Sleep(holds) // the measured value must be at least this long
	held := time.Since(since)
	close(goOn)
	wantInTime(t, "the one that held the chat", first)
	wantInTime(t, "the one that waited", second)
	if waited := on[1].Commits().Waits.Sum - before; waited < held.Microseconds() {
		t.Errorf("%v are counted, of at least %v", time.Duration(waited)*time.Microsecond, held)
	}
}

// TestHintsOfOneProcess checks that the hints of a committed change reach all listeners in the same process.
func TestHintsOfOneProcess(t *testing.T) {
	s := openNew(t)
	var first, second []string
	stop := s.Hints(func(text string) { first = append(first, text) })
	defer s.Hints(func(text string) {
		if value, err := settingOf(s, text); err != nil || value != "1" {
			t.Errorf("%s is not stored when it is heard of: %q, %v", text, value, err)
		}
		second = append(second, text)
	})()
	saves := func(name string, with error) {
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			tx.Hint(name)
			return errors.Join(tx.Chats.SaveSetting(name, "1"), with)
		})
		if (err == nil) != (with == nil) {
			t.Error(err)
		}
	}
	saves("a", nil)
	saves("never", errNo)
	stop()
	saves("b", nil)
	if !slices.Equal(first, []string{"a"}) || !slices.Equal(second, []string{"a", "b"}) {
		t.Errorf("%q and %q are heard", first, second)
	}
}

// TestCallsReadFewMovesOfALongGame adds calls at a table with many moves, on a server without statistics. To find the
// last move of a seat it must read only the last moves, not the whole game.
func TestCallsReadFewMovesOfALongGame(t *testing.T) {
	needs.Long(t)
	const moves, calls = 4000, 50
	name := storetest.OnServer(t)
	withStore := func(do func(*store.Store)) {
		t.Helper()
		s, err := store.Open(t.Context(), name)
		check(t, err)
		do(s)
		closeDB(t, s)
	}
	var table store.Table
	withStore(func(s *store.Store) { table = addPlaying(t, s, "test:place") })
	db := openRaw(t, name)
	if _, err := db.Exec(`INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
		SELECT $1::BIGINT, n, n % 2, 'throw 2', '[1,2]', FALSE, n FROM generate_series(1, $2::BIGINT) n`,
		table.ID, moves); err != nil {
		t.Fatal(err)
	}
	before := movesRead(t, db)
	withStore(func(s *store.Store) {
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

// movesRead returns the number of rows of moves that the server has read, once all other connections have ended.
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
	check(t, err)
	return read
}

// TestOneOfTwoKeysSealsAnEmptyDatabase starts two replicas with different keys at once: the second one must be refused,
// and the first must open the database again.
func TestOneOfTwoKeysSealsAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	keys := []store.Option{store.SealedBy(storetest.Key(t)), store.SealedBy(keyOf(t, "fedcba9876543210"))}
	for range 3 {
		address := server.Address(server.Database(t, ""))
		var stores [2]*store.Store
		var errs [2]error
		var both sync.WaitGroup
		for i, key := range keys {
			both.Go(func() { stores[i], errs[i] = store.Open(t.Context(), address, key, store.Shared()) })
		}
		both.Wait()
		opened := 0
		if errs[0] != nil {
			opened = 1
		}
		if errs[opened] != nil || !errors.Is(errs[1-opened], store.ErrKey) {
			t.Fatalf("the two replicas got %v and %v", errs[0], errs[1])
		}
		closeDB(t, stores[opened])
		again, err := store.Open(t.Context(), address, keys[opened], store.Shared())
		if err != nil {
			t.Fatal(err)
		}
		closeDB(t, again)
	}
}
