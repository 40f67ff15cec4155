package engine

// Checks of a file: whether it is a database of Knobel, before anything in it is changed; whether it is sound; and
// whether a crash has left the journal of a transaction that must be rolled back.

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

// inspectOptions holds the options of inspect.
type inspectOptions struct {
	allowOlder bool // a schema of an earlier version, or none, is also accepted
	checkPages bool // the file must also pass quickCheck
}

// inspect returns the version of a file's schema, 0 for none. It returns an error if the file is not a database of
// Knobel, if its schema is newer than this program's (or older, unless want.allowOlder), or if o.Accept refuses it.
// inspect changes nothing, except that it rolls back a crashed transaction of a file that it accepts.
func inspect(ctx context.Context, file string, o Options, want inspectOptions) (version int64, err error) {
	version, err = inspectOnce(ctx, file, o, want)
	if !isHot(err) {
		return version, err
	}
	err = rollBack(ctx, file, func(copied string) error {
		_, err := inspectOnce(ctx, copied, o, inspectOptions{want.allowOlder, true})
		return err
	})
	if err != nil {
		return 0, err
	}
	return inspectOnce(ctx, file, o, want)
}

// inspectOnce is inspect, but rolls nothing back: if a crash has made that necessary, isHot is true for its error.
func inspectOnce(ctx context.Context, file string, o Options, want inspectOptions) (version int64, err error) {
	newest, err := migrations.Newest()
	if err != nil {
		return 0, err
	}
	// With a writable connection, closing would write the log left by a crash into the file.
	err = withFile(ctx, file, "ro", forReading, func(tx *Tx) (err error) {
		version, err = o.inspect(tx, `SELECT name FROM sqlite_master`, file, newest, want.allowOlder)
		if errors.Is(err, errForeign) {
			return fmt.Errorf("%s is %w", file, err)
		}
		if _, failed := errors.AsType[*Error](err); failed {
			return explain(file, err)
		}
		if err == nil && want.checkPages {
			err = quickCheck(tx, file)
		}
		return err
	})
	return version, err
}

// errForeign means that a database has tables of another program.
var errForeign = errors.New("it belongs to another program")

// inspect returns the version of a schema, 0 for none. It returns an error if the database called name belongs to
// another program (errForeign), if the version is above newest (or below newest, unless allowOlder), or if o.Accept
// refuses the database. tables is a query for the names of its tables.
func (o Options) inspect(tx *Tx, tables, name string, newest int64, allowOlder bool) (version int64, err error) {
	all, isKnobel := 0, false
	err = tx.Rows(tables, nil, func(row Row) error {
		var table string
		err := row.Scan(&table)
		all, isKnobel = all+1, isKnobel || table == migrations.Table
		return err
	})
	if err == nil && isKnobel {
		err = tx.get(`SELECT COALESCE(MAX(version_id), 0) FROM `+migrations.Table+` WHERE is_applied`, &version)
	}
	if err != nil {
		return 0, err
	}
	if all > 0 && !isKnobel {
		return 0, errForeign
	}
	if err := checkVersion(name, version, newest, allowOlder); err != nil || o.Accept == nil {
		return version, err
	}
	return version, o.Accept(tx, name, version, !allowOlder)
}

// checkVersion returns an error for the operator if version, the schema version of the database called name, is above
// newest, or if it is below newest and allowOlder is false.
func checkVersion(name string, version, newest int64, allowOlder bool) error {
	switch {
	case version > newest:
		return fmt.Errorf("database %s was written by a newer version of Knobel "+
			"(schema %d, this version has %d): run that version, or restore a backup", name, version, newest)
	case version == 0 && !allowOlder:
		return fmt.Errorf("database %s is empty: %w", name, ErrEmpty)
	case version < newest && !allowOlder:
		return fmt.Errorf("database %s was written by an older version of Knobel (schema %d, this version has "+
			"%d): run knobel serve to upgrade it, then knobel doctor",
			name, version, newest)
	}
	return nil
}

// checkFile returns up to 20 faults that SQLite's integrity check finds in a file; none: it is sound.
func checkFile(ctx context.Context, file string) (faults []string, err error) {
	if faults, err := truncationFaults(file); err != nil || len(faults) > 0 {
		return faults, err
	}
	err = withFile(ctx, file, "ro", forReading, func(tx *Tx) (err error) {
		faults, err = runCheck(tx, `PRAGMA integrity_check(20)`)
		return err
	})
	return damageAsFault(file, faults, err)
}

// runCheck runs check, a PRAGMA statement that returns "ok" or faults, and returns the faults.
func runCheck(tx *Tx, check string) (faults []string, err error) {
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

// damageAsFault returns faults and err, the results of a check of file. If err means that the file is too damaged for
// the check, its text is added to the faults instead.
func damageAsFault(file string, faults []string, err error) ([]string, error) {
	failed, ok := errors.AsType[*Error](err)
	if ok && failed.Kind == ErrDamaged {
		return append(faults, failed.Error()), nil
	}
	return faults, explain(file, err)
}

// maxQuickCheck is the largest size in bytes of a file whose pages quickCheck checks, which takes some tenths of a
// second. The pages of larger files are checked by DB.Faults only.
const maxQuickCheck = 32 << 20

// quickCheck returns an error if file is cut short or, unless it is larger than maxQuickCheck, has a damaged page.
func quickCheck(tx *Tx, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // opening it reports the error
	}
	faults, err := truncationFaults(file)
	if err == nil && len(faults) == 0 && info.Size() <= maxQuickCheck {
		faults, err = runCheck(tx, `PRAGMA quick_check(3)`)
		faults, err = damageAsFault(file, faults, err)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return damagedError(file, faults)
	}
	return nil
}

// rollBack undoes the crashed transaction of file, but first in a copy. If check refuses the copy, file is unchanged.
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
	if err = triggerRollback(ctx, copied.Name()); err == nil {
		err = check(copied.Name())
	}
	if err != nil {
		return withOriginalPath(err, copied.Name(), file)
	}
	return triggerRollback(ctx, file)
}

// triggerRollback reads a file through a writable connection, which makes SQLite roll back an interrupted transaction.
func triggerRollback(ctx context.Context, file string) error {
	return withFile(ctx, file, "rw", forCopying, func(tx *Tx) error {
		var n int
		err := tx.get(`SELECT COUNT(*) FROM sqlite_master`, &n)
		return explain(file, err)
	})
}

// copyError is an error about a copy of a file. Its text names the original file.
type copyError struct {
	error
	text string
}

func (e copyError) Error() string { return e.text }
func (e copyError) Unwrap() error { return e.error }

// withOriginalPath returns err with another text: copyPath, the path of a copy of file, is replaced by file.
func withOriginalPath(err error, copyPath, file string) error {
	return copyError{err, strings.ReplaceAll(err.Error(), copyPath, file)}
}

// truncationFaults returns a fault if a file ends within a page, because SQLite would read the missing rest as zeros.
// It returns none if the log is not empty: an interrupted checkpoint may have cut the page, and the log has all of it.
func truncationFaults(file string) ([]string, error) {
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
		return nil, nil // opening the file reports that it is not a database
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
		return []string{"its last page is truncated"}, nil
	}
	return nil, nil
}

// damagedError returns an error for the operator that lists the faults of a damaged file.
func damagedError(file string, faults []string) error {
	return fmt.Errorf("database %s is damaged: restore a backup: %s", file, strings.Join(faults, "; "))
}
