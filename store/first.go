package store

// firstGame runs while boards are drawn: it reads a bounded number of a chat's games, however many
// there are.
const firstGame = `
	SELECT NOT EXISTS (
		SELECT 1 FROM (SELECT game FROM tables WHERE chat = $1 AND state = 'over' ORDER BY id DESC LIMIT 1000) lately
		WHERE lately.game = $2)
	    OR NOT EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $3
	    	AND t.state = 'over')`

// FirstGame reports whether a game is new to a chat, where none of its kind has come
// to an end among the last thousand games, or to a player, who has not seen any come to its end.
func (tx *Tx) FirstGame(chat, game, player string) (first bool, err error) {
	err = tx.get(firstGame, []any{sealedID(chat), game, sealedID(player)}, &first)
	return first, wrapped(err, "read whether a game of %s is the first", player)
}

const movesOf = `SELECT COUNT(*) FROM moves WHERE table_id = $1 AND seat = $2`

// MovesOf returns how many moves have been made at a seat.
func (tx *Tx) MovesOf(table int64, seat int) (n int, err error) {
	err = tx.get(movesOf, []any{table, seat}, &n)
	return n, wrapped(err, "count the moves of seat %d at table %d", seat, table)
}
