package bot_test

import (
	"os"
	"syscall"
)

// syncData makes a file's content durable as SQLite does it on Linux.
func syncData(file *os.File) error { return syscall.Fdatasync(int(file.Fd())) }
