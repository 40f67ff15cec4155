package store

// Finished games of some evenings, and the places of all players in order, for recaps.

// EndedIn returns the numbers of a chat's finished tables on the evenings from first to last, ascending. Practice and
// voided games are left out.
func (tx Scores) EndedIn(chat string, first, last Day) ([]int64, error) {
	const aDay = 1000 * secondsADay // in any time zone, an evening ends at most three days after 0:00 UTC of its date
	return collect[int64](tx.Tx, doing("read games of %s by evening", chat), endedIn, sealedID(chat),
		(int64(first)-1)*aDay, (int64(last)+3)*aDay, first, last)
}

// endedIn selects the finished tables of the chat $1 that ended from the time $2 to $3, on the evenings from $4 to $5.
// Each finished table has a review, if only one without values, and reviews have an index by time.
const endedIn = `
	SELECT r.table_id FROM reviews r JOIN tables t ON t.id = r.table_id
	WHERE r.chat = $1 AND r.ended >= $2 AND r.ended < $3 AND t.evening BETWEEN $4 AND $5
		AND t.state = 'over' AND NOT t.practice AND NOT t.voided
		AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1)
	ORDER BY r.table_id`

// Placed says whether a person won a finished game, alone or with others.
type Placed struct {
	Player  string
	Evening Day
	Won     bool
}

// Placings returns the players of all finished games of a chat in the order of tables. Practice and voided games are
// left out. It reads all results of the chat.
func (tx Scores) Placings(chat string) ([]Placed, error) {
	return collectBy(tx.Tx, doing("read places in %s", chat), func(p *Placed) []any {
		return []any{(*sealedID)(&p.Player), &p.Evening, &p.Won}
	}, placings, sealedID(chat))
}

// placings selects the players and places of all finished tables of the chat $1, except practice and voided tables.
const placings = `
	SELECT s.player, t.evening, r.place = 1
	FROM tables t
	JOIN results r ON r.table_id = t.id
	JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
	WHERE t.chat = $1 AND t.state = 'over' AND s.player IS NOT NULL AND NOT t.practice AND NOT t.voided
		AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1)
	ORDER BY t.id, s.seat`
