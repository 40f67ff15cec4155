package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// crowd is a generated database: chats with games of four seats, and a first chat with more games than the others.
type crowd struct {
	chats, results, first int
}

// The id of the first chat, and the number of people who play in each chat.
const (
	firstChat = "telegram:-1000000000001"
	regulars  = 12
)

// fill writes the games and totals of c by SQL, over two years of evenings and with three sets of rules.
func (c crowd) fill(t testing.TB, s *Store) {
	t.Helper()
	t.Logf("%d results in %d chats, %d of them in the first", c.results, c.chats, c.first)
	const tables = 4 // seats, and so results, of each game table
	others := (c.results - c.first) / tables
	// The first tables belong to the first chat, and the others are spread over the other chats.
	chat := fmt.Sprintf(`CASE WHEN n <= %d THEN 1 ELSE 2 + (n * 7919) %% %d END`, c.first/tables, c.chats-1)
	behind(t, s,
		counted(c.chats)+`INSERT INTO chats (id) SELECT 'telegram:-' || (1000000000000 + n) FROM counted`,
		counted(c.chats*regulars)+`INSERT INTO players (id, name) SELECT 'telegram:' || (700000000 + n), 'Player ' || n FROM counted`,
		counted(c.first/tables+others)+`
			INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, draft, commitment, seed, thrown, saved,
				turn, box_in, box_out, version, changed, opened, ended, evening)
			SELECT n, 'telegram:-' || (1000000000000 + `+chat+`), 'place', 'shutbox',
				CASE n % 3 WHEN 0 THEN '{}' WHEN 1 THEN '{"score":"count"}' ELSE '{"tiles":"12"}' END,
				10, 'chips', 'over', '', '', x'', 20, x'', 10, 0, 0, 1, 0, 0, n * 1000, 20000 + n % 730 FROM counted`,
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

// behind runs SQL statements without the store's methods.
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
	check(t, err)
}

// counted returns the beginning of an SQL statement that defines a table "counted" with the numbers n from 1 to to.
func counted(to int) string {
	return fmt.Sprintf("WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < %d) ", to)
}

// million fills a database with 1,000,000 results, 140,000 of them in one chat; in short runs with 1% of that.
func million(b *testing.B, s *Store) {
	b.Helper()
	c := crowd{chats: 10_000, results: 1_000_000, first: 140_000}
	if testing.Short() {
		c = crowd{chats: 100, results: 10_000, first: 1_400}
	}
	c.fill(b, s)
}

// BenchmarkLeaderboard measures the leaderboard of the largest chat of million.
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

// opened returns a new database, open until the test ends.
func opened(t testing.TB) *Store {
	t.Helper()
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "knobel.db"))
	check(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// grouped counts the wrong totals by one SQL query, which needs memory for all results.
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

// TestTotalsAreCompared checks that wrongTotals finds changed numbers, and missing and superfluous totals.
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

// TestAGameIsNewAgainAfterAThousandOthers checks that a game is new to a chat again after 1000 games of another kind.
func TestAGameIsNewAgainAfterAThousandOthers(t *testing.T) {
	s := opened(t)
	const others = `
		INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, draft, commitment, seed, thrown, saved, turn,
			box_in, box_out, version, changed, opened, ended, evening)
		SELECT n + (SELECT COALESCE(MAX(id), 0) FROM tables), 'test:chat', 'test:place', `
	const over = `, '{}', 0, 'chips', 'over', '', '', x'', 1, x'', 1, 0, 0, 1, 0, 0, n, 20000 FROM counted`
	isFirst := func(want bool, after string) {
		t.Helper()
		err := s.View(t.Context(), func(tx *Tx) error {
			first, err := tx.Scores.FirstGame("test:chat", "coin", "test:anna")
			if first != want {
				t.Errorf("after %s it is new: %v", after, first)
			}
			if after == "nothing" || err != nil {
				return err
			}
			at, err := tx.Scores.FirstGamesAt(1)
			if len(at) != 1 || at[0] != want {
				t.Errorf("after %s it is new at table 1: %v", after, at)
			}
			return err
		})
		check(t, err)
	}
	behind(t, s, `INSERT INTO chats (id) VALUES ('test:chat')`,
		`INSERT INTO players (id, name) VALUES ('test:anna', 'Anna')`)
	isFirst(true, "nothing")
	behind(t, s, counted(1)+others+`'coin'`+over,
		`INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed) VALUES (1, 0, 'test:anna', 'Anna', '', '', TRUE)`)
	isFirst(false, "one")
	behind(t, s, counted(999)+others+`'pile'`+over)
	isFirst(false, "999 others")
	behind(t, s, counted(1)+others+`'pile'`+over)
	isFirst(true, "a thousand others")
}
