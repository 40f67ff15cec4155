package store

import "cmp"

// Sessions of embedded pages, their tickets, and the signed data that was used to sign in. Replicas share all of them.

// Session is the right of an embedded page to show a place to a person, until a time in Unix milliseconds.
type Session struct {
	ID     int64
	Print  string // the SHA-256 of the page's bearer; the bearer itself is not stored
	Player string // the id of the person
	Chat   string
	Place  string
	Said   string // what the platform has told of the person, in the notation of its adapter
	Until  int64
}

// MaxSessions is how many sessions a person has at most. A further one ends the oldest.
const MaxSessions = 5

var (
	newSessions = columnsOf(`print, player, chat, place, said, until`, func(s *Session) []any {
		return []any{&s.Print, (*sealedID)(&s.Player), (*sealedID)(&s.Chat), (*sealedID)(&s.Place),
			(*sealedSecret)(&s.Said), &s.Until}
	})
	sessionColumns = columnsOf(`id`, func(s *Session) []any { return []any{&s.ID} }).and(newSessions)
	insertSession  = newSessions.insert("sessions")
	selectSession  = `SELECT ` + sessionColumns.list("") + ` FROM sessions WHERE until > $2 AND `
	sessionByPrint = selectSession + `print = $1`
	ticketSession  = selectSession + `id = $1`
	oldSessions    = `DELETE FROM sessions WHERE player = $1 AND id NOT IN (
		SELECT id FROM sessions WHERE player = $1 ORDER BY id DESC LIMIT $2)`
	dropSessions = `DELETE FROM sessions WHERE until <= $1`
	dropTickets  = `DELETE FROM tickets WHERE until <= $1`
	dropLaunches = `DELETE FROM launches WHERE until <= $1`
)

// AddSession stores the session s of a person. s.ID is ignored.
func (tx Rooms) AddSession(s Session) error {
	return wrapped(cmp.Or(tx.run(insertSession, newSessions.values(&s)...),
		tx.run(oldSessions, sealedID(s.Player), MaxSessions)), "add session")
}

// Session returns the session whose bearer has the SHA-256 print, or ErrNotFound if it has ended before now.
func (tx Rooms) Session(print string, now int64) (Session, error) {
	return oneBy(tx.Tx, doing("read session"), sessionColumns.of, sessionByPrint, print, now)
}

// AddTicket stores a ticket with the SHA-256 print for one stream of a session, valid until a time.
func (tx Rooms) AddTicket(print string, session, until int64) error {
	return wrapped(tx.run(`INSERT INTO tickets (print, session, until) VALUES ($1, $2, $3)`, print, session, until),
		"add ticket")
}

// Ticket returns the id of the session of the ticket with the SHA-256 print. If there is no such ticket, or it has
// ended before now, it returns ErrNotFound.
func (tx Rooms) Ticket(print string, now int64) (session int64, err error) {
	return one[int64](tx.Tx, doing("read ticket"), `SELECT session FROM tickets WHERE print = $1 AND until > $2`, print,
		now)
}

// UseTicket deletes the ticket with the SHA-256 print and returns its session. If there is no such ticket, or the
// ticket or its session has ended before now, it returns ErrNotFound.
func (tx Rooms) UseTicket(print string, now int64) (s Session, err error) {
	id, err := one[int64](tx.Tx, doing("use ticket"),
		`DELETE FROM tickets WHERE print = $1 AND until > $2 RETURNING session`, print, now)
	if err != nil {
		return s, err
	}
	return oneBy(tx.Tx, doing("read session of ticket"), sessionColumns.of, ticketSession, id, now)
}

// UseLaunch stores that signed data with the SHA-256 print has signed a person in from an address, valid until a time.
// origin is a SHA-256 of both. It returns the origin of the first use: another one means that the data was copied.
func (tx Rooms) UseLaunch(print, origin string, until int64) (first string, err error) {
	return one[string](tx.Tx, doing("use signed data"), `INSERT INTO launches (print, origin, until)
		VALUES ($1, $2, $3) ON CONFLICT (print) DO UPDATE SET origin = launches.origin RETURNING origin`,
		print, origin, until)
}

// DropEnded deletes the sessions, tickets and launches that have ended before now.
func (tx Rooms) DropEnded(now int64) error {
	return wrapped(cmp.Or(tx.run(dropSessions, now), tx.run(dropTickets, now), tx.run(dropLaunches, now)),
		"delete ended sessions")
}
