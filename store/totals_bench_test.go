package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// crowd is a database as large as wished: so many chats with as many games of
// four as make so many results, and a first chat with more of them.
type crowd struct {
	chats, results, first int
}

// The ids of the chats, and how many people play in each.
const (
	firstChat = "telegram:-1000000000001"
	regulars  = 12
)

// fill writes the crowd's games behind the store's back, spread over two years
// of evenings and three sets of rules, and adds up their totals.
func (c crowd) fill(t testing.TB, s *Store) {
	t.Helper()
	t.Logf("%d results in %d chats, %d of them in the first", c.results, c.chats, c.first)
	const tables = 4 // results a table
	others := (c.results - c.first) / tables
	// Every table of the first chat, then those of the others in turn.
	chat := fmt.Sprintf(`CASE WHEN n <= %d THEN 1 ELSE 2 + (n * 7919) %% %d END`, c.first/tables, c.chats-1)
	behind(t, s,
		counted(c.chats)+`INSERT INTO chats (id) SELECT 'telegram:-' || (1000000000000 + n) FROM counted`,
		counted(c.chats*regulars)+`INSERT INTO players (id, name) SELECT 'telegram:' || (700000000 + n), 'Player ' || n FROM counted`,
		counted(c.first/tables+others)+`
			INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, page, draft, commitment, seed,
				thrown, saved, turn,
				box_in, box_out, version, drawn, board, away, behind, changed, posted, opened, ended, evening)
			SELECT n, 'telegram:-' || (1000000000000 + `+chat+`), 'place', 'shutbox',
				CASE n % 3 WHEN 0 THEN '{}' WHEN 1 THEN '{"score":"count"}' ELSE '{"tiles":"12"}' END,
				10, 'chips', 'over', '', '', '', x'', 20, x'', 10, 0, 0, 1, 1, '', FALSE, 0, 0, 0, 0, n * 1000,
					20000 + n % 730 FROM counted`,
		counted(tables)+`
			INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed)
			SELECT t.id, n - 1, 'telegram:' || (700000000 + (t.chat_number - 1) * `+fmt.Sprint(regulars)+
			` + 1 + (t.id * 5 + n * 3) % `+fmt.Sprint(regulars)+`),
				'', '', '', TRUE
			FROM (SELECT id, CAST(SUBSTR(chat, 11) AS INTEGER) - 1000000000000 AS chat_number FROM tables) t CROSS
				JOIN counted`,
		`INSERT INTO results (table_id, seat, score, threw, place, pool, turns, shut)
			SELECT table_id, seat, (table_id * 31 + seat * 17) % 45, TRUE, 1 + (table_id + seat) % 4,
				CASE (table_id + seat) % 4 WHEN 0 THEN 30 ELSE -10 END, 1, (table_id * 31 + seat * 17) % 45 = 0
			FROM seats`,
		`INSERT INTO totals SELECT * FROM recounted_totals`,
		`ANALYZE`)
}

// behind runs statements behind the store's back.
func behind(t testing.TB, s *Store, statements ...string) {
	t.Helper()
	err := s.Update(context.Background(), func(tx *Tx) error {
		for _, statement := range statements {
			if err := tx.run(statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// counted begins a statement with the numbers from 1.
func counted(to int) string {
	return fmt.Sprintf("WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %d) ", to)
}

// million fills a database with 1,000,000 results, 140,000 of them in one chat;
// in short runs with a hundredth of them.
func million(b *testing.B, s *Store) {
	b.Helper()
	c := crowd{chats: 10_000, results: 1_000_000, first: 140_000}
	if testing.Short() {
		c = crowd{chats: 100, results: 10_000, first: 1_400}
	}
	c.fill(b, s)
}

// BenchmarkLeaderboard is a leaderboard of a chat with 140,000 of 1,000,000 results. Short runs have a hundredth of
// them.
func BenchmarkLeaderboard(b *testing.B) {
	s := opened(b)
	million(b, s)
	for name, p := range map[string]Period{"all": AllTime(), "season": OfSeason(0)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := s.View(b.Context(), func(tx *Tx) error {
					_, err := tx.Scores.Standings(Wanted{Chat: firstChat, Period: p})
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func opened(t testing.TB) *Store {
	t.Helper()
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
