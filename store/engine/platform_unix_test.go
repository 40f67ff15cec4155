//go:build unix

package engine

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A lock that is let go of is free at once, also while a process that was just forked has the open file, too.
func TestALockIsFreeOnceItIsReleased(t *testing.T) {
	database := filepath.Join(t.TempDir(), "knobel.db")
	l, err := acquire(database)
	if err != nil {
		t.Fatal(err)
	}
	born, err := syscall.Dup(int(l.file.Fd())) // as a fork does, until it runs another program
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
