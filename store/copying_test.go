package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// copyAndCompare copies the database of s to name, checks that the copy is equal, and returns name.
func copyAndCompare(t *testing.T, s *store.Store, name string) (made string) {
	t.Helper()
	c, err := s.CopyTo(t.Context(), name, nil)
	check(t, err)
	differ, err := c.Differences(t.Context(), nil)
	if err != nil || len(differ) > 0 {
		t.Errorf("these differ: %q, %v", differ, err)
	}
	check(t, c.Finish(t.Context()))
	return name
}

// digests returns the digests of all tables of a database.
func digests(t *testing.T, s *store.Store) []store.Digest {
	t.Helper()
	all, err := s.Digest(t.Context(), nil)
	check(t, err)
	return all
}

// TestADatabaseMovesThereAndBack copies a database with rows in all tables to a server, back to a file, and to another
// server database: the rows and the next numbers must be equal.
func TestADatabaseMovesThereAndBack(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "knobel.db")
	check(t, reopen(t, file).Close())
	fillWithPerson(t, file)
	key := testKey(t)
	if _, err := store.Rekey(t.Context(), file, nil, key); err != nil {
		t.Fatal(err)
	}
	first := openSealed(t, file, key)
	place := addFinished(t, first, "test:place").ID
	addPlaying(t, first, "test:other place")
	update(t, first, func(tx *store.Tx) error {
		if err := tx.Chats.SavePlayer(store.Player{ID: "test:dora", Name: "Dora"}); err != nil {
			return err
		}
		if _, err := tx.Upkeep.Forget("test:dora"); err != nil {
			return err
		}
		_, err := tx.Rooms.MakeWebRoom(store.WebRoom{Print: "gone", Used: 1}, chatOf)
		return err
	})
	// The number of the last room is not given again after its deletion. The updates make rows valid for the
	// constraints of servers.
	tamper(t, first, "DELETE FROM web_rooms WHERE id = 2", "UPDATE calls SET due = 0",
		"UPDATE seats SET absence = ''", "UPDATE seasons SET cadence = ''",
		"UPDATE tables SET absent = '', season = NULL WHERE id = 1")
	want := digests(t, first)
	for _, d := range want {
		if d.Rows == 0 {
			t.Errorf("there is nothing in %s", d.Table)
		}
	}
	on := first
	for _, to := range []string{
		storetest.OnServer(t), filepath.Join(t.TempDir(), "back.db"), storetest.OnServer(t), storetest.OnServer(t),
		filepath.Join(t.TempDir(), "again.db"), filepath.Join(t.TempDir(), "file.db"),
	} {
		on = openSealed(t, copyAndCompare(t, on, to), key)
		if got := digests(t, on); !slices.Equal(got, want) {
			t.Errorf("in %s: %v, not %v", on.File(), got, want)
		}
	}
	if table := tableOf(t, on, place); table.State != store.Over || len(table.Seats) != 3 {
		t.Errorf("the table is %+v", table)
	}
	var next, other int64
	for s, room := range map[*store.Store]*int64{first: &next, on: &other} {
		update(t, s, func(tx *store.Tx) (err error) {
			*room, err = tx.Rooms.MakeWebRoom(store.WebRoom{Print: "new"}, chatOf)
			return err
		})
	}
	if next != other || next < 3 {
		t.Errorf("the next room is %d, and %d in the copy", next, other)
	}
}

