package engine

// Operations on files, whatever they contain.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// companions are the suffixes of the files that belong to a database. Left behind, they would be taken for parts of
// another database with the same name.
var companions = []string{"-wal", "-journal"}

// nameFile names a finished file, unless the name has been taken meanwhile, and flushes the name to the disk.
func nameFile(part, file string) error {
	err := os.Link(part, file)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil { // a file system without links
		if err := os.Rename(part, file); err != nil {
			return err
		}
	}
	return syncFolder(file)
}

// syncFolder flushes a file's name to the disk.
func syncFolder(file string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there, and need not be
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// moment returns the present time as part of a file's name.
func moment() string { return time.Now().UTC().Format("2006-01-02T15-04-05.000Z") }

// unlessAbsent returns err, or nil if it says that the file does not exist.
func unlessAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// flush flushes a file to the disk.
func flush(file string) error {
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// removeAll deletes an unneeded database and its companions.
func removeAll(file string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		if err := os.Remove(file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// copyFile copies a file so that only its owner can read it.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
