package store

// How a database is opened, put back and sealed anew: what of that is not the engine's.

import (
	"context"
	"fmt"
	"time"

	"knobel/store/engine"
	"knobel/store/sqlite"
)

// Open opens or creates the database in a file and brings its schema up to
// date. It refuses a database that a newer version has written, one that
// another instance is working with, one that is sealed with another key than
// the one given, and whatever is no database of ours, in a sentence for the
// operator; it leaves those files as they were.
func Open(ctx context.Context, file string, with ...Option) (*Store, error) {
	o := chosen(with)
	db, err := sqlite.Open(ctx, file, o.engine())
	if err != nil {
		return nil, err
	}
	return o.store(db), nil
}

// OpenReadOnly opens an existing database for View, Check and Backup, also
// while another instance is working with it. It changes nothing in it and
// refuses one whose schema is not this version's.
func OpenReadOnly(ctx context.Context, file string, with ...Option) (*Store, error) {
	o := chosen(with)
	db, err := sqlite.OpenReadOnly(ctx, file, o.engine())
	if err != nil {
		return nil, err
	}
	return o.store(db), nil
}

// Creatable returns what keeps Open from making a database that is not there, nil
// where nothing does.
func Creatable(file string) error { return sqlite.Creatable(file) }

// Restoring is a backup on its way to becoming the database: to be finished or given up.
type Restoring struct {
	// Store is the backup, for whoever checks it before it is put in place.
	Store *Store
	*sqlite.Restoring
}

// Restore begins to put the backup in from in the place of the database in to.
// It refuses a backup that is damaged, of a newer version, another program's, or
// sealed with another key; a database that somebody is working with; and one
// that is there at all, unless force says to keep it aside. Nothing of this
// changes either file.
func Restore(ctx context.Context, from, to string, force bool, with ...Option) (*Restoring, error) {
	o := chosen(with)
	r, err := sqlite.Restore(ctx, from, to, force, o.engine())
	if err != nil {
		return nil, err
	}
	return &Restoring{Store: o.store(r.DB), Restoring: r}, nil
}

// Rekey seals the names, ids and secrets in a database with another key: it is
// sealed with from now, and with to afterwards; nil is not sealed. No instance may
// be working with it. All is changed or nothing, and of what was there before no
// byte stays in the file. It returns how many texts there are.
func Rekey(ctx context.Context, file string, from, to Sealer) (texts int, err error) {
	err = sqlite.Offline(ctx, file, options{key: from}.engine(), func(db engine.Offline) error {
		err := db.Change(func(tx engine.Tx) (err error) {
			texts, err = (&Tx{db: tx}).rekey(from, to)
			return err
		})
		if err != nil {
			return fmt.Errorf("rekey %s: %w", file, err)
		}
		if err := db.Clean(); err != nil {
			return fmt.Errorf("all is sealed anew, but what was before may be left in unused parts of the file: "+
				"rekey %s again: %w", file, err)
		}
		return db.Change(func(tx engine.Tx) error { return (&Tx{db: tx}).swept() })
	})
	return texts, err
}

// Option is something that may be said when a database is opened.
type Option func(*options)

type options struct {
	key     Sealer
	trouble func(err error, lasted time.Duration)
	noticed func(what string)
}

// Noticed has somebody told what was found wrong beside the database while it is open,
// and was put right. told keeps changes waiting while it runs, and must not begin any.
func Noticed(told func(what string)) Option { return func(o *options) { o.noticed = told } }

// Troubled has somebody told when the disk takes no changes any more, with the
// error, and when it takes them again, with nil and how long it did not. told
// keeps changes waiting while it runs, and must not begin any.
func Troubled(told func(err error, lasted time.Duration)) Option {
	return func(o *options) { o.trouble = told }
}

// SealedBy gives the key with which names, ids and secrets are sealed in the database;
// nil: they are not.
func SealedBy(key Sealer) Option { return func(o *options) { o.key = key } }

func chosen(with []Option) options {
	var o options
	for _, option := range with {
		option(&o)
	}
	return o
}

func (o options) store(db engine.DB) *Store {
	return &Store{database: db, key: o.key, cache: newCache()}
}

// engine is what the engine is to know of the options.
func (o options) engine() engine.Options {
	return engine.Options{
		Convert: func() engine.Converter { return newConverter(o.key) },
		Accept:  o.accept, Prepare: o.prepare,
		Trouble: o.trouble, Noticed: o.noticed,
	}
}