// TestCopiesThatAreNotMade checks that a database with rows is not a target, and that a cancelled copy leaves nothing.
func TestCopiesThatAreNotMade(t *testing.T) {
	needs.Long(t)
	s := openNew(t)
	addFinished(t, s, "test:place")
	update(t, s, func(tx *store.Tx) error { // so many rows that a copy can be interrupted
		for n := range 3000 {
			if err := tx.Chats.SaveSetting(fmt.Sprint("setting ", n), "1"); err != nil {
				return err
			}
		}
		return nil
	})
	folder := t.TempDir()
	there := filepath.Join(folder, "there.db")
	writeFile(t, there, nil)
	file, server := filepath.Join(folder, "new.db"), storetest.OnServer(t)
	taken := onServer(t)
	update(t, taken, func(tx *store.Tx) error { return tx.Chats.SaveSetting("x", "1") })
	takenAt := taken.File()
	closeDB(t, taken)
	for name, want := range map[string]error{
		there: fs.ErrExist, takenAt: store.ErrThere, filepath.Join(folder, "none", "new.db"): nil,
	} {
		if c, err := s.CopyTo(t.Context(), name, nil); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	for _, to := range []string{file, server} {
		ctx, cancel := context.WithCancel(t.Context())
		var broken int64
		_, err := s.CopyTo(ctx, to, func(done, all int64) {
			broken = cmp.Or(broken, all-done)
			cancel()
		})
		cancel()
		if !errors.Is(err, context.Canceled) || broken < 1000 {
			t.Errorf("broken off with %d rows to come: %v", broken, err)
		}
		c, err := s.CopyTo(t.Context(), to, nil)
		if err != nil {
			t.Fatalf("after that: %v", err)
		}
		tamper(t, c.To, "UPDATE seats SET name = 'Cleo' WHERE seat = 1", "UPDATE players SET name = 'Cleo'")
		if differ, err := c.Differences(t.Context(), nil); !slices.Equal(differ, []string{"players", "seats"}) {
			t.Errorf("these differ: %q, %v", differ, err)
		}
		if unfinished, err := c.To.Unfinished(t.Context()); err != nil || unfinished == store.IsFile(to) {
			t.Errorf("%s is unfinished: %t, %v", to, unfinished, err)
		}
		if err := c.GiveUp(); err != nil {
			t.Error(err)
		}
		copyAndCompare(t, s, to) // no rows are left of the copy that was given up
		t.Run("finished", func(t *testing.T) {
			if unfinished, err := reopen(t, to).Unfinished(t.Context()); err != nil || unfinished {
				t.Errorf("it is not: %v", err)
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(left) != 3 { // the third is the lock file of the database that was open
		t.Errorf("there are %q", left)
	}
}

// TestACopyThatWasLeftIsMadeAnew checks that a copy can be repeated after one that was neither finished nor given up.
func TestACopyThatWasLeftIsMadeAnew(t *testing.T) {
	needs.Long(t)
	s := openNew(t)
	addFinished(t, s, "test:place")
	for _, to := range []string{filepath.Join(t.TempDir(), "new.db"), storetest.OnServer(t)} {
		c, err := s.CopyTo(t.Context(), to, nil)
		check(t, err)
		if _, err := s.CopyTo(t.Context(), to, nil); err == nil {
			t.Error("two have made it at once")
		}
		if err := c.To.Close(); err != nil { // neither finished nor given up
			t.Fatal(err)
		}
		copyAndCompare(t, s, to)
		wantNoFaults(t, reopen(t, to))
	}
}

// TestACopyThatIsKilledIsNotServed interrupts a copy at each commit and in the middle of the rows: the rest must count
// as unfinished, and the next copy must be complete.
func TestACopyThatIsKilledIsNotServed(t *testing.T) {
	if !storetest.OnPostgres() {
		return // this test needs a server
	}
	s := openNew(t)
	addFinished(t, s, "test:place")
	server := postgrestest.Need(t)
	for cut, made := 0, false; !made; cut++ {
		if cut > 2 && cut < firstAfterScripts {
			continue // these commits apply scripts, as commit 2 does
		}
		proxy, name := server.Proxy(t), server.Address(server.Database(t, ""))
		if cut > 0 { // the first commit stores only the mark of an unfinished copy
			proxy.CutAfter(cut-1, postgrestest.Lost)
		}
		_, err := s.CopyTo(t.Context(), proxy.Address(name), func(int64, int64) {
			if cut == 0 { // at the last row, before the rows are committed
				proxy.Off()
			}
		})
		proxy.On()
		if made = err == nil; made && cut < firstAfterScripts+3 {
			t.Errorf("it was made after %d commits", cut)
		}
		releaseLocks(t, name)
		read, err := store.OpenReadOnly(t.Context(), name)
		if err == nil {
			err = read.Close() // an unfinished copy may be read once its schema is complete
		} else if errors.Is(err, store.ErrUnfinished) {
			err = nil
		}
		if err != nil {
			t.Errorf("cut off at commit %d, it cannot be read: %v", cut, err)
		}
		there := reopen(t, name)
		left, err := there.Unfinished(t.Context())
		if err != nil || !left {
			t.Errorf("cut off at commit %d, it is unfinished: %t, %v", cut, left, err)
		}
		closeDB(t, there)
		if !made {
			wantNoFaults(t, reopen(t, copyAndCompare(t, s, name)))
		}
	}
}

// firstAfterScripts is a commit of a copy, counted from 1. Earlier ones mark it as unfinished and run first scripts.
const firstAfterScripts = 8

// releaseLocks releases the locks and leases that a killed process still has in a server's database, at address name.
func releaseLocks(t *testing.T, name string) {
	t.Helper()
	db, err := sql.Open("pgx", name)
	check(t, err)
	defer db.Close()
	for _, statement := range []string{"DELETE FROM migrations_lock", "UPDATE leases SET ends = 0"} {
		if _, err := db.Exec(statement); err != nil && !strings.Contains(err.Error(), "does not exist") {
			t.Fatal(err)
		}
	}
}

// TestABackupOfAServerIsAFile backs a server database up to a file while changes continue.
func TestABackupOfAServerIsAFile(t *testing.T) {
	needs.Long(t)
	s := onServer(t)
	addFinished(t, s, "test:place")
	file := filepath.Join(t.TempDir(), "copy.db")
	stop := make(chan struct{})
	changed := make(chan error)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				changed <- nil
				return
			default:
			}
			err := s.UpdateOf(context.Background(), store.OfChat("test:chat"),
				func(tx *store.Tx) error { return count(tx, n%8) })
			if err != nil {
				changed <- err
				return
			}
		}
	}()
	if err := s.Backup(t.Context(), file, nil); err != nil {
		t.Error(err)
	}
	close(stop)
	if err := <-changed; err != nil {
		t.Error(err)
	}
	made := reopen(t, file)
	wantBooksMatch(t, made)
	wantNoFaults(t, made)
	if err := s.Backup(t.Context(), file, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("once more: %v", err)
	}
}
