package store

// Stored boards of tables: stale ones, finished drawings, and the places where they are posted.

import (
	"cmp"
	"fmt"

	"knobel/store/engine"
)

// Row is an item of a list for a background loop: the number and the chat of a table, a call (ping) or a puzzle. Place
// and Due are set only by the methods that their comments name.
type Row struct {
	ID    int64
	Chat  string
	Place string // set by DueCalls, OverCalls and Active
	Due   int64  // set by Due and DueOn: when the clock loop has to handle the table, in Unix milliseconds
}

// due returns the variable into which rowsOf reads the time at which the clock loop has to handle a table.
func (r *Row) due() any { return &r.Due }

// place returns the variable into which rowsOf reads a place.
func (r *Row) place() any { return (*sealedID)(&r.Place) }

// Only limits the lists for background loops that methods of tx return from now on, such as Lagging and Due: they hold
// only items of chats for which the function chats returns true. nil removes the limit.
func (tx *Tx) Only(chats func(chat string) bool) { tx.only = chats }

// extraRows is the factor by which rowsOf multiplies the number of rows to read if a condition of Only may drop some.
const extraRows = 64

// rowsOf returns at most limit rows in chats that Only admits. query selects a number, a chat and, unless column is
// nil, a value for the variable that column returns. The parameters of query are args and then the number of rows to
// read. noun names the rows in errors.
func (tx *Tx) rowsOf(noun string, limit int, column func(*Row) any, query string, args ...any) (all []Row, err error) {
	readLimit := limit
	if tx.only != nil {
		readLimit *= extraRows
	}
	err = tx.rows(query, append(args, readLimit), func(row engine.Row) error {
		var r Row
		variables := []any{&r.ID, (*sealedID)(&r.Chat)}
		if column != nil {
			variables = append(variables, column(&r))
		}
		if err := row.Scan(variables...); err != nil || tx.only != nil && !tx.only(r.Chat) {
			return err
		}
		if all = append(all, r); len(all) >= limit {
			return engine.ErrStop
		}
		return nil
	})
	return all, wrapped(err, "read %s", noun)
}

// lagging selects at most $3 stale boards on the platform whose ids begin with $1, the longest stale first, but none
// that the bot cannot edit at the time $2. Its conditions match an index that contains only stale boards.
const lagging = `
	SELECT b.table_id, t.chat FROM boards b JOIN tables t ON t.id = b.table_id
	WHERE b.behind IS NOT NULL AND NOT b.away AND SUBSTR(b.place, 1, LENGTH($1)) = $1
		AND (b.expires = 0 OR b.expires > $2 AND b.token <> '')
	ORDER BY b.behind, b.table_id LIMIT $3`

// Lagging returns at most limit tables on the platform whose ids begin with prefix: those whose boards are stale, the
// longest stale first. Boards that the bot cannot edit at the time now (Unix milliseconds) are left out.
func (tx Tables) Lagging(prefix string, now int64, limit int) ([]Row, error) {
	return tx.rowsOf("lagging boards", limit, nil, lagging, prefix, now)
}

// waiting selects at most $2 tables with numbers above $1 at which a computer player has to move. Its conditions match
// an index that contains only such tables.
const waiting = `SELECT id, chat FROM tables WHERE waits AND id > $1 ORDER BY id LIMIT $2`

// Waiting returns at most limit tables at which the clock loop has to make the move of a computer player: those with
// numbers above beyond, in ascending order.
func (tx Tables) Waiting(beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("tables that wait for the house", limit, nil, waiting, beyond)
}

// Drawing describes the drawn board of a table, and its message.
type Drawing struct {
	Table, Version int64
	Place, Ref     string // the place of the board, and the id of the drawn message
	Was            Board  // the stored board as it was read before drawing
	Posted         int64  // when it was posted as a new message, in Unix milliseconds; 0: a message was edited
	// Token and Expires are stored as those of the Board, if Ref is a new message or Expires is not 0.
	Token   string
	Expires int64
}

