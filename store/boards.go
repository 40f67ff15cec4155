package store

// Stale boards, and their drawings.

import "fmt"

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

// staged reads an index that holds nothing but tables whose end is staged.
const staged = `SELECT id, staged, chat FROM tables WHERE staged > 0 ORDER BY staged, id LIMIT $1`

// Staged returns at most limit tables whose boards do not show the end yet, with until when, the
// earliest first.
func (tx Tables) Staged(limit int) ([]Turn, error) {
	return tx.turns(limit, staged)
}

// Drawing is a board that was drawn.
type Drawing struct {
	Table, Version int64
	Place, Ref     string // where it stands, and in which message
	By             string // the replica that has drawn it, "" where there is no other
	Still          bool   // that one is about to draw the board again
	Posted         int64  // when it was posted as a new message, in Unix milliseconds; 0: it was not
}

// ClaimDrawing has one replica alone draw the board of a table until a moment, in Unix milliseconds, or until Drawn.
func (tx Tables) ClaimDrawing(table int64, by string, until int64) (err error) {
	t, known := tx.cachedTable(table)
	if p := tx.unsaved; p != nil && p.table.ID == table {
		tx.unsaved = nil
		p.table.Board.Drawer, p.table.Board.Drawing, p.claims = by, until, true
		err = tx.saveProgress(p)
	} else {
		err = tx.runAt(table, `UPDATE tables SET drawer = $2, drawing = $3 WHERE id = $1`, table, by, until)
	}
	if err == nil && known {
		t.Board.Drawer, t.Board.Drawing = by, until
		tx.put(t)
	}
	delete(tx.drawn, table)
	return wrapped(err, "claim the drawing of table %d", table)
}

// DrawnBy reports whether another replica draws a table. The chat is locked, so an earlier read is still valid.
func (tx Tables) DrawnBy(table int64, another string, now int64) (bool, error) {
	if c, known := tx.drawn[table]; known {
		return c.isOther(another, now), nil
	}
	t, err := tx.Table(table)
	return t.DrawnBy(another, now), err
}

// Drawn stores which version of a table its board shows, in which message of which place. It changes nothing if a later
// version is stored already, or if the table has left the place. Where the replica that has drawn the board had not
// claimed that, or has lost the claim, nobody knows in which order the platform has got this drawing and another: the
// board lags behind, and whoever draws it finds its own claim lost, too.
//
// told is told the newest version of the table and the message that is its board before the transaction has ended, and
// not where the table is gone.
func (tx Tables) Drawn(d Drawing, told func(newest int64, board string)) error {
	delete(tx.drawn, d.Table)
	t, known := tx.cachedTable(d.Table)
	changed, err := int64(0), error(nil)
	if known {
		changed, err = tx.execAt(d.Table, drawn, d.columns()...)
	} else {
		err = tx.runAt(d.Table, drawn, d.columns()...)
	}
	if err != nil {
		return fmt.Errorf("remember board of table %d: %w", d.Table, err)
	}
	if known && (changed == 0 || d.By == "") {
		if changed > 0 {
			t.Board.Drawn, t.Board.Message, t.Board.Drawer = d.Version, d.Ref, ""
			if d.Posted > 0 {
				t.Board.Posted, t.Board.Repost = d.Posted, false
			}
		}
		tx.put(t)
		told(t.Version, t.Board.Message)
		return nil
	}
	return wrapped(tx.later(`SELECT version, board FROM tables WHERE id = $1`, []any{d.Table},
		func(scan func(...any) error) error {
			var newest int64
			var board sealedID
			err := scan(&newest, &board)
			if err == nil {
				told(newest, string(board))
			}
			return err
		}), "read table %d", d.Table)
}

// drawn changes a row for two reasons: the board is the one of $2 by now, or its drawer is not $5, which has drawn it.
const drawn = `
	UPDATE tables SET
		drawn = CASE WHEN drawer = $5 THEN $2 WHEN drawn < version THEN drawn ELSE version - 1 END,
		board = CASE WHEN drawer = $5 THEN $3 ELSE board END,
		behind = CASE WHEN drawer = $5 THEN changed ELSE behind END,
		posted = CASE WHEN drawer = $5 AND CAST($7 AS BIGINT) > 0 THEN $7 ELSE posted END,
		repost = CASE WHEN drawer = $5 AND CAST($7 AS BIGINT) > 0 THEN FALSE ELSE repost END,
		drawer = CASE WHEN drawer = $5 THEN $6 ELSE '' END
	WHERE id = $1 AND place = $4 AND (drawer = $5 AND drawn <= $2 OR drawer <> $5 AND $5 <> '')`

// columns returns the scan targets of a drawing.
func (d Drawing) columns() []any {
	still := ""
	if d.Still {
		still = d.By
	}
	return []any{d.Table, d.Version, sealedID(d.Ref), sealedID(d.Place), d.By, still, d.Posted}
}
