package engine

// The files of a database: paths, names, copies, and flushes to the disk.

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// companions are the suffixes of the files that belong to a database: its write-ahead log and its rollback journal. If
// they were left behind, SQLite would take them for parts of another database of the same name.
var companions = []string{"-wal", "-journal"}

// nameFile gives the finished file part the name file and flushes that to the disk. It returns fs.ErrExist if file
// exists; only on a file system without hard links it may replace it.
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

// syncFolder flushes the folder of file to the disk, so that the name of file survives a crash.
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

// moment returns the present time in UTC, to the millisecond, for use in a file name.
func moment() string { return time.Now().UTC().Format("2006-01-02T15-04-05.000Z") }

// unlessAbsent returns err, or nil if err means that a file does not exist.
func unlessAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// flush flushes the content of file to the disk.
func flush(file string) error {
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// removeAll deletes a database file with its log, index, journal and lock. Missing files are no error.
func removeAll(file string) error {
	var errs []error
	for _, end := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		errs = append(errs, unlessAbsent(os.Remove(file+end)))
	}
	return errors.Join(errs...)
}

// copyFile copies the content of the file from to the file to. If that is new, only its owner can read it.
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

// locate returns the absolute path of file with symbolic links resolved, so that each database has one path. It returns
// an error for "", a folder, and a file in a missing folder.
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

// exists returns an error if file does not exist, or has several hard links: lock and log belong to one name, so an
// instance that used another name would be neither locked out nor see the log.
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

// Creatable returns nil if Open could create the missing database file, or else why not. To find out it creates and
// deletes a file beside it.
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

// unwritable returns the error for a database whose folder is not writable.
func unwritable(file string) error {
	return fmt.Errorf("the database %s cannot be written: its folder, "+
		"and what lies beside it there, have to be writable", file)
}

// create creates file if it does not exist, and returns an error if it is not writable. Only the owner can read a new
// file: it holds the secret seeds of running games.
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

// beside is the suffix of the folder in which a new database is filled before it gets its name.
const beside = ".copying"

// Beside makes a folder beside file and returns made, the path of a new database in it. It deletes the remains of an
// earlier try, and returns an error if another process uses those. If file exists, the error is fs.ErrExist.
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

// Remove deletes the database made, a path that Beside has returned, and its folder.
func Remove(made string) error {
	if err := removeAll(made); err != nil {
		return err
	}
	return os.Remove(filepath.Dir(made))
}

// Name renames the finished, closed database made to file. If file exists, it returns fs.ErrExist; if the log of made
// is not empty, it returns an error, since only one file is renamed. It makes no hard link as nameFile does: a crash
// would leave a database with two names, which exists refuses. If the new name may not survive a crash, the error is of
// the kind ErrUncertain.
func Name(made, file string) error { return name(made, file, syncFolder) }

// name is Name with sync in place of syncFolder.
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
