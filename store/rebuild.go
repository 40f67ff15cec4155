package store

// How totals are added up again from the results.

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Turns are how many turns a seat has had at a box, and how many of these shut
// it.
type Turns struct{ Turns, Shut int64 }

// UncountedChat returns a chat with results of a version that did not count turns, or ErrNotFound.
func (tx *Tx) UncountedChat() (string, error) {
	var chat string
	err := tx.get(`SELECT t.chat FROM results r JOIN tables t ON t.id = r.table_id WHERE r.turns IS NULL LIMIT 1`, nil,
		(*sealedID)(&chat))
	return chat, err
}

// Uncounted returns the tables of a chat with such results.
func (tx *Tx) Uncounted(chat string) ([]int64, error) {
	tables, err := collect[int64](tx, uncounted, sealedID(chat))
	return tables, wrapped(err, "uncounted results of %s", chat)
}

const uncounted = `
	SELECT t.id FROM tables t
	WHERE t.chat = $1 AND t.state = 'over' AND EXISTS (SELECT 1 FROM results r WHERE r.table_id = t.id
		AND r.turns IS NULL)
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
			err = tx.run(`UPDATE results SET turns = $3, shut = $4 WHERE table_id = $1 AND seat = $2`, table, seat,
				n.Turns,
				n.Shut)
		}
	}
	return wrapped(err, "count table %d", table)
}

// Recount makes the totals of a chat anew from its results.
func (tx *Tx) Recount(chat string) error {
	err := tx.run(`DELETE FROM totals WHERE chat = $1`, sealedID(chat))
	if err == nil {
		err = tx.run(`INSERT INTO totals SELECT * FROM recounted_totals WHERE chat = $1`, sealedID(chat))
	}
	return wrapped(err, "recount %s", chat)
}

// WrongTotals says which totals are not the sums of their results, and how many
// totals there are. It compares chat by chat, until ctx ends, and tells how many chats of all are done.
func (tx *Tx) WrongTotals(ctx context.Context, told Progress) (wrong []Fault, all int64, err error) {
	var chats int64
	if err := tx.get(`SELECT COUNT(*) FROM chats`, nil, &chats); err != nil {
		return nil, 0, fmt.Errorf("count chats: %w", err)
	}
	done := counter(told, chats)
	err = tx.eachChat(func(chat string) error {
		found, err := tx.wrongTotals(chat)
		wrong = append(wrong, found...)
		done()
		return errors.Join(wrapped(err, "of %s", chat), ctx.Err())
	})
	if err != nil {
		return wrong, 0, fmt.Errorf("compare totals: %w", err)
	}
	err = tx.get(`SELECT COUNT(*) FROM totals`, nil, &all)
	return wrong, all, wrapped(err, "count totals")
}

// chatsAtOnce is how many chats are read at once.
const chatsAtOnce = 1000

// eachChat calls each for every chat, in the order in which they are stored.
func (tx *Tx) eachChat(each func(chat string) error) error {
	for last := ""; ; {
		chats, err := collectIDs(tx, `SELECT id FROM chats WHERE id > $1 ORDER BY id LIMIT $2`, sealedID(last), chatsAtOnce)
		if err != nil {
			return fmt.Errorf("list chats: %w", err)
		}
		for _, chat := range chats {
			if err := each(chat); err != nil {
				return err
			}
			last = chat
		}
		if len(chats) < chatsAtOnce {
			return nil
		}
	}
}

// wrongTotals compares the totals of a chat with the sums of its results: a row
// that does not stand on both sides, column by column, is wrong.
func (tx *Tx) wrongTotals(chat string) (wrong []Fault, err error) {
	unlike, err := tx.unlikeTotals(chat, comparedAtOnce)
	for _, t := range unlike {
		wrong = append(wrong, Fault{Where: totalsOf + chat,
			What: fmt.Sprintf("those of the %s %d for %s in %s %s in %s are not what the results add up to", t.kind,
				t.period, tx.shown(t.player), t.game, t.rules, t.unit)})
	}
	return wrong, err
}

// Rebuild replaces the totals of every chat by the sums of its results where
// they are others, and returns what WrongTotals has found before. Where ctx ends while they are compared, nothing is
// changed.
func (s *Store) Rebuild(ctx context.Context, told Progress) (wrong []Fault, all int64, err error) {
	err = s.Update(ctx, func(tx *Tx) error {
		if wrong, all, err = tx.WrongTotals(ctx, told); err != nil {
			return err
		}
		for i, f := range wrong {
			if i > 0 && f.Where == wrong[i-1].Where {
				continue
			}
			if err := tx.Recount(strings.TrimPrefix(f.Where, totalsOf)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrong, all, err
}

// totalsOf begins the place of a fault in totals, before the chat.
const totalsOf = "totals of "
