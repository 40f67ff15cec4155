package store

// The moves and the result of a table.

import (
	"encoding/json"
	"fmt"
)

// AddMove appends the next move of a table.
func (tx Tables) AddMove(table int64, m Move) error {
	dice, err := json.Marshal(m.Dice)
	if err != nil {
		return fmt.Errorf("add move to table %d: %w", table, err)
	}
	err = tx.run(`
		INSERT INTO moves (table_id, number, seat, move, dice, auto, at)
		VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM moves WHERE table_id = $1), $2, $3, $4, $5, $6)`,
		table, m.Seat, m.Move, string(dice), m.Auto, m.At)
	return wrapped(err, "add move to table %d", table)
}

// Moves returns the moves of a table in order.
func (tx Tables) Moves(table int64) ([]Move, error) { return tx.MovesSince(table, 0) }

// MovesSince returns the moves of a table with numbers above one, in order.
func (tx Tables) MovesSince(table, number int64) ([]Move, error) {
	return tx.moves(table, `
		SELECT seat, move, dice, auto, at FROM moves WHERE table_id = $1 AND number > $2 ORDER BY number`, table, number)
}

// MovesAt returns the moves of a table that were played at one moment, in Unix milliseconds, in order.
func (tx Tables) MovesAt(table, at int64) ([]Move, error) {
	return tx.moves(table, `
		SELECT seat, move, dice, auto, at FROM moves WHERE table_id = $1 AND at = $2 ORDER BY number`, table, at)
}

// moves reads moves of a table by a query.
func (tx Tables) moves(table int64, query string, args ...any) ([]Move, error) {
	moves, err := collectBy(tx.Tx, func(m *Move) []any {
		return []any{&m.Seat, &m.Move, inJSON{&m.Dice}, &m.Auto, &m.At}
	}, query, args...)
	return moves, wrapped(err, "read moves of table %d", table)
}

const playedFor = `
	SELECT DISTINCT m.seat FROM moves m JOIN seats s ON s.table_id = m.table_id AND s.seat = m.seat
	WHERE m.table_id = $1 AND m.auto AND m.number > s.since ORDER BY m.seat`

// PlayedFor returns the seats of a table for whose present owners at least one move was played
// while they were absent.
func (tx Tables) PlayedFor(table int64) ([]int, error) {
	seats, err := collect[int](tx.Tx, playedFor, table)
	return seats, wrapped(err, "read for whom was played at table %d", table)
}

// Finish stores the result of a table, one row a seat, that ends at a moment,
// in Unix milliseconds, and in an evening, and adds it to the totals. The table
// is saved as Over in the same transaction, and its payout is posted there.
func (tx Tables) Finish(table, at int64, evening Day, rows []Result) error {
	wrap := func(err error) error { return fmt.Errorf("finish table %d: %w", table, err) }
	for _, r := range rows {
		var n, d any
		if r.Difference.D != 0 {
			n, d = r.Difference.N, r.Difference.D
		}
		err := tx.run(`
			INSERT INTO results (table_id, seat, score, total, threw, place, pool, difference_n, difference_d, settlement,
				turns, shut)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			table, r.Seat, r.Score, r.Total, r.Threw, r.Place, r.Pool, n, d, r.Settlement, r.Turns, r.Shut)
		if err != nil {
			return wrap(err)
		}
	}
	err := tx.runAt(table, `
		UPDATE tables SET ended = $2, evening = $3,
			season = (SELECT s.id FROM seasons s WHERE s.chat = tables.chat ORDER BY s.started DESC, s.id DESC LIMIT 1)
		WHERE id = $1`, table, at, int64(evening))
	if err != nil {
		return wrap(err)
	}
	tx.atEnd.settling = append(tx.atEnd.settling, table)
	tx.atEnd.finished = append(tx.atEnd.finished, table)
	return nil
}

// resultColumns are the columns of a result r.
const resultColumns = `r.seat, r.score, r.total, r.threw, r.place, r.pool, COALESCE(r.difference_n, 0),
	COALESCE(r.difference_d, 0), r.settlement,
	COALESCE(r.turns, -1), COALESCE(r.shut, 0)`

func (r *Result) into() []any {
	return []any{&r.Seat, &r.Score, &r.Total, &r.Threw, &r.Place, &r.Pool, &r.Difference.N, &r.Difference.D,
		&r.Settlement, &r.Turns, &r.Shut}
}

const resultsOf = `SELECT ` + resultColumns + ` FROM results r WHERE r.table_id = $1 ORDER BY r.seat`

// Results returns the results of a table in seat order, none before its end.
func (tx Tables) Results(table int64) ([]Result, error) {
	rows, err := collectBy(tx.Tx, (*Result).into, resultsOf, table)
	return rows, wrapped(err, "read result of table %d", table)
}

// page is the number of table numbers read at once.
const page = 100

// Finished calls each with the numbers of all finished tables, or those of one chat, in order. each
// may use the transaction.
func (tx Tables) Finished(chat string, each func(table int64) error) error {
	if chat == "" {
		return tx.pages(each, `SELECT id FROM tables WHERE id > $1 AND state = 'over' ORDER BY id LIMIT $2`)
	}
	return tx.pages(each, `SELECT id FROM tables WHERE id > $1 AND state = 'over' AND chat = $3 ORDER BY id LIMIT $2`,
		sealedID(chat))
}

// Tables calls each with the numbers of all tables in order, in whatever state. each may use the
// transaction.
func (tx Tables) Tables(each func(table int64) error) error {
	return tx.pages(each, `SELECT id FROM tables WHERE id > $1 ORDER BY id LIMIT $2`)
}

// CountTables counts the tables that Tables would return.
func (tx Tables) CountTables() (n int64, err error) {
	err = tx.get(`SELECT COUNT(*) FROM tables`, nil, &n)
	return n, wrapped(err, "count tables")
}

// pages calls each with numbers of tables, reading a page at a time, so that
// no statement is open while each runs.
func (tx Tables) pages(each func(table int64) error, query string, args ...any) error {
	for last := int64(0); ; {
		tables, err := collect[int64](tx.Tx, query, append([]any{last, page}, args...)...)
		if err != nil {
			return fmt.Errorf("list tables: %w", err)
		}
		for _, table := range tables {
			if err := each(table); err != nil {
				return err
			}
			last = table
		}
		if len(tables) < page {
			return nil
		}
	}
}

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
	return tx.rowsOf("tables with older moves", limit, olderMoves, before)
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
