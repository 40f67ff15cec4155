//go:build !linux

package sqlitetest

import "os"

// flush flushes the content of file to the disk.
func flush(file *os.File) error { return file.Sync() }
