package sqlitetest

import (
	"os"
	"syscall"
)

// flush flushes the content of file to the disk, by the same system call as SQLite on Linux.
func flush(file *os.File) error { return syscall.Fdatasync(int(file.Fd())) }
