package store

// Stale boards, and their drawings.

import "knobel/store/engine"

// lagging reads an index that holds nothing but boards that are behind.
const lagging = `
	SELECT id, chat FROM tables
	WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1
	ORDER BY behind, id LIMIT $2`

// Lagging returns at most limit tables whose boards lag behind their state, on the
// platform whose ids begin with prefix, the longest lag first. Tables in places that are away are
// left out.
func (tx Tables) Lagging(prefix string, limit int) ([]Row, error) {
	tables, err := tx.rowsOf(limit, lagging, prefix)
	return tables, wrapped(err, "read lagging boards")
}

// waiting reads an index that holds nothing but tables that wait.
const waiting = `SELECT id, chat FROM tables WHERE waits AND id > $1 ORDER BY id LIMIT $2`

// Waiting returns at most limit tables above the number beyond, ascending, at which
// a house seat is to move by the clock.
func (tx Tables) Waiting(beyond int64, limit int) ([]Row, error) {
	tables, err := tx.rowsOf(limit, waiting, beyond)
	return tables, wrapped(err, "read tables that wait for the house")
}

// Drawing is a board that was drawn.
type Drawing struct {
	Table, Version int64
	Place, Ref     string // where it stands, and in which message
	Was            Board  // as the table was read for it
	Posted         int64  // when it was posted as a new message, in Unix milliseconds; 0: it was not
}

// Drawn stores which version of a table its board shows, in which message of which place. Where another drawing was
// stored since the table was read for this one, it is not known which of them the platform has got last: in the same
// message the board lags behind, so that it is drawn once more; in another, or once the table has left the place,
// nothing changes.
//
// stored is called before the transaction has ended, unless nothing changes.
func (tx Tables) Drawn(d Drawing, stored func(lags bool)) error {
	t, known := tx.cachedTable(d.Table)
	err := tx.beforeAt(d.Table, drawn)
	if err == nil {
		err = tx.db.Later(drawn, []any{d.Table, d.Version, sealedID(d.Ref), sealedID(d.Place), d.Was.Drawn,
			sealedID(d.Was.Message), d.Posted}, func(row engine.Row) error {
			var version int64
			b := &t.Board
			err := row.Scan(&version, &b.Drawn, (*sealedID)(&b.Message), &b.Behind, &b.Posted, &b.Repost)
			if err != nil {
				return err
			}
			if known {
				tx.put(t)
			}
			stored(b.Drawn < version)
			return nil
		})
	}
	return wrapped(err, "remember board of table %d", d.Table)
}

// drawn takes the claims off that a replica of the version before relies on: that one draws the board again.
const drawn = `
	UPDATE tables SET
		drawn = CASE WHEN drawn IN ($2, $5) OR board <> $3 THEN $2 WHEN drawn < version THEN drawn
			ELSE version - 1 END,
		board = $3, behind = changed, drawer = '',
		posted = CASE WHEN CAST($7 AS BIGINT) > 0 THEN $7 ELSE posted END,
		repost = repost AND CAST($7 AS BIGINT) = 0
	WHERE id = $1 AND place = $4 AND board IN ($3, $6)
	RETURNING version, drawn, board, behind, posted, repost`
