//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"knobel/store"
)

// TestRestoredForTheOwnerOfTheFolder checks that files restored and locked by root belong to the owner of the folder,
// and those restored by another user to that user.
func TestRestoredForTheOwnerOfTheFolder(t *testing.T) {
	folder, want := t.TempDir(), os.Geteuid()
	if want == 0 {
		want = 65532
		check(t, os.Chown(folder, want, want))
	}
	from, to := filepath.Join(t.TempDir(), "copy.db"), filepath.Join(folder, "knobel.db")
	check(t, openNew(t).Backup(t.Context(), from, nil))
	r, err := store.Restore(t.Context(), from, to, false)
	check(t, err)
	if _, err := r.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{to, to + ".lock"} {
		info, err := os.Stat(file)
		check(t, err)
		if owner := info.Sys().(*syscall.Stat_t); int(owner.Uid) != want || info.Mode().Perm() != 0o600 {
			t.Errorf("%s belongs to %d (%v), want %d", filepath.Base(file), owner.Uid, info.Mode(), want)
		}
	}
}

// TestTheSecondInstanceComesByAnotherName checks that a database cannot be opened by a hard link while it is open,
// neither for writing nor for reading, which would miss the log beside the other name. A symbolic link counts as the
// same name.
func TestTheSecondInstanceComesByAnotherName(t *testing.T) {
	folder := t.TempDir()
	file, link, hard := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "link.db"),
		filepath.Join(folder, "hard.db")
	s, err := store.Open(t.Context(), file)
	check(t, err)
	check(t, os.Symlink(file, link))
	if _, err := store.Open(t.Context(), link); err == nil ||
		!strings.Contains(err.Error(), "another instance of Knobel is using "+file) {
		t.Errorf("by a symbolic link: %v", err)
	}
	check(t, os.Link(file, hard))
	wantHardRefused := func(when string) {
		t.Helper()
		_, err := store.Open(t.Context(), hard)
		_, readErr := store.OpenReadOnly(t.Context(), hard)
		_, keyErr := store.Rekey(t.Context(), hard, nil, nil)
		for _, err := range []error{err, readErr, keyErr} {
			if err == nil || !strings.Contains(err.Error(), hard+" has a hard link") {
				t.Errorf("by a hard link, %s: %v", when, err)
			}
		}
		if _, err := os.Stat(hard + "-wal"); err == nil {
			t.Errorf("%s a log is beside the hard link", when)
		}
	}
	wantHardRefused("while the first works")
	if err := s.Probe(t.Context()); err != nil {
		t.Errorf("the first: %v", err)
	}
	closeDB(t, s)
	wantHardRefused("while nobody works")
	check(t, os.Remove(hard))
	s, err = store.Open(t.Context(), link)
	if err != nil {
		t.Fatalf("once it has one name: %v", err)
	}
	closeDB(t, s)
}
