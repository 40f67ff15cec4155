package engine

// A database that is one SQLite file: its writer and its readers, one connection for each concurrent view.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"knobel/migrations"
)

// File is an open database that is an SQLite file: one writing connection, several reading ones.
type File struct {
	base
	lock    *fileLock // nil: open for views only
	writer  *writer   // nil: open for views only
	readers *readers
	hints   listeners
}

var _ DB = (*File)(nil)

// newFile opens or creates the database in file and brings its schema up to date. If file is not a database of Knobel,
// has a newer schema or is in use, newFile leaves all files as they were and returns an error for the operator.
func newFile(ctx context.Context, file string, o Options) (_ *File, err error) {
	d := &File{base: base{options: o}, readers: newReaders()}
	if d.name, err = locate(file); err != nil {
		return nil, err
	}
	if o.Existing {
		if err := checkExists(d.name); err != nil {
			return nil, err
		}
	}
	if d.lock, err = acquire(d.name); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
		}
	}()
	if d.found, err = undoRestore(d.name, false); err != nil {
		return nil, err
	}
	if err := createFile(d.name); err != nil {
		return nil, err
	}
	if err := checkExists(d.name); err != nil {
		return nil, err
	}
	if err := d.inspectAndBackUp(ctx); err != nil {
		return nil, err
	}
	if d.upgraded.From != d.upgraded.To {
		db, err := openFile(d.name, "rw", forMigrating)
		if err == nil {
			err = errors.Join(migrations.Up(ctx, db), db.Close())
		}
		if err != nil {
			return nil, explain(d.name, err)
		}
	}
	if err := d.startWriter(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// inspectAndBackUp inspects the file before anything in it is changed, and stores the old and the new schema version in
// d.upgraded. If the schema will be upgraded, it first makes a backup beside the file, except with Options.Existing.
func (d *File) inspectAndBackUp(ctx context.Context) error {
	version, err := inspect(ctx, d.name, d.options, inspectOptions{allowOlder: true, checkPages: true})
	if err != nil {
		return err
	}
	newest, err := migrations.Newest()
	if err != nil {
		return err
	}
	d.upgraded = Upgrade{From: version, To: newest}
	if version == 0 || version == newest || d.options.Existing {
		return nil
	}
	backup := fmt.Sprintf("%s.schema-%d.%s.backup", d.name, version, timestamp())
	if err := d.copyTo(ctx, backup, true, nil); err != nil {
		return fmt.Errorf("back up the database before its upgrade: %w", err)
	}
	d.upgraded.Backup = backup
	return nil
}

// startWriter opens the writing connection and starts the writer. Reading connections are opened by the views.
func (d *File) startWriter(ctx context.Context) (err error) {
	if d.lock.opened, err = os.Stat(d.name); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	d.writer = &writer{options: d.options, lock: d.lock, readers: d.readers, counted: &d.counter,
		trouble: trouble{report: d.options.Trouble}, jobs: make(chan *job, maxTogether)}
	if err := d.writer.open(ctx); err != nil {
		return explain(d.name, err)
	}
	d.writer.running.Go(d.writer.run)
	return nil
}

// readFile opens an existing database for views only; another instance may be using it. It changes nothing, and returns
// an error if the schema is not of this program's version.
func readFile(ctx context.Context, file string, o Options) (*File, error) {
	file, err := locate(file)
	if err != nil {
		return nil, err
	}
	if err := checkExists(file); err != nil {
		return nil, err
	}
	if _, err := inspect(ctx, file, o, inspectOptions{}); err != nil {
		return nil, err
	}
	return &File{base: base{name: file, options: o}, readers: newReaders()}, nil
}

// Close waits for all changes and views, closes the connections and releases the lock. A second call does nothing.
func (d *File) Close() error {
	if !d.work.Close() {
		return nil
	}
	if err := d.close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// close ends the writer, closes all connections and releases the lock. No change or view may be running.
func (d *File) close() error {
	var errs []error
	var open []*connection
	if d.writer != nil {
		close(d.writer.jobs)
		d.writer.running.Wait()
		open = append(open, d.writer.conn)
	}
	for _, c := range append(open, d.readers.take()...) { // no view is running now
		if c != nil {
			errs = append(errs, c.close())
		}
	}
	if d.lock != nil {
		errs = append(errs, d.lock.release())
	}
	return errors.Join(errs...)
}

// Update queues change and returns once it is committed or rolled back. Changes run one at a time, whatever their
// names. After the commit, the functions registered by Hints get the hints of change.
func (d *File) Update(ctx context.Context, _ string, change func(*Tx) error) error {
	if d.writer == nil {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	var hints []string
	err := d.writer.submit(ctx, &job{change: func(tx *Tx) error {
		err := change(tx)
		hints = tx.hints
		return err
	}})
	if err == nil {
		d.hints.callAll(hints...)
	}
	return err
}

// Hints calls hear with the hints of this process until stop is called. Other processes cannot change the file.
func (d *File) Hints(hear func(text string)) (stop func()) { return d.hints.add(hear) }

// View runs read in a transaction that can change nothing. It does not wait for changes. It waits for other views only
// while maxReaders of them run. read sees the state at its first statement.
func (d *File) View(ctx context.Context, read func(*Tx) error) (err error) {
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	if err := ctx.Err(); err != nil {
		return err
	}
	r := d.readers
	var c *connection
	select {
	case c = <-r.open: // rather than a new connection, whose page cache is still empty
	default:
		select {
		case c = <-r.open:
		case c = <-r.closed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	usable := false
	defer func() {
		if c != nil && (c.run("ROLLBACK") != nil || !usable || c.renewed != r.renewed.Load()) {
			_ = c.close() // an error does no harm
			c = nil
		}
		if c == nil {
			r.closed <- nil
		} else {
			r.open <- c
		}
	}()
	if c == nil {
		renewed := r.renewed.Load()
		if c, err = openConnection(ctx, d.name, "rw", forReading); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		c.renewed, c.convert = renewed, d.options.Convert
	}
	if err := c.run("BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := c.tx(ctx)
	err = read(tx)
	usable = tx.Failed == nil
	return err
}

// Faults returns the damage that SQLite's integrity check finds in the file, one sentence each; none: it is sound.
func (d *File) Faults(ctx context.Context) ([]string, error) { return checkFile(ctx, d.name) }

// There returns an error if the file was moved, deleted or replaced, or if another instance has taken its lock. Then
// changes are refused. Otherwise, and always if the file is open for views only, it returns nil.
func (d *File) There() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.check()
}

// Size returns the sizes in bytes of the file and of its write-ahead log, 0 for a file that is missing.
func (d *File) Size() (data, log int64, err error) {
	for name, into := range map[string]*int64{d.name: &data, d.name + "-wal": &log} {
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

// Unfinished returns false: an unfinished copy stays at another path until Name renames it.
func (d *File) Unfinished(context.Context) (bool, error) { return false, nil }

// Finish does nothing: a copy in a file is finished when Name renames it.
func (d *File) Finish(context.Context) error { return nil }

// maxReaders is the largest number of concurrent views of a file.
const maxReaders = 4

// readers is the pool of reading connections of a file, one for each concurrent view.
type readers struct {
	open    chan *connection // open connections that no view uses
	closed  chan *connection // a nil one for each connection that may still be opened
	renewed atomic.Int64     // how often all connections were replaced; older ones are closed after use
}

// newReaders returns a pool of maxReaders connections, which views open when they need them.
func newReaders() *readers {
	r := &readers{open: make(chan *connection, maxReaders), closed: make(chan *connection, maxReaders)}
	r.put(make([]*connection, maxReaders))
	return r
}

// renew closes the connections that no view uses, so that later views open new ones. Through one of them it first
// writes the log into the database. If that is not complete, because the disk is full or a view reads an older state,
// it closes none.
func (r *readers) renew() {
	idle := r.take()
	if i := slices.IndexFunc(idle, func(c *connection) bool { return c != nil }); i >= 0 {
		in, err := checkpoint(idle[i].tx(context.Background()))
		if !in && (err == nil || isFull(err)) { // other errors come from a replaced log
			r.put(idle)
			return
		}
	}
	r.replace(idle)
}

// renewUnused closes all connections and returns true, or closes none and returns false if a view uses one. The caller
// must have written all of the log into the database before.
func (r *readers) renewUnused() bool {
	idle := r.take()
	if len(idle) < maxReaders {
		r.put(idle)
		return false
	}
	r.replace(idle)
	return true
}

// take removes the connections that no view uses from the pool and returns them; nil is one that is not open.
func (r *readers) take() (idle []*connection) {
	for {
		select {
		case c := <-r.open:
			idle = append(idle, c)
		case c := <-r.closed:
			idle = append(idle, c)
		default:
			return idle
		}
	}
}

// put puts the connections in idle, which take has removed, back into the pool.
func (r *readers) put(idle []*connection) {
	for _, c := range idle {
		if c == nil {
			r.closed <- c
		} else {
			r.open <- c
		}
	}
}

// replace closes the connections in idle, which take has removed, so that later views open new ones. Connections that
// views are using are closed when these views end.
func (r *readers) replace(idle []*connection) {
	r.renewed.Add(1)
	for _, c := range idle {
		if c != nil {
			_ = c.close() // no transaction is open on it
		}
		r.closed <- nil
	}
}
