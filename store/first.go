package store

import "strings"

// firstGame runs while boards are drawn: it reads a bounded number of a chat's games, however many
// there are.
const (
	firstGame = `SELECT ` + isFirst
	isFirst   = `
	NOT EXISTS (
		SELECT 1 FROM (SELECT game FROM tables WHERE chat = $1 AND state = 'over' ORDER BY id DESC LIMIT 1000) lately
		WHERE lately.game = $2)
	OR NOT EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $3 AND t.state = 'over')`
)

// What these ask of all seats of the table $1 follows from its number alone, so that it is asked with the rest that a
// board shows.
var firstGamesAt = `SELECT` + strings.NewReplacer(
	`$1`, `(SELECT chat FROM tables WHERE id = $1)`,
	`$2`, `(SELECT game FROM tables WHERE id = $1)`,
	`$3`, `b.player`).Replace(isFirst) + `
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

const movesBySeat = `
	SELECT (SELECT COUNT(*) FROM moves m WHERE m.table_id = b.table_id AND m.seat = b.seat)
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

// FirstGame reports whether a game is new to a chat, where none of its kind has come
// to an end among the last thousand games, or to a player, who has not seen any come to its end.
func (tx Scores) FirstGame(chat, game, player string) (first bool, err error) {
	err = tx.get(firstGame, []any{sealedID(chat), game, sealedID(player)}, &first)
	return first, wrapped(err, "read whether a game of %s is the first", player)
}

// FirstGamesAt is FirstGame for a table and each of its seats; of those of the house it says nothing.
func (tx Scores) FirstGamesAt(table int64) ([]bool, error) {
	first, err := collect[bool](tx.Tx, firstGamesAt, table)
	return first, wrapped(err, "read to whom the game of table %d is new", table)
}

// MovesBySeat returns how many moves have been made at each seat of a table.
func (tx Scores) MovesBySeat(table int64) ([]int, error) {
	moves, err := collect[int](tx.Tx, movesBySeat, table)
	return moves, wrapped(err, "count the moves of table %d", table)
}
