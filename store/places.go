package store

// Where tables stand, and how they move.

import (
	"cmp"
	"fmt"
)

// ActiveTables returns the numbers of the tables of a chat that are not over, in
// order.
func (tx Tables) ActiveTables(chat string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read active tables of %s", chat), activeTables, sealedID(chat))
}

const activeTables = `SELECT id FROM tables WHERE chat = $1 AND state IN ('lobby', 'playing') ORDER BY id`

// ActivePlaces returns the tables that are not over with their places, in order.
func (tx Tables) ActivePlaces() ([]Row, error) {
	return collectBy(tx.Tx, doing("read places of active tables"), func(r *Row) []any {
		return []any{&r.ID, (*sealedID)(&r.Chat), r.place()}
	}, `SELECT id, chat, place FROM tables WHERE state IN ('lobby', 'playing') ORDER BY id`)
}

// MoveTable brings a table to another place of its chat, where it has no board
// yet and lags until it has. The place must have no table that is not over.
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

// LosePlace stores that a place of a chat cannot be written to; "" stands for all of its places.
// Boards of active tables and open puzzles there are not drawn until they are moved, or until an
// event comes from there.
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
