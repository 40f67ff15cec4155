package store

// Where tables stand, and how they move.

import "fmt"

// ActiveTables returns the numbers of the tables of a chat that are not over, in
// order.
func (tx Tables) ActiveTables(chat string) ([]int64, error) {
	tables, err := collect[int64](tx.Tx, activeTables, sealedID(chat))
	return tables, wrapped(err, "read active tables of %s", chat)
}

const activeTables = `SELECT id FROM tables WHERE chat = $1 AND state IN ('lobby', 'playing') ORDER BY id`

// Stood is the chat and the place of a table.
type Stood struct{ Chat, Place string }

// ActivePlaces returns where tables stand that are not over, in order.
func (tx Tables) ActivePlaces() ([]Stood, error) {
	all, err := collectBy(tx.Tx, func(s *Stood) []any { return []any{(*sealedID)(&s.Chat), (*sealedID)(&s.Place)} },
		`SELECT chat, place FROM tables WHERE state IN ('lobby', 'playing') ORDER BY id`)
	return all, wrapped(err, "read places of active tables")
}

// MoveTable brings a table to another place of its chat, where it has no board
// yet and lags until it has. The place must have no table that is not over.
func (tx Tables) MoveTable(id int64, place string) error {
	return wrapped(tx.move(id, "", place, "", false), "move table %d", id)
}

// move brings a table to a place, where a message may hold an old board of it; chat is "" where it stays in its chat.
func (tx Tables) move(id int64, chat, place, message string, away bool) error {
	moved, err := tx.execAt(id, `
		UPDATE tables SET chat = CASE WHEN $2 = '' THEN chat ELSE $2 END, place = $3, version = version + 1 WHERE id = $1`,
		id, sealedID(chat), sealedID(place))
	if err == nil && moved == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return err
	}
	return tx.runAt(id, `
		UPDATE boards SET place = $2, message = $3, away = $4, drawn = 0,
			behind = COALESCE(behind, (SELECT changed FROM tables WHERE id = $1))
		WHERE table_id = $1`, id, sealedID(place), sealedID(message), away)
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
