package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"knobel/bot/fakes/needs"
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

// flat makes what leaderboards could be read from without totals at its best:
// one row a result, in an index that holds all columns in the order wanted.
func flat(t testing.TB, s *Store) {
	t.Helper()
	behind(t, s,
		`CREATE TABLE flat AS SELECT * FROM counted_results WHERE kind = 'season'`,
		`CREATE INDEX flat_covering ON flat (chat, game, rules, unit, player, games, parts, won, turns, shut, scored,
			points, points_over, low, high, pool, shares, settled)`,
		`ANALYZE`)
}

// aggregated is a leaderboard without totals; names come once a line.
const aggregated = `SELECT b.game, b.rules, b.unit, b.player, p.name,
		b.games, b.parts, b.won, b.turns, b.shut, b.scored, b.points, b.points_over, b.low, b.high, b.pool, b.shares,
			b.settled
	FROM (SELECT t.game, t.rules, t.unit, t.player, ` + added + `
		FROM flat t INDEXED BY flat_covering WHERE t.chat = $1 GROUP BY t.game, t.rules, t.unit, t.player) b
	JOIN players p ON p.id = b.player ORDER BY b.game, b.rules, b.unit, b.player`

const added = `SUM(games) AS games, SUM(parts) AS parts, SUM(won) AS won, SUM(turns) AS turns, SUM(shut) AS shut,
	SUM(scored) AS scored,
	SUM(points) AS points, SUM(points_over) AS points_over, MIN(low) AS low, MAX(high) AS high,
	SUM(pool) AS pool, SUM(shares) AS shares, SUM(settled) AS settled`

// took is the shortest time that something takes of several.
func took(t testing.TB, times int, what func() error) time.Duration {
	t.Helper()
	best := time.Duration(1<<63 - 1)
	for range times {
		begin := time.Now()
		if err := what(); err != nil {
			t.Fatal(err)
		}
		best = min(best, time.Since(begin))
	}
	return best
}

// compared reads the first chat's leaderboard from the totals and from the
// covering index, and returns how long both take.
func compared(t testing.TB, s *Store, w Wanted) (totals, aggregation time.Duration) {
	t.Helper()
	var fast, slow []Standing
	totals, aggregation = time.Hour, time.Hour
	for range 5 { // in turns, so that both see the same weather
		totals = min(totals, took(t, 40, func() error {
			return s.View(context.Background(), func(tx *Tx) (err error) { fast, err = tx.Standings(w); return err })
		}))
		aggregation = min(aggregation, took(t, 1, func() error {
			return s.View(context.Background(), func(tx *Tx) (err error) {
				slow, err = tx.standings(aggregated, []any{w.Chat})
				return err
			})
		}))
	}
	if len(fast) == 0 || fmt.Sprint(fast) != fmt.Sprint(slow) {
		t.Fatalf("the totals say\n%v\nthe results\n%v", fast, slow)
	}
	return totals, aggregation
}

// million fills a database with 1,000,000 results, 140,000 of them in one chat;
// in short runs with a hundredth of them.
func million(b *testing.B, s *Store) crowd {
	b.Helper()
	c := crowd{chats: 10_000, results: 1_000_000, first: 140_000}
	if testing.Short() {
		c = crowd{chats: 100, results: 10_000, first: 1_400}
	}
	c.fill(b, s)
	return c
}

