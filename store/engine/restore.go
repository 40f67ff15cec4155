package engine

// Replacing the database by a backup, and cleaning up after a crash during a restore or an inspection.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Restoring is a restore in progress: a checked copy of the backup, beside the database and with its schema brought up
// to date. Finish replaces the database by the copy.
type Restoring struct {
	// DB is the checked copy, open for further checks.
	DB *File

	from, to string // paths of the backup and of the database
	options  Options
	found    []string
	lock     *fileLock // on the database to be replaced
}

// Found returns sentences for the operator about the files of an earlier crashed restore, and their handling.
func (r *Restoring) Found() []string { return r.found }

// Restore copies and checks the file backup, so that Finish can replace the file database by the copy. It changes
// neither file, but first undoes an earlier restore that has crashed. It returns an error if the backup is damaged, has
// a newer schema, belongs to another program or is refused by o.Accept; if another process has the database open; or if
// there is a database and force is false. With force, Finish keeps the old database under another name. The caller must
// call Finish or GiveUp of the result.
func Restore(ctx context.Context, backup, database string, force bool, o Options) (_ *Restoring, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("restore: %w", err)
		}
	}()
	o.Existing = true
	r := &Restoring{options: o}
	if r.from, err = locate(backup); err != nil {
		return nil, err
	}
	if r.to, err = locate(database); err != nil {
		return nil, err
	}
	if _, err := os.Stat(r.from); err != nil {
		return nil, fmt.Errorf("backup %s does not exist", r.from)
	}
	if r.from == r.to {
		return nil, fmt.Errorf("%s is the database itself", r.from)
	}
	if r.lock, err = acquire(r.to); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			for _, found := range r.found { // otherwise the operator would not see it
				err = fmt.Errorf("%w; %s", err, found)
			}
			err = errors.Join(err, r.lock.release())
		}
	}()
	if r.found, err = undoRestore(r.to, true); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(r.to); err == nil && !force {
		return nil, fmt.Errorf("database %s already exists: use --force to replace it; "+
			"the old one is kept beside it", r.to)
	}
	if r.DB, err = r.prepare(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// prepare copies the backup and its log beside the database, checks the copy, upgrades its schema and returns it open.
func (r *Restoring) prepare(ctx context.Context) (_ *File, err error) {
	made, err := os.CreateTemp(filepath.Dir(r.to), filepath.Base(r.to)+".restoring-*")
	if err != nil {
		return nil, err
	}
	part := made.Name()
	defer func() {
		if err != nil {
			err = errors.Join(err, removeAll(part))
		}
	}()
	giveToOwner(made, filepath.Dir(part))
	if err := made.Close(); err != nil {
		return nil, err
	}
	for _, end := range append([]string{""}, companions...) {
		err := copyFile(r.from+end, part+end)
		if end != "" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := inspect(ctx, part, r.options, inspectOptions{allowOlder: true}); err != nil {
		return nil, withOriginalPath(err, part, r.from) // the text must name the backup
	}
	faults, err := checkFile(ctx, part)
	if err != nil {
		return nil, withOriginalPath(err, part, r.from)
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("backup %s is damaged: %s", r.from, strings.Join(faults, "; "))
	}
	d, err := newFile(ctx, part, r.options)
	if err != nil {
		return nil, withOriginalPath(err, part, r.from)
	}
	return d, nil
}

// Finish closes r.DB, moves it to the path of the database and releases the lock. If there was a database before, aside
// is its new path; otherwise "".
func (r *Restoring) Finish() (aside string, err error) {
	part := r.DB.File()
	if err := r.DB.Close(); err != nil {
		return "", errors.Join(err, r.lock.release())
	}
	if _, err := os.Lstat(r.to); err == nil {
		aside = fmt.Sprintf("%s.%s.aside", r.to, timestamp())
	}
	for _, step := range r.steps(part, aside) {
		if err = step(); err != nil {
			break
		}
	}
	if err := errors.Join(err, removeAll(part), r.lock.release()); err != nil {
		return aside, fmt.Errorf("restore: %w", err)
	}
	return aside, nil
}

// GiveUp deletes the copy of the backup and releases the lock. The database stays unchanged.
func (r *Restoring) GiveUp() error {
	part := r.DB.File()
	return errors.Join(r.DB.Close(), removeAll(part), r.lock.release())
}

// steps returns the steps of Finish: they move the earlier database to the path aside ("": there is none), and the copy
// of the backup from the path part to that of the database. After a crash between two steps, undoRestore undoes them.
// The earlier log and journal are moved before the copy: SQLite would mistake them for those of the backup.
func (r *Restoring) steps(part, aside string) []func() error {
	steps := []func() error{func() error { return flush(part) }}
	keptPath := aside
	if aside == "" {
		keptPath = fmt.Sprintf("%s.%s.aside", r.to, timestamp())
	} else {
		steps = append(steps, func() error {
			if os.Link(r.to, aside) == nil {
				return nil
			}
			return os.Rename(r.to, aside) // a file system without links
		})
	}
	for _, end := range companions {
		steps = append(steps, func() error { return unlessAbsent(os.Rename(r.to+end, keptPath+end)) })
	}
	return append(steps,
		func() error { return unlessAbsent(os.Remove(r.to + "-shm")) },
		func() error { return os.Rename(part, r.to) },
		func() error { return syncFolder(r.to) },
	)
}

// tempSuffix matches the suffixes of temporary files beside a database, which a crash may leave: copies of a backup to
// be restored or of a database to be inspected, and their logs, indexes, journals and locks.
var tempSuffix = regexp.MustCompile(`^(\.(restoring|looking)-\d+)+(-wal|-shm|-journal|\.lock)?$`)

// filesBeside returns the sorted paths of files whose names are that of the database file plus a suffix for which
// isWanted returns true. If this process may not list the folder, it returns nil.
func filesBeside(file string, isWanted func(suffix string) bool) (files []string, err error) {
	all, err := os.ReadDir(filepath.Dir(file))
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil // a folder that cannot be listed can still be used
	}
	if err != nil {
		return nil, err
	}
	for _, other := range all {
		suffix, isBeside := strings.CutPrefix(other.Name(), filepath.Base(file))
		if isBeside && other.Type().IsRegular() && isWanted(suffix) {
			files = append(files, file+suffix)
		}
	}
	return files, nil
}

// undoRestore undoes a restore of the database file that crashed before the backup was in its place, so that the
// database is as it was before, and removes temporary copies. found lists what undoRestore found and did, in sentences
// for the operator. The caller holds the lock of the database, so no restore is running.
//
// It deletes nothing that may be the only copy: the earlier database is only moved back. If there is no database, the
// copy of a backup is kept, and undoRestore returns an error unless restoreFollows (the caller restores a backup next).
func undoRestore(file string, restoreFollows bool) (found []string, err error) {
	leftovers, err := filesBeside(file, tempSuffix.MatchString)
	if err != nil {
		return nil, err
	}
	aside, err := findAside(file, leftovers)
	if err == nil && aside != "" {
		err = putBack(file, aside)
		found = append(found, fmt.Sprintf("an earlier restore did not finish: "+
			"the old database %s was put back, restore the backup again", file))
	}
	if err != nil {
		return nil, fmt.Errorf("undo unfinished restore: %w", err)
	}
	if len(leftovers) == 0 {
		return found, nil
	}
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		if i := slices.IndexFunc(leftovers, func(copied string) bool { return isBackup(file, copied) }); i >= 0 &&
			!restoreFollows {
			return nil, fmt.Errorf("database %s does not exist, and an earlier restore did not finish: "+
				"restore the backup again, or delete %s to start with an empty database", file, leftovers[i])
		}
		return found, nil
	}
	for _, copied := range leftovers {
		if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
			// A copy that cannot be removed does no harm.
			return append(found, fmt.Sprintf("delete file of an interrupted restore failed: %v", err)), nil
		}
	}
	return append(found, fmt.Sprintf("deleted file of an interrupted restore: %s", leftovers[0])), nil
}

