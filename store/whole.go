package store

// What is specific to SQLite, too: whether a file of its own is whole.

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
)

// checkFile returns what SQLite finds wrong with a file of its own.
func checkFile(ctx context.Context, file string) ([]string, error) {
	return faultsOf(ctx, file, `PRAGMA integrity_check(20)`)
}

// faultsOf returns what a check finds wrong with a file.
func faultsOf(ctx context.Context, file, check string) ([]string, error) {
	if faults, err := cutShort(file); err != nil || len(faults) > 0 {
		return faults, err
	}
	db, err := connectFor(file, "ro", forReading)
	if err != nil {
		return nil, explain(file, err)
	}
	defer db.Close()
	faults, err := integrity(ctx, db, check)
	if damaged(err) { // so much that looking for faults has failed
		return append(faults, err.Error()), nil
	}
	if err != nil {
		return nil, explain(file, err)
	}
	return faults, nil
}

// cutShort returns that a file ends in the middle of a page, where it does:
// SQLite reads it as if the rest were zeros. While there is something in the log,
// that may be the rest of a checkpoint, and the log has it all.
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
		return nil, nil // what is no database says so when it is opened
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

func integrity(ctx context.Context, db *sql.DB, check string) (faults []string, err error) {
	rows, err := db.QueryContext(ctx, check)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return faults, err
		}
		if fault != "ok" {
			faults = append(faults, strings.Join(strings.Fields(fault), " ")) // some are of two lines
		}
	}
	return faults, rows.Err()
}

// mostLookedThrough is how large a file is at most that is looked through
// before it is opened, in bytes: that takes some tenths of a second. A larger one
// is for Check, and its start takes no longer the larger it is.
const mostLookedThrough = 32 << 20

// lookThrough refuses a file that is cut short, and one in which a page is not
// what it has to be.
func lookThrough(ctx context.Context, file string) error {
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 {
		return nil // what cannot be opened says so when it is
	}
	var faults []string
	if info.Size() <= mostLookedThrough {
		faults, err = faultsOf(ctx, file, `PRAGMA quick_check(3)`)
	} else {
		faults, err = cutShort(file)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return damagedBy(file, faults)
	}
	return nil
}

// damagedBy tells an operator what is wrong with a file.
func damagedBy(file string, faults []string) error {
	return fmt.Errorf("the database %s is damaged: restore a backup: %s", file, strings.Join(faults, "; "))
}
