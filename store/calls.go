package store

// Calls: messages that ask a person to come to a table, or show all that a seat is offered.

import "knobel/store/engine"

// Call is a message beside a board, sent or to be sent: a reminder for a person or, with Until, a list of offered
// seats.
type Call struct {
	ID      int64
	Table   int64
	Seat    int    // of the person who is asked, or the first that is offered
	Since   int64  // the table's turn at which it became theirs
	Due     int64  // when it is to be sent, or the offers end, in Unix milliseconds; 0: not again
	Again   bool   // it reminds: their turn has taken too long
	Sent    bool   // it was sent, or was about to be
	Message string // the message, "" none is known
	Over    bool   // the message is to be taken away
	Past    bool   // the turn has passed
	Until   int64  // when the offers end that it shows, in Unix milliseconds; 0: it asks a person to come
}

var (
	callColumns = columnsOf(`id, table_id, seat, since, due, again, sent, message, over, past, until`,
		func(c *Call) []any {
			return []any{&c.ID, &c.Table, &c.Seat, &c.Since, &c.Due, &c.Again, &c.Sent, (*sealedID)(&c.Message),
				&c.Over, &c.Past, &c.Until}
		})
	newCalls    = callColumns.without("id")
	callStates  = newCalls.without("table_id", "until")
	insertCall  = newCalls.insert("calls") + ` RETURNING id`
	updateCall  = callStates.update("calls", "id")
	selectCall  = `SELECT ` + callColumns.list("") + ` FROM calls `
	presentCall = selectCall + `WHERE table_id = $1 AND NOT past AND until = 0`
)

// SaveCall stores a call; a new one has its ID by the end of the transaction. A table has at most one call for its
// present turn and one for its offers.
func (tx Calls) SaveCall(c *Call) (err error) {
	if c.ID == 0 {
		err = tx.later(insertCall, newCalls.values(c), func(row engine.Row) error { return row.Scan(&c.ID) })
	} else {
		err = tx.run(updateCall, callStates.values(c, c.ID)...)
	}
	return wrapped(err, "save call to table %d", c.Table)
}

const (
	awaken = `(SELECT MAX(l.due) FROM (
		SELECT CAST($4 AS BIGINT) AS due UNION ALL SELECT m.at + $5 FROM (` + lastMoveOf + `) m) l)`
	addCall = `
		INSERT INTO calls (table_id, seat, since, due, again, sent, message, over, past)
		VALUES ($1, $2, $3, ` + awaken + `, FALSE, FALSE, '', FALSE, FALSE)
		RETURNING id, due`
	turnCall = `
		UPDATE calls SET seat = $2, since = $3, due = ` + awaken + `, again = FALSE, over = FALSE
		WHERE id = $6 AND table_id = $1 RETURNING id, due`
)

// AddCall stores the unsent call of a table's present turn. With an ID it replaces the unsent call of a past turn that
// has this ID. It is due at Due or, if that is later, so many milliseconds after the seat's own last move. Its ID and
// Due are set by the end of the transaction.
func (tx Calls) AddCall(c *Call, after int64) error {
	query, args := addCall, []any{c.Table, c.Seat, c.Since, c.Due, after}
	if c.ID != 0 {
		query, args = turnCall, append(args, c.ID)
	}
	err := tx.later(query, args, func(row engine.Row) error { return row.Scan(&c.ID, &c.Due) })
	return wrapped(err, "save call to table %d", c.Table)
}

// DropCall forgets a call.
func (tx Calls) DropCall(id int64) error {
	return wrapped(tx.run(`DELETE FROM calls WHERE id = $1`, id), "drop call %d", id)
}

// Call returns a call, or ErrNotFound.
func (tx Calls) Call(id int64) (Call, error) { return tx.call(selectCall+`WHERE id = $1`, id) }

// CallAt returns the call of a table's present turn, or ErrNotFound.
func (tx Calls) CallAt(table int64) (Call, error) { return tx.call(presentCall, table) }

// OfferAt returns the message that shows which seats of a table are offered, or ErrNotFound.
func (tx Calls) OfferAt(table int64) (Call, error) {
	return tx.call(selectCall+`WHERE table_id = $1 AND NOT past AND until > 0`, table)
}

func (tx Calls) call(query string, id int64) (c Call, err error) {
	if err = tx.get(query, []any{id}, callColumns.of(&c)...); err == nil {
		err = tx.found()
	}
	return c, wrapped(err, "read call %d", id)
}

const (
	dueCalls = `
		SELECT c.id, t.chat, t.place FROM calls c JOIN tables t ON t.id = c.table_id
		WHERE c.due > 0 AND c.due <= $1 AND SUBSTR(t.place, 1, LENGTH($2)) = $2 ORDER BY c.due, c.id LIMIT $3`
	overCalls = `
		SELECT c.id, t.chat, t.place FROM calls c JOIN tables t ON t.id = c.table_id
		WHERE c.over AND c.id > 0 AND SUBSTR(t.place, 1, LENGTH($1)) = $1 ORDER BY c.id LIMIT $2`
	nextCall = `SELECT due FROM calls WHERE due > 0 AND due > $1 ORDER BY due, id LIMIT 1`
)

// DueCalls returns at most limit calls to be sent by a moment, in Unix milliseconds, on the platform of a prefix of
// ids, the longest due first.
func (tx Calls) DueCalls(prefix string, by int64, limit int) ([]Row, error) {
	return tx.rowsOf("calls that are due", limit, (*Row).place, dueCalls, by, prefix)
}

// OverCalls returns at most limit calls with messages to be deleted on the platform of a prefix of ids, in order.
func (tx Calls) OverCalls(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("calls that are over", limit, (*Row).place, overCalls, prefix)
}

// NextCall returns when the first call after a moment is due, both in Unix milliseconds; 0: none is.
func (tx Calls) NextCall(after int64) (due int64, err error) {
	return first[int64](tx.Tx, doing("read which call is next"), nextCall, after)
}

// lastMoveOf compares the seat in a CASE, which PostgreSQL expects to hold for every other move, so that it reads a
// game from its end. Without statistics it expects a plain comparison to hold for almost none, and reads all of the
// game.
const (
	lastMoveOf = `
		SELECT at FROM moves WHERE table_id = $1 AND CASE seat WHEN $2 THEN NOT auto END
		ORDER BY number DESC LIMIT 1`
	lastIsAuto   = `SELECT auto FROM moves WHERE table_id = $1 ORDER BY number DESC LIMIT 1`
	lastOfOthers = `SELECT number FROM moves WHERE table_id = $1 AND seat <> $2 ORDER BY number DESC LIMIT 1`
)

// LastMoveOf returns when a seat has last moved by itself, in Unix milliseconds; 0: never.
func (tx Calls) LastMoveOf(table int64, seat int) (at int64, err error) {
	return first[int64](tx.Tx, doing("read last move of seat %d at table %d", seat, table), lastMoveOf, table, seat)
}

// LastOfOthers returns the number of the last move of a table by another seat; 0: there is none.
func (tx Calls) LastOfOthers(table int64, seat int) (number int64, err error) {
	return first[int64](tx.Tx, doing("read last move of others than seat %d at table %d", seat, table), lastOfOthers,
		table, seat)
}

// LastIsAuto reports whether the last move of a table was played for an absent person.
func (tx Calls) LastIsAuto(table int64) (auto bool, err error) {
	return first[bool](tx.Tx, doing("read last move at table %d", table), lastIsAuto, table)
}
