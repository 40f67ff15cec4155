package engine

// Checks of a file: whether it is a Knobel database, before anything in it is changed, whether it is sound, and whether
// a crashed transaction has left a journal that must be rolled back.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"knobel/migrations"
)

// demands are the conditions of inspect that differ between its callers.
type demands struct {
	older bool // a schema of an earlier version, or none, is accepted, too
	whole bool // it must pass quickCheck
}

// inspect returns the version of a file's schema, 0 for none. It returns an error if the file is not a database of this
// program, its schema is newer than this version's (or older, unless want.older), or o.Accept refuses it. It changes
// nothing in the file, except that it rolls back a crashed transaction if the result is accepted.
func inspect(ctx context.Context, file string, o Options, want demands) (version int64, err error) {
	version, err = inspectAsItIs(ctx, file, o, want)
	if !isHot(err) {
		return version, err
	}
	err = rollBack(ctx, file, func(copied string) error {
		_, err := inspectAsItIs(ctx, copied, o, demands{want.older, true})
		return err
	})
	if err != nil {
		return 0, err
	}
	return inspectAsItIs(ctx, file, o, want)
}

// inspectAsItIs is inspect without rolling back: if that is needed, isHot is true for its error.
func inspectAsItIs(ctx context.Context, file string, o Options, want demands) (version int64, err error) {
	known, err := migrations.Newest()
	if err != nil {
		return 0, err
	}
	// A writable connection would, when closed, write the log of a crash into the file.
	err = with(ctx, file, "ro", forReading, func(tx *Tx) (err error) {
		version, err = o.inspect(tx, `SELECT name FROM sqlite_master`, file, known, want.older)
		if errors.Is(err, errForeign) {
			return fmt.Errorf("%s is %w", file, err)
		}
		if _, failed := errors.AsType[*Error](err); failed {
			return explain(file, err)
		}
		if err == nil && want.whole {
			err = quickCheck(tx, file)
		}
		return err
	})
	return version, err
}

// errForeign means that a database has tables of another program.
var errForeign = errors.New("a database of another program")

// inspect returns the version of a schema, 0 for none, or an error if the database called name is another program's
// (errForeign), the version is above known (or below, unless older), or o.Accept refuses it. tables is a query for the
// names of the database's tables.
func (o Options) inspect(tx *Tx, tables, name string, known int64, older bool) (version int64, err error) {
	all, ours := 0, false
	err = tx.Rows(tables, nil, func(row Row) error {
		var table string
		err := row.Scan(&table)
		all, ours = all+1, ours || table == migrations.Table
		return err
	})
	if err == nil && ours {
		err = tx.get(`SELECT COALESCE(MAX(version_id), 0) FROM `+migrations.Table+` WHERE is_applied`, &version)
	}
	if err != nil {
		return 0, err
	}
	if all > 0 && !ours {
		return 0, errForeign
	}
	if err := fits(name, version, known, older); err != nil || o.Accept == nil {
		return version, err
	}
	return version, o.Accept(tx, name, version, !older)
}

// fits returns an error for the operator if version is above known, or below it while older is false.
func fits(file string, version, known int64, older bool) error {
	switch {
	case version > known:
		return fmt.Errorf("the database %s was written by a newer version of knobel "+
			"(its schema is %d, this version knows %d): run that version, or restore a backup", file, version, known)
	case version == 0 && !older:
		return fmt.Errorf("the database %s is empty: %w", file, ErrEmpty)
	case version < known && !older:
		return fmt.Errorf("the database %s was written by an older version of knobel (its schema is %d, this "+
			"version's is %d): knobel serve brings it up to date; knobel doctor checks the rest then",
			file, version, known)
	}
	return nil
}

// checkFile returns the faults that SQLite's integrity check finds in a file, at most 20; none: it is sound.
func checkFile(ctx context.Context, file string) (faults []string, err error) {
	if faults, err := cutShort(file); err != nil || len(faults) > 0 {
		return faults, err
	}
	err = with(ctx, file, "ro", forReading, func(tx *Tx) (err error) {
		faults, err = faultsBy(tx, `PRAGMA integrity_check(20)`)
		return err
	})
	return orDamaged(file, faults, err)
}

