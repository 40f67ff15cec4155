package store

// Locks of chats and settings, so that changes of one chat run one after the other, and leases, which one replica holds
// until they expire or are returned.

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"knobel/store/engine"
)

// Scope is the lock of a transaction: a chat, a setting or, if zero, nothing. It may need a lease to be held, too.
type Scope struct {
	name  string // changes with the same name run one at a time in this process; "": they run concurrently
	query string // selects the row to lock; "": no row
	arg   any    // the argument of query
	moves bool   // the result of query may change, because chats get other ids: it is checked after locking
	all   bool   // only set in OfAll
	lease Lease  // the lease that must be held, see Under; the zero value: none
}

// OfAll locks nothing and allows changes of all chats. Use it for maintenance and for single statements.
var OfAll = Scope{all: true}

// OfChat returns the scope that locks a chat, or OfAll if id is "".
func OfChat(id string) Scope {
	if id == "" {
		return OfAll
	}
	return Scope{name: chatScope + id, query: `SELECT id FROM chats WHERE id = $1`, arg: sealedID(id)}
}

// chatScope and settingScope begin the name of a Scope for a chat and for a setting.
const chatScope, settingScope = "chat ", "setting "

// In returns s with the id of the chat that it locks, for callers that know it in advance: changes of that chat then
// wait for each other in this process, without a database connection.
func (s Scope) In(chat string) Scope {
	s.name = chatScope + chat
	return s
}

// OfTable returns the scope that locks the chat of a table.
func OfTable(id int64) Scope { return chatOf(`SELECT chat FROM tables WHERE id = $1`, id) }

// OfCall returns the scope that locks the chat of a call (ping to a player).
func OfCall(id int64) Scope {
	return chatOf(`SELECT t.chat FROM calls c JOIN tables t ON t.id = c.table_id WHERE c.id = $1`, id)
}

// OfPuzzle returns the scope that locks the chat of a puzzle.
func OfPuzzle(id int64) Scope { return chatOf(`SELECT chat FROM puzzles WHERE id = $1`, id) }

// ChatOfSeason returns the scope that locks the chat of a season.
func ChatOfSeason(id int64) Scope { return chatOf(`SELECT chat FROM seasons WHERE id = $1`, id) }

// chatOf returns the scope that locks a chat. query selects the id of the chat, with id as its argument.
func chatOf(query string, id int64) Scope {
	return Scope{query: `SELECT id FROM chats WHERE id = (` + query + `)`, arg: id, moves: true}
}

// OfSetting returns the scope that locks a setting of the installation.
func OfSetting(name string) Scope {
	return Scope{name: settingScope + name, query: `SELECT name FROM settings WHERE name = $1`, arg: name}
}

// lockScope locks the chat or setting of scope until the transaction ends. If the lease of scope is no longer held, it
// fails the transaction with ErrFenced.
func (tx *Tx) lockScope(scope Scope) error {
	tx.lock.hasLock, tx.lock.allChats = scope.all, scope.all
	if l := scope.lease; l.Name != "" { // first: no other replica can then take the lease before the end of tx
		err := tx.db.Need(ErrFenced, `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`, l.Name,
			l.Holder, l.Fence)
		if err != nil {
			return err
		}
	}
	if scope.query == "" {
		return nil
	}
	if id, ok := scope.arg.(sealedID); ok && tx.store.strict {
		tx.lock.chats = append(tx.lock.chats, string(id)) // even if there is no row yet
	}
	if tx.store.cache == nil { // on a server
		tx.lock.chatMissing, tx.lock.missingScope = scope.moves, scope.name
	}
	return tx.lockChats(scope.query, []any{scope.arg},
		func(string) { tx.lock.chatMissing, tx.lock.missingScope = false, "" })
}

// lockChats locks the chats that query selects until the transaction ends. On a server it calls each with the encrypted
// id of every chat. query must order the chats, because a deadlock would cost one second and another run.
func (tx *Tx) lockChats(query string, args []any, each func(id string)) error {
	tx.lock.hasLock = true
	if tx.store.cache == nil { // on a server
		clear(tx.cache) // other changes may have written before the lock was taken
	} else if tx.store.strict {
		ids, err := collectIDs(tx, doing("look up chats"), query, args...)
		if err != nil {
			return err
		}
		tx.lock.chats = append(tx.lock.chats, ids...)
	}
	return wrapped(tx.db.Lock(query, args, func(row engine.Row) error {
		var id string // encrypted, as stored
		err := row.Scan(&id)
		each(id)
		return err
	}), "lock chats")
}

// requireLocked returns ErrAgain if the chat of a row just read could not be locked, because the chat has got another
// id meanwhile. The change then runs again and finds the new id.
func (tx *Tx) requireLocked() error {
	if tx.lock.chatMissing {
		return engine.ErrAgain
	}
	return nil
}

// allowMissing replaces err, the result of reading a chat or setting whose scope is called name. For ErrNotFound it
// returns nil and remembers for insertMissing that the row is missing. If the row was read, but was still missing when
// the change tried to lock it, allowMissing returns ErrAgain: the change then runs again and locks the row. It returns
// any other err unchanged.
func (tx *Tx) allowMissing(name string, err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		if tx.lock.missing == nil {
			tx.lock.missing = map[string]bool{}
		}
		tx.lock.missing[name] = true
		return nil
	case err == nil && tx.lock.missingScope == name:
		return engine.ErrAgain
	}
	return err
}

