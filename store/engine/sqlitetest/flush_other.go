//go:build !linux

package sqlitetest

import "os"

// flush makes a file's content durable.
func flush(file *os.File) error { return file.Sync() }
