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
// file is created. A database of a newer version or of another program, one that another instance has open, and one
// that is encrypted with another key are refused and stay as they are. Errors are sentences for the operator.
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

// Shown returns the name of a database for messages. In the address of a server it leaves the password out.
func Shown(name string) string {
	if IsFile(name) {
		return name
	}
	return engine.Shown(name)
}

// Unreached reports whether err means that the database server cannot be reached or accepts no connections now.
func Unreached(err error) bool { return engine.Unreached(err) }

// OfDatabase reports whether err comes from the database itself, not from the code that uses it.
func OfDatabase(err error) bool {
	_, ok := errors.AsType[*engine.Error](err)
	return ok
}

// OpenReadOnly opens a database for View, Check and Backup, even while another instance has it open. It changes
// nothing. If the schema does not have the version that this program needs, it returns an error.
func OpenReadOnly(ctx context.Context, name string, options ...Option) (*Store, error) {
	o := optionsOf(options)
	db, err := engine.OpenReadOnly(ctx, name, o.engineOptions())
	if err != nil {
		return nil, err
	}
	return o.newStore(db), nil
}

// Creatable returns an error if no database file can be created at the path name. For a server's address it is nil.
func Creatable(name string) error {
	if engine.IsServer(name) {
		return nil // only Open finds out whether it can create a schema there
	}
	return engine.Creatable(name)
}

// Restoring is a checked backup. The caller must call Finish, which replaces the database by the backup, or GiveUp.
type Restoring struct {
	// Store is the opened backup, for checks before it replaces the database.
	Store *Store
	*engine.Restoring
}

// Restore checks and opens backupFile. It replaces databaseFile when the caller calls Finish on the result. If
// databaseFile exists, force must be set; it is then kept under another name.
//
// Restore refuses a backup that is damaged, of a newer version, of another program, or encrypted with another key. It
// also refuses if another process has databaseFile open. A refusal changes neither file.
func Restore(ctx context.Context, backupFile, databaseFile string, force bool, options ...Option) (*Restoring, error) {
	if engine.IsServer(backupFile) {
		return nil, errors.New("restore takes a file: use the tools of PostgreSQL to restore its databases")
	}
	if engine.IsServer(databaseFile) {
		return nil, fmt.Errorf("restore only replaces database files: restore %s with the tools of PostgreSQL, "+
			"then run knobel restore --done", engine.Shown(databaseFile))
	}
	o := optionsOf(options)
	r, err := engine.Restore(ctx, backupFile, databaseFile, force, o.engineOptions())
	if err != nil {
		return nil, err
	}
	s := o.newStore(r.DB)
	if err := s.sealSecrets(ctx, o); err != nil {
		for _, found := range r.Found() { // the operator sees these findings only in the error
			err = fmt.Errorf("%w; %s", err, found)
		}
		return nil, errors.Join(fmt.Errorf("restore: %w", err), r.GiveUp())
	}
	return &Restoring{Store: s, Restoring: r}, nil
}

// Rekey decrypts all names, ids and secrets of a database with oldKey and encrypts them with newKey. A nil key means
// plain text. It returns the number of different texts. No instance may have the database open. After an error nothing
// has changed, but after an error in the last step, unused parts of the file may hold old bytes: repeat Rekey then.
func Rekey(ctx context.Context, file string, oldKey, newKey Sealer) (texts int, err error) {
	s, err := Open(ctx, file, SealedBy(oldKey), func(o *Options) { o.Existing = true })
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.rewrite(ctx, func(tx Upkeep) (err error) {
		texts, err = tx.reencryptAll(oldKey, newKey, func(content) bool { return true })
		return cmp.Or(err, tx.replaceProof(newKey), tx.checkReferences())
	})
	if err != nil {
		return texts, fmt.Errorf("rekey %s: %w", Shown(file), err)
	}
	if err := s.Clean(ctx); err != nil {
		return texts, fmt.Errorf("the database is encrypted with the new key, but unused parts of the file may "+
			"still hold old data: rekey %s again: %w", Shown(file), err)
	}
	return texts, s.rewrite(ctx, Upkeep.markSwept)
}

// rewrite runs change in a transaction that leaves no old bytes and checks references between rows only at its end.
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

// optionsOf returns the Options that the functions options set.
func optionsOf(options []Option) Options {
	var o Options
	for _, option := range options {
		option(&o)
	}
	return o
}

// newStore returns a Store for the open database db. It has a cache only for a file, where changes run one at a time.
func (o Options) newStore(db engine.DB) *Store {
	s := &Store{database: db, key: o.key, strict: o.strict}
	if _, file := db.(*engine.File); file {
		s.cache = cache{}
	}
	return s
}

// engineOptions returns the options for the engine. They contain functions of o that the engine will call.
func (o *Options) engineOptions() engine.Options {
	o.Convert, o.Accept, o.Join = newConverter(o.key), o.checkKey, o.checkZone
	return o.Options
}

// settingZone is the name of the setting that holds the time zone of all replicas, as a text made by offsets.
const settingZone = "zone"

// checkZone checks o.Zone when a replica starts or returns after a long absence. If other replicas run (othersRun), it
// returns an error unless o.Zone has the offsets from UTC of the zone that they have stored. Otherwise it stores
// o.Zone. Replicas call it one after the other.
func (o Options) checkZone(raw *engine.Tx, othersRun bool) error {
	if o.Zone == nil {
		return nil
	}
	tx := newTx(raw, nil)
	var stored string
	err := tx.get(`SELECT value FROM settings WHERE name = $1`, []any{settingZone}, (*sealedSecret)(&stored))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("read time zone: %w", err)
	}
	if year, _, ok := strings.Cut(stored, " "); ok && othersRun {
		firstYear, err := strconv.Atoi(year)
		if err != nil || offsets(o.Zone, firstYear) != stored {
			return fmt.Errorf("time zone %s differs from that of the other replicas: "+
				"set TZ to the same zone for all", o.Zone)
		}
		return nil
	}
	mine := offsets(o.Zone, time.Now().UTC().Year())
	if stored == mine {
		return nil
	}
	err = tx.run(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2`,
		settingZone, sealedSecret(mine))
	return wrapped(err, "save time zone")
}

// offsets returns a text by which zones can be compared: the year, and the zone's offsets from UTC in seconds on two
// days of each month of that year and of the next.
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