// insertMissing runs statement, which inserts a chat or setting unless it exists. name is the name of the row's scope.
// If the row was missing when the change read it, but another change has inserted it since, the change runs again,
// because the data that it has read may be stale.
func (tx *Tx) insertMissing(name, statement string, args ...any) error {
	if !tx.lock.missing[name] {
		return tx.run(statement, args...)
	}
	delete(tx.lock.missing, name)
	return tx.dbFor(0, statement).Must(engine.ErrAgain, statement, args...)
}

// errUnlocked is the error of a change that writes rows of a chat without the chat's lock.
var errUnlocked = errors.New("chat is not locked: use UpdateOf")

// requireChatLock returns an error if the transaction has not locked the chat. It checks this only in strict mode, and
// only for a database file.
func (tx *Tx) requireChatLock(chat string) error {
	if tx.store == nil || !tx.store.strict || tx.store.cache == nil || tx.lock.allChats ||
		slices.Contains(tx.lock.chats, chat) {
		return nil
	}
	return fmt.Errorf("chat %s: %w", chat, errUnlocked)
}

// statement holds properties of an SQL statement, found by matching its text.
type statement struct {
	changesTables bool // it may change rows of cached tables
	changesChats  bool // it changes rows that belong to a chat
}

var (
	// changesTables matches statements that may change cached tables; INSERT INTO tables changes none. A statement that
	// matches clears the whole cache, unless the caller of dbFor names the only table that it changes.
	changesTables = regexp.MustCompile(`(?i)\b(UPDATE|INTO|DELETE\s+FROM)\s+(boards|seats)\b|\bUPDATE\s+tables\b`)
	// changesChats matches statements that need the lock of a chat.
	changesChats = regexp.MustCompile(`(?i)^\s*(UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+(accounts|boards|boxes|calls|chats|` +
		`chat_settings|entries|evenings|faces|guesses|house_rules|moves|notices|payments|postings|puzzles|results|review_seats|` +
		`reviews|seasons|seats|tables|tallies|totals|unlisted)\b`)
	byText sync.Map // maps the text of each query to its statement
)

// ErrFenced is the error of a change that needs a lease which another replica has taken. Nothing was written.
var ErrFenced = errors.New("another replica has taken over the lease")

// Lease is an exclusive right that one replica holds for a limited time.
type Lease struct {
	Name   string
	Holder string // the replica that holds it, "" for none
	Fence  int64  // the number of times that it has been taken
	Ended  bool   // it has expired: any replica may take it
}

// Leases returns all leases by name. now is the time in Unix milliseconds, here and in TakeLease, RenewLeases,
// ReturnLease and DropLeases. A database server ignores it and uses its own clock.
func (tx Leases) Leases(now int64) (all []Lease, err error) {
	query := `SELECT name, holder, fence, CASE WHEN ends <= ` + tx.db.Clock("$1") + ` THEN TRUE ELSE FALSE END FROM leases
		ORDER BY name`
	return collectBy(tx.Tx, doing("read leases"), func(l *Lease) []any {
		return []any{&l.Name, &l.Holder, &l.Fence, &l.Ended}
	}, query, now)
}

// TakeLease gives holder a lease for duration milliseconds from now. If the lease has not expired, it is a no-op.
func (tx Leases) TakeLease(name, holder string, now, duration int64) error {
	err := tx.run(`INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, 1, `+tx.db.Clock("$3")+` + $4)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, fence = leases.fence + 1, ends = excluded.ends
		WHERE leases.ends <= `+tx.db.Clock("$3"), name, holder, now, duration)
	return wrapped(err, "take lease %s", name)
}

// RenewLeases makes all leases of a holder expire duration milliseconds after the time now.
func (tx Leases) RenewLeases(holder string, now, duration int64) error {
	err := tx.run(`UPDATE leases SET ends = `+tx.db.Clock("$2")+` + $3 WHERE holder = $1`, holder, now, duration)
	return wrapped(err, "renew leases")
}

// ReturnLease frees the lease l if l.Holder still holds it with l.Fence. No replica can take it until pause
// milliseconds after the time now.
func (tx Leases) ReturnLease(l Lease, now, pause int64) error {
	err := tx.run(`UPDATE leases SET holder = '', ends = `+tx.db.Clock("$4")+` + $5
		WHERE name = $1 AND holder = $2 AND fence = $3`, l.Name, l.Holder, l.Fence, now, pause)
	return wrapped(err, "release lease %s", l.Name)
}

// DropLeases deletes leases whose names begin with prefix and that expired at least age milliseconds before now.
func (tx Leases) DropLeases(prefix string, now, age int64) error {
	err := tx.run(`DELETE FROM leases WHERE SUBSTR(name, 1, LENGTH($1)) = $1 AND ends <= `+tx.db.Clock("$2")+` - $3`,
		prefix, now, age)
	return wrapped(err, "delete old leases")
}

// Under returns s with the lease l: a change then fails with ErrFenced unless l is held. Lease{} means no lease.
func (s Scope) Under(l Lease) Scope {
	s.lease = l
	return s
}
