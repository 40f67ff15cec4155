package engine

// Copying a running database.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Backup writes a checked, consistent copy of the running database to a file that must not exist. The file gets its
// name once it is complete and flushed. Reading and writing continue; later commits are not in the copy. told, unless
// nil, gets the bytes copied and their approximate total.
func (d *File) Backup(ctx context.Context, file string, told func(done, all int64)) error {
	if err := d.copyTo(ctx, file, false, told); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

// copyTo writes the copy; older accepts an older schema.
func (d *File) copyTo(ctx context.Context, file string, older bool, told func(done, all int64)) error {
	file, err := locate(file)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already: %w", file, fs.ErrExist)
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	grown := watched(d.name, part.Name(), told)
	err = with(ctx, d.name, "rw", forCopying, func(tx *Tx) error {
		_, err := tx.Exec(`VACUUM INTO $1`, part.Name())
		return explain(d.name, err)
	})
	grown()
	if err != nil {
		return err
	}
	if _, err := inspect(ctx, part.Name(), d.options, demands{older: older}); err != nil {
		return err
	}
	faults, err := checkFile(ctx, part.Name())
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return fmt.Errorf("the copy is damaged: %s", strings.Join(faults, "; "))
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return nameFile(part.Name(), file)
}

// copyLook is how often the size of a copy is read.
const copyLook = time.Second

// watched reports how far a file has grown towards the size of another, until end is called.
func watched(of, grows string, told func(done, all int64)) (end func()) {
	info, err := os.Stat(of)
	if told == nil || err != nil {
		return func() {}
	}
	stop := make(chan struct{})
	var looks sync.WaitGroup
	looks.Go(func() {
		ticks := time.NewTicker(copyLook)
		defer ticks.Stop()
		for ended := false; !ended; {
			select {
			case <-ticks.C:
			case <-stop:
				ended = true
			}
			if now, err := os.Stat(grows); err == nil {
				told(min(now.Size(), info.Size()), info.Size())
			}
		}
	})
	return func() {
		close(stop)
		looks.Wait()
	}
}
