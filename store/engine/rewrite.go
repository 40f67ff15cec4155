package engine

// Copying a database file in use, rewriting it, and erasing the bytes of deleted rows. Those bytes stay in unused parts
// of pages and in the log until both are rewritten.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// errRead means that the log cannot be emptied now, because a view still reads an older state of the database.
var errRead = errors.New("an older state of the database is being read")

// runAlone calls run while no change runs, and returns its error, or the reason why the database refuses changes.
func (d *File) runAlone(ctx context.Context, run func() error) error {
	if d.writer == nil {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	return d.writer.submit(ctx, &job{exclusive: func() error {
		if err := d.There(); err != nil {
			return err // another instance has the file now
		}
		return run()
	}})
}

// Rewrite runs change in a transaction that checks no references and overwrites deleted bytes. Other changes wait.
func (d *File) Rewrite(ctx context.Context, change func(*Tx) error) error {
	return d.runAlone(ctx, func() error {
		err := d.rewrite(ctx, change)
		if _, failed := errors.AsType[*Error](err); failed {
			return explain(d.name, err)
		}
		return err
	})
}

// rewrite runs change in a transaction on a new connection, and commits it, or rolls it back if change fails.
func (d *File) rewrite(ctx context.Context, change func(*Tx) error) error {
	return withFile(ctx, d.name, "rw", forRekeying, func(tx *Tx) error {
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
		tx.ctx, tx.Failed = context.WithoutCancel(ctx), nil
		_, undone := tx.Exec("ROLLBACK")
		return errors.Join(err, undone)
	})
}

// Load runs load in a transaction that checks no references, and then empties the log. With checks, SQLite would scan a
// whole table for each row that comes before the row to which it refers. The caller compares and checks the copy later.
func (d *File) Load(ctx context.Context, load func(*Tx) error) error {
	return d.runAlone(ctx, func() error {
		if err := d.rewrite(ctx, load); err != nil {
			return err
		}
		return withFile(ctx, d.name, "rw", forCleaning, emptyLog)
	})
}

// Clean rewrites the whole file, which takes longer the larger the file is, and empties the log. Changes have to wait.
func (d *File) Clean(ctx context.Context) error {
	return d.runAlone(ctx, func() error {
		return withFile(ctx, d.name, "rw", forCleaning, func(tx *Tx) error {
			if _, err := tx.Exec("VACUUM"); err != nil {
				return fmt.Errorf("vacuum: %w", err)
			}
			return emptyLog(tx)
		})
	})
}

// emptyLog writes the log into the file and makes the log empty. If a view reads an older state, it returns errRead.
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

// Backup writes a checked, consistent copy of the database in use to file, which must not exist. The copy gets the name
// file once it is complete and flushed. Changes and views continue; later commits are not in the copy. onProgress,
// unless nil, is called each second with the bytes copied and their approximate total.
func (d *File) Backup(ctx context.Context, file string, onProgress func(done, all int64)) error {
	if err := d.copyTo(ctx, file, false, onProgress); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

// copyTo is Backup without "backup:" in its errors; with allowOlder it also accepts a schema of an earlier version.
func (d *File) copyTo(ctx context.Context, file string, allowOlder bool, onProgress func(done, all int64)) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s already exists: %w", file, fs.ErrExist)
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	endReports := reportGrowth(d.name, part.Name(), onProgress)
	err = withFile(ctx, d.name, "rw", forCopying, func(tx *Tx) error {
		_, err := tx.Exec(`VACUUM INTO $1`, part.Name())
		return explain(d.name, err)
	})
	endReports()
	if err != nil {
		return err
	}
	if _, err := inspect(ctx, part.Name(), d.options, inspectOptions{allowOlder: allowOlder}); err != nil {
		return err
	}
	faults, err := checkFile(ctx, part.Name())
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return fmt.Errorf("copy is damaged: %s", strings.Join(faults, "; "))
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return nameFile(part.Name(), file)
}

// reportEvery is the interval between two reports of the progress of a backup.
const reportEvery = time.Second

// reportGrowth calls onProgress, once per reportEvery and when end is called, with the sizes of the growing copy (path
// copied) and of its original (path source). If onProgress is nil, it does nothing.
func reportGrowth(source, copied string, onProgress func(done, all int64)) (end func()) {
	info, err := os.Stat(source)
	if onProgress == nil || err != nil {
		return func() {}
	}
	stop := make(chan struct{})
	var reports sync.WaitGroup
	reports.Go(func() {
		ticks := time.NewTicker(reportEvery)
		defer ticks.Stop()
		for ended := false; !ended; {
			select {
			case <-ticks.C:
			case <-stop:
				ended = true
			}
			if now, err := os.Stat(copied); err == nil {
				onProgress(min(now.Size(), info.Size()), info.Size())
			}
		}
	})
	return func() {
		close(stop)
		reports.Wait()
	}
}
