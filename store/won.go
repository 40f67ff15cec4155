package store

// Won is what a player has won or lost at one step of time.
type Won struct {
	At     int64 // an evening as a Day, or the number of a table
	Player string
	Amount int64
}

// WonByEvening returns what each player has won and lost in a unit of a chat, from pools and from
// settled differences, evening by evening, the oldest first. Evenings without winnings or losses,
// such as those of friendly games, are left out. It reads the totals of the chat's evenings.
func (tx Books) WonByEvening(chat, unit string) ([]Won, error) {
	return tx.won(wonByEvening, chat, unit)
}

const wonByEvening = `
	SELECT t.period, t.player, SUM(t.pool + t.settled)
	FROM totals t
	WHERE t.chat = $1 AND t.kind = 'evening' AND t.unit = $2 AND (t.pool <> 0 OR t.settled <> 0)
	GROUP BY t.period, t.player
	ORDER BY t.period, t.player`

// WonByTable returns the same table by table. It reads all results of the chat.
func (tx Books) WonByTable(chat, unit string) ([]Won, error) { return tx.won(wonByTable, chat, unit) }

const wonByTable = `
	SELECT t.id, s.player, r.pool + COALESCE(r.settlement, 0)
	FROM tables t
	JOIN results r ON r.table_id = t.id
	JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
	WHERE t.chat = $1 AND t.state = 'over' AND t.unit = $2 AND s.player IS NOT NULL AND NOT t.practice AND NOT t.voided AND (r.pool <> 0
	OR COALESCE(r.settlement, 0) <> 0)
		AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1)
	ORDER BY t.id, s.seat`

func (tx Books) won(query, chat, unit string) ([]Won, error) {
	all, err := collectBy(tx.Tx, func(w *Won) []any { return []any{&w.At, (*sealedID)(&w.Player), &w.Amount} },
		query, sealedID(chat), unit)
	return all, wrapped(err, "won in %s in %s", unit, chat)
}
