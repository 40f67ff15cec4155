package engine

// Whether a file of SQLite is whole.

import (
	"context"
	"errors"
	"os"
	"strings"
)

// checkFile returns what SQLite finds wrong with a file of its own.
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

// faultsBy returns what a check finds wrong with the file.
func faultsBy(tx *Tx, check string) (faults []string, err error) {
	err = tx.Rows(check, nil, func(row Row) error {
		var fault string
		err := row.Scan(&fault)
		if err == nil && fault != "ok" {
			faults = append(faults, strings.Join(strings.Fields(fault), " ")) // some are of two lines
		}
		return err
	})
	return faults, err
}

// orDamaged has an error of a check be one more fault where so much is damaged that looking for faults has failed.
func orDamaged(file string, faults []string, err error) ([]string, error) {
	failed, ok := errors.AsType[*Error](err)
	if ok && failed.Kind == ErrDamaged {
		return append(faults, failed.Error()), nil
	}
	return faults, explain(file, err)
}

// maxQuickCheck is the size in bytes up to which a file is checked before it is opened, which takes
// some tenths of a second. Larger files start as quickly as ever, and are checked by Faults.
const maxQuickCheck = 32 << 20

// quickCheck refuses a file that is cut short, and one in which a page is not
// what it has to be.
func quickCheck(tx *Tx, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // what cannot be opened says so when it is
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
