package engine

// Where a new database is made that is to have its name only once it is whole.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// beside ends the name of the folder in which a database is made.
const beside = ".copying"

// Beside returns the name of a database in a folder beside a file that must not be there, to be made and then to get
// that name. What an earlier try has left there is removed; it is refused while somebody works with it.
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

// Remove removes what Beside has made room for.
func Remove(made string) error {
	if err := removeAll(made); err != nil {
		return err
	}
	return os.Remove(filepath.Dir(made))
}

// Name gives a finished database, which is closed, its name, unless the name has been taken meanwhile. It is in one
// file: what is still in its log would be lost. It is renamed, not linked as in nameFile: a database with two names,
// which a crash would leave, is refused. Where it has its name, and nobody knows for how long, the error is of the kind
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
