package engine

import (
	"errors"
	"io/fs"
	"net"
	"os"

	"golang.org/x/sys/windows"
)

func lockFile(file *os.File) error {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// unlockFile releases a lock.
func unlockFile(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, new(windows.Overlapped))
}

// names returns 1: Windows does not tell how many names a file has.
func names(fs.FileInfo) uint64 { return 1 }

// belong does nothing: a file on Windows has the rights of its folder.
func belong(*os.File, string) {}

// isSilent returns false: on Windows a socket cannot be checked without waiting for it, and the server is asked.
func isSilent(net.Conn) bool { return false }
