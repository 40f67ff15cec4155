package engine

// Remains of a crashed restore or inspection beside a database.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// copies matches the suffixes of temporary copies that a dead process has left: of a backup being restored, and of a
// database being inspected.
var copies = regexp.MustCompile(`^(\.(restoring|looking)-\d+)+(-wal|-shm|-journal|\.lock)?$`)

// besides returns, in order, the files whose names continue a database's name with a wanted suffix.
func besides(file string, wanted func(end string) bool) (files []string, err error) {
	all, err := os.ReadDir(filepath.Dir(file))
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil // a folder that cannot be listed can still be used
	}
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		end, beside := strings.CutPrefix(other.Name(), filepath.Base(file))
		if beside && other.Type().IsRegular() && wanted(end) {
			files = append(files, file+end)
		}
	}
	return files, nil
}

// tidy undoes a restore that crashed before the backup was in its place, so that the database is what it was, and
// removes temporary copies. It returns what it found, in sentences for the operator. The caller holds the lock of the
// database, so no restore is running.
//
// It deletes nothing that may be the only copy: a database kept aside is only moved back, and if there is no database,
// the copy of a backup stays and blocks everything except another restore.
func tidy(file string, restores bool) (found []string, err error) {
	left, err := besides(file, copies.MatchString)
	if err != nil {
		return nil, err
	}
	aside, err := asideOf(file, left)
	if err == nil && aside != "" {
		err = putBack(file, aside)
		found = append(found, fmt.Sprintf("a restore had ended before the backup was in its place: "+
			"the database %s is what it was before, restore the backup again", file))
	}
	if err != nil {
		return nil, fmt.Errorf("put back what a restore has moved that was cut off: %w", err)
	}
	if len(left) == 0 {
		return found, nil
	}
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		if i := slices.IndexFunc(left, func(copied string) bool { return isBackup(file, copied) }); i >= 0 &&
			!restores {
			return nil, fmt.Errorf("there is no database at %s, and a restore had ended before the backup was in "+
				"its place: "+
				"restore it again, or remove %s to begin with nothing", file, left[i])
		}
		return found, nil
	}
	for _, copied := range left {
		if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
			// it does no harm
			return append(found, fmt.Sprintf("what a crash has left cannot be removed: %v", err)), nil
		}
	}
	return append(found, fmt.Sprintf("what a crash had left was removed: %s", left[0])), nil
}

// isBackup reports whether a copy is that of a backup being restored.
func isBackup(file, copied string) bool {
	return strings.HasPrefix(copied, file+".restoring-") && !strings.HasSuffix(copied, ".lock")
}

// asideOf returns where an interrupted restore has kept the database aside, "" for nowhere: under a second name, or, on
// a file system without links, under that name alone.
func asideOf(file string, left []string) (string, error) {
	asides, err := besides(file, func(end string) bool {
		return strings.HasPrefix(end, ".") && strings.HasSuffix(end, ".aside")
	})
	if err != nil || len(asides) == 0 {
		return "", err
	}
	is, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if slices.ContainsFunc(left, func(copied string) bool { return isBackup(file, copied) }) {
			return asides[len(asides)-1], nil // the newest
		}
		return "", nil
	case err != nil:
		return "", err
	}
	for _, aside := range asides {
		if other, err := os.Lstat(aside); err == nil && os.SameFile(is, other) {
			return aside, nil
		}
	}
	return "", nil
}

// putBack gives a database its own name alone, and its log and journal back.
func putBack(file, aside string) error {
	for _, end := range companions {
		if _, err := os.Lstat(aside + end); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := os.Lstat(file + end); err == nil {
			return fmt.Errorf("both %s and %s are there: keep the one that belongs to the database", file+end,
				aside+end)
		}
		if err := os.Rename(aside+end, file+end); err != nil {
			return err
		}
	}
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(aside, file); err != nil {
			return err
		}
	} else if err := os.Remove(aside); err != nil { // a second name of the same file
		return err
	}
	return syncFolder(file)
}
