package store

// Locks, by which changes of one chat run one after the other, and leases, which belong to one replica at a time until
// they expire or are returned.

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"knobel/store/engine"
)

// Scope is the lock of a transaction: a chat or a setting. The zero value locks nothing.
type Scope struct {
	name  string // changes of one name run one at a time in this process; "": concurrently
	find  string // the query for the row to be locked, "": none is
	by    any    // its argument
	moves bool   // the row may belong to another chat once it is locked
	all   bool   // of OfAll
	lease Lease  // that must be held; the zero lease: none
}

// OfAll takes no lock. Use it for maintenance and for single statements.
var OfAll = Scope{all: true}

// OfChat is a chat; "" is none.
func OfChat(id string) Scope {
	if id == "" {
		return OfAll
	}
	return Scope{name: chatScope + id, find: `SELECT id FROM chats WHERE id = $1`, by: sealedID(id)}
}

// How the names of scopes begin.
const chatScope, settingScope = "chat ", "setting "

// In is the same scope if its chat is known in advance: its changes then wait for each other without a connection.
func (s Scope) In(chat string) Scope {
	s.name = chatScope + chat
	return s
}

// OfTable is the chat of a table.
func OfTable(id int64) Scope { return chatOf(`SELECT chat FROM tables WHERE id = $1`, id) }

// OfCall is the chat of a call.
func OfCall(id int64) Scope {
	return chatOf(`SELECT t.chat FROM calls c JOIN tables t ON t.id = c.table_id WHERE c.id = $1`, id)
}

// OfPuzzle is the chat of a puzzle.
func OfPuzzle(id int64) Scope { return chatOf(`SELECT chat FROM puzzles WHERE id = $1`, id) }

// chatOf is the chat that a query finds.
func chatOf(query string, by int64) Scope {
	return Scope{find: `SELECT id FROM chats WHERE id = (` + query + `)`, by: by, moves: true}
}

// OfSetting is a setting of the installation.
func OfSetting(name string) Scope {
	return Scope{name: settingScope + name, find: `SELECT name FROM settings WHERE name = $1`, by: name}
}

// keepOff locks a scope.
func (tx *Tx) keepOff(of Scope) error {
	tx.lock.locks, tx.lock.keepsAll = of.all, of.all
	if l := of.lease; l.Name != "" { // before any chat: a takeover of the lease waits for the end of the transaction
		err := tx.db.Need(ErrFenced, `SELECT 1 FROM leases WHERE name = $1 AND holder = $2 AND fence = $3`, l.Name,
			l.Holder, l.Fence)
		if err != nil {
			return err
		}
	}
	if of.find == "" {
		return nil
	}
	if id, ok := of.by.(sealedID); ok && tx.store.strict {
		tx.lock.kept = append(tx.lock.kept, string(id)) // also where it is not there
	}
	if tx.store.database.Concurrent() {
		tx.lock.sought, tx.lock.unmet = of.moves, of.name
	}
	return tx.lockChats(of.find, []any{of.by}, func(string) { tx.lock.sought, tx.lock.unmet = false, "" })
}

// lockChats locks the chats that a query finds until the transaction ends, and calls each for them if changes run
// concurrently. The query orders them: a deadlock would cost a second and another run.
func (tx *Tx) lockChats(query string, args []any, each func(name string)) error {
	tx.lock.locks = true
	if tx.store.database.Concurrent() {
		clear(tx.cache) // others may write until the lock is there
	} else if tx.store.strict {
		kept, err := collectIDs(tx, doing("look for chats"), query, args...)
		if err != nil {
			return err
		}
		tx.lock.kept = append(tx.lock.kept, kept...)
	}
	return wrapped(tx.db.Lock(query, args, func(row engine.Row) error {
		var name string // as it is stored
		err := row.Scan(&name)
		each(name)
		return err
	}), "lock chats")
}

// found returns an error if the change has found a row, but not the chat to be locked: that has just got another id.
// Run again, the change finds it.
func (tx *Tx) found() error {
	if tx.lock.sought {
		return engine.ErrAgain
	}
	return nil
}

// looked returns the error of reading a chat or a setting, by the name of its scope; a missing one is no error, but it
// could not be locked, and another change may make it meanwhile. If it was missing when it was to be locked and is
// there now, the change has to run again.
func (tx *Tx) looked(name string, err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		if tx.lock.missing == nil {
			tx.lock.missing = map[string]bool{}
		}
		tx.lock.missing[name] = true
		return nil
	case err == nil && tx.lock.unmet == name:
		return engine.ErrAgain
	}
	return err
}

