package store_test

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/store"
)

// copyMidTransaction returns a copy of a file in the middle of a transaction with a rollback journal, after statements.
func copyMidTransaction(t *testing.T, file string, statements ...string) string {
	t.Helper()
	db := openRaw(t, file)
	db.SetMaxOpenConns(1)
	large := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO filling " +
		"SELECT randomblob(2000) FROM n"
	for _, statement := range append(statements, "PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 1",
		"BEGIN IMMEDIATE", "CREATE TABLE filling (bytes BLOB)", large) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	copied := filepath.Join(t.TempDir(), "knobel.db")
	for _, end := range []string{"", "-journal"} {
		b, err := os.ReadFile(file + end)
		if err != nil || len(b) == 0 {
			t.Fatalf("%q: %d bytes, %v", end, len(b), err)
		}
		writeFile(t, copied+end, b)
	}
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	return copied
}

// finishedFile returns a database file with a finished table, which no process has open.
func finishedFile(t *testing.T) string {
	t.Helper()
	file, _ := newBackup(t)
	return file
}

// firstCommitFile returns a database file whose first commit has written its page, but not yet removed its journal.
func firstCommitFile(t *testing.T) string {
	t.Helper()
	whole, err := os.ReadFile(finishedFile(t))
	check(t, err)
	file := filepath.Join(t.TempDir(), "knobel.db")
	journal := make([]byte, 512)
	// The header of a journal: magic bytes, 0 pages, a nonce, 0 pages before, the sizes of a sector and of a page.
	head, err := hex.DecodeString("d9d505f920a163d7" + "00000000" + "12345678" + "00000000" + "00000200" + "00001000")
	check(t, err)
	copy(journal, head)
	for end, b := range map[string][]byte{"": whole[:4096], "-journal": journal} {
		writeFile(t, file+end, b)
	}
	return file
}

func TestWhatACrashHasLeftInAJournalIsRolledBack(t *testing.T) {
	wantNoFaults(t, reopen(t, firstCommitFile(t)))

	for _, reads := range []bool{false, true} {
		file := copyMidTransaction(t, finishedFile(t))
		open := store.Open
		if reads {
			open = store.OpenReadOnly
		}
		s, err := open(t.Context(), file)
		check(t, err)
		wantNoFaults(t, s)
		closeDB(t, s)
		var n int
		err = openRaw(t, file).QueryRow("SELECT COUNT(*) FROM sqlite_master WHERE name = 'filling'").Scan(&n)
		if err != nil || n != 0 {
			t.Errorf("%d tables of what was not committed are there, %v", n, err)
		}
		wantNoSideFiles(t, file)
	}
}

// wantNoSideFiles checks that no file with "looking" in its name is left in the folder of file.
func wantNoSideFiles(t *testing.T, file string) {
	t.Helper()
	for name := range filesIn(t, filepath.Dir(file)) {
		if strings.Contains(name, "looking") {
			t.Errorf("%s is left over", name)
		}
	}
}

func TestAJournalIsNotRolledBackInWhatIsRefused(t *testing.T) {
	foreign := filepath.Join(t.TempDir(), "recipes.db")
	db, err := sql.Open("sqlite", foreign)
	check(t, err)
	if _, err := db.Exec("CREATE TABLE recipes (name TEXT)"); err != nil {
		t.Fatal(err)
	}
	closeDB(t, db)
	flipped := copyMidTransaction(t, finishedFile(t))
	invertPage(t, flipped)
	for file, says := range map[string]string{
		copyMidTransaction(t, foreign): "another program",
		copyMidTransaction(t, finishedFile(t),
			"INSERT INTO migrations (version_id, is_applied) VALUES (9999, TRUE)"): "newer version",
		copyMidTransaction(t, finishedFile(t),
			"INSERT INTO seals (id, proof) VALUES (1, 'x')"): "encrypted",
		flipped: "damaged",
	} {
		before, err := os.ReadFile(file + "-journal")
		check(t, err)
		wantRefused(t, file, says)
		after, err := os.ReadFile(file + "-journal")
		if err != nil || string(after) != string(before) {
			t.Errorf("%s: the journal was changed: %v", says, err)
		}
		wantNoSideFiles(t, file)
	}
}

// invertPage inverts all bits of a page in the middle of a file.
func invertPage(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	check(t, err)
	for i := range 4096 {
		b[10*4096+i] ^= 0xff
	}
	writeFile(t, file, b)
}

// TestJournalsAreNotTakenForThoseOfWhatIsRestored checks that the journal of a replaced database is not applied to the
// restored one, which it would damage.
func TestJournalsAreNotTakenForThoseOfWhatIsRestored(t *testing.T) {
	_, backup := newBackup(t)
	for what, to := range map[string]string{"beside a database": firstCommitFile(t),
		"left behind": firstCommitFile(t)} {
		if what == "left behind" {
			check(t, os.Remove(to))
		}
		r, err := store.Restore(t.Context(), backup, to, true)
		check(t, err)
		if _, err := r.Finish(); err != nil {
			t.Fatal(err)
		}
		n := 0
		view(t, reopen(t, to),
			func(tx *store.Tx) error { return tx.Tables.Tables(func(int64) error { n++; return nil }) })
		if n != 1 {
			t.Errorf("%s: %d tables are restored", what, n)
		}
	}
	from, to := copyMidTransaction(t, finishedFile(t)), filepath.Join(t.TempDir(), "knobel.db")
	r, err := store.Restore(t.Context(), from, to, false)
	if err != nil {
		t.Fatal(fmt.Errorf("a copy of what has crashed: %w", err))
	}
	wantNoFaults(t, r.Store)
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
}
