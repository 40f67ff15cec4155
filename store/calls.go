package store

// Calls, the messages that ask a player to come to the table, and messages that list offered seats.

import "knobel/store/engine"

// Call is a message beside a board, sent or still to be sent. It asks one player to come to the table (a ping) or, if
// Until is set, lists the seats that their owners want to hand over.
type Call struct {
	ID      int64
	Table   int64
	Seat    int    // the seat of the player who is asked, or the first seat on offer
	Since   int64  // the table's Turn when the turn of the seat began, or when the seats were offered
	Due     int64  // when it has to be sent, or the offers end, in Unix milliseconds; 0: nothing is due
	Again   bool   // it is the second message of a turn, which has taken too long
	Sent    bool   // it was sent, or its sending has begun
	Message string // the id of the message, "" if unknown
	Over    bool   // the message has to be deleted
	Past    bool   // its turn or its offers are over
	Until   int64  // when the listed offers end, in Unix milliseconds; 0: the message asks a player to come
}

var (
	callStates = columnsOf(`seat, since, due, again, sent, message, over, past`, func(c *Call) []any {
		return []any{&c.Seat, &c.Since, &c.Due, &c.Again, &c.Sent, (*sealedID)(&c.Message), &c.Over, &c.Past}
	})
	newCalls = columnsOf(`table_id, until`, func(c *Call) []any { return []any{&c.Table, &c.Until} }).
			and(callStates)
	callColumns = columnsOf(`id`, func(c *Call) []any { return []any{&c.ID} }).and(newCalls)
	insertCall  = newCalls.insert("calls") + ` RETURNING id`
	updateCall  = callStates.update("calls", "id")
	selectCall  = `SELECT ` + callColumns.list("") + ` FROM calls `
	presentCall = selectCall + `WHERE table_id = $1 AND NOT past AND until = 0`
)

// SaveCall stores a ping to a player or a message about offered seats. If c.ID is 0, c is new and gets its ID by the
// end of the transaction. A table has at most one ping for its present turn and one message about offered seats.
func (tx Calls) SaveCall(c *Call) (err error) {
	if c.ID == 0 {
		err = tx.later(insertCall, newCalls.values(c), func(row engine.Row) error { return row.Scan(&c.ID) })
	} else {
		err = tx.run(updateCall, callStates.values(c, c.ID)...)
	}
	return wrapped(err, "save call to table %d", c.Table)
}

// Statements of AddCall. $1 is the table, $2 the seat, $3 the turn, $4 the due time and $5 the delay after a move.
const (
	// callDue is the later of $4 and the time $5 milliseconds after the last move that the player of the seat made.
	callDue = `(SELECT MAX(l.due) FROM (
		SELECT CAST($4 AS BIGINT) AS due UNION ALL SELECT m.at + $5 FROM (` + lastMoveOf + `) m) l)`
	addCall = `
		INSERT INTO calls (table_id, seat, since, due, again, sent, message, over, past)
		VALUES ($1, $2, $3, ` + callDue + `, FALSE, FALSE, '', FALSE, FALSE)
		RETURNING id, due`
	turnCall = `
		UPDATE calls SET seat = $2, since = $3, due = ` + callDue + `, again = FALSE, over = FALSE
		WHERE id = $6 AND table_id = $1 RETURNING id, due`
)

// AddCall stores a new call (ping to a player) for the present turn of a table. It is due at c.Due, but not before
// delay milliseconds have passed since the last move of that player. If c.ID is set, c replaces the call with that ID,
// which was for an earlier turn and never sent. AddCall sets c.ID and c.Due by the end of the transaction.
func (tx Calls) AddCall(c *Call, delay int64) error {
	query, args := addCall, []any{c.Table, c.Seat, c.Since, c.Due, delay}
	if c.ID != 0 {
		query, args = turnCall, append(args, c.ID)
	}
	err := tx.later(query, args, func(row engine.Row) error { return row.Scan(&c.ID, &c.Due) })
	return wrapped(err, "save call to table %d", c.Table)
}

