package engine

// Maintenance of a database that is not in use, and erasing bytes: what a row held stays in unused parts of pages and
// in the log until these are rewritten.

import (
	"context"
	"errors"
	"fmt"

	"knobel/migrations"
)

// errRead says that a view reads an old state, which has to stay meanwhile.
var errRead = errors.New("an old state of the database is being read")

// offFile brings an unused database up to date, and keeps others away while use runs.
func offFile(ctx context.Context, file string, o Options, use func(Offline) error) (err error) {
	file, err = locate(file)
	if err != nil {
		return err
	}
	if err := exists(file); err != nil {
		return err
	}
	held, err := acquire(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.release()) }()
	version, err := inspect(ctx, file, o, demands{older: true})
	if err != nil {
		return err
	}
	if err := upgrade(ctx, file, version, o); err != nil {
		return err
	}
	return use(offlineFile{ctx, file})
}

// upgrade brings a file from a version of the schema up to date, and prepares it.
func upgrade(ctx context.Context, file string, from int64, o Options) error {
	newest, err := migrations.Newest()
	if err == nil && from != newest {
		err = migrate(ctx, file)
	}
	if err == nil && o.Prepare != nil {
		err = o.Prepare(offlineFile{ctx, file})
	}
	return explain(file, err)
}

// migrate brings the schema of a file up to date.
func migrate(ctx context.Context, file string) error {
	db, err := openFile(file, "rw", forWriting)
	if err != nil {
		return err
	}
	return errors.Join(migrations.Up(ctx, db), db.Close())
}

// offlineFile is a file that this process holds alone.
type offlineFile struct {
	ctx  context.Context
	file string
}

// Change implements Offline.
func (o offlineFile) Change(change func(*Tx) error) error {
	return with(o.ctx, o.file, "rw", forRekeying, func(tx *Tx) error {
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
		tx.ctx, tx.failed = context.WithoutCancel(o.ctx), nil
		_, undone := tx.Exec("ROLLBACK")
		return errors.Join(err, undone)
	})
}

// Clean implements Offline.
func (o offlineFile) Clean() error { return clean(o.ctx, o.file) }

// clean rewrites the whole file and empties the log.
func clean(ctx context.Context, file string) error {
	return with(ctx, file, "rw", forCleaning, func(tx *Tx) error {
		if _, err := tx.Exec("VACUUM"); err != nil {
			return fmt.Errorf("vacuum: %w", err)
		}
		return emptyLog(tx)
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
