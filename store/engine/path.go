package engine

// The path of a database file, and checks of it.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// locate returns the absolute path of a file, links followed, so that each database has one name.
func locate(file string) (string, error) {
	if file == "" {
		return "", errors.New("the database needs a file name")
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("database %s: %w", file, err)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder: the database needs a file in it, such as %s", path, filepath.Join(path,
			"knobel.db"))
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the folder %s for the database does not exist", filepath.Dir(path))
	}
	return path, nil
}

// exists refuses a file that does not exist, and a database with several hard links: lock and log belong to one name,
// so an instance that used another name would be neither locked out nor see the log.
func exists(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no database at %s", file)
	case err != nil:
		return fmt.Errorf("database %s: %w", file, err)
	case names(info) > 1:
		if aside, err := asideOf(file, nil); err == nil && aside != "" {
			return fmt.Errorf("a restore of the database %s ended before the backup was in its place: start knobel "+
				"serve, "+
				"or restore again, which first puts back what was moved", file)
		}
		return fmt.Errorf("the database %s has another name, as a hard link, under which another instance may be "+
			"working "+
			"with it: remove that name, or copy the file and remove this one", file)
	}
	return nil
}

// Creatable returns why Open could not create a missing database, nil if it could.
func Creatable(file string) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".probe-*")
	if errors.Is(err, fs.ErrPermission) {
		return unwritable(file)
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", file, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// unwritable returns an error that the folder of a database is not writable.
func unwritable(file string) error {
	return fmt.Errorf("the database %s cannot be written: its folder, "+
		"and what lies beside it there, have to be writable", file)
}

// create makes sure that the file exists and is writable. Seeds are secret until their tables are over, so only the
// owner can read a new file.
func create(file string) error {
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("the database %s is read-only: it has to be writable", file)
	}
	opened, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the database %s is read-only: it has to be writable", file)
	}
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return opened.Close()
}
