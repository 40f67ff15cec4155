package engine

// Checking whether a file is a Knobel database before anything in it is changed.

import (
	"context"
	"errors"
	"fmt"

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
	err = with(ctx, file, "ro", forReading, func(tx *Tx) error {
		if version, err = versionOf(tx, file); err != nil {
			return err
		}
		if err := fits(file, version, known, want.older); err != nil {
			return err
		}
		if o.Accept != nil {
			err := o.Accept(tx, file, version, !want.older)
			if _, failed := errors.AsType[*Error](err); failed {
				return explain(file, err)
			}
			if err != nil {
				return err
			}
		}
		if want.whole {
			return quickCheck(tx, file)
		}
		return nil
	})
	return version, err
}

// versionOf returns the version of the schema, 0 for none. It refuses another program's.
func versionOf(tx *Tx, file string) (version int64, err error) {
	var tables, ours int
	const count = `SELECT COUNT(*), COUNT(CASE WHEN name = '` + migrations.Table + `' THEN 1 END) FROM sqlite_master`
	err = tx.get(count, &tables, &ours)
	if err == nil && ours > 0 {
		err = tx.get(`SELECT COALESCE(MAX(version_id), 0) FROM `+migrations.Table+` WHERE is_applied`, &version)
	}
	if err == nil && tables > 0 && ours == 0 {
		return 0, fmt.Errorf("%s is a database of another program", file)
	}
	return version, explain(file, err)
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
