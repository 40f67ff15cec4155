package engine

// Integrity checks of an SQLite file.

import (
	"context"
	"errors"
	"os"
	"strings"
)

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
