package store

// Which boards lag behind, and what is drawn of them.

import (
	"database/sql/driver"
	"fmt"
)

// lagging reads an index that holds nothing but boards that are behind.
const lagging = `
	SELECT id, chat FROM tables
	WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1
	ORDER BY behind, id LIMIT $2`

// Lagging returns at most limit tables whose boards lag behind their state, on the
// platform whose ids begin with prefix, the longest lag first. Tables in places that are away are
// left out.
func (tx *Tx) Lagging(prefix string, limit int) ([]Row, error) {
	tables, err := tx.rowsOf(limit, lagging, prefix)
	return tables, wrapped(err, "read lagging boards")
}

// waiting reads an index that holds nothing but tables that wait.
const waiting = `SELECT id, chat FROM tables WHERE waits AND id > $1 ORDER BY id LIMIT $2`

// Waiting returns at most limit tables above the number beyond, ascending, at which
// a house seat is to move by the clock.
func (tx *Tx) Waiting(beyond int64, limit int) ([]Row, error) {
	tables, err := tx.rowsOf(limit, waiting, beyond)
	return tables, wrapped(err, "read tables that wait for the house")
}

// staged reads an index that holds nothing but tables whose end is staged.
const staged = `SELECT id, staged, chat FROM tables WHERE staged > 0 ORDER BY staged, id LIMIT $1`

// Staged returns at most limit tables whose boards do not show the end yet, with until when, the
// earliest first.
func (tx *Tx) Staged(limit int) ([]Turn, error) {
	return tx.turns(limit, staged)
}

// Drawing is a board that was drawn.
type Drawing struct {
	Table, Version int64
	Place, Ref     string // where it stands, and in which message
	By             string // the replica that has drawn it, "" where there is no other
	Still          bool   // that one is about to draw the board again
}

// ClaimDrawing has one replica alone draw the board of a table until a moment, in Unix milliseconds, or until Drawn.
func (tx *Tx) ClaimDrawing(table int64, by string, until int64) error {
	t, known := tx.cachedTable(table)
	err := tx.runAt(table, `UPDATE tables SET drawer = $2, drawing = $3 WHERE id = $1`, table, by, until)
	if err == nil && known {
		t.Drawer, t.Drawing = by, until
		tx.put(t)
	}
	return wrapped(err, "claim the drawing of table %d", table)
}

// maxClaim is how far ahead the end of a claim may lie, in milliseconds: one of a replica whose clock is wrong keeps
// nobody from drawing.
const maxClaim = 60_000

// DrawnBy reports whether another replica than this is about to draw the table's board at a moment, in Unix
// milliseconds.
func (t Table) DrawnBy(another string, now int64) bool {
	return t.Drawer != "" && t.Drawer != another && t.Drawing > now && t.Drawing <= now+maxClaim
}

// Drawn stores which version of a table its board shows, in which message of which place, and
// returns the newest version of the table. It changes nothing if a later version is stored already,
// or if the table has left the place. Where the replica that has drawn the board had not claimed that, or has lost the
// claim, nobody knows in which order the platform has got this drawing and another: the board lags behind.
func (tx *Tx) Drawn(d Drawing) (newest int64, err error) {
	if err := tx.lostDrawing(d); err != nil {
		return 0, err
	}
	t, known := tx.cachedTable(d.Table)
	changed, err := tx.execAt(d.Table, drawn, d.columns()...)
	if err == nil && !known {
		err = tx.get(versionByID, []any{d.Table}, &newest)
	}
	if err != nil {
		return 0, fmt.Errorf("remember board of table %d: %w", d.Table, err)
	}
	if !known {
		return newest, nil
	}
	if changed > 0 {
		t.Drawn, t.Board, t.Drawer = d.Version, d.Ref, d.still()
	}
	tx.put(t)
	return t.Version, nil
}

const (
	drawn = `UPDATE tables SET drawn = $2, board = $3, behind = changed, drawer = $6
		WHERE id = $1 AND drawn <= $2 AND place = $4 AND drawer = $5`

	versionByID = `SELECT version FROM tables WHERE id = $1`
)

// columns are what drawn takes.
func (d Drawing) columns() []any {
	return []any{d.Table, d.Version, sealedID(d.Ref), sealedID(d.Place), d.By, d.still()}
}

// still is who draws the board next.
func (d Drawing) still() string {
	if d.Still {
		return d.By
	}
	return ""
}

// lostDrawing has a board count as one that lags behind if another replica may draw it, or may have drawn it. That one
// finds its own claim lost, too, if it is still drawing.
func (tx *Tx) lostDrawing(d Drawing) error {
	if d.By == "" {
		return nil
	}
	err := tx.runAt(d.Table, `UPDATE tables SET drawn = CASE WHEN drawn < version THEN drawn ELSE version - 1 END,
		drawer = '' WHERE id = $1 AND place = $2 AND drawer <> $3`, d.Table, sealedID(d.Place), d.By)
	return wrapped(err, "look who draws table %d", d.Table)
}

// DrawnUnread is Drawn for whoever does not want to know the newest version before the transaction has ended: newest
// is set then, and 0 where the table is gone.
func (tx *Tx) DrawnUnread(d Drawing, newest *int64) (err error) {
	if _, known := tx.cachedTable(d.Table); known {
		*newest, err = tx.Drawn(d)
		return err
	}
	*newest = 0
	err = tx.lostDrawing(d)
	if err == nil {
		err = tx.runAt(d.Table, drawn, d.columns()...)
	}
	if err == nil {
		err = tx.db.Later(versionByID, []any{d.Table}, func(row []driver.Value) { *newest, _ = row[0].(int64) })
	}
	return wrapped(err, "remember board of table %d", d.Table)
}
