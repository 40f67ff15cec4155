package store

// How often which face fell.

import (
	"encoding/json"
	"fmt"
)

// Faces are the dice that a seat has thrown at a finished table.
type Faces struct {
	Seat   int
	Sides  int // of each of its dice
	Throws int64
	Counts []int64 // how often each face fell, that of 1 first
}

// With adds up two, of dice with the same sides; the zero value has none. The
// seat means nothing in the sum.
func (f Faces) With(more Faces) Faces {
	sum := Faces{Sides: more.Sides, Throws: f.Throws + more.Throws, Counts: make([]int64, more.Sides)}
	for _, counts := range [][]int64{f.Counts, more.Counts} {
		for i := range min(len(counts), sum.Sides) {
			sum.Counts[i] += counts[i]
		}
	}
	return sum
}

// UncountedFaces returns the finished tables of a chat at which a player sat and
// whose faces have not been added yet.
func (tx Scores) UncountedFaces(chat, player string) ([]int64, error) {
	tables, err := collect[int64](tx.Tx, uncountedFaces, sealedID(player), sealedID(chat))
	return tables, wrapped(err, "uncounted dice of %s in %s", player, chat)
}

const uncountedFaces = `
	SELECT s.table_id
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over'
		AND NOT EXISTS (SELECT 1 FROM faces f WHERE f.table_id = s.table_id AND f.seat = s.seat)`

// AddFaces keeps the faces of all seats of a finished table, once.
func (tx Scores) AddFaces(table int64, seats []Faces) error {
	for _, f := range seats {
		counts, err := json.Marshal(f.Counts)
		if err == nil {
			err = tx.run(`INSERT INTO faces (table_id, seat, sides, throws, counts) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (table_id, seat) DO NOTHING`, table, f.Seat, f.Sides, f.Throws, string(counts))
		}
		if err != nil {
			return fmt.Errorf("add dice of table %d: %w", table, err)
		}
	}
	return nil
}

// FacesOf adds up what a player has thrown at finished tables of a chat, by the number of sides.
// Tables whose faces were not added up yet are missing. Seat is not set.
func (tx Scores) FacesOf(chat, player string) (map[int]Faces, error) {
	all := map[int]Faces{}
	err := tx.list(facesOf, []any{sealedID(player), sealedID(chat)}, func(scan func(...any) error) error {
		var f Faces
		var counts string
		if err := scan(&f.Sides, &f.Throws, &counts); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(counts), &f.Counts); err != nil {
			return err
		}
		all[f.Sides] = all[f.Sides].With(f)
		return nil
	})
	return all, wrapped(err, "dice of %s in %s", player, chat)
}

const facesOf = `
	SELECT f.sides, f.throws, f.counts
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN faces f ON f.table_id = s.table_id AND f.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided`
