package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// newBackup returns the names of a database file with a finished table, and of a backup of it.
func newBackup(t *testing.T) (db, backup string) {
	t.Helper()
	db, backup = storetest.Empty(t), filepath.Join(t.TempDir(), "backup.db")
	s, err := store.Open(t.Context(), db)
	check(t, err)
	addFinished(t, s, "test:place")
	check(t, s.Backup(t.Context(), backup, nil))
	closeDB(t, s)
	return db, backup
}

// filesIn returns the contents of all files of a folder except locks, by name.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	check(t, err)
	all := map[string]string{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".lock") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(folder, e.Name()))
		check(t, err)
		all[e.Name()] = string(b)
	}
	return all
}

func TestABackupIsRestored(t *testing.T) {
	db, backup := newBackup(t)
	s := reopen(t, db)
	addFinished(t, s, "test:later")
	closeDB(t, s)
	if _, err := store.Restore(t.Context(), backup, db, false); err == nil ||
		!strings.Contains(err.Error(), "--force") {
		t.Fatalf("over a database: %v", err)
	}
	r, err := store.Restore(t.Context(), backup, db, true)
	check(t, err)
	wantNoFaults(t, r.Store)
	aside, err := r.Finish()
	check(t, err)
	restored, before := reopen(t, db), reopen(t, aside)
	wantNoFaults(t, restored)
	tables := func(s *store.Store) (n int) {
		view(t, s, func(tx *store.Tx) error { return tx.Tables.Tables(func(int64) error { n++; return nil }) })
		return n
	}
	if tables(restored) != 1 || tables(before) != 2 {
		t.Errorf("%d tables are restored, %d were there before", tables(restored), tables(before))
	}
	for name := range filesIn(t, filepath.Dir(db)) {
		if strings.Contains(name, "restoring") {
			t.Errorf("%s is left over", name)
		}
	}
	info, err := os.Stat(db)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the seeds: %v %v", info, err)
	}
}

// TestLogsAreRestoredAndKept checks databases whose last changes are only in the log, after a crash or a copy.
func TestLogsAreRestoredAndKept(t *testing.T) {
	db, backup := newBackup(t)
	crashed := filepath.Join(t.TempDir(), "crashed.db")
	s := reopen(t, db)
	addFinished(t, s, "test:later")
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(db + end)
		check(t, err)
		writeFile(t, crashed+end, b)
	}
	for from, want := range map[string]int{backup: 1, crashed: 2} {
		to := filepath.Join(t.TempDir(), "knobel.db")
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(crashed + end)
			check(t, err)
			writeFile(t, to+end, b)
		}
		r, err := store.Restore(t.Context(), from, to, true)
		check(t, err)
		aside, err := r.Finish()
		check(t, err)
		for file, want := range map[string]int{to: want, aside: 2} {
			n := 0
			view(t, reopen(t, file), func(tx *store.Tx) error {
				return tx.Tables.Tables(func(int64) error { n++; return nil })
			})
			if n != want {
				t.Errorf("%s restored: %s has %d tables, want %d", filepath.Base(from), filepath.Base(file), n, want)
			}
		}
	}
}

func TestBackupsThatAreNotRestored(t *testing.T) {
	db, backup := newBackup(t)
	whole, err := os.ReadFile(backup)
	check(t, err)
	flipped := bytes.Clone(whole)
	for i := range 4096 {
		flipped[len(flipped)/2/4096*4096+i] ^= 0xff
	}
	newer := filepath.Join(t.TempDir(), "newer.db")
	writeFile(t, newer, whole)
	s := reopen(t, newer)
	tamper(t, s, "INSERT INTO migrations (version_id, is_applied) VALUES (9999, TRUE)")
	closeDB(t, s)
	misleading := filepath.Join(t.TempDir(), "misleading.db")
	writeFile(t, misleading, whole)
	breakIndex(t, misleading)
	folder := t.TempDir()
	for _, test := range []struct {
		name    string
		content []byte
		says    string
	}{
		{"cut.db", whole[:len(whole)-5000], "damaged"},
		{"flipped.db", flipped, "damaged"},
		{"letter.db", []byte("Dear Anna, this is a letter and no database at all."), "not a database"},
		{"missing.db", nil, "does not exist"},
		{newer, nil, "newer version"},
		{misleading, nil, "missing from index tables_by_place"},
		{db, nil, "the database itself"},
	} {
		file := test.name
		if !filepath.IsAbs(file) {
			file = filepath.Join(folder, file)
		}
		if test.content != nil {
			writeFile(t, file, test.content)
		}
		before := filesIn(t, filepath.Dir(db))
		_, err := store.Restore(t.Context(), file, db, true)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "restoring-") {
			t.Errorf("%s: %v", test.name, err)
		}
		after := filesIn(t, filepath.Dir(db))
		if len(after) != len(before) || after["knobel.db"] != before["knobel.db"] {
			t.Errorf("%s: something was changed", test.name)
		}
	}
}

