package store_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// wantRefused checks that Open refuses a file with an error that contains all words, and does not change it.
func wantRefused(t *testing.T, file string, words ...string) {
	t.Helper()
	before, _ := os.ReadFile(file)
	s, err := store.Open(t.Context(), file)
	if err == nil {
		_ = s.Close()
		t.Fatal("it was opened")
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
	if strings.Contains(err.Error(), "failed to") {
		t.Errorf("not in our words: %v", err)
	}
	after, _ := os.ReadFile(file)
	if !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
}

func TestFilesThatAreNoDatabaseOfOurs(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		file := filepath.Join(dir, name)
		writeFile(t, file, content)
		return file
	}
	wantRefused(t, "", "has no name")
	wantRefused(t, dir, "folder")
	wantRefused(t, filepath.Join(dir, "nowhere", "knobel.db"), "nowhere", "does not exist")
	wantRefused(t, write("letter.txt", []byte("Dear Anna, this is a letter and no database at all.")), "not a database")
	wantRefused(t, write("long.txt", bytes.Repeat([]byte("Dear Anna, "), 1000)), "not a database")

	other := filepath.Join(dir, "other.db")
	db, err := sql.Open("sqlite", other)
	check(t, err)
	if _, err := db.Exec("CREATE TABLE recipes (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	closeDB(t, db)
	wantRefused(t, other, "another program")
}

func TestFilesThatAreCutShort(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	addFinished(t, s, "test:place")
	closeDB(t, s)
	whole, err := os.ReadFile(s.File())
	check(t, err)
	for _, length := range []int{50, 1000, len(whole) / 2, len(whole) - 4096} {
		file := filepath.Join(t.TempDir(), "knobel.db")
		writeFile(t, file, whole[:length])
		wantRefused(t, file, "database")
	}
}

func TestADatabaseOfANewerVersion(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	tamper(t, s, "INSERT INTO migrations (version_id, is_applied) VALUES (9999, TRUE)")
	if _, err := store.OpenReadOnly(t.Context(), s.File()); err == nil ||
		!strings.Contains(err.Error(), "newer version") {
		t.Errorf("for reading: %v", err)
	}
	closeDB(t, s)
	wantRefused(t, s.File(), "newer version", "9999")
}

func TestOneInstanceADatabase(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	link := s.File()
	if !storetest.OnPostgres() {
		link = filepath.Join(t.TempDir(), "link.db")
		check(t, os.Symlink(s.File(), link))
	}
	for _, file := range []string{s.File(), link} {
		_, err := store.Open(t.Context(), file)
		if err == nil || !strings.Contains(err.Error(), "another instance") {
			t.Errorf("%s: %v", file, err)
		}
	}
	reader, err := store.OpenReadOnly(t.Context(), link)
	if err != nil {
		t.Fatalf("for reading: %v", err)
	}
	defer reader.Close()
	table := addFinished(t, s, "test:place") // while another process reads
	view(t, reader, func(tx *store.Tx) error { _, err := tx.Tables.Table(table.ID); return err })
	wantNoFaults(t, reader)
	if err := reader.Update(t.Context(), func(*store.Tx) error { return nil }); err != store.ErrReadOnly {
		t.Errorf("the reader writes: %v", err)
	}
	closeDB(t, s)
	reopen(t, link)
}

func TestReadingNeedsADatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	if _, err := store.OpenReadOnly(t.Context(), file); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing: %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it was created")
	}
	writeFile(t, file, nil)
	if _, err := store.OpenReadOnly(t.Context(), file); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("empty: %v", err)
	}
	reopen(t, file) // an empty file becomes a database
}

func TestFileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"knobel.db", "with space.db", "what?mode=memory#x%20.db", "Würfel & 'Quotes'.db",
		":memory:"} {
		file := filepath.Join(t.TempDir(), name)
		s := reopen(t, file)
		addFinished(t, s, "test:place")
		closeDB(t, s)
		info, err := os.Stat(file)
		check(t, err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read the seeds: %v", info.Mode())
		}
		wantNoFaults(t, reopen(t, file))
	}
}
