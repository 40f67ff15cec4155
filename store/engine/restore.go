package engine

// Replacing the database by a backup, and the remains of a crashed restore or inspection beside it.

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

// Restoring is a backup about to replace the database. It lies beside it, brought up to date, and is not in use until
// Finish.
type Restoring struct {
	// DB is the backup, to be checked before it is put in place.
	DB *File

	from, to string
	options  Options
	found    []string
	lock     *fileLock // of the database to be replaced
}

// Found returns the remains of an earlier crashed restore, and what was done with them.
func (r *Restoring) Found() []string { return r.found }

// Restore copies and checks the backup in from, to replace the database in to. It refuses a backup that is damaged, of
// a newer version, of another program, or not accepted by the store; a database that another process has open; and any
// existing database unless force is set, which keeps it aside. A refusal changes neither file. The caller finishes the
// result or gives it up.
func Restore(ctx context.Context, from, to string, force bool, o Options) (_ *Restoring, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("restore: %w", err)
		}
	}()
	o.Existing = true
	r := &Restoring{options: o}
	if r.from, err = locate(from); err != nil {
		return nil, err
	}
	if r.to, err = locate(to); err != nil {
		return nil, err
	}
	if _, err := os.Stat(r.from); err != nil {
		return nil, fmt.Errorf("there is no backup at %s", r.from)
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
	if r.found, err = tidy(r.to, true); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(r.to); err == nil && !force {
		return nil, fmt.Errorf("there is a database at %s: with --force the backup takes its place, "+
			"and it is kept aside", r.to)
	}
	if r.DB, err = r.prepare(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// prepare copies the backup and its log beside the database, checks the copy and opens it.
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
	belong(made, filepath.Dir(part))
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
	if _, err := inspect(ctx, part, r.options, demands{older: true}); err != nil {
		return nil, renamed(err, part, r.from) // the fault is the backup's
	}
	faults, err := checkFile(ctx, part)
	if err != nil {
		return nil, renamed(err, part, r.from)
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("the backup %s is damaged: %s", r.from, strings.Join(faults, "; "))
	}
	d, err := newFile(ctx, part, r.options)
	if err != nil {
		return nil, renamed(err, part, r.from)
	}
	return d, nil
}

// Finish puts the backup in the place of the database, and returns where the earlier database is kept, "" if there was
// none.
func (r *Restoring) Finish() (aside string, err error) {
	part := r.DB.File()
	if err := r.DB.Close(); err != nil {
		return "", errors.Join(err, r.lock.release())
	}
	if _, err := os.Lstat(r.to); err == nil {
		aside = fmt.Sprintf("%s.%s.aside", r.to, moment())
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

// GiveUp deletes the copy and changes nothing else.
func (r *Restoring) GiveUp() error {
	part := r.DB.File()
	return errors.Join(r.DB.Close(), removeAll(part), r.lock.release())
}

// steps returns the steps of Finish. The program may end between any two of them, which tidy repairs. Log and journal
// are moved first: another database would take them for its own.
func (r *Restoring) steps(part, aside string) []func() error {
	steps := []func() error{func() error { return flush(part) }}
	keeping := aside
	if aside == "" {
		keeping = fmt.Sprintf("%s.%s.aside", r.to, moment())
	} else {
		steps = append(steps, func() error {
			if os.Link(r.to, aside) == nil {
				return nil
			}
			return os.Rename(r.to, aside) // a file system without links
		})
	}
	for _, end := range companions {
		steps = append(steps, func() error { return unlessAbsent(os.Rename(r.to+end, keeping+end)) })
	}
	return append(steps,
		func() error { return unlessAbsent(os.Remove(r.to + "-shm")) },
		func() error { return os.Rename(part, r.to) },
		func() error { return syncFolder(r.to) },
	)
}

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