// breakIndex makes an index of a file differ from its table, while each page is valid: only a comparison finds it.
func breakIndex(t *testing.T, file string) {
	t.Helper()
	db := openRaw(t, file)
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"PRAGMA writable_schema = ON",
		"UPDATE sqlite_master SET sql = 'CREATE INDEX tables_by_place ON tables (chat, id)' WHERE name = " +
			"'tables_by_place'"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	closeDB(t, db)
	if s, err := store.Open(t.Context(), file); err != nil {
		t.Errorf("it is noticed without a comparison: %v", err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestNothingIsRestoredOverAnInstance(t *testing.T) {
	db, backup := newBackup(t)
	s := reopen(t, db)
	if _, err := store.Restore(t.Context(), backup, db, true); err == nil ||
		!strings.Contains(err.Error(), "another instance") {
		t.Errorf("while somebody works with it: %v", err)
	}
	addFinished(t, s, "test:still here")
	closeDB(t, s)
	r, err := store.Restore(t.Context(), backup, db, true)
	check(t, err)
	if _, err := store.Open(t.Context(), db); err == nil || !strings.Contains(err.Error(), "another instance") {
		t.Errorf("opened while it is restored: %v", err)
	}
	before := filesIn(t, filepath.Dir(db))["knobel.db"]
	check(t, r.GiveUp())
	if after := filesIn(t, filepath.Dir(db)); len(after) != 1 || after["knobel.db"] != before {
		t.Error("giving up has left something behind")
	}
}

// TestFlippedPages checks that a file with any damaged page is refused and not changed, unless the page was empty.
func TestFlippedPages(t *testing.T) {
	db, _ := newBackup(t)
	whole, err := os.ReadFile(db)
	check(t, err)
	refused := 0
	for page := 0; page < len(whole)/4096; page += 7 {
		flipped := bytes.Clone(whole)
		for i := range 4096 {
			flipped[page*4096+i] ^= 0xff
		}
		file := filepath.Join(t.TempDir(), "knobel.db")
		writeFile(t, file, flipped)
		s, err := store.Open(context.Background(), file)
		if err == nil {
			if faults, err := s.Check(t.Context()); err != nil || len(faults) > 0 {
				t.Errorf("page %d: it was opened with %v, %v", page, faults, err)
			}
			closeDB(t, s)
			continue
		}
		refused++
		if text := err.Error(); !strings.Contains(text, "damaged") && !strings.Contains(text, "not a database") {
			t.Errorf("page %d: %v", page, err)
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(after, flipped) {
			t.Errorf("page %d: the file was changed", page)
		}
	}
	if refused < len(whole)/4096/7/2 {
		t.Errorf("only %d pages were noticed", refused)
	}
}

// countTables returns the number of game tables in a database.
func countTables(t *testing.T, s *store.Store) (n int) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error { return tx.Tables.Tables(func(int64) error { n++; return nil }) })
	return n
}

// TestNothingGoesThatMayBeAllThereIs checks that a copy of a backup is kept if there is no database, because it may be
// the only one. If the database and the one kept aside both have a log, neither log is removed.
func TestNothingGoesThatMayBeAllThereIs(t *testing.T) {
	db, backup := newBackup(t)
	only := filepath.Join(t.TempDir(), "knobel.db")
	copyFiles(t, backup, only+".restoring-17")
	if _, err := store.Open(t.Context(), only); err == nil ||
		!strings.Contains(err.Error(), "restore the backup again, or delete "+only+".restoring-17") {
		t.Errorf("without a database: %v", err)
	}
	if len(filesIn(t, filepath.Dir(only))) != 1 {
		t.Error("the copy has gone, or there is a database")
	}
	r, err := store.Restore(t.Context(), backup, only, false)
	check(t, err)
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	if s := reopen(t, only); countTables(t, s) != 1 || len(s.Found()) != 1 {
		t.Errorf("found is %q", s.Found())
	}
	aside := db + ".2026-01-02T03-04-05.000Z.aside"
	err = errors.Join(os.Link(db, aside), os.WriteFile(db+"-wal", []byte("one"), 0o600),
		os.WriteFile(aside+"-wal", []byte("other"), 0o600))
	check(t, err)
	before := filesIn(t, filepath.Dir(db))
	if _, err := store.Open(t.Context(), db); err == nil ||
		!strings.Contains(err.Error(), "does not belong to the database") {
		t.Errorf("with two logs: %v", err)
	}
	if after := filesIn(t, filepath.Dir(db)); len(after) != len(before) || after["knobel.db-wal"] != "one" {
		t.Errorf("there are %d files, %d before", len(after), len(before))
	}
}

// TestOnlyCopiesOfACrashAreRemoved checks that files other than copies left by a crash are kept, whatever their names.
func TestOnlyCopiesOfACrashAreRemoved(t *testing.T) {
	db, _ := newBackup(t)
	own := []string{".restoring-notes", ".looking-", ".aside", ".restoring-1.txt", "-restoring-1", ".schema-3.backup"}
	for _, end := range slices.Concat(own, []string{".looking-1", ".looking-1-journal", ".restoring-22.lock",
		".restoring-22.looking-3"}) {
		writeFile(t, db+end, nil)
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
	for name := range filesIn(t, filepath.Dir(db)) {
		if strings.Contains(name, "looking-1") || strings.Contains(name, "restoring-22") {
			t.Errorf("%s is left", name)
		}
	}
}
