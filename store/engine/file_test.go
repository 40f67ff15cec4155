package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openTestFile opens or creates a database in a file until the test ends.
func openTestFile(t *testing.T, file string) *File {
	t.Helper()
	db, err := newFile(t.Context(), file, Options{})
	return untilEnd(t, db, err)
}

// copyDatabase copies a database and its log to target while the database is open, as a killed process leaves them.
func copyDatabase(t *testing.T, file, target string) {
	t.Helper()
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(file + end)
		if err == nil {
			err = os.WriteFile(target+end, content, 0o600)
		}
		check(t, err)
	}
}

// crashAfter runs the first count steps of Finish, like a process that crashes then, on a file system with or without
// hard links. all reports whether these were all steps.
func (r *Restoring) crashAfter(count int, hasLinks bool) (all bool, err error) {
	part := r.DB.File()
	if err := r.DB.Close(); err != nil {
		return false, err
	}
	aside := r.to + "." + timestamp() + ".aside"
	steps := r.steps(part, aside)
	for _, step := range steps[:count] {
		if err := step(); err != nil {
			return false, err
		}
		if is, err := os.Stat(r.to); err == nil && linkCount(is) > 1 && !hasLinks {
			if err := os.Remove(r.to); err != nil {
				return false, err
			}
		}
	}
	return count == len(steps), r.lock.release()
}

