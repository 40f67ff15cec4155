package store

// Boards of tables that are out of date, their drawings, and the places where they stand.

import (
	"cmp"
	"fmt"

	"knobel/store/engine"
)

// Row is a row for a loop: its number, and the chat that it belongs to.
type Row struct {
	ID    int64
	Chat  string
	Place string // of a call
	Due   int64  // when a table's clock, or what it shows step by step, is due, in Unix milliseconds
}

func (r *Row) due() any   { return &r.Due }
func (r *Row) place() any { return (*sealedID)(&r.Place) }

// Only restricts the lists for loops, such as Lagging, Due or DueCalls, to some chats. nil means all.
func (tx *Tx) Only(chats func(chat string) bool) { tx.only = chats }

// othersToo is the factor of rows read if only those of some chats are wanted.
const othersToo = 64

// rowsOf returns at most limit rows of the chats of Only. The columns of the query are the number, the chat and, unless
// nil, that of more; its last parameter is the limit. what names the rows in errors.
func (tx *Tx) rowsOf(what string, limit int, more func(*Row) any, query string, args ...any) (all []Row, err error) {
	most := limit
	if tx.only != nil {
		most *= othersToo
	}
	err = tx.rows(query, append(args, most), func(row engine.Row) error {
		var r Row
		columns := []any{&r.ID, (*sealedID)(&r.Chat)}
		if more != nil {
			columns = append(columns, more(&r))
		}
		if err := row.Scan(columns...); err != nil || tx.only != nil && !tx.only(r.Chat) {
			return err
		}
		if all = append(all, r); len(all) >= limit {
			return engine.ErrStop
		}
		return nil
	})
	return all, wrapped(err, "read %s", what)
}

// lagging reads an index that holds nothing but boards that are behind.
const lagging = `
	SELECT b.table_id, t.chat FROM boards b JOIN tables t ON t.id = b.table_id
	WHERE b.behind IS NOT NULL AND NOT b.away AND SUBSTR(b.place, 1, LENGTH($1)) = $1
	ORDER BY b.behind, b.table_id LIMIT $2`

// Lagging returns at most limit tables with stale boards on the platform of a prefix of ids, the longest stale first,
// except in places that are away.
func (tx Tables) Lagging(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("lagging boards", limit, nil, lagging, prefix)
}

// waiting reads an index that holds nothing but tables that wait.
const waiting = `SELECT id, chat FROM tables WHERE waits AND id > $1 ORDER BY id LIMIT $2`

// Waiting returns at most limit tables with numbers above beyond, ascending, at which a house seat moves by the clock.
func (tx Tables) Waiting(beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("tables that wait for the house", limit, nil, waiting, beyond)
}

// Drawing is a board that was drawn.
type Drawing struct {
	Table, Version int64
	Place, Ref     string // where it stands, and in which message
	Was            Board  // as the table was read for it
	Posted         int64  // when it was posted as a new message, in Unix milliseconds; 0: it was not
}

// Drawn stores which version of a table its board shows, and its message. If another drawing was stored since the table
// was read for this one, nobody knows which the platform got last: in the same message the board stays stale and is
// drawn again. In another message, or once the table has left the place, nothing changes. Otherwise stored is called
// before the transaction ends.
func (tx Tables) Drawn(d Drawing, stored func(lags bool)) error {
	was := tx.cache[d.Table] // nil: it is not known
	err := tx.on(d.Table, drawn).Later(drawn, []any{d.Table, d.Version, sealedID(d.Ref), sealedID(d.Place), d.Was.Drawn,
		sealedID(d.Was.Message), d.Posted}, func(row engine.Row) error {
		var version int64
		var t Table
		if was != nil {
			t = *was
		}
		b := &t.Board
		err := row.Scan(&version, &b.Drawn, (*sealedID)(&b.Message), &b.Behind, &b.Posted, &b.Repost)
		if err != nil {
			return err
		}
		if b.Drawn > version {
			return fmt.Errorf("it shows version %d of %d", b.Drawn, version)
		}
		if was != nil {
			tx.put(t)
		}
		stored(b.Drawn < version)
		return nil
	})
	return wrapped(err, "remember board of table %d", d.Table)
}

