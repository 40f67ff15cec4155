package engine

// A folder for a new database that gets its name once it is complete.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// beside is the suffix of the folder in which a database is made.
const beside = ".copying"

// Beside returns the name for a new database in a folder beside a file that must not exist. It removes the remains of
// an earlier try, and refuses if that one is in use.
func Beside(file string) (made string, err error) {
	file, err = locate(file)
	if err != nil {
		return "", err
	}
	for _, end := range append([]string{""}, companions...) {
		if _, err := os.Lstat(file + end); err == nil {
			return "", fmt.Errorf("%s is there already: %w", file+end, fs.ErrExist)
		}
	}
	folder := file + beside
	made = filepath.Join(folder, filepath.Base(file))
	if err := os.Mkdir(folder, 0o700); errors.Is(err, fs.ErrExist) {
		held, err := acquire(made)
		if err != nil {
			return "", err
		}
		if err := errors.Join(held.release(), removeAll(made)); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	return made, nil
}

// Remove deletes the folder that Beside has made.
func Remove(made string) error {
	if err := removeAll(made); err != nil {
		return err
	}
	return os.Remove(filepath.Dir(made))
}

// Name renames a finished, closed database to its name, unless the name has been taken meanwhile. The database is one
// file: what is still in its log would be lost. It is renamed, not linked as in nameFile: a crash would leave a
// database with two names, which is refused. If the new name may not survive a crash, the error is of the kind
// ErrUncertain.
func Name(made, file string) error { return name(made, file, syncFolder) }

func name(made, file string, sync func(file string) error) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	for _, end := range companions {
		if log, err := os.Stat(made + end); err == nil && log.Size() > 0 {
			return fmt.Errorf("not all is in %s yet", made)
		}
	}
	if err := flush(made); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already: %w", file, fs.ErrExist)
	}
	whole, err := os.Open(made)
	if err != nil {
		return err
	}
	belong(whole, filepath.Dir(file))
	if err := whole.Close(); err != nil {
		return err
	}
	if err := os.Rename(made, file); err != nil {
		return err
	}
	if err := sync(file); err != nil {
		return &Error{Err: err, Kind: ErrUncertain}
	}
	return nil
}
