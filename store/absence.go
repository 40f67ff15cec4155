package store

// Turns with a deadline, and idle tables.

// due reads an index that holds nothing but tables whose clock runs, by when it looks at them.
const (
	looks   = `CASE WHEN look > 0 AND look < due THEN look ELSE due END`
	clocked = `tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place WHERE due > 0 AND NOT b.away AND ` + looks
	due     = `
	SELECT id, ` + looks + `, chat FROM ` + clocked + ` <= $1 AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3)
	ORDER BY ` + looks + `, id LIMIT $4`
)

// Turn is a table, and when its clock, or what it shows step by step, is due, in Unix milliseconds.
type Turn struct {
	Table, Due int64
	Chat       string
}

// Row is the turn's table.
func (t Turn) Row() Row { return Row{t.Table, t.Chat} }

// Due returns at most limit turns that the clock looks at by a moment, in Unix milliseconds,
// earliest first. It begins behind a turn, so that the last one of a page leads to the next page;
// the zero value leads to the first. Turns in places that are away are left out.
func (tx Tables) Due(by int64, behind Turn, limit int) ([]Turn, error) {
	return tx.turns(limit, due, by, behind.Due, behind.Table)
}

const dueOn = `
	SELECT id, ` + looks + `, chat FROM ` + clocked + ` <= $1 AND due <= $1
		AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3) AND SUBSTR(t.place, 1, LENGTH($4)) = $4
	ORDER BY ` + looks + `, id LIMIT $5`

// DueOn is Due for those turns on the platform whose ids begin with prefix that have to be over by then.
func (tx Tables) DueOn(prefix string, by int64, behind Turn, limit int) ([]Turn, error) {
	return tx.turns(limit, dueOn, by, behind.Due, behind.Table, prefix)
}

// turns reads the turns of a query, whose last parameter is the limit.
func (tx Tables) turns(limit int, query string, args ...any) (turns []Turn, err error) {
	turns, err = collectOf(tx.Tx, limit, func(t *Turn) []any { return []any{&t.Table, &t.Due, (*sealedID)(&t.Chat)} },
		query, args...)
	return turns, wrapped(err, "read turns that are due")
}

const nextDue = `
	SELECT ` + looks + ` FROM ` + clocked + ` > $1 ORDER BY ` + looks + `, id LIMIT 1`

// NextDue returns when the clock looks first after a moment, both in Unix milliseconds; 0: it does not.
func (tx Tables) NextDue(after int64) (int64, error) {
	var at int64
	return at, wrapped(orNone(tx.get(nextDue, []any{after}, &at)), "read what is due next")
}

const idleTables = `
	SELECT id, chat FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place
	WHERE state IN ('lobby', 'playing') AND NOT b.away AND changed <= $1 AND id > $2 ORDER BY id LIMIT $3`

// Idle returns at most limit active tables above the number beyond, ascending, at
// which nothing has moved since a moment, in Unix milliseconds. Tables in places that are away are
// left out.
func (tx Tables) Idle(since, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("idle tables", limit, idleTables, since, beyond)
}