const drawn = `
	UPDATE boards SET
		drawn = CASE WHEN drawn IN ($2, $5) OR message <> $3 THEN $2 WHEN drawn < newest.version THEN drawn
			ELSE newest.version - 1 END,
		behind = CASE WHEN $2 < newest.version OR drawn NOT IN ($2, $5) AND message = $3 THEN newest.changed END,
		message = $3,
		posted = CASE WHEN CAST($7 AS BIGINT) > 0 THEN $7 ELSE posted END,
		repost = repost AND CAST($7 AS BIGINT) = 0
	FROM (SELECT id, version, changed FROM tables WHERE id = $1) newest
	WHERE table_id = newest.id AND place = $4 AND message IN ($3, $6)
	RETURNING (SELECT version FROM tables WHERE id = $1), drawn, message, COALESCE(behind, 0), posted, repost`

var (
	boardColumns = columnsOf(`message, drawn, posted`, func(b *Board) []any {
		return []any{(*sealedID)(&b.Message), &b.Drawn, &b.Posted}
	}).and(boardStates)
	// boardStates are the columns that Drawn does not store.
	boardStates = columnsOf(`page, away, repost, seen, tapped, tapper, behind = 0`, func(b *Board) []any {
		return []any{&b.Page, &b.Away, &b.Repost, &b.Seen, &b.Tapped, &b.Tapper, &b.Behind}
	})
)

// saveBoard stores the board of a table, which has a row if it is known.
func (tx Tables) saveBoard(t *Table, known bool) error {
	if known {
		return tx.runAt(t.ID, updateBoard, boardStates.values(&t.Board, t.ID, sealedID(t.Place), t.Version)...)
	}
	return tx.runAt(t.ID, insertBoard, boardColumns.values(&t.Board, t.ID, sealedID(t.Place), t.Version)...)
}

// The statements of a board: what Drawn stores of it is only in the first, for a new table.
const (
	insertBoard = `
		INSERT INTO boards (table_id, place, message, drawn, posted, page, away, repost, seen, tapped, tapper, behind)
		VALUES ($1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, CASE WHEN CAST($5 AS BIGINT) < $3 THEN
			CAST($13 AS BIGINT) END)
		ON CONFLICT (table_id, place) DO UPDATE SET page = excluded.page, away = excluded.away,
			repost = excluded.repost, seen = excluded.seen, tapped = excluded.tapped, tapper = excluded.tapper,
			behind = CASE WHEN boards.drawn < $3 THEN CAST($13 AS BIGINT) END`
	updateBoard = `
		UPDATE boards SET page = $4, away = $5, repost = $6, seen = $7, tapped = $8, tapper = $9,
			behind = CASE WHEN drawn < $3 THEN CAST($10 AS BIGINT) END
		WHERE table_id = $1 AND place = $2`
)

// ActiveTables returns the numbers of a chat's tables that are not over, in order.
func (tx Tables) ActiveTables(chat string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read active tables of %s", chat), activeTables, sealedID(chat))
}

const activeTables = `SELECT id FROM tables WHERE chat = $1 AND state IN ('lobby', 'playing') ORDER BY id`

// MoveTable moves a table to another place of its chat that has no active table. Its board is stale until it is posted.
func (tx Tables) MoveTable(id int64, place string) error { return tx.move(id, "", place, "", false) }

// move brings a table to a place, where a message may hold an old board of it; chat is "" where it stays in its chat.
func (tx Tables) move(id int64, chat, place, message string, away bool) error {
	const moved = `
		UPDATE tables SET chat = CASE WHEN $2 = '' THEN chat ELSE $2 END, place = $3, version = version + 1 WHERE id = $1`
	return wrapped(cmp.Or(tx.on(id, moved).Must(ErrNotFound, moved, id, sealedID(chat), sealedID(place)), tx.runAt(id, `
		UPDATE boards SET place = $2, message = $3, away = $4, drawn = 0,
			behind = COALESCE(behind, (SELECT changed FROM tables WHERE id = $1))
		WHERE table_id = $1`, id, sealedID(place), sealedID(message), away)), "move table %d", id)
}

// LosePlace stores that a place of a chat, "": all of its places, cannot be written to. Boards of active tables and
// open puzzles there are not drawn until they are moved or an event comes from there.
func (tx Tables) LosePlace(chat, place string) error {
	for _, query := range []string{
		`UPDATE boards SET away = TRUE WHERE table_id IN (SELECT id FROM tables
			WHERE chat = $1 AND state IN ('lobby', 'playing') AND ($2 = '' OR place = $2))`,
		`UPDATE puzzles SET away = TRUE WHERE chat = $1 AND open AND ($2 = '' OR place = $2)`,
	} {
		if err := tx.run(query, sealedID(chat), sealedID(place)); err != nil {
			return fmt.Errorf("lose %s of %s: %w", place, chat, err)
		}
	}
	return nil
}
