package store

// Which boards lag behind, and what is drawn of them.

import (
	"database/sql/driver"
	"fmt"
)

// lagging reads an index that holds nothing but boards that are behind.
const lagging = `
	SELECT id FROM tables
	WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1
	ORDER BY behind, id LIMIT $2`

// Lagging returns the numbers of at most limit tables whose boards lag behind their state, on the
// platform whose ids begin with prefix, the longest lag first. Tables in places that are away are
// left out.
func (tx *Tx) Lagging(prefix string, limit int) ([]int64, error) {
	tables, err := collect[int64](tx, lagging, prefix, limit)
	return tables, wrapped(err, "read lagging boards")
}

// waiting reads an index that holds nothing but tables that wait.
const waiting = `SELECT id FROM tables WHERE waits AND id > $1 ORDER BY id LIMIT $2`

// Waiting returns the numbers of at most limit tables above the number beyond, ascending, at which
// a house seat is to move by the clock.
func (tx *Tx) Waiting(beyond int64, limit int) ([]int64, error) {
	tables, err := collect[int64](tx, waiting, beyond, limit)
	return tables, wrapped(err, "read tables that wait for the house")
}

// staged reads an index that holds nothing but tables whose end is staged.
const staged = `SELECT id, staged FROM tables WHERE staged > 0 ORDER BY staged, id LIMIT $1`

// Staged returns at most limit tables whose boards do not show the end yet, with until when, the
// earliest first.
func (tx *Tx) Staged(limit int) ([]Turn, error) {
	return tx.turns(staged, limit)
}

// Drawn stores which version of a table its board shows, in which message of which place, and
// returns the newest version of the table. It changes nothing if a later version is stored already,
// or if the table has left the place.
func (tx *Tx) Drawn(table, version int64, place, ref string) (newest int64, err error) {
	t, known := tx.cachedTable(table)
	changed, err := tx.execAt(table, drawn, table, version, sealedID(ref), sealedID(place))
	if err == nil && !known {
		err = tx.get(versionByID, []any{table}, &newest)
	}
	if err != nil {
		return 0, fmt.Errorf("remember board of table %d: %w", table, err)
	}
	if !known {
		return newest, nil
	}
	if changed > 0 {
		t.Drawn, t.Board = version, ref
	}
	tx.put(t)
	return t.Version, nil
}

const (
	drawn = `UPDATE tables SET drawn = $2, board = $3, behind = changed WHERE id = $1 AND drawn <= $2 AND place = $4`

	versionByID = `SELECT version FROM tables WHERE id = $1`
)

// DrawnUnread is Drawn for whoever does not want to know the newest version before the transaction has ended: newest
// is set then, and 0 where the table is gone.
func (tx *Tx) DrawnUnread(table, version int64, place, ref string, newest *int64) (err error) {
	if _, known := tx.cachedTable(table); known {
		*newest, err = tx.Drawn(table, version, place, ref)
		return err
	}
	*newest = 0
	err = tx.runAt(table, drawn, table, version, sealedID(ref), sealedID(place))
	if err == nil {
		err = tx.db.Later(versionByID, []any{table}, func(row []driver.Value) { *newest, _ = row[0].(int64) })
	}
	return wrapped(err, "remember board of table %d", table)
}