// TestARestoreThatIsCutOffLosesNothing crashes a restore between any two of its steps. The next start and the next
// restore find either the old database with its log, or the backup in its place and the old one kept aside. Unneeded
// copies are deleted.
func TestARestoreThatIsCutOffLosesNothing(t *testing.T) {
	for _, links := range []bool{true, false} {
		for after, all := 0, false; !all; after++ {
			folder := t.TempDir()
			db, backup := openTestFile(t, filepath.Join(folder, "knobel.db")), filepath.Join(folder, "backup.db")
			runStatement(t, db, `INSERT INTO settings (name, value) VALUES ('one', '')`)
			check(t, db.Backup(t.Context(), backup, nil))
			runStatement(t, db, `INSERT INTO settings (name, value) VALUES ('later', '')`)
			killed := filepath.Join(t.TempDir(), "knobel.db")
			copyDatabase(t, db.File(), killed) // the later row is in the log
			r, err := Restore(t.Context(), backup, killed, true, Options{})
			if err == nil {
				all, err = r.crashAfter(after, links)
			}
			check(t, err)
			before := int64(-1)
			if looked, err := OpenReadOnly(t.Context(), killed, Options{}); err == nil {
				before = countSettings(t, looked)
				if err := looked.Close(); err != nil {
					t.Error(err)
				}
			}
			began := openTestFile(t, killed)
			if n := countSettings(t, began); before >= 0 && before != n {
				t.Errorf("after %d steps, links %t: %d rows were read, there are %d", after, links, before, n)
			}
			n, found := countSettings(t, began), strings.Join(began.Found(), "\n")
			asides := 0
			files, err := os.ReadDir(filepath.Dir(killed))
			check(t, err)
			for _, file := range files {
				name := file.Name()
				if strings.Contains(name, "restoring") {
					t.Errorf("after %d steps %s is left", after, name)
				}
				if strings.HasSuffix(name, ".aside") {
					asides++
					if kept := openTestFile(t, filepath.Join(filepath.Dir(killed), name)); countSettings(t, kept) != 2 {
						t.Errorf("after %d steps %s has not all", after, name)
					}
				}
			}
			switch done := n == 1; {
			case done != (asides == 1) || n != 1 && n != 2:
				t.Errorf("after %d steps, links %t: %d rows, %d kept aside", after, links, n, asides)
			case !done && !strings.Contains(found, "deleted file of an interrupted restore"):
				t.Errorf("after %d steps is found %q", after, found)
			case !done && after > 1 && !strings.Contains(found, "was put back"):
				t.Errorf("after %d steps is found %q", after, found)
			case all && !done:
				t.Error("nothing was restored")
			}
			if err := began.Close(); err != nil {
				t.Error(err)
			}
			again, err := Restore(t.Context(), backup, killed, true, Options{})
			check(t, err)
			if len(again.Found()) > 0 {
				t.Errorf("again found: %q", again.Found())
			}
			if _, err := again.Finish(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestANameThatTheDiskMayNotKeep renames a finished database to its final name: the error is ErrUncertain if the folder
// cannot be flushed, but not if the name is taken.
func TestANameThatTheDiskMayNotKeep(t *testing.T) {
	broken := errors.New("the disk is broken")
	for what, test := range map[string]struct {
		taken bool
		sync  error
		want  bool // the error is ErrUncertain: perhaps the database has its name
	}{
		"the name is not kept": {sync: broken, want: true},
		"the name is taken":    {taken: true, sync: broken},
		"all is well":          {},
	} {
		t.Run(what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "knobel.db")
			made, err := Beside(file)
			check(t, err)
			names := []string{made}
			if test.taken {
				names = append(names, file)
			}
			for _, name := range names {
				check(t, os.WriteFile(name, nil, 0o600))
			}
			err = nameWith(made, file, func(string) error { return test.sync })
			if uncertain := errors.Is(err, ErrUncertain); uncertain != test.want {
				t.Errorf("it may have its name: %t, %v", uncertain, err)
			}
			if (err != nil) != (test.sync != nil) {
				t.Error(err)
			}
		})
	}
}

// TestNothingOfTheDatabaseStaysInATemporaryFile checks that statements keep temporary data in memory: a file in the
// system's temporary folder could outlive them, with names or secrets that are encrypted in the database.
func TestNothingOfTheDatabaseStaysInATemporaryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	s, err := Open(t.Context(), file, Options{})
	check(t, err)
	check(t, s.Close())
	for what, pragmas := range map[string][]string{
		"writing": forWriting, "reading": forReading, "copying": forCopying, "rekeying": forRekeying,
	} {
		const memory = 2
		var kept int64
		err := withFile(t.Context(), file, "rw", pragmas, func(tx *Tx) error { return tx.get(`PRAGMA temp_store`, &kept) })
		if err != nil || kept != memory {
			t.Errorf("%s keeps what is temporary in %d (%v), want %d", what, kept, err, memory)
		}
	}
}

// TestViewsOneAfterAnotherShareAConnection checks that a view opens a connection only if others use all that are open.
func TestViewsOneAfterAnotherShareAConnection(t *testing.T) {
	db := openTestFile(t, filepath.Join(t.TempDir(), "knobel.db"))
	view := func(inside func() error) error {
		return db.View(t.Context(), func(tx *Tx) error {
			return errors.Join(tx.Rows(`SELECT 1`, nil, func(Row) error { return nil }), inside())
		})
	}
	nothing := func() error { return nil }
	for i, inside := range []func() error{nothing, func() error { return view(nothing) }} {
		for range 2 * maxReaders {
			check(t, view(inside))
		}
		if open := len(db.readers.open); open != i+1 {
			t.Errorf("%d connections are open, want %d", open, i+1)
		}
	}
}

// TestNoViewBeginsAfterItsContext checks that a view whose context is done is not begun.
func TestNoViewBeginsAfterItsContext(t *testing.T) {
	db := openTestFile(t, filepath.Join(t.TempDir(), "knobel.db"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.View(ctx, func(*Tx) error { return errors.New("it was begun") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestConnectionsAreRenewedAfterTheirViews replaces the reading connections during a view. Its connection is closed at
// its end.
func TestConnectionsAreRenewedAfterTheirViews(t *testing.T) {
	db := openTestFile(t, filepath.Join(t.TempDir(), "knobel.db"))
	err := db.View(t.Context(), func(tx *Tx) error {
		db.readers.renew()
		return tx.Rows(`SELECT 1`, nil, func(Row) error { return nil })
	})
	check(t, err)
	idle := db.readers.take()
	for _, c := range idle {
		if c != nil {
			t.Error("a connection of before is left")
		}
	}
	db.readers.put(idle)
}
