package engine

import (
	"errors"
	"io/fs"
	"net"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks file without waiting. If another process has locked it, the error is errHeld.
func lockFile(file *os.File) error {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errHeld
	}
	return err
}

// unlockFile releases the lock of file.
func unlockFile(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, new(windows.Overlapped))
}

// linkCount returns 1: the number of hard links is not known on Windows.
func linkCount(fs.FileInfo) uint64 { return 1 }

// giveToOwner is a no-op: on Windows a file has the rights of its folder.
func giveToOwner(*os.File, string) {}

// isSilent returns false: on Windows a socket cannot be checked without waiting, so that the server is pinged instead.
func isSilent(net.Conn) bool { return false }