// faultsBy runs check, a PRAGMA that returns "ok" or faults, and returns the faults.
func faultsBy(tx *Tx, check string) (faults []string, err error) {
	err = tx.Rows(check, nil, func(row Row) error {
		var fault string
		err := row.Scan(&fault)
		if err == nil && fault != "ok" {
			faults = append(faults, strings.Join(strings.Fields(fault), " ")) // some have two lines
		}
		return err
	})
	return faults, err
}

// orDamaged returns the results of a check, faults and err. If err means that the damage was too large for the check,
// it becomes a fault.
func orDamaged(file string, faults []string, err error) ([]string, error) {
	failed, ok := errors.AsType[*Error](err)
	if ok && failed.Kind == ErrDamaged {
		return append(faults, failed.Error()), nil
	}
	return faults, explain(file, err)
}

// maxQuickCheck is the largest size in bytes of a file whose pages are checked before it is opened, which takes some
// tenths of a second. The pages of larger files are checked by Faults alone.
const maxQuickCheck = 32 << 20

// quickCheck returns an error if file is cut short or, unless it is larger than maxQuickCheck, has a damaged page.
func quickCheck(tx *Tx, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // opening it reports the error
	}
	faults, err := cutShort(file)
	if err == nil && len(faults) == 0 && info.Size() <= maxQuickCheck {
		faults, err = faultsBy(tx, `PRAGMA quick_check(3)`)
		faults, err = orDamaged(file, faults, err)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return damagedBy(file, faults)
	}
	return nil
}

// rollBack rolls back the crashed transaction of file, if check accepts a copy of file in which that was done first.
func rollBack(ctx context.Context, file string, check func(copied string) error) error {
	copied, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".looking-*")
	if err != nil {
		return err
	}
	defer func() { _ = removeAll(copied.Name()) }() // a remaining copy does no harm
	if err := copied.Close(); err != nil {
		return err
	}
	for _, end := range []string{"", "-journal"} {
		if err := copyFile(file+end, copied.Name()+end); err != nil {
			return err
		}
	}
	if err = touch(ctx, copied.Name()); err == nil {
		err = check(copied.Name())
	}
	if err != nil {
		return renamed(err, copied.Name(), file)
	}
	return touch(ctx, file)
}

// touch reads a file through a writable connection, which makes SQLite roll back an interrupted transaction.
func touch(ctx context.Context, file string) error {
	return with(ctx, file, "rw", forCopying, func(tx *Tx) error {
		var n int
		err := tx.get(`SELECT COUNT(*) FROM sqlite_master`, &n)
		return explain(file, err)
	})
}

// copyError is an error about a copy, with a text that names the original.
type copyError struct {
	error
	text string
}

func (e copyError) Error() string { return e.text }
func (e copyError) Unwrap() error { return e.error }

// renamed returns err with copied, the path of a copy, replaced by file in its text.
func renamed(err error, copied, file string) error {
	return copyError{err, strings.ReplaceAll(err.Error(), copied, file)}
}

// cutShort returns a fault if a file ends in the middle of a page, which SQLite would read as zeros. If the log has
// contents there is no fault: the short page may be the rest of an interrupted checkpoint, and the log has all of it.
func cutShort(file string) ([]string, error) {
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return nil, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, explain(file, err)
	}
	defer opened.Close()
	var head [18]byte // its last two bytes are the size of a page; 1 means 65,536
	if _, err := io.ReadFull(opened, head[:]); err != nil {
		return nil, nil // opening the file reports that it is no database
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 1 << 16
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, explain(file, err)
	}
	if page > 0 && info.Size()%page != 0 {
		return []string{"its last page is cut short"}, nil
	}
	return nil, nil
}

// damagedBy returns an error for the operator that lists the faults of a damaged file.
func damagedBy(file string, faults []string) error {
	return fmt.Errorf("the database %s is damaged: restore a backup: %s", file, strings.Join(faults, "; "))
}
