package engine

// Checking a file: whether it is a Knobel database, before anything in it is changed, whether it is sound, and what a
// crashed transaction has left in its journal.

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

// demands are further requirements on a file.
type demands struct {
	older bool // an earlier version's schema, or none, is accepted
	whole bool // it must pass quickCheck
}

// inspect refuses a file that is not a database of this program, before anything in it is changed. Its schema must have
// this version, unless an older one is accepted, and the store must accept it. It returns the version of the schema, 0
// for none.
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

// inspectAsItIs inspects a file in which nothing has to be rolled back.
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

// errForeign says that a database is another program's.
var errForeign = errors.New("a database of another program")

// inspect refuses a database that is another program's, that does not have the known version of the schema or, with
// older, an earlier one, or that the store does not accept. tables queries the names of its tables. It returns the
// version of the schema, 0 for none.
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

// fits refuses a schema version that this program does not know, or an older one unless that is accepted.
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

// checkFile returns the faults that SQLite finds in a file.
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

// faultsBy returns the faults that a check finds.
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

// orDamaged adds an error of a check to the faults if the damage was too large for the check.
func orDamaged(file string, faults []string, err error) ([]string, error) {
	failed, ok := errors.AsType[*Error](err)
	if ok && failed.Kind == ErrDamaged {
		return append(faults, failed.Error()), nil
	}
	return faults, explain(file, err)
}

// maxQuickCheck is the largest size in bytes of a file that is checked before it is opened, which takes some tenths of
// a second. Larger files are checked by Faults alone.
const maxQuickCheck = 32 << 20

// quickCheck refuses a file that is cut short, and one with a damaged page.
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

// rollBack rolls back a crashed transaction if check accepts a rolled-back copy of the file.
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

// touch reads a file by a writable connection: opening it rolls back an interrupted transaction.
func touch(ctx context.Context, file string) error {
	return with(ctx, file, "rw", forCopying, func(tx *Tx) error {
		var n int
		err := tx.get(`SELECT COUNT(*) FROM sqlite_master`, &n)
		return explain(file, err)
	})
}

// copyError is a fault of a copy, reported under the name of the original.
type copyError struct {
	error
	text string
}

func (e copyError) Error() string { return e.text }
func (e copyError) Unwrap() error { return e.error }

// renamed returns an error that names a copy with the name of the file.
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
	var head [18]byte // the size of a page is told at its end, 1 for 65,536
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

// damagedBy returns the faults of a file as an error for the operator.
func damagedBy(file string, faults []string) error {
	return fmt.Errorf("the database %s is damaged: restore a backup: %s", file, strings.Join(faults, "; "))
}
