package store

// Checks and repairs of totals: they are added up again from the results.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unique"

	"knobel/store/engine"
)

// Turns holds how many turns of Shut the Box a seat had, and how many of these shut the box.
type Turns struct{ Turns, Shut int64 }

// UncountedChat returns the id of a chat with results of older versions, which lack a count of turns, or ErrNotFound.
func (tx Scores) UncountedChat() (string, error) {
	var chat string
	err := tx.get(`SELECT t.chat FROM results r JOIN tables t ON t.id = r.table_id WHERE r.turns IS NULL LIMIT 1`, nil,
		(*sealedID)(&chat))
	return chat, err
}

// Uncounted returns the numbers of the finished tables of a chat whose results lack the count of turns, ascending.
func (tx Scores) Uncounted(chat string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read uncounted results of %s", chat), uncounted, sealedID(chat))
}

// uncounted selects the finished tables of the chat $1 with a result whose turns are not counted.
const uncounted = `
	SELECT t.id FROM tables t
	WHERE t.chat = $1 AND t.state = 'over' AND EXISTS (SELECT 1 FROM results r WHERE r.table_id = t.id
		AND r.turns IS NULL)
	ORDER BY t.id`

// Count stores the evening of a finished table and how many turns its seats had. turns[i] is for seat i; seats without
// an element get zeros. The totals do not change until Recount.
func (tx Scores) Count(table int64, evening Day, turns []Turns) error {
	err := cmp.Or(
		tx.run(`UPDATE tables SET evening = $2 WHERE id = $1 AND state = 'over'`, table, int64(evening)),
		tx.run(`UPDATE results SET turns = 0, shut = 0 WHERE table_id = $1`, table))
	for seat, n := range turns {
		err = cmp.Or(err, tx.run(`UPDATE results SET turns = $3, shut = $4 WHERE table_id = $1 AND seat = $2`,
			table, seat, n.Turns, n.Shut))
	}
	return wrapped(err, "count table %d", table)
}

// Recount rebuilds the totals of a chat from its results.
func (tx Scores) Recount(chat string) error {
	err := cmp.Or(tx.run(`DELETE FROM totals WHERE chat = $1`, sealedID(chat)),
		tx.run(`INSERT INTO totals SELECT * FROM recounted_totals WHERE chat = $1`, sealedID(chat)))
	return wrapped(err, "recount %s", chat)
}

// WrongTotals returns a fault for each chat whose totals are not the sums of its results. progress gets the numbers of
// chats checked and of all chats. If ctx ends, WrongTotals returns the error of ctx.
func (tx Scores) WrongTotals(ctx context.Context, progress Progress) (wrong []Fault, err error) {
	chats, err := collectIDs(tx.Tx, doing("read chats"), `SELECT id FROM chats ORDER BY id`)
	done := progressCounter(progress, int64(len(chats)))
	for _, chat := range chats {
		if err = errors.Join(err, ctx.Err()); err != nil {
			break
		}
		var n int
		if n, err = tx.wrongTotals(chat); n > 0 {
			what := fmt.Sprintf("%d differ from the sums of the results", n)
			wrong = append(wrong, Fault{Where: totalsPrefix + chat, What: what})
		}
		done()
	}
	return wrong, wrapped(err, "compare totals")
}

// totalsPrefix begins Fault.Where for wrong totals. The id of the chat follows.
const totalsPrefix = "totals of "

// MendTotals rebuilds the totals of every chat for which WrongTotals returns a fault, and returns these faults.
// progress gets the numbers of chats checked and of all chats. If ctx ends during the check, nothing changes.
func (s *Store) MendTotals(ctx context.Context, progress Progress) (wrong []Fault, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		if wrong, err = tx.Scores.WrongTotals(ctx, progress); err != nil {
			return err
		}
		for _, f := range wrong {
			if err := tx.Scores.Recount(strings.TrimPrefix(f.Where, totalsPrefix)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrong, err
}

// totalKey is the key of a row of a chat's totals. Its texts are as in the database, and equal ones share memory.
type totalKey struct {
	period int64
	texts  [5]unique.Handle[string]
}

// counts holds the numbers of a row of totals. Without a score, low is the largest int64 and high its negative.
type counts struct {
	added     [11]int64
	low, high int64
}

// wrongTotals returns how many rows of a chat's totals are wrong: missing, superfluous or not the sums of the results.
// It adds up in Go, because SQLite would need memory for all rows.
func (tx Scores) wrongTotals(chat string) (wrong int, err error) {
	sums := map[totalKey]counts{}
	err = tx.eachTotal("counted_results", chat, func(t totalKey, n counts) {
		if sum, there := sums[t]; there {
			for i := range n.added {
				n.added[i] += sum.added[i]
			}
			n.low, n.high = min(n.low, sum.low), max(n.high, sum.high)
		}
		sums[t] = n
	})
	if err != nil {
		return 0, err
	}
	err = tx.eachTotal("totals", chat, func(t totalKey, n counts) {
		if sum, there := sums[t]; !there || sum != n {
			wrong++
		}
		delete(sums, t)
	})
	return wrong + len(sums), err
}

// selectTotals selects all rows of the chat $1 from a table or view, whose name is %s. A low or high that is NULL gets
// the value for no score in the type counts.
var selectTotals = `SELECT period, kind, game, rules, unit, player, ` + addedUp.list("") + `,
		COALESCE(low, 9223372036854775807), COALESCE(high, -9223372036854775807)
	FROM %s WHERE chat = $1`

// eachTotal calls the function each for every row of a chat in relation: the table totals or the view counted_results.
// In the view, each result has one row for every total to which it adds: that of its season and that of its evening.
func (tx Scores) eachTotal(relation, chat string, each func(t totalKey, n counts)) error {
	var t totalKey
	var n counts
	var texts [len(t.texts)]string
	into := []any{&t.period}
	for i := range texts {
		into = append(into, &texts[i])
	}
	into = append(append(into, addedUp.of(&n)...), &n.low, &n.high)
	return tx.rows(fmt.Sprintf(selectTotals, relation), []any{sealedID(chat)}, func(row engine.Row) error {
		err := row.Scan(into...)
		for i := range texts {
			t.texts[i] = unique.Make(texts[i])
		}
		each(t, n)
		return err
	})
}
