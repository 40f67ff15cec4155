package store

// Leases: rights of one replica at a time. A lease lasts until it expires or is returned, and can be taken after that.
// Writers under a lease name it with Scope.Under.

import (
	"errors"

	"knobel/store/engine"
)

// ErrFenced is the error of a change under a lease that is in other hands by now: nothing was written.
var ErrFenced = errors.New("another replica has taken over what this change was for")

// Lease is a right of one replica at a time.
type Lease struct {
	Name   string
	Holder string // the replica that has it, "": none
	Fence  int64  // how often it has been taken
	Ended  bool   // free for any replica
}

// Leases are those that there are, by name. For a file now is the present time, in Unix milliseconds; a server goes by
// its own clock, here and below.
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

// RenewLeases has all leases that a holder has last so many milliseconds from now on.
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

// DropLeases forgets the leases whose names begin with a prefix and that ended before so many milliseconds.
func (tx Leases) DropLeases(prefix string, now, ago int64) error {
	err := tx.run(`DELETE FROM leases WHERE SUBSTR(name, 1, LENGTH($1)) = $1 AND ends <= `+tx.db.Clock("$2")+` - $3`,
		prefix, now, ago)
	return wrapped(err, "forget leases")
}

// Under is the scope for a change that is only to be made while a lease is held. It fails with ErrFenced if the lease
// is in other hands. The zero lease is none.
func (s Scope) Under(l Lease) Scope {
	s.lease = l
	return s
}

// Row is a row for a loop: its number, and the chat that it belongs to.
type Row struct {
	ID    int64
	Chat  string
	Place string // of a call
	Due   int64  // when a table's clock, or what it shows step by step, is due, in Unix milliseconds
}

func (r *Row) due() any   { return &r.Due }
func (r *Row) place() any { return (*sealedID)(&r.Place) }

// Only restricts the lists for loops, such as Lagging, Due or DueCalls, to some chats. nil means all.
func (tx *Tx) Only(chats func(chat string) bool) { tx.only = chats }

// othersToo is the factor of rows read if only those of some chats are wanted.
const othersToo = 64

// rowsOf returns at most limit rows of the chats of Only, by a query for numbers, chats and maybe one more column, whose
// last parameter is the limit. what says in an error what they are.
func (tx *Tx) rowsOf(what string, limit int, more func(*Row) any, query string, args ...any) (all []Row, err error) {
	most := limit
	if tx.only != nil {
		most *= othersToo
	}
	err = tx.rows(query, append(args, most), func(row engine.Row) error {
		var r Row
		columns := []any{&r.ID, (*sealedID)(&r.Chat)}
		if more != nil {
			columns = append(columns, more(&r))
		}
		if err := row.Scan(columns...); err != nil || tx.only != nil && !tx.only(r.Chat) {
			return err
		}
		if all = append(all, r); len(all) >= limit {
			return engine.ErrStop
		}
		return nil
	})
	return all, wrapped(err, "read %s", what)
}
