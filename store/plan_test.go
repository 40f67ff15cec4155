package store

import (
	"path/filepath"
	"strings"
	"testing"
)

// What happens at every press must not take longer the more there is.
func TestPressesReadByIndex(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, query := range []string{
		lagging,
		waiting,
		wantedReviews,
		laggingPuzzles,
		unsettledAt,
		`SELECT COUNT(*) FROM unbalanced_postings WHERE posting_id = $1`,
		postedIn,
		inPlay,
		`SELECT COUNT(*) FROM wrong_payments WHERE payment_id = $1`,
		`SELECT ` + paymentColumns + ` FROM payments WHERE chat = $1 AND state = $2 ORDER BY id DESC LIMIT 3`,
		`SELECT DISTINCT unit FROM accounts WHERE chat = $1 ORDER BY unit`,
		`SELECT COUNT(*) FROM missing_results WHERE table_id = $1`,
		`SELECT COUNT(*) FROM wrong_differences WHERE table_id = $1`,
		`SELECT id FROM tables WHERE place = $1 AND state IN ('lobby', 'playing')`,
		`SELECT id FROM tables WHERE place = $1 ORDER BY id DESC LIMIT 1`,
		`SELECT id FROM updates WHERE at < $1 ORDER BY at LIMIT $2`,
	} {
		steps, err := s.plan(t, query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if len(steps) == 0 {
			t.Errorf("%s has no plan", query)
		}
		for _, step := range steps {
			scanned, ok := strings.CutPrefix(step, "SCAN ")
			if ok && !strings.Contains(scanned, "_lagging") &&
				scanned != "unbalanced_postings" && scanned != "ended_accounts" { // views, narrowed inside
				t.Errorf("%s\nreads all of %s", query, scanned)
			}
		}
	}
}

// plan is how SQLite is going to do a query.
func (s *Store) plan(t *testing.T, query string) (steps []string, err error) {
	err = s.View(t.Context(), func(tx *Tx) error {
		return tx.list("EXPLAIN QUERY PLAN "+query, []any{1, 2}, func(scan func(...any) error) error {
			var id, parent, unused int
			var step string
			err := scan(&id, &parent, &unused, &step)
			steps = append(steps, step)
			return err
		})
	})
	return steps, err
}
