//go:build !linux

package bot_test

import "os"

// syncData makes a file's content durable.
func syncData(file *os.File) error { return file.Sync() }
