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
// they were left behind, SQLite would mistake them for parts of another database of the same name.
var companions = []string{"-wal", "-journal"}

// nameFile renames the file at the path part to the path file, and flushes the new name to the disk. The file may keep
// its old name, too. If file exists, it returns fs.ErrExist or, on a file system without hard links, replaces file.
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
		return nil // Windows cannot sync folders and need not do so
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// timestamp returns the present time in UTC, with milliseconds, for a file name.
func timestamp() string { return time.Now().UTC().Format("2006-01-02T15-04-05.000Z") }

// unlessAbsent returns nil if err means that a file does not exist, and otherwise err.
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

// removeAll deletes a database file with its log, index, journal and lock. Missing files are not an error.
func removeAll(file string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		errs = append(errs, unlessAbsent(os.Remove(file+suffix)))
	}
	return errors.Join(errs...)
}

// copyFile copies the content of the file source to the file target. If target is new, only its owner can read it.
func copyFile(source, target string) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
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
		return "", errors.New("the database file has no name")
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
		return "", fmt.Errorf("%s is a folder: use a file in it, such as %s", path, filepath.Join(path,
			"knobel.db"))
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("folder %s of the database does not exist", filepath.Dir(path))
	}
	return path, nil
}

// checkExists returns an error if file does not exist or has a second name (a hard link). The lock and the log belong
// to one name, so an instance that used the second name would ignore them.
func checkExists(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("database %s does not exist", file)
	case err != nil:
		return fmt.Errorf("database %s: %w", file, err)
	case linkCount(info) > 1:
		if aside, err := findAside(file, nil); err == nil && aside != "" {
			return fmt.Errorf("a restore of database %s did not finish: run knobel serve, "+
				"or restore the backup again; both first put the old files back", file)
		}
		return fmt.Errorf("database %s has a hard link, which another instance may have open: "+
			"delete the link, or use a copy of the file", file)
	}
	return nil
}

// Creatable returns nil if Open could create the missing database file, or else why not. It creates and deletes a file.
func Creatable(file string) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	probe, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".probe-*")
	if errors.Is(err, fs.ErrPermission) {
		return unwritableError(file)
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", file, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// unwritableError returns the error for a database whose folder is not writable.
func unwritableError(file string) error {
	return fmt.Errorf("database %s cannot be written: "+
		"its folder and the files beside it must be writable", file)
}

// createFile creates file if it does not exist, and returns an error if file is not writable. Only the owner can read a
// new file, since it holds the secret seeds of running games.
func createFile(file string) error {
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("database %s is read-only: make it writable", file)
	}
	opened, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("database %s is read-only: make it writable", file)
	}
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return opened.Close()
}

// copyingSuffix is the suffix of the folder in which a new database is filled before Name moves it to its final path.
const copyingSuffix = ".copying"

// Beside creates a folder beside file and returns a path in it for a new database, which Name later renames to file. It
// deletes the remains of an earlier try, or returns an error if another process uses them. If file exists, it returns
// fs.ErrExist.
func Beside(file string) (path string, err error) {
	file, err = locate(file)
	if err != nil {
		return "", err
	}
	for _, end := range append([]string{""}, companions...) {
		if _, err := os.Lstat(file + end); err == nil {
			return "", fmt.Errorf("%s already exists: %w", file+end, fs.ErrExist)
		}
	}
	folder := file + copyingSuffix
	path = filepath.Join(folder, filepath.Base(file))
	if err := os.Mkdir(folder, 0o700); errors.Is(err, fs.ErrExist) {
		lock, err := acquire(path)
		if err != nil {
			return "", err
		}
		if err := errors.Join(lock.release(), removeAll(path)); err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	return path, nil
}

// Remove deletes the database at a path that Beside has returned, and its folder.
func Remove(path string) error {
	if err := removeAll(path); err != nil {
		return err
	}
	return os.Remove(filepath.Dir(path))
}

// Name renames the finished, closed database at path to file. If file exists, it returns fs.ErrExist. If the log of the
// database is not empty, it returns an error, since it renames only one file. If a crash may still undo the renaming,
// the error is of the kind ErrUncertain. Unlike nameFile, Name makes no hard link, since a crash could then leave the
// database two names, which checkExists refuses.
func Name(path, file string) error { return nameWith(path, file, syncFolder) }

// nameWith is Name, but calls syncName instead of syncFolder to flush the new name to the disk.
func nameWith(path, file string, syncName func(file string) error) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	for _, end := range companions {
		if log, err := os.Stat(path + end); err == nil && log.Size() > 0 {
			return fmt.Errorf("%s still has a write-ahead log", path)
		}
	}
	if err := flush(path); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s already exists: %w", file, fs.ErrExist)
	}
	database, err := os.Open(path)
	if err != nil {
		return err
	}
	giveToOwner(database, filepath.Dir(file))
	if err := database.Close(); err != nil {
		return err
	}
	if err := os.Rename(path, file); err != nil {
		return err
	}
	if err := syncName(file); err != nil {
		return &Error{Err: err, Kind: ErrUncertain}
	}
	return nil
}
