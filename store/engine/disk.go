package engine

// What is done to files, whatever is in them.

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// companions are the suffixes of the files that belong to a database. Left behind, they would be
// taken for parts of another database that gets its name.
var companions = []string{"-wal", "-journal"}

// nameFile names a finished file, unless the name has been taken meanwhile, and
// makes sure of the name on the disk.
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

// syncFolder makes sure of a file's name on the disk.
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

// moment is now, as a part of a file's name.
func moment() string { return time.Now().UTC().Format("2006-01-02T15-04-05.000Z") }

// unlessAbsent drops the error that a file is not there.
func unlessAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// flush makes sure of a file on the disk.
func flush(file string) error {
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// removeAll removes a database that nobody needs, with all that lies beside it.
func removeAll(file string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		if err := os.Remove(file + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// copyFile copies a file for its owner's eyes.
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
