package store

// What moves count for statistics, in games that say so.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// UncountedTallies returns the finished tables of a chat, of some games, at which a player sat and whose moves are kept
// but have not been counted yet, the newest first.
func (tx Scores) UncountedTallies(chat, player string, games []string) ([]int64, error) {
	if len(games) == 0 {
		return nil, nil
	}
	args, numbers := []any{sealedID(player), sealedID(chat)}, make([]string, len(games))
	for i, game := range games {
		args = append(args, game)
		numbers[i] = fmt.Sprint("$", len(args))
	}
	tables, err := collect[int64](tx.Tx, fmt.Sprintf(uncountedTallies, strings.Join(numbers, ", ")), args...)
	return tables, wrapped(err, "uncounted moves of %s in %s", player, chat)
}

const uncountedTallies = `
	SELECT s.table_id
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.bare AND t.game IN (%s)
		AND NOT EXISTS (SELECT 1 FROM tallies c WHERE c.table_id = s.table_id AND c.seat = s.seat)
	ORDER BY s.table_id DESC`

// AddTallies keeps what the moves of a finished table count, by seat, once.
func (tx Scores) AddTallies(table int64, seats []map[string]int64) error {
	for seat, counted := range seats {
		counts, err := json.Marshal(counted)
		if err == nil {
			err = tx.run(`INSERT INTO tallies (table_id, seat, counts) VALUES ($1, $2, $3)
				ON CONFLICT (table_id, seat) DO NOTHING`, table, seat, string(counts))
		}
		if err != nil {
			return fmt.Errorf("add what moves of table %d count: %w", table, err)
		}
	}
	return nil
}

// TalliesOf adds up what a player's moves at finished tables of a chat count, by game. Tables whose moves were not
// counted yet are missing.
func (tx Scores) TalliesOf(chat, player string) (map[string]map[string]int64, error) {
	all := map[string]map[string]int64{}
	err := tx.list(talliesOf, []any{sealedID(player), sealedID(chat)}, func(scan func(...any) error) error {
		var game, counts string
		if err := scan(&game, &counts); err != nil {
			return err
		}
		var one map[string]int64
		if err := json.Unmarshal([]byte(counts), &one); err != nil {
			return err
		}
		if all[game] == nil {
			all[game] = map[string]int64{}
		}
		for name, n := range one {
			all[game][name] += n
		}
		return nil
	})
	return all, wrapped(err, "counted moves of %s in %s", player, chat)
}

const talliesOf = `
	SELECT t.game, c.counts
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN tallies c ON c.table_id = s.table_id AND c.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided`
