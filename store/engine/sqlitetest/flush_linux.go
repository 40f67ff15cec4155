package sqlitetest

import (
	"os"
	"syscall"
)

// flush makes a file's content durable as SQLite does it on Linux.
func flush(file *os.File) error { return syscall.Fdatasync(int(file.Fd())) }
