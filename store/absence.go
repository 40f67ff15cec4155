package store

// Turns with a deadline, and idle tables.

// due reads an index that holds nothing but tables whose clock runs, by when it looks at them.
const (
	looks   = `CASE WHEN look > 0 AND look < due THEN look ELSE due END`
	clocked = `tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place WHERE due > 0 AND NOT b.away AND ` + looks
	due     = `
	SELECT id, chat, ` + looks + ` FROM ` + clocked + ` <= $1 AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3)
	ORDER BY ` + looks + `, id LIMIT $4`
	dueOn = `
	SELECT id, chat, ` + looks + ` FROM ` + clocked + ` <= $1 AND due <= $1
		AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3) AND SUBSTR(t.place, 1, LENGTH($4)) = $4
	ORDER BY ` + looks + `, id LIMIT $5`
)

// Due returns at most limit tables that the clock looks at by a moment, in Unix milliseconds, earliest first. It begins
// behind a table, so that the last one of a page leads to the next page; the zero value leads to the first. Tables in
// places that are away are left out.
func (tx Tables) Due(by int64, behind Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, due, by, behind.Due, behind.ID)
}

// DueOn is Due for those tables on the platform whose ids begin with prefix whose turns have to be over by then.
func (tx Tables) DueOn(prefix string, by int64, behind Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, dueOn, by, behind.Due, behind.ID, prefix)
}

const nextDue = `
	SELECT ` + looks + ` FROM ` + clocked + ` > $1 ORDER BY ` + looks + `, id LIMIT 1`

// NextDue returns when the clock looks first after a moment, both in Unix milliseconds; 0: it does not.
func (tx Tables) NextDue(after int64) (int64, error) {
	return first[int64](tx.Tx, doing("read what is due next"), nextDue, after)
}

const idleTables = `
	SELECT id, chat FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place
	WHERE state IN ('lobby', 'playing') AND NOT b.away AND changed <= $1 AND id > $2 ORDER BY id LIMIT $3`

// Idle returns at most limit active tables above the number beyond, ascending, at
// which nothing has moved since a moment, in Unix milliseconds. Tables in places that are away are
// left out.
func (tx Tables) Idle(since, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("idle tables", limit, nil, idleTables, since, beyond)
}
