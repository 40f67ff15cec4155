package store

import (
	"context"
	"database/sql/driver"
	"maps"
	"regexp"
)

// mostAtHand is how many tables the writing connection has at hand.
const mostAtHand = 4096

// desk is the tables that the writing connection has at hand as they are stored,
// so that a press does not read again what the press before it has written. No
// other connection writes; where one has all the same, such as an operator's, the
// desk is cleared.
type desk struct {
	tables map[int64]Table
	seen   int64 // what elsewhere has said last
}

// changesTables finds statements that change tables that may be at hand; a new
// one is not. Those that are not known to change only one table clear the desk.
var changesTables = regexp.MustCompile(`(?i)\b(UPDATE|INTO|DELETE\s+FROM)\s+seats\b|\bUPDATE\s+tables\b`)

// dust clears the desk where another connection has written since the last
// transaction.
func (c *connection) dust() {
	if len(c.desk.tables) == 0 {
		return
	}
	err := c.rows(context.Background(), elsewhere, nil, func(row []driver.Value) error {
		if now, _ := row[0].(int64); now != c.desk.seen {
			c.desk.seen = now
			clear(c.desk.tables)
		}
		return nil
	})
	if err != nil {
		clear(c.desk.tables) // what is read next tells the trouble
	}
}

// clearFor clears the desk before a statement that changes tables.
func (c *connection) clearFor(s *statement) {
	if s.changes {
		clear(c.desk.tables)
	}
}

// lay lays a table on the desk as it is stored now.
func (tx *Tx) lay(t Table) {
	if !tx.writes {
		return
	}
	desk := tx.conn.desk.tables
	if len(desk) >= mostAtHand {
		clear(desk)
	}
	desk[t.ID] = t.copied()
	tx.laid = append(tx.laid, t.ID)
}

// undo takes from the desk what the transaction has laid there.
func (tx *Tx) undo() {
	for _, id := range tx.laid {
		delete(tx.conn.desk.tables, id)
	}
}

// atHand returns a table as it is stored, where that is known. It is not to be
// written into.
func (tx *Tx) atHand(id int64) (Table, bool) {
	t, ok := tx.conn.desk.tables[id]
	return t, ok
}

// execAt is exec for a statement that changes nothing but one table and its seats.
func (tx *Tx) execAt(table int64, query string, args ...any) (int64, error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	delete(tx.conn.desk.tables, table)
	s, err := tx.conn.statement(query)
	if err != nil {
		return 0, tx.fail(err)
	}
	changed, err := tx.conn.run(tx.ctx, s, args)
	return changed, tx.fail(err)
}

// copied returns a table that shares nothing with t, as it would be read.
func (t Table) copied() Table {
	t.Rules, t.Seats = maps.Clone(t.Rules), append([]Seat(nil), t.Seats...)
	t.Seed, t.Match = append([]byte(nil), t.Seed...), append([]byte(nil), t.Match...)
	return t
}
