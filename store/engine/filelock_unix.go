//go:build unix

package engine

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func lockFile(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		}
		return err
	}
}

// unlockFile releases a lock, also for a process that was just forked and has the file open until it runs another
// program.
func unlockFile(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// names returns how many names a file has.
func names(info fs.FileInfo) uint64 {
	if told, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(told.Nlink)
	}
	return 1
}
