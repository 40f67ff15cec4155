// Package sqlite speaks to a database that is one SQLite file: connections, who
// writes when, what lies beside the file, and how it is checked, copied, put back
// and written anew. What the rows mean is not known here. It is the engine
// behind package store, by the seam of package engine.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"knobel/migrations"
	"knobel/store/engine"
)

// DB is an open database: one writing connection, several reading ones.
type DB struct {
	file    string
	options engine.Options
	lock    *lock // nil: open for reading only

	upgraded engine.Upgrade
	found    []string // what a crash has left beside it

	writing *writer // nil: open for reading only
	reading *reader
	hints   engine.Hints
	closing sync.Once
}

var _ engine.DB = (*DB)(nil)

// Open opens or creates the database in a file and brings its schema up to date. It
// refuses a database that a newer version has written, one that another instance is
// working with, and whatever is no database of ours, in a sentence for the operator;
// it leaves those files as they were.
func Open(ctx context.Context, file string, o engine.Options) (*DB, error) {
	return open(ctx, file, o, true)
}

// open is Open; keeps is that a copy of an older schema is kept.
func open(ctx context.Context, file string, o engine.Options, keeps bool) (_ *DB, err error) {
	d := &DB{options: o}
	if d.file, err = locate(file); err != nil {
		return nil, err
	}
	if d.lock, err = acquire(d.file); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if d.found, err = tidy(d.file, false); err != nil {
		return nil, err
	}
	if err := create(d.file); err != nil {
		return nil, err
	}
	if err := exists(d.file); err != nil {
		return nil, err
	}
	if err := d.look(ctx, keeps); err != nil {
		return nil, err
	}
	if err := upgrade(ctx, d.file, d.upgraded.From, o); err != nil {
		return nil, err
	}
	if err := d.connect(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// look looks at a file before anything in it is changed, and keeps a copy of one whose
// schema is about to be.
func (d *DB) look(ctx context.Context, keeps bool) error {
	version, err := inspect(ctx, d.file, d.options, demands{older: true, whole: true})
	if err != nil {
		return err
	}
	newest, err := migrations.Newest()
	if err != nil {
		return err
	}
	d.upgraded = engine.Upgrade{From: version, To: newest}
	if version == 0 || version == newest || !keeps {
		return nil
	}
	backup := fmt.Sprintf("%s.schema-%d.%s.backup", d.file, version, moment())
	if err := d.copyTo(ctx, backup, true, nil); err != nil {
		return fmt.Errorf("a copy of the database from before its upgrade: %w", err)
	}
	d.upgraded.Backup = backup
	return nil
}

// connect gets ready to write and to read.
func (d *DB) connect(ctx context.Context) error {
	to, err := connector(d.file, "rw", forWriting)
	if err != nil {
		return explain(d.file, err)
	}
	at, err := locationOf(d.file, d.lock)
	if err != nil {
		return err
	}
	if d.reading, err = newReader(d.file, d.options); err != nil {
		return err
	}
	conn, err := dial(ctx, to, d.options.Convert)
	if err != nil {
		return explain(d.file, err)
	}
	d.writing = &writer{to: to, options: d.options, location: at, readers: d.reading, conn: conn}
	d.writing.location.noteLog()
	return nil
}

// OpenReadOnly opens an existing database, also while another instance is working with
// it. It changes nothing in it and refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, file string, o engine.Options) (*DB, error) {
	file, err := locate(file)
	if err != nil {
		return nil, err
	}
	if err := exists(file); err != nil {
		return nil, err
	}
	if _, err := inspect(ctx, file, o, demands{}); err != nil {
		return nil, err
	}
	reading, err := newReader(file, o)
	if err != nil {
		return nil, err
	}
	return &DB{file: file, options: o, reading: reading}, nil
}

// Close is as of engine.DB.
func (d *DB) Close() (err error) {
	d.closing.Do(func() { err = d.close() })
	if err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

func (d *DB) close() error {
	var errs []error
	if d.writing != nil {
		errs = append(errs, d.writing.close())
	}
	if d.reading != nil {
		errs = append(errs, d.reading.close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.release())
	}
	return errors.Join(errs...)
}

// Update is as of engine.DB: one at a time, whatever their names.
func (d *DB) Update(ctx context.Context, _ string, change func(engine.Tx) error) error {
	if d.writing == nil {
		return engine.ErrReadOnly
	}
	var said []string
	err := d.writing.update(ctx, func(tx engine.Tx) error {
		err := change(tx)
		said = tx.(*Tx).hints
		return err
	})
	if err == nil {
		d.hints.Tell(said...)
	}
	return err
}

// Hints is as of engine.DB: there is one process.
func (d *DB) Hints(hear func(text string)) (stop func()) { return d.hints.Hear(hear) }

// Clock is as of engine.DB.
func (d *DB) Clock() string { return "NULL" }

// Concurrent is as of engine.DB.
func (d *DB) Concurrent() bool { return false }

// View is as of engine.DB. Views do not wait for Update, and for each other only where
// they are many.
func (d *DB) View(ctx context.Context, read func(engine.Tx) error) error {
	return d.reading.view(ctx, read)
}

// Clean is as of engine.DB: it writes the whole file anew, and takes the longer the
// larger that is.
func (d *DB) Clean(ctx context.Context) error {
	if d.writing == nil {
		return engine.ErrReadOnly
	}
	return d.writing.alone(ctx, func() error {
		if err := d.There(); err != nil {
			return err // what lies there is another's by now
		}
		return clean(ctx, d.file)
	})
}

// Faults is as of engine.DB.
func (d *DB) Faults(ctx context.Context) ([]string, error) { return checkFile(ctx, d.file) }

// There is as of engine.DB.
func (d *DB) There() error {
	if d.writing == nil {
		return nil
	}
	return d.writing.location.check()
}

// File is the absolute path of the database.
func (d *DB) File() string { return d.file }

// Size is as of engine.DB.
func (d *DB) Size() (data, log int64, err error) {
	for name, into := range map[string]*int64{d.file: &data, d.file + "-wal": &log} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		*into = info.Size()
	}
	return data, log, nil
}

// Commits is as of engine.DB.
func (d *DB) Commits() engine.Commits {
	if d.writing == nil {
		return engine.Commits{}
	}
	return d.writing.counted.Read()
}

// RoundTrips is as of engine.DB: there is no server.
func (d *DB) RoundTrips() int64 { return 0 }

// Upgraded is as of engine.DB.
func (d *DB) Upgraded() engine.Upgrade { return d.upgraded }

// Found is as of engine.DB.
func (d *DB) Found() []string { return d.found }
