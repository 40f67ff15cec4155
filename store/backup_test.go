package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"knobel/store"
)

func TestABackupIsADatabase(t *testing.T) {
	s := fresh(t)
	table := finished(t, s, "test:place")
	file := filepath.Join(t.TempDir(), "copy of ?.db")
	if err := s.Backup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), file); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	if err := s.Backup(t.Context(), s.File()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over itself: %v", err)
	}
	onlyFile(t, file)
	reader, err := store.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, reader)
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	restored := reopen(t, file)
	view(t, restored, func(tx *store.Tx) error { _, err := tx.Table(table.ID); return err })
	finished(t, restored, "test:place")
	sound(t, restored)
}

// onlyFile wants a file alone in its folder, for its owner's eyes.
func onlyFile(t *testing.T, file string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if entry.Name() != filepath.Base(file) {
			t.Errorf("%s was left behind", entry.Name())
		} else if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read the seeds: %v", info.Mode())
		}
	}
}

func TestABackupThatCannotBe(t *testing.T) {
	s := fresh(t)
	if err := s.Backup(t.Context(), filepath.Join(t.TempDir(), "nowhere", "copy.db")); err == nil {
		t.Error("into no folder")
	}
	if err := s.Backup(t.Context(), t.TempDir()); err == nil {
		t.Error("over a folder")
	}
}

// Backups taken while people play are each one state, and no later one is
// older; one is taken by the serving instance, one by another.
func TestBackupsDuringWrites(t *testing.T) {
	s := fresh(t)
	other, err := store.OpenReadOnly(t.Context(), s.File())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	stop := make(chan struct{})
	var playing sync.WaitGroup
	for w := range 4 {
		playing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := s.Update(t.Context(), func(tx *store.Tx) error { return count(tx, w) }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	dir, before := t.TempDir(), 0
	for i := range 6 {
		file := filepath.Join(dir, strconv.Itoa(i)+".db")
		taker := s
		if i%2 == 1 {
			taker = other
		}
		if err := taker.Backup(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		before = countedIn(t, file, before)
	}
	close(stop)
	playing.Wait()
}

// countedIn wants a backup sound and at least as far as the one before it.
func countedIn(t *testing.T, file string, before int) (now int) {
	t.Helper()
	copied, err := store.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	sound(t, copied)
	lookAtBooks(t, copied)
	view(t, copied, func(tx *store.Tx) error {
		value, err := tx.Setting("count")
		now, _ = strconv.Atoi(value) // "" is 0
		return err
	})
	if now < before {
		t.Errorf("%s holds %d changes, the one before it %d", file, now, before)
	}
	return now
}
