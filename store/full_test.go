package store_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"knobel/store"
	"knobel/store/storetest"
)

// filling is a disk that is full after a number of writes, until empty is called.
type filling struct {
	left    atomic.Int64
	refused atomic.Bool
}

// take counts a write and reports whether the disk had room for it.
func (f *filling) take() bool {
	if f.left.Add(-1) >= 0 {
		return true
	}
	f.refused.Store(true)
	return false
}

// empty makes room for any number of writes.
func (f *filling) empty() { f.left.Store(1 << 40) }

// TestADiskThatIsFullAtAnyWrite fills the disk at any write: of the log, of the checkpoint when the writing connection
// closes after a failed commit without readers, or of the log's index when it opens again. Once there is room, the next
// change must succeed, and all committed changes must be there, also for a process that opens the files as a kill
// leaves them.
func TestADiskThatIsFullAtAnyWrite(t *testing.T) {
	for what, disk := range map[string]func(*filling) storetest.Disk{
		"nothing can be written": func(f *filling) storetest.Disk {
			return storetest.Disk{Write: func(bool) bool { return f.take() },
				Grow: func() bool { return f.left.Load() > 0 }}
		},
		"nothing can grow": func(f *filling) storetest.Disk { return storetest.Disk{Grow: f.take} },
	} {
		for _, read := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, read %t", what, read), func(t *testing.T) {
				f := &filling{}
				storetest.Use(t, disk(f))
				writes, step := int64(0), int64(1)
				if read {
					step = 3 // while a reader is open, the writer closes without a checkpoint: fewer cases suffice
				}
				for fullDiskAfter(t, f, writes, read) && !t.Failed() {
					writes += step
				}
				if t.Failed() || writes < 15 {
					t.Errorf("the disk was full after up to %d writes", writes)
				}
			})
		}
	}
}

// TestAChangeOfNothingTellsOfNoRoom checks that a change without writes is committed on a full disk, and does not count
// as a sign that there is room again.
func TestAChangeOfNothingTellsOfNoRoom(t *testing.T) {
	f := &filling{}
	storetest.Use(t, storetest.Disk{Write: func(bool) bool { return f.take() }})
	f.empty()
	var told []string
	s, err := store.Open(t.Context(), storetest.Empty(t), func(o *store.Options) {
		o.Trouble = func(err error, _ time.Duration) {
			told = append(told, map[bool]string{true: "room", false: "full"}[err == nil])
		}
	})
	check(t, err)
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSetting("before", "1") })
	f.left.Store(0)
	for range 2 {
		if err := s.Probe(t.Context()); err == nil {
			t.Error("a full disk takes something")
		}
		update(t, s, func(*store.Tx) error { return nil })
	}
	f.empty()
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	closeDB(t, s)
	if got := strings.Join(told, " "); got != "full room" {
		t.Errorf("told was %q", got)
	}
}

// fullDiskAfter makes changes on the disk of f, which is full after a number of writes, and checks that the committed
// ones are stored. It reports whether the disk was full. With read a reading connection stays open meanwhile.
func fullDiskAfter(t *testing.T, f *filling, writes int64, read bool) bool {
	t.Helper()
	f.empty()
	s := reopen(t, storetest.Empty(t))
	stand := map[string]bool{"before": true}
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSetting("before", "1") })
	if read {
		wantSettings(t, s, stand)
	}
	f.refused.Store(false)
	f.left.Store(writes)
	tries := int(3 + writes%2) // while it is full, each try opens the connection again
	for i := range tries {
		name := fmt.Sprint("s", i)
		stand[name] = s.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.Chats.SaveSetting(name+" is long", strings.Repeat("x", 5000)); err != nil {
				return err
			}
			return tx.Chats.SaveSetting(name, "1")
		}) == nil
	}
	reached, killed := f.refused.Load(), filepath.Join(t.TempDir(), "knobel.db")
	copyFiles(t, s.File(), killed)
	if began, err := store.Open(t.Context(), killed); err == nil { // may fail: the disk is full
		_ = began.Update(t.Context(), func(tx *store.Tx) error { return tx.Chats.SaveSetting("other", "1") })
		_ = began.Close()
	}
	f.empty()
	again := reopen(t, killed)
	wantSettings(t, again, stand)
	closeBeforeDisk(t, again)
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveSetting("room", "1") })
	stand["room"] = true
	wantSettings(t, s, stand)
	wantNoFaults(t, s)
	closeBeforeDisk(t, s)
	return reached
}

// closeBeforeDisk closes a database, before the test removes its disk.
func closeBeforeDisk(t *testing.T, s *store.Store) {
	t.Helper()
	closeDB(t, s)
}

// TestTheLogIsRemovedUnderAFullDisk removes the log of an open database, as a program that ignores locks may do. If a
// commit then fails, the next connection has another log than the readers: once there is room, the next change must
// succeed, and all committed changes must be in the file.
func TestTheLogIsRemovedUnderAFullDisk(t *testing.T) {
	f := &filling{}
	storetest.Use(t, storetest.Disk{Write: func(bool) bool { return f.take() }})
	f.empty()
	s := reopen(t, storetest.Empty(t))
	stand := map[string]bool{"before": true, "after": true, "room": true}
	save := func(name string) error {
		return s.Update(t.Context(), func(tx *store.Tx) error { return tx.Chats.SaveSetting(name, "1") })
	}
	check(t, save("before"))
	wantSettings(t, s, map[string]bool{"before": true}) // opens a connection that keeps reading
	check(t, errors.Join(os.Remove(s.File()+"-wal"), os.Remove(s.File()+"-shm")))
	check(t, save("after"))
	f.left.Store(0)
	for range 3 {
		if save("full") == nil {
			t.Error("a full disk has taken a change")
		}
	}
	f.empty()
	if err := save("room"); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	wantSettings(t, s, stand)
	wantNoFaults(t, s)
	killed := filepath.Join(t.TempDir(), "knobel.db")
	copyFiles(t, s.File(), killed)
	again := reopen(t, killed)
	wantSettings(t, again, stand)
	closeBeforeDisk(t, again)
	closeBeforeDisk(t, s)
}

// copyFiles copies the files of the open database file to the name to, as a killed process would leave them.
func copyFiles(t *testing.T, file, to string) {
	t.Helper()
	for _, end := range []string{"", "-wal", "-shm"} {
		content, err := os.ReadFile(file + end)
		if err == nil {
			err = os.WriteFile(to+end, content, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}
