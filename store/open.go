package store

// Opening and restoring a database, and changing its key: the parts that do not depend on the engine.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"knobel/store/engine"
)

// Open opens a database, a file or an address such as postgres://name@host/database, and upgrades its schema. A missing
// file is created. Open refuses a database of a newer version or of another program, one that another instance has
// open, and one encrypted with another key, and does not change these. Its errors are sentences for the operator.
func Open(ctx context.Context, name string, options ...Option) (*Store, error) {
	o := optionsOf(options)
	db, err := engine.Open(ctx, name, o.engineOptions())
	if err != nil {
		return nil, err
	}
	s := o.newStore(db)
	if err := s.sealSecrets(ctx, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// IsFile reports whether name is the name of a database file, not the address of a server.
func IsFile(name string) bool { return !engine.IsServer(name) }

// Shown returns the name of a database for messages: an address without its password.
func Shown(name string) string {
	if IsFile(name) {
		return name
	}
	return engine.Shown(name)
}

// Unreached reports whether err means that the database server is unreachable or accepts no connections now.
func Unreached(err error) bool { return engine.Unreached(err) }

// OfDatabase reports whether err comes from the database itself, not from a change or a caller.
func OfDatabase(err error) bool {
	_, ok := errors.AsType[*engine.Error](err)
	return ok
}

// OpenReadOnly opens a database for View, Check and Backup, even while another instance has it open. It changes
// nothing, and returns an error for a schema of another version.
func OpenReadOnly(ctx context.Context, name string, options ...Option) (*Store, error) {
	o := optionsOf(options)
	db, err := engine.OpenReadOnly(ctx, name, o.engineOptions())
	if err != nil {
		return nil, err
	}
	return o.newStore(db), nil
}

// Creatable returns an error if the missing database file name cannot be created. For an address of a server it is nil.
func Creatable(name string) error {
	if engine.IsServer(name) {
		return nil // whether a schema can be made there, only opening shows
	}
	return engine.Creatable(name)
}

// Restoring is a checked backup that can replace the database: the caller must call Finish or GiveUp.
type Restoring struct {
	// Store is the opened backup, for checks before it replaces the database.
	Store *Store
	*engine.Restoring
}

// Restore opens the backup file from, which replaces the database file to when the caller finishes the result. An
// existing database is refused without force, and kept under another name with force.
//
// Restore also refuses a backup that is damaged, of a newer version, of another program, or encrypted with another key,
// and a database that another process has open. A refusal changes neither file.
func Restore(ctx context.Context, from, to string, force bool, options ...Option) (*Restoring, error) {
	if engine.IsServer(from) {
		return nil, errors.New("restore takes a file: a database on PostgreSQL is restored by PostgreSQL's own tools")
	}
	if engine.IsServer(to) {
		return nil, fmt.Errorf("restore puts a file in the place of a file: the database %s is restored by "+
			"PostgreSQL's own tools, and then knobel restore --done ends what was in play", engine.Shown(to))
	}
	o := optionsOf(options)
	r, err := engine.Restore(ctx, from, to, force, o.engineOptions())
	if err != nil {
		return nil, err
	}
	s := o.newStore(r.DB)
	if err := s.sealSecrets(ctx, o); err != nil {
		for _, found := range r.Found() { // otherwise the operator would not see it
			err = fmt.Errorf("%w; %s", err, found)
		}
		return nil, errors.Join(fmt.Errorf("restore: %w", err), r.GiveUp())
	}
	return &Restoring{Store: s, Restoring: r}, nil
}

// Rekey decrypts all names, ids and secrets of a database with the key from and encrypts them with to. A nil key means
// plain text. It returns the number of different texts. No instance may have the database open. After an error nothing
// is changed, except that after a failed last step old bytes may be left in unused parts of the file: Rekey can then be
// repeated.
func Rekey(ctx context.Context, file string, from, to Sealer) (texts int, err error) {
	s, err := Open(ctx, file, SealedBy(from), func(o *Options) { o.Existing = true })
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.rewrite(ctx, func(tx Upkeep) (err error) {
		texts, err = tx.reencryptAll(from, to, func(content) bool { return true })
		return cmp.Or(err, tx.replaceProof(to), tx.checkReferences())
	})
	if err != nil {
		return texts, fmt.Errorf("rekey %s: %w", Shown(file), err)
	}
	if err := s.Clean(ctx); err != nil {
		return texts, fmt.Errorf("all is sealed anew, but what was before may be left in unused parts of the file: "+
			"rekey %s again: %w", Shown(file), err)
	}
	return texts, s.rewrite(ctx, Upkeep.markSwept)
}

// rewrite runs change in a transaction that erases old bytes and checks references only at its end: see engine.DB.
func (s *Store) rewrite(ctx context.Context, change func(Upkeep) error) error {
	return s.database.Rewrite(ctx, func(db *engine.Tx) error { return change(newTx(db, nil).Upkeep) })
}

// Option changes the options of Open.
type Option func(*Options)

// Options holds the options of opening a database.
type Options struct {
	engine.Options
	// Zone is the default time zone, which all processes that share the database must have in common: a process is
	// refused if its zone has other offsets from UTC this year or the next. nil: any zone.
	Zone   *time.Location
	key    Sealer
	strict bool
	swept  bool // set by checkKey: sealSecrets need not encrypt or erase any secret
}

// Shared lets other processes that also set it use a database on a server at the same time. A file is never shared.
func Shared() Option { return func(o *Options) { o.Shared = true } }

// Strict makes changes fail that write rows of a chat without its lock. It is for tests on files.
func Strict() Option { return func(o *Options) { o.strict = true } }

// SealedBy sets the key that encrypts names, ids and secrets in the database. nil stores them in plain text.
func SealedBy(key Sealer) Option { return func(o *Options) { o.key = key } }

// optionsOf returns the Options that the given functions set.
func optionsOf(options []Option) Options {
	var o Options
	for _, option := range options {
		option(&o)
	}
	return o
}

// newStore returns a Store for the open database db. It has a cache only if changes run one at a time.
func (o Options) newStore(db engine.DB) *Store {
	s := &Store{database: db, key: o.key, strict: o.strict}
	if _, file := db.(*engine.File); file {
		s.cache = cache{}
	}
	return s
}

// engineOptions returns the options for the engine, with the functions of o that the engine calls back.
func (o *Options) engineOptions() engine.Options {
	o.Convert, o.Accept, o.Join = newConverter(o.key), o.checkKey, o.checkZone
	return o.Options
}

// settingZone is the name of the setting with the time zone that all replicas share, in the form that offsets returns.
const settingZone = "zone"

// checkZone compares o.Zone with the zone that the other replicas have stored, if othersRun is true: it returns an
// error if their offsets from UTC differ. Otherwise it stores o.Zone. Replicas call it one after the other, when they
// start and when they return after a long absence.
func (o Options) checkZone(raw *engine.Tx, othersRun bool) error {
	if o.Zone == nil {
		return nil
	}
	tx := newTx(raw, nil)
	var stored string
	err := tx.get(`SELECT value FROM settings WHERE name = $1`, []any{settingZone}, (*sealedSecret)(&stored))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("read the time zone: %w", err)
	}
	if year, _, ok := strings.Cut(stored, " "); ok && othersRun {
		firstYear, err := strconv.Atoi(year)
		if err != nil || offsets(o.Zone, firstYear) != stored {
			return fmt.Errorf("the time zone %s has other offsets from UTC than that of the other replicas: "+
				"give all of them the same by TZ", o.Zone)
		}
		return nil
	}
	mine := offsets(o.Zone, time.Now().UTC().Year())
	if stored == mine {
		return nil
	}
	err = tx.run(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`,
		settingZone, sealedSecret(mine))
	return wrapped(err, "note the time zone")
}

// offsets returns a text that identifies a zone: the year, and the offsets from UTC in seconds on two days of each
// month of that year and the next.
func offsets(zone *time.Location, year int) string {
	text := []byte(strconv.Itoa(year))
	for month := range 24 {
		for _, day := range []int{1, 15} {
			_, offset := time.Date(year, time.January+time.Month(month), day, 12, 0, 0, 0, time.UTC).In(zone).Zone()
			text = strconv.AppendInt(append(text, ' '), int64(offset), 10)
		}
	}
	return string(text)
}