// Drawn stores that the board of a table was drawn as d says: the version that it shows now, and its message. Before
// the transaction ends, stored is called: its argument is true if the board is still stale.
//
// If another drawing was stored after d.Was was read, and both are in the same message, the platform may show either:
// Drawn marks the board as stale, so that it is drawn again. If the other drawing is in a new message, or the table has
// left d.Place, Drawn is a no-op and does not call stored.
func (tx Tables) Drawn(d Drawing, stored func(stale bool)) error {
	cached := tx.cache[d.Table] // nil: the table is not in the cache
	err := tx.dbFor(d.Table, drawn).Later(drawn, []any{d.Table, d.Version, sealedID(d.Ref), sealedID(d.Place),
		d.Was.Drawn, sealedID(d.Was.Message), d.Posted, sealedSecret(d.Token), d.Expires}, func(row engine.Row) error {
		var version int64
		var t Table
		if cached != nil {
			t = *cached
		}
		b := &t.Board
		err := row.Scan(&version, &b.Drawn, (*sealedID)(&b.Message), &b.Behind, &b.Posted, &b.Repost,
			(*sealedSecret)(&b.Token), &b.Expires)
		if err != nil {
			return err
		}
		if b.Drawn > version {
			return fmt.Errorf("board shows version %d of %d", b.Drawn, version)
		}
		if cached != nil {
			tx.cacheTable(t)
		}
		stored(b.Drawn < version)
		return nil
	})
	return wrapped(err, "save board of table %d", d.Table)
}

// drawn updates the board of the table $1 as Drawn describes. $2 is the drawn version, $3 the message, $4 the channel
// or thread, $5 and $6 the version and the message before the drawing, $7 the time of the post or 0, $8 and $9 the
// token and its end.
const drawn = `
	UPDATE boards SET
		drawn = CASE WHEN drawn IN ($2, $5) OR message <> $3 THEN $2 WHEN drawn < newest.version THEN drawn
			ELSE newest.version - 1 END,
		behind = CASE WHEN $2 < newest.version OR drawn NOT IN ($2, $5) AND message = $3 THEN newest.changed END,
		message = $3,
		posted = CASE WHEN CAST($7 AS BIGINT) > 0 THEN $7 ELSE posted END,
		repost = repost AND CAST($7 AS BIGINT) = 0,
		token = CASE WHEN message <> $3 OR CAST($9 AS BIGINT) > 0 THEN $8 ELSE token END,
		expires = CASE WHEN message <> $3 OR CAST($9 AS BIGINT) > 0 THEN $9 ELSE expires END
	FROM (SELECT id, version, changed FROM tables WHERE id = $1) newest
	WHERE table_id = newest.id AND place = $4 AND message IN ($3, $6)
	RETURNING (SELECT version FROM tables WHERE id = $1), drawn, message, COALESCE(behind, 0), posted, repost,
		token, expires`

var (
	boardColumns = columnsOf(`message, drawn, posted`, func(b *Board) []any {
		return []any{(*sealedID)(&b.Message), &b.Drawn, &b.Posted}
	}).and(boardStates)
	// boardStates are the columns that saveBoard always writes. Of these, Drawn changes "repost", "token", "expires"
	// and "behind".
	boardStates = columnsOf(`page, away, repost, seen, tapped, tapper, token, expires, behind = 0`, func(b *Board) []any {
		return []any{&b.Page, &b.Away, &b.Repost, &b.Seen, &b.Tapped, &b.Tapper, (*sealedSecret)(&b.Token), &b.Expires,
			&b.Behind}
	})
)

// saveBoard stores the board of t at t.Place. In a row that is stored already, it does not change Drawn, Message and
// Posted. known is true if the row is certainly stored; otherwise it may be missing.
func (tx Tables) saveBoard(t *Table, known bool) error {
	if known {
		return tx.runAt(t.ID, updateBoard, boardStates.values(&t.Board, t.ID, sealedID(t.Place), t.Version)...)
	}
	return tx.runAt(t.ID, insertBoard, boardColumns.values(&t.Board, t.ID, sealedID(t.Place), t.Version)...)
}

