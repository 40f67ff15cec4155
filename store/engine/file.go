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

// File is an open database that is a file: one writing connection, several reading ones.
type File struct {
	base
	lock    *fileLock // nil: open for reading only
	writing *writer   // nil: open for reading only
	reading *readers
	hints   listeners
}

var _ DB = (*File)(nil)

// newFile opens or creates the database in a file and brings its schema up to date. It refuses a newer version's
// database, one that another instance uses and any other file, in a sentence for the operator, and leaves those files
// as they were.
func newFile(ctx context.Context, file string, o Options) (_ *File, err error) {
	d := &File{base: base{options: o}}
	if d.name, err = locate(file); err != nil {
		return nil, err
	}
	if o.Existing {
		if err := exists(d.name); err != nil {
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
	if d.found, err = tidy(d.name, false); err != nil {
		return nil, err
	}
	if err := create(d.name); err != nil {
		return nil, err
	}
	if err := exists(d.name); err != nil {
		return nil, err
	}
	if err := d.look(ctx); err != nil {
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
	if err := d.connect(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// look inspects a file before anything in it is changed, and keeps a copy if its schema will be upgraded.
func (d *File) look(ctx context.Context) error {
	version, err := inspect(ctx, d.name, d.options, demands{older: true, whole: true})
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
	backup := fmt.Sprintf("%s.schema-%d.%s.backup", d.name, version, moment())
	if err := d.copyTo(ctx, backup, true, nil); err != nil {
		return fmt.Errorf("a copy of the database from before its upgrade: %w", err)
	}
	d.upgraded.Backup = backup
	return nil
}

// connect opens the connections for writing and reading.
func (d *File) connect(ctx context.Context) (err error) {
	if d.lock.was, err = os.Stat(d.name); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	d.reading = newReaders()
	d.writing = &writer{options: d.options, lock: d.lock, readers: d.reading, counted: &d.counter,
		trouble: trouble{told: d.options.Trouble}, jobs: make(chan *job, maxTogether)}
	if err := d.writing.open(ctx); err != nil {
		return explain(d.name, err)
	}
	d.writing.running.Go(d.writing.run)
	return nil
}

// readFile opens an existing database, also while another instance uses it. It changes nothing in it and refuses one
// whose schema is not this version's.
func readFile(ctx context.Context, file string, o Options) (*File, error) {
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
	return &File{base: base{name: file, options: o}, reading: newReaders()}, nil
}

// Close implements DB.
func (d *File) Close() error {
	if !d.work.Close() {
		return nil
	}
	if err := d.close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

func (d *File) close() error {
	var errs []error
	var open []*connection
	if d.writing != nil {
		close(d.writing.jobs)
		d.writing.running.Wait()
		open = append(open, d.writing.conn)
	}
	if d.reading != nil {
		open = append(open, d.reading.take()...) // no view runs any longer
	}
	for _, c := range open {
		if c != nil {
			errs = append(errs, c.close())
		}
	}
	if d.lock != nil {
		errs = append(errs, d.lock.release())
	}
	return errors.Join(errs...)
}

// Update implements DB: changes run one at a time, whatever their names.
func (d *File) Update(ctx context.Context, _ string, change func(*Tx) error) error {
	if d.writing == nil {
		return ErrReadOnly
	}
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	var said []string
	err := d.writing.submit(ctx, &job{change: func(tx *Tx) error {
		err := change(tx)
		said = tx.hints
		return err
	}})
	if err == nil {
		d.hints.tell(said...)
	}
	return err
}

// Hints implements DB: there is one process.
func (d *File) Hints(hear func(text string)) (stop func()) { return d.hints.hear(hear) }

// View implements DB. Views do not wait for Update, and for each other only if there are many. Each sees one state,
// which begins with its first statement.
func (d *File) View(ctx context.Context, read func(*Tx) error) (err error) {
	if !d.work.Begin() {
		return errClosed
	}
	defer d.work.Done()
	r := d.reading
	var c *connection
	select {
	case c = <-r.free:
		defer func() { r.free <- c }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if c == nil {
		renewed := r.renewed.Load()
		if c, err = dial(ctx, d.name, "rw", forReading); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		c.renewed, c.convert = renewed, d.options.Convert
	}
	sound := false
	defer func() {
		if c.run("ROLLBACK") != nil || !sound || c.renewed != r.renewed.Load() {
			_ = c.close() // nothing depends on it
			c = nil
		}
	}()
	if err := c.run("BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := c.tx(ctx)
	err = read(tx)
	sound = tx.Failed == nil
	return err
}

// Faults implements DB.
func (d *File) Faults(ctx context.Context) ([]string, error) { return checkFile(ctx, d.name) }

// There implements DB.
func (d *File) There() error {
	if d.lock == nil {
		return nil
	}
	return d.lock.check()
}

// Size implements DB.
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

// Unfinished implements DB: a file gets its name only once it is finished.
func (d *File) Unfinished(context.Context) (bool, error) { return false, nil }

// Finish implements DB.
func (d *File) Finish(context.Context) error { return nil }

// maxReaders is the largest number of concurrent views.
const maxReaders = 4

// readers are the reading connections, one for each concurrent view.
type readers struct {
	free    chan *connection // not used by a view; nil: to be opened
	renewed atomic.Int64     // how often they were replaced
}

func newReaders() *readers {
	r := &readers{free: make(chan *connection, maxReaders)}
	r.put(make([]*connection, maxReaders))
	return r
}

// renew gives the next views new connections. It first writes the log of the open ones into the database; if there is
// no room for it, they stay.
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

// renewUnused closes all connections and returns true, or closes none if one is in use. The caller makes sure that all
// of the log is in the database.
func (r *readers) renewUnused() bool {
	idle := r.take()
	if len(idle) < maxReaders {
		r.put(idle)
		return false
	}
	r.replace(idle)
	return true
}

// take returns the connections that no view uses, and keeps them from views until put.
func (r *readers) take() (idle []*connection) {
	for {
		select {
		case c := <-r.free:
			idle = append(idle, c)
		default:
			return idle
		}
	}
}

func (r *readers) put(idle []*connection) {
	for _, c := range idle {
		r.free <- c
	}
}

// replace closes idle connections, and has the others be closed once their views have ended.
func (r *readers) replace(idle []*connection) {
	r.renewed.Add(1)
	for i, c := range idle {
		if c != nil {
			_ = c.close() // nothing is open on it
		}
		idle[i] = nil
	}
	r.put(idle)
}
