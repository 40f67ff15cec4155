package store

// Moves and results of tables, and loops over all tables.

import "cmp"

var moveColumns = columnsOf(`seat, move, dice, auto, at`, func(m *Move) []any {
	return []any{&m.Seat, &m.Move, inJSON{&m.Dice}, &m.Auto, &m.At}
})

// AddMove stores m as the next move of a table.
func (tx Tables) AddMove(table int64, m Move) error {
	return wrapped(tx.run(`
		INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
		VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM moves WHERE table_id = $1), $2, $3, $4, $5, $6)`,
		moveColumns.values(&m, table)...), "add move to table %d", table)
}

// Moves returns the moves of a table in order.
func (tx Tables) Moves(table int64) ([]Move, error) { return tx.MovesSince(table, 0) }

// MovesSince returns the moves of a table with numbers above number, in order. The first move has the number 1.
func (tx Tables) MovesSince(table, number int64) ([]Move, error) {
	return tx.moves(table, `number > $2`, number)
}

// MovesAt returns, in order, the moves of a table that have the time at, in Unix milliseconds.
func (tx Tables) MovesAt(table, at int64) ([]Move, error) { return tx.moves(table, `at = $2`, at) }

// moves returns, in order, the moves of a table that fulfil where, an SQL condition. arg is the parameter $2 of where.
func (tx Tables) moves(table int64, where string, arg int64) ([]Move, error) {
	return collectBy(tx.Tx, doing("read moves of table %d", table), moveColumns.of,
		`SELECT seat, move, dice, auto, at FROM moves WHERE table_id = $1 AND `+where+` ORDER BY number`, table, arg)
}

// playedFor selects the seats of the table $1 with an automatic move made after the present player took the seat.
const playedFor = `
	SELECT DISTINCT m.seat FROM moves m JOIN seats s ON s.table_id = m.table_id AND s.seat = m.seat
	WHERE m.table_id = $1 AND m.auto AND m.number > s.since ORDER BY m.seat`

// PlayedFor returns the seats of a table whose current players had a move made for them while they were absent.
func (tx Tables) PlayedFor(table int64) ([]int, error) {
	return collect[int](tx.Tx, doing("read automatic moves of table %d", table), playedFor, table)
}

// Finish stores the end of a table: the time at in Unix milliseconds, the evening, and rows, the results of all seats.
// The results are added to the totals at the end of the transaction. The transaction must also save the table as Over
// and post the payout of the pool.
func (tx Tables) Finish(table, at int64, evening Day, rows []Result) error {
	var err error
	for _, r := range rows {
		err = cmp.Or(err, tx.run(`
			INSERT INTO results (table_id, seat, score, total, threw, place, pool, difference_n, difference_d, settlement,
				turns, shut)
			VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN CAST($9 AS BIGINT) <> 0 THEN CAST($8 AS BIGINT) END,
				NULLIF(CAST($9 AS BIGINT), 0), $10, $11, $12)`, resultColumns.values(&r, table)...))
	}
	tx.atEnd.settling = append(tx.atEnd.settling, table)
	tx.atEnd.finished = append(tx.atEnd.finished, table)
	return wrapped(cmp.Or(err, tx.runAt(table, `
		UPDATE tables SET ended = $2, evening = $3,
			season = (SELECT s.id FROM seasons s WHERE s.chat = tables.chat ORDER BY s.started DESC, s.id DESC LIMIT 1)
		WHERE id = $1`, table, at, int64(evening))), "finish table %d", table)
}

var (
	resultColumns = columnsOf(
		`seat, score, total, threw, place, pool, difference_n = 0, difference_d = 0, settlement, turns = -1, shut = 0`,
		func(r *Result) []any {
			return []any{&r.Seat, &r.Score, &r.Total, &r.Threw, &r.Place, &r.Pool, &r.Difference.N, &r.Difference.D,
				&r.Settlement, &r.Turns, &r.Shut}
		})
	resultsOf = `SELECT ` + resultColumns.list("") + ` FROM results WHERE table_id = $1 ORDER BY seat`
)

// Results returns the results of a table in the order of seats, or nil before its end.
func (tx Tables) Results(table int64) ([]Result, error) {
	return collectBy(tx.Tx, doing("read result of table %d", table), resultColumns.of, resultsOf, table)
}

// pageSize is the number of tables that one query of byPage reads.
const pageSize = 100

// Finished calls the function each with the number of every finished table of a chat, or of all chats if chat is "", in
// ascending order. each may read and write.
func (tx Tables) Finished(chat string, each func(table int64) error) error {
	if chat == "" {
		return tx.byPage(each, `SELECT id FROM tables WHERE id > $1 AND state = 'over' ORDER BY id LIMIT $2`)
	}
	return tx.byPage(each, `SELECT id FROM tables WHERE id > $1 AND state = 'over' AND chat = $3 ORDER BY id LIMIT $2`,
		sealedID(chat))
}

// Tables calls the function each with the number of every table in ascending order. each may read and write.
func (tx Tables) Tables(each func(table int64) error) error {
	return tx.byPage(each, `SELECT id FROM tables WHERE id > $1 ORDER BY id LIMIT $2`)
}

// CountTables returns the number of all tables.
func (tx Tables) CountTables() (int64, error) {
	return one[int64](tx.Tx, doing("count tables"), `SELECT COUNT(*) FROM tables`)
}

// byPage calls the function each with every table number that query selects. It runs query once for each page of
// pageSize numbers, so that no query is open while each runs. Parameters of query are $1, the last number of the page
// before, $2, the size of a page, and then args.
func (tx Tables) byPage(each func(table int64) error, query string, args ...any) error {
	for last := int64(0); ; {
		tables, err := collect[int64](tx.Tx, doing("list tables"), query, append([]any{last, pageSize}, args...)...)
		if err != nil {
			return err
		}
		for _, table := range tables {
			if err := each(table); err != nil {
				return err
			}
			last = table
		}
		if len(tables) < pageSize {
			return nil
		}
	}
}

// olderMoves selects ended tables with stored moves that were last changed before $1, except those whose moves a review
// still needs. Its conditions match an index that contains only ended tables with moves.
const olderMoves = `
	SELECT id, chat FROM tables
	WHERE state IN ('over', 'abandoned') AND NOT bare AND changed < $1
		AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.table_id = tables.id AND r.state = 'wanted')
	ORDER BY changed, id LIMIT $2`

// OlderMoves returns at most limit ended tables that have stored moves and were last changed before cutoff, a time in
// Unix milliseconds. The longest unchanged comes first. Tables whose review is still to be computed are left out.
func (tx Tables) OlderMoves(cutoff int64, limit int) ([]Row, error) {
	return tx.rowsOf("tables with older moves", limit, nil, olderMoves, cutoff)
}

// DropMoves deletes the moves of an ended table. Its seed, results, review and totals stay. If the table is missing or
// has not ended, DropMoves fails the transaction with ErrNotFound.
func (tx Tables) DropMoves(table int64) error {
	const bare = `UPDATE tables SET bare = TRUE WHERE id = $1 AND state IN ('over', 'abandoned')`
	return wrapped(cmp.Or(tx.dbFor(table, bare).Must(ErrNotFound, bare, table),
		tx.run(`DELETE FROM moves WHERE table_id = $1`, table)), "delete moves of table %d", table)
}

// CountWithoutMoves returns the number of tables whose moves were deleted by DropMoves.
func (tx Tables) CountWithoutMoves() (int64, error) {
	return one[int64](tx.Tx, doing("count tables without moves"), `SELECT COUNT(*) FROM tables WHERE bare`)
}
