package engine

// Rewriting a file, and erasing bytes: what a row held stays in unused parts of pages and in the log until these are
// rewritten.

import (
	"context"
	"errors"
	"fmt"
)

// errRead says that a view reads an old state, which has to stay meanwhile.
var errRead = errors.New("an old state of the database is being read")

// alone runs a function while no change runs.
func (d *File) alone(ctx context.Context, run func() error) error {
	if d.writing == nil {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	return d.writing.submit(ctx, &job{alone: func() error {
		if err := d.There(); err != nil {
			return err // another instance has the file now
		}
		return run()
	}})
}

// Rewrite implements DB.
func (d *File) Rewrite(ctx context.Context, change func(*Tx) error) error {
	return d.alone(ctx, func() error {
		err := d.rewrite(ctx, change)
		if _, failed := errors.AsType[*Error](err); failed {
			return explain(d.name, err)
		}
		return err
	})
}

func (d *File) rewrite(ctx context.Context, change func(*Tx) error) error {
	return with(ctx, d.name, "rw", forRekeying, func(tx *Tx) error {
		if _, err := tx.Exec("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		err := change(tx)
		if err == nil {
			_, err = tx.Exec("COMMIT")
		}
		if err == nil {
			return nil
		}
		tx.ctx, tx.failed = context.WithoutCancel(ctx), nil
		_, undone := tx.Exec("ROLLBACK")
		return errors.Join(err, undone)
	})
}

// Load implements DB. References are not checked: for rows that come before those that they refer to, SQLite would scan
// whole tables again and again. The copy is compared afterwards, and checked as by doctor.
func (d *File) Load(ctx context.Context, load func(*Tx) error) error {
	return d.alone(ctx, func() error {
		if err := d.rewrite(ctx, load); err != nil {
			return err
		}
		return with(ctx, d.name, "rw", forCleaning, emptyLog)
	})
}

// Clean implements DB: it rewrites the whole file, which takes longer the larger it is, and empties the log.
func (d *File) Clean(ctx context.Context) error {
	return d.alone(ctx, func() error {
		return with(ctx, d.name, "rw", forCleaning, func(tx *Tx) error {
			if _, err := tx.Exec("VACUUM"); err != nil {
				return fmt.Errorf("vacuum: %w", err)
			}
			return emptyLog(tx)
		})
	})
}

// emptyLog writes the log into the file and empties it.
func emptyLog(tx *Tx) error {
	var busy, log, done int64
	if err := tx.get("PRAGMA wal_checkpoint(TRUNCATE)", &busy, &log, &done); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if busy != 0 {
		return errRead
	}
	return nil
}