// make runs a statement that inserts a chat or a setting, by the name of its scope, unless it is there. If it was
// missing and another change has made it since, the change runs again, as what it has read may be stale.
func (tx *Tx) make(name, statement string, args ...any) error {
	if !tx.lock.missing[name] {
		return tx.run(statement, args...)
	}
	delete(tx.lock.missing, name)
	return tx.on(0, statement).Must(engine.ErrAgain, statement, args...)
}

// errUnlocked is the error of a change that writes rows of a chat without its lock.
var errUnlocked = errors.New("a change of a chat's rows has not said which chat: use UpdateOf")

// keeps returns an error if the change has not locked a chat.
func (tx *Tx) keeps(chat string) error {
	if tx.store == nil || !tx.store.strict || tx.store.database.Concurrent() || tx.lock.keepsAll ||
		slices.Contains(tx.lock.kept, chat) {
		return nil
	}
	return fmt.Errorf("chat %s: %w", chat, errUnlocked)
}

// statement holds the properties of a statement, derived from its text.
type statement struct {
	changesTables bool // it may change tables in the cache
	changesChats  bool // it changes rows that belong to a chat
}

var (
	// changesTables matches statements that may change cached tables; a new table is not cached. Such a statement
	// clears the cache, unless it runs by runAt, which names the one table that it changes.
	changesTables = regexp.MustCompile(`(?i)\b(UPDATE|INTO|DELETE\s+FROM)\s+(boards|seats)\b|\bUPDATE\s+tables\b`)
	// changesChats matches statements that need the lock of a chat.
	changesChats = regexp.MustCompile(`(?i)^\s*(UPDATE|INSERT\s+INTO|DELETE\s+FROM)\s+(accounts|boards|boxes|calls|chats|` +
		`chat_settings|entries|faces|guesses|house_rules|moves|payments|postings|puzzles|results|review_seats|` +
		`reviews|seasons|seats|tables|tallies|totals|unlisted)\b`)
	byText sync.Map // the properties of statements
)

// ErrFenced is the error of a change whose lease was lost: nothing was written.
var ErrFenced = errors.New("another replica has taken over what this change was for")

// Lease is a right of one replica at a time.
type Lease struct {
	Name   string
	Holder string // the replica that has it, "": none
	Fence  int64  // how often it has been taken
	Ended  bool   // free for any replica
}

// Leases returns all leases by name. now is the time in Unix milliseconds, here and below; a server uses its own clock.
func (tx Leases) Leases(now int64) (all []Lease, err error) {
	query := `SELECT name, holder, fence, CASE WHEN ends <= ` + tx.db.Clock("$1") + ` THEN TRUE ELSE FALSE END FROM leases
		ORDER BY name`
	return collectBy(tx.Tx, doing("read leases"), func(l *Lease) []any {
		return []any{&l.Name, &l.Holder, &l.Fence, &l.Ended}
	}, query, now)
}

// TakeLease takes a lease for a number of milliseconds unless another replica holds it.
func (tx Leases) TakeLease(name, holder string, now, lasts int64) error {
	err := tx.run(`INSERT INTO leases (name, holder, fence, ends) VALUES ($1, $2, 1, `+tx.db.Clock("$3")+` + $4)
		ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, fence = leases.fence + 1, ends = excluded.ends
		WHERE leases.ends <= `+tx.db.Clock("$3"), name, holder, now, lasts)
	return wrapped(err, "take lease %s", name)
}

// RenewLeases extends all leases of a holder to so many milliseconds from now.
func (tx Leases) RenewLeases(holder string, now, lasts int64) error {
	err := tx.run(`UPDATE leases SET ends = `+tx.db.Clock("$2")+` + $3 WHERE holder = $1`, holder, now, lasts)
	return wrapped(err, "renew leases")
}

// ReturnLease returns a lease if holder still has it, and blocks it for a number of milliseconds.
func (tx Leases) ReturnLease(l Lease, now, pause int64) error {
	err := tx.run(`UPDATE leases SET holder = '', ends = `+tx.db.Clock("$4")+` + $5
		WHERE name = $1 AND holder = $2 AND fence = $3`, l.Name, l.Holder, l.Fence, now, pause)
	return wrapped(err, "give lease %s back", l.Name)
}

// DropLeases deletes leases whose names begin with a prefix and that ended so many milliseconds ago.
func (tx Leases) DropLeases(prefix string, now, ago int64) error {
	err := tx.run(`DELETE FROM leases WHERE SUBSTR(name, 1, LENGTH($1)) = $1 AND ends <= `+tx.db.Clock("$2")+` - $3`,
		prefix, now, ago)
	return wrapped(err, "forget leases")
}

// Under is the same scope for a change that fails with ErrFenced unless a lease is held. The zero lease is none.
func (s Scope) Under(l Lease) Scope {
	s.lease = l
	return s
}