// DropCall deletes the call (ping to a player) with the number id. If there is none, it is a no-op.
func (tx Calls) DropCall(id int64) error {
	return wrapped(tx.run(`DELETE FROM calls WHERE id = $1`, id), "delete call %d", id)
}

// Call returns a call (ping to a player) by its number, or ErrNotFound.
func (tx Calls) Call(id int64) (Call, error) { return tx.call(selectCall+`WHERE id = $1`, id) }

// CallAt returns the call (ping to a player) of the present turn of a table, or ErrNotFound.
func (tx Calls) CallAt(table int64) (Call, error) { return tx.call(presentCall, table) }

// OfferAt returns the message that lists the offered seats of a table, or ErrNotFound.
func (tx Calls) OfferAt(table int64) (Call, error) {
	return tx.call(selectCall+`WHERE table_id = $1 AND NOT past AND until > 0`, table)
}

// call returns the call that query selects, or ErrNotFound. id, the argument of query, is that of a call or of a table.
func (tx Calls) call(query string, id int64) (c Call, err error) {
	if err = tx.get(query, []any{id}, callColumns.of(&c)...); err == nil {
		err = tx.requireLocked()
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

// DueCalls returns at most limit calls (pings, and messages about offered seats), with their places, on the platform
// whose ids begin with prefix: those that are due at the time now, in Unix milliseconds, or earlier. The earliest comes
// first.
func (tx Calls) DueCalls(prefix string, now int64, limit int) ([]Row, error) {
	return tx.rowsOf("calls that are due", limit, (*Row).place, dueCalls, now, prefix)
}

// OverCalls returns at most limit calls (pings, and messages about offered seats), with their places, on the platform
// whose ids begin with prefix: those whose messages have to be deleted, by ascending number.
func (tx Calls) OverCalls(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("calls that are over", limit, (*Row).place, overCalls, prefix)
}

// NextCall returns the earliest time after since at which a call (a ping, or a message about offered seats) is due, or
// 0 if there is none. Both times are in Unix milliseconds.
func (tx Calls) NextCall(since int64) (due int64, err error) {
	return first[int64](tx.Tx, doing("read next call"), nextCall, since)
}

// Queries about the last moves of a table. lastMoveOf compares the seat in a CASE: PostgreSQL then expects half of the
// rows to match, and reads moves backwards from the last one. For a plain comparison without statistics it expects
// almost no match, and reads all moves of the game.
const (
	lastMoveOf = `
		SELECT at FROM moves WHERE table_id = $1 AND CASE seat WHEN $2 THEN NOT auto END
		ORDER BY number DESC LIMIT 1`
	lastIsAuto   = `SELECT auto FROM moves WHERE table_id = $1 ORDER BY number DESC LIMIT 1`
	lastOfOthers = `SELECT number FROM moves WHERE table_id = $1 AND seat <> $2 ORDER BY number DESC LIMIT 1`
)

// LastMoveOf returns the time of the last move that the player of a seat made, in Unix milliseconds, or 0 for none.
// Moves made for an absent player do not count.
func (tx Calls) LastMoveOf(table int64, seat int) (at int64, err error) {
	return first[int64](tx.Tx, doing("read last move of seat %d at table %d", seat, table), lastMoveOf, table, seat)
}

// LastOfOthers returns the number of the last move of a table that was made for any other seat, or 0 if there is none.
func (tx Calls) LastOfOthers(table int64, seat int) (number int64, err error) {
	return first[int64](tx.Tx, doing("read last move of others than seat %d at table %d", seat, table), lastOfOthers,
		table, seat)
}

// LastIsAuto reports whether the last move of a table was made for an absent player. Without a move it returns false.
func (tx Calls) LastIsAuto(table int64) (auto bool, err error) {
	return first[bool](tx.Tx, doing("read last move at table %d", table), lastIsAuto, table)
}
