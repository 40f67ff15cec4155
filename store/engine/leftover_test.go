package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// opened is a database that is closed when the test ends.
func opened(t *testing.T, file string) *File {
	t.Helper()
	db, err := newFile(t.Context(), file, Options{}, true)
	return untilEnd(t, db, err)
}

// add adds a row to a database.
func add(t *testing.T, db *File, name string) {
	t.Helper()
	err := db.Update(t.Context(), "", func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, '')`, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rowsIn is how many rows were added to a database.
func rowsIn(t *testing.T, db DB) (n int) {
	t.Helper()
	err := db.View(t.Context(), func(tx *Tx) error {
		return tx.Rows(`SELECT COUNT(*) FROM settings`, nil, func(row Row) error {
			return row.Scan(&n)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// copied copies a database and its log as a kill leaves them.
func copied(t *testing.T, file, to string) {
	t.Helper()
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(file + end)
		if err == nil {
			err = os.WriteFile(to+end, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A restore may end in a crash between any two of its steps: the next start, and the
// next restore, find the database with its log as it was before, or the backup in its
// place and the database kept aside; unneeded copies are gone.
func TestARestoreThatIsCutOffLosesNothing(t *testing.T) {
	for _, links := range []bool{true, false} {
		for after, all := 0, false; !all; after++ {
			folder := t.TempDir()
			db, backup := opened(t, filepath.Join(folder, "knobel.db")), filepath.Join(folder, "backup.db")
			add(t, db, "one")
			if err := db.Backup(t.Context(), backup, nil); err != nil {
				t.Fatal(err)
			}
			add(t, db, "later")
			killed := filepath.Join(t.TempDir(), "knobel.db")
			copied(t, db.File(), killed) // the later row is in the log
			r, err := Restore(t.Context(), backup, killed, true, Options{})
			if err == nil {
				all, err = r.CutOff(after, links)
			}
			if err != nil {
				t.Fatal(err)
			}
			before := -1
			if looked, err := OpenReadOnly(t.Context(), killed, Options{}); err == nil {
				before = rowsIn(t, looked)
				if err := looked.Close(); err != nil {
					t.Error(err)
				}
			}
			began := opened(t, killed)
			if n := rowsIn(t, began); before >= 0 && before != n {
				t.Errorf("after %d steps, links %t: %d rows were read, there are %d", after, links, before, n)
			}
			n, found := rowsIn(t, began), strings.Join(began.Found(), "\n")
			asides := 0
			files, err := os.ReadDir(filepath.Dir(killed))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				name := file.Name()
				if strings.Contains(name, "restoring") {
					t.Errorf("after %d steps %s is left", after, name)
				}
				if strings.HasSuffix(name, ".aside") {
					asides++
					if kept := opened(t, filepath.Join(filepath.Dir(killed), name)); rowsIn(t, kept) != 2 {
						t.Errorf("after %d steps %s has not all", after, name)
					}
				}
			}
			switch done := n == 1; {
			case done != (asides == 1) || n != 1 && n != 2:
				t.Errorf("after %d steps, links %t: %d rows, %d kept aside", after, links, n, asides)
			case !done && !strings.Contains(found, "what a crash had left was removed"):
				t.Errorf("after %d steps is found %q", after, found)
			case !done && after > 1 && !strings.Contains(found, "is what it was before"):
				t.Errorf("after %d steps is found %q", after, found)
			case all && !done:
				t.Error("nothing was restored")
			}
			if err := began.Close(); err != nil {
				t.Error(err)
			}
			again, err := Restore(t.Context(), backup, killed, true, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(again.Found()) > 0 {
				t.Errorf("again found: %q", again.Found())
			}
			if _, err := again.Finish(); err != nil {
				t.Error(err)
			}
		}
	}
}
