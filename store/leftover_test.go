package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/store"
)

// tablesIn is how many tables a database has.
func tablesIn(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error { return tx.Tables.Tables(func(int64) error { n++; return nil }) })
	return n
}

// Where there is no database, a copy of a backup may be all that somebody has; and of
// two logs nobody but its owner knows which is the right one.
func TestNothingGoesThatMayBeAllThereIs(t *testing.T) {
	db, backup := backedUp(t)
	only := filepath.Join(t.TempDir(), "knobel.db")
	leave(t, backup, only+".restoring-17")
	if _, err := store.Open(t.Context(), only); err == nil ||
		!strings.Contains(err.Error(), "restore it again, or remove "+only+".restoring-17") {
		t.Errorf("without a database: %v", err)
	}
	if len(contents(t, filepath.Dir(only))) != 1 {
		t.Error("the copy has gone, or there is a database")
	}
	r, err := store.Restore(t.Context(), backup, only, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if s := reopen(t, only); tablesIn(t, s) != 1 || len(s.Found()) != 1 {
		t.Errorf("found is %q", s.Found())
	}
	aside := db + ".2026-01-02T03-04-05.000Z.aside"
	err = errors.Join(os.Link(db, aside), os.WriteFile(db+"-wal", []byte("one"), 0o600),
		os.WriteFile(aside+"-wal", []byte("other"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	before := contents(t, filepath.Dir(db))
	if _, err := store.Open(t.Context(), db); err == nil ||
		!strings.Contains(err.Error(), "keep the one that belongs") {
		t.Errorf("with two logs: %v", err)
	}
	if after := contents(t, filepath.Dir(db)); len(after) != len(before) || after["knobel.db-wal"] != "one" {
		t.Errorf("there are %d files, %d before", len(after), len(before))
	}
}

// What is no copy of a crash is left alone, whatever it is called.
func TestOnlyCopiesOfACrashAreRemoved(t *testing.T) {
	db, _ := backedUp(t)
	own := []string{".restoring-notes", ".looking-", ".aside", ".restoring-1.txt", "-restoring-1", ".schema-3.backup"}
	for _, end := range slices.Concat(own, []string{".looking-1", ".looking-1-journal", ".restoring-22.lock",
		".restoring-22.looking-3"}) {
		writes(t, db+end, nil)
	}
	s := reopen(t, db)
	if len(s.Found()) != 1 {
		t.Errorf("found is %q", s.Found())
	}
	for _, end := range own {
		if _, err := os.Stat(db + end); err != nil {
			t.Error(err)
		}
	}
	for name := range contents(t, filepath.Dir(db)) {
		if strings.Contains(name, "looking-1") || strings.Contains(name, "restoring-22") {
			t.Errorf("%s is left", name)
		}
	}
}
