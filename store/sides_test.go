package store

import (
	"fmt"
	"slices"
	"testing"
)

// grouped finds the totals that are not what the results add up to as a database does it that has room for all results.
const grouped = `
	SELECT DISTINCT kind, period, game, rules, unit, player
	FROM (
		SELECT kind, period, game, rules, unit, player
		FROM (SELECT * FROM totals WHERE chat = $1 UNION ALL SELECT * FROM recounted_totals WHERE chat = $1) sides
		GROUP BY kind, period, game, rules, unit, player,
			games, parts, won, turns, shut, scored, points, points_over, low, high, pool, shares, settled
		HAVING COUNT(*) <> 2
	) unlike
	ORDER BY kind DESC, period, game, rules, unit, player`

// TestTotalsAreComparedInParts has each number of a total be another, and totals missing and left over: they are found,
// however few are looked at together.
func TestTotalsAreComparedInParts(t *testing.T) {
	s := opened(t)
	crowd{chats: 2, results: 240, first: 200}.fill(t, s)
	if wrong := unlike(t, s, 1000); len(wrong) > 0 {
		t.Fatalf("%v before anything is changed", wrong)
	}
	changes := []string{
		`DELETE FROM totals WHERE rowid = 90`,
		`UPDATE totals SET player = (SELECT MAX(id) FROM players) WHERE rowid = 91`,
		`UPDATE totals SET low = NULL WHERE rowid = 92`, `UPDATE totals SET high = NULL WHERE rowid = 93`,
		`UPDATE totals SET low = 0, high = 0, scored = 0 WHERE rowid = 94`,
		`UPDATE results SET threw = FALSE WHERE table_id = 7`,
		`DELETE FROM results WHERE table_id = 8`,
		`UPDATE tables SET state = 'abandoned' WHERE id = 9`,
	}
	for i, column := range []string{"games", "parts", "won", "turns", "shut", "scored", "points", "points_over", "low",
		"high", "pool", "shares", "settled"} {
		changes = append(changes, fmt.Sprintf(`UPDATE totals SET %s = %s + 1 WHERE rowid = %d`, column, column, 100+i),
			fmt.Sprintf(`UPDATE totals SET %s = %s - 1 WHERE rowid = %d`, column, column, 120+i))
	}
	found := 0
	for i, change := range changes {
		behind(t, s, change)
		var want []total
		err := s.View(t.Context(), func(tx *Tx) error {
			return tx.list(grouped, []any{firstChat}, func(scan func(...any) error) error {
				var one total
				err := scan(&one.kind, &one.period, &one.game, &one.rules, &one.unit, &one.player)
				want = append(want, one)
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(want) <= found {
			t.Errorf("%s changes nothing", change)
		}
		found = len(want)
		parts := []int{1000}
		if i%8 == 7 || i == len(changes)-1 { // what is wrong stays so
			parts = append(parts, 20)
		}
		for _, atOnce := range parts {
			if wrong := unlike(t, s, atOnce); !slices.Equal(wrong, want) {
				t.Errorf("%s, %d at once: %d are wrong, want %d", change, atOnce, len(wrong), len(want))
			}
		}
	}
}

// unlike compares the totals of the first chat.
func unlike(t *testing.T, s *Store, atOnce int) (wrong []total) {
	t.Helper()
	err := s.View(t.Context(), func(tx *Tx) (err error) {
		wrong, err = tx.unlikeTotals(firstChat, atOnce)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return wrong
}
