package store_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

func TestABackupIsADatabase(t *testing.T) {
	s := openNew(t)
	table := addFinished(t, s, "test:place")
	file := filepath.Join(t.TempDir(), "copy of ?.db")
	var copied, all int64
	check(t, s.Backup(t.Context(), file, func(done, of int64) { copied, all = done, of }))
	if copied == 0 || all == 0 || copied > all {
		t.Errorf("%d bytes of %d are told to be copied", copied, all)
	}
	if err := s.Backup(t.Context(), file, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over an existing file: %v", err)
	}
	if err := s.Backup(t.Context(), s.File(), nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over itself: %v", err)
	}
	wantOnlyFile(t, file)
	reader, err := store.OpenReadOnly(t.Context(), file)
	check(t, err)
	wantNoFaults(t, reader)
	closeDB(t, reader)
	restored := reopen(t, file)
	view(t, restored, func(tx *store.Tx) error { _, err := tx.Tables.Table(table.ID); return err })
	addFinished(t, restored, "test:place")
	wantNoFaults(t, restored)
}

// wantOnlyFile checks that file is alone in its folder and readable only by its owner.
func wantOnlyFile(t *testing.T, file string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file))
	check(t, err)
	for _, entry := range entries {
		info, err := entry.Info()
		check(t, err)
		if entry.Name() != filepath.Base(file) {
			t.Errorf("%s was left behind", entry.Name())
		} else if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may read the seeds: %v", info.Mode())
		}
	}
}

// TestABackupThatCannotBe checks that a backup into a missing folder, or in place of a folder, fails.
func TestABackupThatCannotBe(t *testing.T) {
	s := openNew(t)
	if err := s.Backup(t.Context(), filepath.Join(t.TempDir(), "nowhere", "copy.db"), nil); err == nil {
		t.Error("into no folder")
	}
	if err := s.Backup(t.Context(), t.TempDir(), nil); err == nil {
		t.Error("over a folder")
	}
}

// TestABackupThatEndsInTheMiddle checks that a backup that fails on a full disk or is cancelled leaves no file.
func TestABackupThatEndsInTheMiddle(t *testing.T) {
	for name, full := range map[string]bool{"the disk is full": true, "given up": false} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var copying atomic.Bool
			var pages, half atomic.Int64 // written pages of the copy, and its size in bytes when it is interrupted
			file := filepath.Join(t.TempDir(), "copy.db")
			storetest.Use(t, storetest.Disk{Write: func(log bool) bool {
				if log || !copying.Load() || pages.Add(1) != 20 {
					return true
				}
				half.Store(sizeOf(t, file+".part-*[0-9]"))
				cancel()
				return !full
			}})
			s := openNew(t)
			if full {
				ctx = t.Context()
			}
			copying.Store(true)
			if err := s.Backup(ctx, file, nil); err == nil {
				t.Error("it went to its end")
			}
			copying.Store(false)
			if half.Load() == 0 {
				t.Error("there was nothing of it yet")
			}
			if left := filesIn(t, filepath.Dir(file)); len(left) > 0 {
				t.Errorf("%d files are left behind", len(left))
			}
			if err := s.Backup(t.Context(), file, nil); err != nil {
				t.Errorf("the next one: %v", err)
			}
			wantOnlyFile(t, file)
		})
	}
}

// sizeOf returns the size in bytes of the one file that matches a pattern.
func sizeOf(t *testing.T, pattern string) int64 {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) != 1 {
		t.Errorf("%s are %v, %v", pattern, names, err)
		return 0
	}
	info, err := os.Stat(names[0])
	if err != nil {
		t.Error(err)
		return 0
	}
	return info.Size()
}

// TestABackupOfWhatIsDamaged checks that a backup of a damaged database fails before the copy gets its name.
func TestABackupOfWhatIsDamaged(t *testing.T) {
	file := storetest.Empty(t)
	s := reopen(t, file)
	addFinished(t, s, "test:place")
	closeDB(t, s)
	breakIndex(t, file)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := reopen(t, file).Backup(t.Context(), copied, nil); err == nil ||
		!strings.Contains(err.Error(), "missing from index tables_by_place") {
		t.Errorf("it is backed up: %v", err)
	}
	if left := filesIn(t, filepath.Dir(copied)); len(left) > 0 {
		t.Errorf("%d files are left behind", len(left))
	}
}

// TestBackupsDuringWrites makes backups during changes, by the serving instance and by another one, while a reader
// keeps the changes in the log. Each must be one consistent state with all changes that were committed before it began.
func TestBackupsDuringWrites(t *testing.T) {
	s := openNew(t)
	other, err := store.OpenReadOnly(t.Context(), s.File())
	check(t, err)
	defer other.Close()
	defer keepReading(t, other)()
	const first = 40
	for w := range first {
		update(t, s, func(tx *store.Tx) error { return count(tx, w) })
	}
	var answered atomic.Int64
	answered.Store(first)
	stop := make(chan struct{})
	var playing sync.WaitGroup
	ends := sync.OnceFunc(func() {
		close(stop)
		playing.Wait()
	})
	defer ends()
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
				answered.Add(1)
			}
		})
	}
	dir := t.TempDir()
	var files []string
	var before []int64 // the number of committed changes before each backup
	for i, taker := range []*store.Store{s, other, s, other} {
		files = append(files, filepath.Join(dir, strconv.Itoa(i)+".db"))
		before = append(before, answered.Load())
		check(t, taker.Backup(t.Context(), files[i], nil))
	}
	ends()
	last := int64(0)
	for i, file := range files {
		last = wantCount(t, file, max(last, before[i]))
	}
}

// keepReading starts a view that keeps reading the present state of s until leave is called.
func keepReading(t *testing.T, s *store.Store) (leave func()) {
	t.Helper()
	inside, free, left := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		left <- s.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Chats.Setting("count")
			close(inside)
			<-free
			return err
		})
	}()
	select {
	case <-inside:
	case err := <-left:
		t.Fatal(err)
	}
	return func() {
		close(free)
		if err := <-left; err != nil {
			t.Error(err)
		}
	}
}

// wantCount checks that a backup is sound and returns how many changes made by count it has; before is the minimum.
func wantCount(t *testing.T, file string, before int64) (now int64) {
	t.Helper()
	copied, err := store.OpenReadOnly(t.Context(), file)
	check(t, err)
	defer copied.Close()
	wantNoFaults(t, copied)
	wantBooksMatch(t, copied)
	view(t, copied, func(tx *store.Tx) error {
		value, err := tx.Chats.Setting("count")
		now, _ = strconv.ParseInt(value, 10, 64) // "" is 0
		return err
	})
	if now < before {
		t.Errorf("%s holds %d changes, and %d were made before", file, now, before)
	}
	return now
}