// BenchmarkLeaderboard is a leaderboard of a chat with 140,000 of 1,000,000
// results, from the totals, compared with the same from a covering index. Short
// runs have a hundredth of them.
func BenchmarkLeaderboard(b *testing.B) {
	s := opened(b)
	million(b, s)
	flat(b, s)
	w := Wanted{Chat: firstChat}
	for name, p := range map[string]Period{"all": AllTime(), "season": OfSeason(0)} {
		b.Run(name, func(b *testing.B) {
			w.Period = p
			for b.Loop() {
				if err := s.View(b.Context(), func(tx *Tx) error {
					_, err := tx.Standings(w)
					return err
				}); err != nil {
					b.Fatal(err)
				}
			}
			totals, aggregation := compared(b, s, w)
			b.ReportMetric(float64(totals.Microseconds()), "totals-us")
			b.ReportMetric(float64(aggregation.Microseconds()), "aggregation-us")
			b.ReportMetric(float64(aggregation)/float64(totals), "times-faster")
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

// A leaderboard is read many times faster than it could be added up. Short runs
// have a tenth of the results, and so less to gain.
func TestTotalsAreReadFasterThanAddedUp(t *testing.T) {
	needs.Long(t)
	s := opened(t)
	c, least := crowd{chats: 50, results: 40_000, first: 20_000}, time.Duration(10)
	if testing.Short() {
		c, least = crowd{chats: 20, results: 4_000, first: 2_000}, 2
	}
	c.fill(t, s)
	flat(t, s)
	totals, aggregation := compared(t, s, Wanted{Chat: firstChat, Period: AllTime()})
	t.Logf("%v against %v: %.0f times", totals, aggregation, float64(aggregation)/float64(totals))
	if totals*least > aggregation {
		t.Errorf("%v from the totals, %v from %d results", totals, aggregation, c.first)
	}
}

// game plays a game of four for the benchmark as the store sees it and returns
// how long its end took, and the whole of it.
func game(t testing.TB, s *Store, n int, totals bool) (end, all time.Duration) {
	t.Helper()
	begin := time.Now()
	table := Table{Chat: "telegram:-1", Place: "telegram:-1", Game: "shutbox", Stake: 10, Unit: "chips", State: Lobby,
		Version: 1, Seed: make([]byte, 32)}
	var stakes, payout []Entry
	var rows []Result
	for i := range 4 {
		player := fmt.Sprint("telegram:", i)
		table.Seats = append(table.Seats, Seat{Player: player, Name: player, Confirmed: true})
		stakes = append(stakes, Entry{"player:" + player, -10})
		rows = append(rows, Result{Seat: i, Score: int64(n + i), Threw: true, Place: i + 1, Pool: -10})
	}
	update := func(change func(tx *Tx) error) {
		t.Helper()
		if err := s.Update(context.Background(), change); err != nil {
			t.Fatal(err)
		}
	}
	post := func(tx *Tx, kind string, entries []Entry) error {
		return tx.Post(Posting{Chat: table.Chat, Unit: table.Unit, Table: table.ID, Kind: kind, Entries: entries})
	}
	update(func(tx *Tx) (err error) { table.ID, err = tx.AddTable(table); return err })
	pool := fmt.Sprint("pool:", table.ID)
	table.State, table.Match = Playing, []byte("match")
	update(func(tx *Tx) error {
		return errors.Join(post(tx, Stakes, append(stakes, Entry{pool, 40})), tx.SaveTable(table))
	})
	for range 20 {
		table.Turn++
		table.Version++
		update(func(tx *Tx) error {
			return errors.Join(tx.AddMove(table.ID, Move{Move: "throw 2", Dice: []int{5, 6}}), tx.SaveTable(table))
		})
	}
	rows[n%4].Pool = 30
	payout = []Entry{{pool, -40}, {"player:" + table.Seats[n%4].Player, 40}}
	table.State = Over
	ends := time.Now()
	update(func(tx *Tx) error {
		table.Turn++
		err := errors.Join(tx.AddMove(table.ID, Move{Move: "shut 9+2"}), tx.SaveTable(table), post(tx, Payout, payout),
			tx.Finish(table.ID, int64(n), Day(n/10), rows))
		if !totals {
			tx.finished = nil
		}
		return err
	})
	return time.Since(ends), time.Since(begin)
}

// BenchmarkFinish is what totals cost a game of four that ends, in turns with
// games that are not added to them: its last transaction, and the whole game of
// 23 transactions, by their medians.
func BenchmarkFinish(b *testing.B) {
	s := opened(b)
	var end, all [2][]time.Duration
	n := 0
	for b.Loop() {
		for i := range 2 {
			n++
			oneEnd, whole := game(b, s, n, i == 1)
			end[i] = append(end[i], oneEnd)
			all[i] = append(all[i], whole)
		}
	}
	more := func(d [2][]time.Duration) float64 { return 100 * (float64(median(d[1]))/float64(median(d[0])) - 1) }
	b.ReportMetric(float64(median(end[0]).Microseconds()), "without-us")
	b.ReportMetric(float64(median(end[1]).Microseconds()), "with-us")
	b.ReportMetric(more(end), "%more-end")
	b.ReportMetric(more(all), "%more-game")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}
