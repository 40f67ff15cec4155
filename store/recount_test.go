package store

import (
	"fmt"
	"testing"
)

// grouped counts the totals that are not what the results add up to as a database does it that has room for all
// results.
const grouped = `
	SELECT COUNT(*)
	FROM (
		SELECT DISTINCT kind, period, game, rules, unit, player
		FROM (
			SELECT kind, period, game, rules, unit, player
			FROM (SELECT * FROM totals WHERE chat = $1 UNION ALL SELECT * FROM recounted_totals WHERE chat = $1) sides
			GROUP BY kind, period, game, rules, unit, player,
				games, parts, won, turns, shut, scored, points, points_over, low, high, pool, shares, settled
			HAVING COUNT(*) <> 2
		) unlike
	) wrong`

// TestTotalsAreCompared has each number of a total be another, and totals missing and left over.
func TestTotalsAreCompared(t *testing.T) {
	s := opened(t)
	crowd{chats: 2, results: 240, first: 200}.fill(t, s)
	changes := []string{
		`SELECT 1`,
		`DELETE FROM totals WHERE rowid = 90`,
		`UPDATE totals SET player = (SELECT MAX(id) FROM players) WHERE rowid = 91`,
		`UPDATE totals SET low = NULL WHERE rowid = 92`, `UPDATE totals SET high = NULL WHERE rowid = 93`,
		`UPDATE totals SET low = 0, high = 0, scored = 0 WHERE rowid = 94`,
		`UPDATE results SET threw = FALSE WHERE table_id = 7`, `DELETE FROM results WHERE table_id = 8`,
		`UPDATE tables SET state = 'abandoned' WHERE id = 9`,
	}
	for i, column := range []string{"games", "parts", "won", "turns", "shut", "scored", "points", "points_over", "low",
		"high", "pool", "shares", "settled"} {
		changes = append(changes, fmt.Sprintf(`UPDATE totals SET %s = %s + 1 WHERE rowid = %d`, column, column, 100+i))
	}
	found := -1
	for _, change := range changes {
		behind(t, s, change)
		var want, wrong int
		err := s.View(t.Context(), func(tx *Tx) (err error) {
			if err = tx.get(grouped, []any{firstChat}, &want); err == nil {
				wrong, err = tx.Scores.wrongTotals(firstChat)
			}
			return err
		})
		if err != nil || wrong != want || wrong <= found {
			t.Errorf("%s: %d are wrong after %d, want %d: %v", change, wrong, found, want, err)
		}
		found = wrong
	}
}