// isBackup reports whether path, a temporary file beside the database file, comes from a restore (a copy of the backup,
// its log or its journal, but not its lock) and not from an inspection.
func isBackup(file, path string) bool {
	return strings.HasPrefix(path, file+".restoring-") && !strings.HasSuffix(path, ".lock")
}

// findAside returns the path to which an interrupted restore has moved the database file, or "". If file exists, that
// path is a second name (hard link) of file. If file is missing, it counts as moved only if leftovers, the temporary
// files beside the database, include a copy of a backup.
func findAside(file string, leftovers []string) (string, error) {
	asides, err := filesBeside(file, func(end string) bool {
		return strings.HasPrefix(end, ".") && strings.HasSuffix(end, ".aside")
	})
	if err != nil || len(asides) == 0 {
		return "", err
	}
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if slices.ContainsFunc(leftovers, func(copied string) bool { return isBackup(file, copied) }) {
			return asides[len(asides)-1], nil // the newest
		}
		return "", nil
	case err != nil:
		return "", err
	}
	for _, aside := range asides {
		if other, err := os.Lstat(aside); err == nil && os.SameFile(info, other) {
			return aside, nil
		}
	}
	return "", nil
}

// putBack undoes the steps of a restore: it moves the database, its log and its journal from the path aside back to
// file. If there is a log at both paths, or a journal at both, it returns an error.
func putBack(file, aside string) error {
	for _, end := range companions {
		if _, err := os.Lstat(aside + end); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := os.Lstat(file + end); err == nil {
			return fmt.Errorf("%s and %s both exist: delete the one that does not belong to the database", file+end,
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