// insertBoard adds the row of a board. If there is one, it updates the row as updateBoard does. It sets message, drawn
// and posted only in a new row: later only Drawn changes them.
const (
	insertBoard = `
		INSERT INTO boards (table_id, place, message, drawn, posted, page, away, repost, seen, tapped, tapper, token,
			expires, behind)
		VALUES ($1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, CASE WHEN CAST($5 AS BIGINT) < $3 THEN
			CAST($15 AS BIGINT) END)
		ON CONFLICT (table_id, place) DO UPDATE SET page = excluded.page, away = excluded.away,
			repost = excluded.repost, seen = excluded.seen, tapped = excluded.tapped, tapper = excluded.tapper,
			token = excluded.token, expires = excluded.expires,
			behind = CASE WHEN boards.drawn < $3 THEN CAST($15 AS BIGINT) END`
	updateBoard = `
		UPDATE boards SET page = $4, away = $5, repost = $6, seen = $7, tapped = $8, tapper = $9, token = $10,
			expires = $11, behind = CASE WHEN drawn < $3 THEN CAST($12 AS BIGINT) END
		WHERE table_id = $1 AND place = $2`
)

// ActiveTables returns the numbers of a chat's tables that are in the lobby or in play, ascending.
func (tx Tables) ActiveTables(chat string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read active tables of %s", chat), activeTables, sealedID(chat))
}

// activeTables selects the tables of the chat $1 in the lobby or in play.
const activeTables = `SELECT id FROM tables WHERE chat = $1 AND state IN ('lobby', 'playing') ORDER BY id`

// MoveTable moves a table to another place of its chat, where no table may be in the lobby or in play. The board has no
// message in the new place, and is stale until it is posted there.
func (tx Tables) MoveTable(id int64, place string) error { return tx.move(id, "", place, "", false) }

// move moves a table to a place and marks its board as stale. chat is the table's new chat; "": it stays in its chat.
// message is the board's message in the new place; "": none. unwritable says that the bot cannot write there. If there
// is no table with the number id, the transaction fails with ErrNotFound.
func (tx Tables) move(id int64, chat, place, message string, unwritable bool) error {
	const moved = `
		UPDATE tables SET chat = CASE WHEN $2 = '' THEN chat ELSE $2 END, place = $3, version = version + 1 WHERE id = $1`
	return wrapped(cmp.Or(tx.dbFor(id, moved).Must(ErrNotFound, moved, id, sealedID(chat),
		sealedID(place)), tx.runAt(id, `
		UPDATE boards SET place = $2, message = $3, away = $4, token = '', expires = 0, drawn = 0,
			behind = COALESCE(behind, (SELECT changed FROM tables WHERE id = $1))
		WHERE table_id = $1`, id, sealedID(place), sealedID(message), unwritable)), "move table %d", id)
}

// LosePlace stores that the bot cannot write to a place of a chat, or to any of its places if place is "". The boards
// of active tables and the open puzzles there are not drawn until they are moved, or an event comes from their place. A
// place that is itself the board's message is not lost. The fixed evenings of a lost place end, those of a chat do not.
func (tx Tables) LosePlace(chat, place string) error {
	for _, query := range []string{
		`UPDATE boards SET away = TRUE WHERE message <> place AND table_id IN (SELECT id FROM tables
			WHERE chat = $1 AND state IN ('lobby', 'playing') AND ($2 = '' OR place = $2))`,
		`UPDATE puzzles SET away = TRUE WHERE chat = $1 AND open AND ($2 = '' OR place = $2)`,
		`UPDATE evenings SET over = TRUE, due = 0, synced = FALSE WHERE chat = $1 AND place = $2`,
	} {
		if err := tx.run(query, sealedID(chat), sealedID(place)); err != nil {
			return fmt.Errorf("lose %s of %s: %w", place, chat, err)
		}
	}
	return nil
}
