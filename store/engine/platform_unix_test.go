//go:build unix

package engine

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestALockIsFreeOnceItIsReleased releases a lock whose file a process that was just forked has open, too: another
// process can take the lock at once.
func TestALockIsFreeOnceItIsReleased(t *testing.T) {
	database := filepath.Join(t.TempDir(), "knobel.db")
	l, err := acquire(database)
	if err != nil {
		t.Fatal(err)
	}
	born, err := syscall.Dup(int(l.file.Fd())) // as in a forked process until that runs another program
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(born)
	if _, err := acquire(database); err == nil {
		t.Error("two hold the lock")
	}
	if err := l.release(); err != nil {
		t.Fatal(err)
	}
	again, err := acquire(database)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.release(); err != nil {
		t.Error(err)
	}
}
