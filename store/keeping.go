package store

// olderMoves reads the index of ended tables that still have their moves. Tables with work to be
// done from their moves are left out.
const olderMoves = `
	SELECT id, chat FROM tables
	WHERE state IN ('over', 'abandoned') AND NOT bare AND changed < $1
		AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.table_id = tables.id AND r.state = 'wanted')
	ORDER BY changed, id LIMIT $2`

// OlderMoves returns at most limit ended tables that still have their moves and have
// not changed since before, in Unix milliseconds.
func (tx Tables) OlderMoves(before int64, limit int) ([]Row, error) {
	tables, err := tx.rowsOf(limit, olderMoves, before)
	return tables, wrapped(err, "read tables with older moves")
}

// DropMoves drops the moves of an ended table. Its seed, its results and all sums stay; its review
// stays but for the moves in it.
func (tx Tables) DropMoves(table int64) error {
	changed, err := tx.execAt(table, `UPDATE tables SET bare = TRUE WHERE id = $1 AND state IN ('over', 'abandoned')`,
		table)
	if err == nil && changed == 0 {
		err = ErrNotFound
	}
	if err == nil {
		err = tx.run(`DELETE FROM moves WHERE table_id = $1`, table)
	}
	return wrapped(err, "drop moves of table %d", table)
}

// CountWithoutMoves returns the number of tables whose moves were dropped.
func (tx Tables) CountWithoutMoves() (n int64, err error) {
	err = tx.get(`SELECT COUNT(*) FROM tables WHERE bare`, nil, &n)
	return n, wrapped(err, "count tables without moves")
}
