package store

import (
	"context"
	"fmt"
)

// Turns are how many turns a seat has had at a box, and how many of these shut
// it.
type Turns struct{ Turns, Shut int64 }

// UncountedChat returns a chat that has results from a version that did not
// count turns, or ErrNotFound where none has.
func (tx *Tx) UncountedChat() (string, error) {
	var chat string
	err := tx.get(`SELECT t.chat FROM results r JOIN tables t ON t.id = r.table_id WHERE r.turns IS NULL LIMIT 1`, nil, &chat)
	return chat, err
}

// Uncounted returns the tables of a chat with such results.
func (tx *Tx) Uncounted(chat string) ([]int64, error) {
	tables, err := collect[int64](tx, uncounted, chat)
	if err != nil {
		return nil, fmt.Errorf("uncounted results of %s: %w", chat, err)
	}
	return tables, nil
}

const uncounted = `
	SELECT t.id FROM tables t
	WHERE t.chat = $1 AND t.state = 'over' AND EXISTS (SELECT 1 FROM results r WHERE r.table_id = t.id AND r.turns IS NULL)
	ORDER BY t.id`

// Count notes for a table that is over in which evening that was, and the turns
// of its seats, in seat order; a seat that turns has none for had none. The
// chat's totals do not know of it until Recount.
func (tx *Tx) Count(table int64, evening Day, turns []Turns) error {
	err := tx.run(`UPDATE tables SET evening = $2 WHERE id = $1 AND state = 'over'`, table, int64(evening))
	if err == nil {
		err = tx.run(`UPDATE results SET turns = 0, shut = 0 WHERE table_id = $1`, table)
	}
	for seat, n := range turns {
		if err == nil {
			err = tx.run(`UPDATE results SET turns = $3, shut = $4 WHERE table_id = $1 AND seat = $2`, table, seat, n.Turns, n.Shut)
		}
	}
	if err != nil {
		return fmt.Errorf("count table %d: %w", table, err)
	}
	return nil
}

// Recount makes the totals of a chat anew from its results.
func (tx *Tx) Recount(chat string) error {
	err := tx.run(`DELETE FROM totals WHERE chat = $1`, chat)
	if err == nil {
		err = tx.run(`INSERT INTO totals SELECT * FROM recounted_totals WHERE chat = $1`, chat)
	}
	if err != nil {
		return fmt.Errorf("recount %s: %w", chat, err)
	}
	return nil
}

// WrongTotals says for which totals the sums of their results are others, and
// how many totals there are.
func (tx *Tx) WrongTotals() (wrong []Fault, all int64, err error) {
	err = tx.list(`SELECT chat, kind, period, game, rules, unit, player FROM wrong_totals
		ORDER BY chat, kind DESC, period, game, rules, unit, player`, nil,
		func(scan func(...any) error) error {
			var chat, kind, game, rules, unit, player string
			var period int64
			err := scan(&chat, &kind, &period, &game, &rules, &unit, &player)
			wrong = append(wrong, Fault{Where: "totals of " + chat,
				What: fmt.Sprintf("those of the %s %d for %s in %s %s in %s differ", kind, period, player, game, rules, unit)})
			return err
		})
	if err == nil {
		err = tx.get(`SELECT COUNT(*) FROM totals`, nil, &all)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("compare totals: %w", err)
	}
	return wrong, all, nil
}

// Rebuild replaces the totals of all chats by the sums of their results where
// they are others, and returns what WrongTotals has found before.
func (s *Store) Rebuild(ctx context.Context) (wrong []Fault, all int64, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		if wrong, all, err = tx.WrongTotals(); err != nil || len(wrong) == 0 {
			return err
		}
		if err := tx.run(`DELETE FROM totals`); err != nil {
			return fmt.Errorf("rebuild totals: %w", err)
		}
		if err := tx.run(`INSERT INTO totals SELECT * FROM recounted_totals`); err != nil {
			return fmt.Errorf("rebuild totals: %w", err)
		}
		return nil
	})
	return wrong, all, err
}
