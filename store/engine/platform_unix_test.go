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
	check(t, err)
	born, err := syscall.Dup(int(l.file.Fd())) // as in a forked process until that runs another program
	check(t, err)
	defer syscall.Close(born)
	if _, err := acquire(database); err == nil {
		t.Error("two hold the lock")
	}
	check(t, l.release())
	again, err := acquire(database)
	check(t, err)
	if err := again.release(); err != nil {
		t.Error(err)
	}
}
