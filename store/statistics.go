package store

// What boards and statistics tell of finished games: dice thrown, what moves count, who is new to a game, and the games
// of a chat or a player one by one.

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"knobel/store/engine"
)

// Faces are the dice that a seat has thrown at a finished table.
type Faces struct {
	Seat   int
	Sides  int // of each of its dice
	Throws int64
	Counts []int64 // how often each face fell, that of 1 first
}

// With returns the sum of two for dice of the same sides, or of the zero value and another. It has no seat.
func (f Faces) With(more Faces) Faces {
	sum := Faces{Sides: more.Sides, Throws: f.Throws + more.Throws, Counts: make([]int64, more.Sides)}
	for _, counts := range [][]int64{f.Counts, more.Counts} {
		for i := range min(len(counts), sum.Sides) {
			sum.Counts[i] += counts[i]
		}
	}
	return sum
}

// UncountedFaces returns a player's finished tables of a chat whose faces were not added yet.
func (tx Scores) UncountedFaces(chat, player string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("uncounted dice of %s in %s", player, chat), uncountedFaces,
		sealedID(player), sealedID(chat))
}

const uncountedFaces = `
	SELECT s.table_id
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over'
		AND NOT EXISTS (SELECT 1 FROM faces f WHERE f.table_id = s.table_id AND f.seat = s.seat)`

// AddFaces keeps the faces of all seats of a finished table, once.
func (tx Scores) AddFaces(table int64, seats []Faces) error {
	var err error
	for _, f := range seats {
		err = cmp.Or(err, tx.run(`INSERT INTO faces (table_id, seat, sides, throws, counts) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (table_id, seat) DO NOTHING`, table, f.Seat, f.Sides, f.Throws, inJSON{f.Counts}))
	}
	return wrapped(err, "add dice of table %d", table)
}

// FacesOf returns the sums of a player's added faces in a chat, by the number of sides, without Seat.
func (tx Scores) FacesOf(chat, player string) (map[int]Faces, error) {
	tables, err := collectBy(tx.Tx, doing("dice of %s in %s", player, chat), func(f *Faces) []any {
		return []any{&f.Sides, &f.Throws, inJSON{&f.Counts}}
	}, facesOf, sealedID(player), sealedID(chat))
	all := map[int]Faces{}
	for _, f := range tables {
		all[f.Sides] = all[f.Sides].With(f)
	}
	return all, err
}

const facesOf = `
	SELECT f.sides, f.throws, f.counts
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN faces f ON f.table_id = s.table_id AND f.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided`

// UncountedTallies returns a player's finished tables of a chat and some games whose moves are kept and not counted
// yet, the newest first.
func (tx Scores) UncountedTallies(chat, player string, games []string) ([]int64, error) {
	if len(games) == 0 {
		return nil, nil
	}
	args, numbers := []any{sealedID(player), sealedID(chat)}, make([]string, len(games))
	for i, game := range games {
		args = append(args, game)
		numbers[i] = fmt.Sprint("$", len(args))
	}
	return collect[int64](tx.Tx, doing("uncounted moves of %s in %s", player, chat),
		fmt.Sprintf(uncountedTallies, strings.Join(numbers, ", ")), args...)
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
	var err error
	for seat, counts := range seats {
		err = cmp.Or(err, tx.run(`INSERT INTO tallies (table_id, seat, counts) VALUES ($1, $2, $3)
			ON CONFLICT (table_id, seat) DO NOTHING`, table, seat, inJSON{counts}))
	}
	return wrapped(err, "add what moves of table %d count", table)
}

// TalliesOf returns the sums of what a player's counted moves in a chat count, by game.
func (tx Scores) TalliesOf(chat, player string) (map[string]map[string]int64, error) {
	all := map[string]map[string]int64{}
	err := tx.rows(talliesOf, []any{sealedID(player), sealedID(chat)}, func(row engine.Row) error {
		var game string
		var one map[string]int64
		if err := row.Scan(&game, inJSON{&one}); err != nil {
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

// firstGame runs while boards are drawn, and reads a bounded number of a chat's games.
const (
	firstGame = `SELECT ` + isFirst
	isFirst   = `
	NOT EXISTS (
		SELECT 1 FROM (SELECT game FROM tables WHERE chat = $1 AND state = 'over' ORDER BY id DESC LIMIT 1000) lately
		WHERE lately.game = $2)
	OR NOT EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $3 AND t.state = 'over')`
)

// The number $1 of a table is all that these need, so that they can be prefetched with the rest of its board.
var firstGamesAt = `SELECT` + strings.NewReplacer(
	`$1`, `(SELECT chat FROM tables WHERE id = $1)`,
	`$2`, `(SELECT game FROM tables WHERE id = $1)`,
	`$3`, `b.player`).Replace(isFirst) + `
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

const movesBySeat = `
	SELECT (SELECT COUNT(*) FROM moves m WHERE m.table_id = b.table_id AND m.seat = b.seat)
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

// FirstGame reports whether a game is new to a chat, as none of the last thousand finished games is of its kind, or to
// a player without any finished game.
func (tx Scores) FirstGame(chat, game, player string) (bool, error) {
	return one[bool](tx.Tx, doing("read whether a game of %s is the first", player), firstGame, sealedID(chat), game,
		sealedID(player))
}

// FirstGamesAt is FirstGame for a table and each of its seats; of those of the house it says nothing.
func (tx Scores) FirstGamesAt(table int64) ([]bool, error) {
	return collect[bool](tx.Tx, doing("read to whom the game of table %d is new", table), firstGamesAt, table)
}

// MovesBySeat returns how many moves have been made at each seat of a table.
func (tx Scores) MovesBySeat(table int64) ([]int, error) {
	return collect[int](tx.Tx, doing("count the moves of table %d", table), movesBySeat, table)
}

// LastFinished returns at most most finished tables of a chat with numbers below before, descending; 0: all numbers.
func (tx Scores) LastFinished(chat string, before int64, most int) ([]Table, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	numbers, err := collect[int64](tx.Tx, doing("last tables of %s", chat), lastInChat, sealedID(chat), before, most)
	if err != nil {
		return nil, err
	}
	tables := make([]Table, 0, len(numbers))
	for _, number := range numbers {
		t, err := tx.Tables.Table(number)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

const lastInChat = `SELECT id FROM tables WHERE chat = $1 AND state = 'over' AND id < $2 ORDER BY id DESC LIMIT $3`

// Played is a game that a player has played to its end, with their own result.
type Played struct {
	Game    string
	Rules   string // as in Standing
	Unit    string
	Stake   int64 // of each seat; 0: for fun, or settled by differences
	Alone   bool  // practice
	Evening Day
	Result
}

// Series returns at most most finished games of a player in a chat by descending table numbers, also those played
// alone.
func (tx Scores) Series(chat, player string, most int) ([]Played, error) {
	return collectBy(tx.Tx, doing("games of %s in %s", player, chat), func(p *Played) []any {
		return append([]any{&p.Game, &p.Rules, &p.Unit, &p.Stake, &p.Alone, &p.Evening}, resultColumns.of(&p.Result)...)
	}, series, sealedID(player), sealedID(chat), most)
}

// alone tells whether a table is practice: of before that was kept, whether it has one seat.
const alone = `(t.practice OR NOT EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1))`

var series = `
	SELECT t.game, t.rules, t.unit, t.stake, ` + alone + `, t.evening, ` + resultColumns.list("r.") + `
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN results r ON r.table_id = s.table_id AND r.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided
	ORDER BY s.table_id DESC LIMIT $3`

// Opponent is another player, with how a player's games with them ended.
type Opponent struct {
	Player string
	Ahead  int64 // games in which the other had the worse place
	Behind int64 // and the better one; in the rest they shared theirs
}

// Opponents returns all players with whom a player has finished games in a chat, the most frequent first, also those
// who are left out of lists: see Unlisted. It reads all games of the player.
func (tx Scores) Opponents(chat, player string) ([]Opponent, error) {
	return collectBy(tx.Tx, doing("opponents of %s in %s", player, chat), func(o *Opponent) []any {
		return []any{(*sealedID)(&o.Player), &o.Ahead, &o.Behind}
	}, opponents, sealedID(player), sealedID(chat))
}

const opponents = `
	SELECT o.player,
		SUM(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END),
		SUM(CASE WHEN mine.place > theirs.place THEN 1 ELSE 0 END)
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN results mine ON mine.table_id = s.table_id AND mine.seat = s.seat
	JOIN seats o ON o.table_id = s.table_id AND o.player <> s.player
	JOIN results theirs ON theirs.table_id = o.table_id AND theirs.seat = o.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided
	GROUP BY o.player
	ORDER BY COUNT(*) DESC, o.player`

// Won is what a player has won or lost at one step of time.
type Won struct {
	At     int64 // an evening as a Day, or the number of a table
	Player string
	Amount int64
}

// WonByEvening returns what each player of a chat has won and lost in a unit, in pools and by settled differences, on
// each evening with any, the oldest first.
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
	return collectBy(tx.Tx, doing("won in %s in %s", unit, chat), func(w *Won) []any {
		return []any{&w.At, (*sealedID)(&w.Player), &w.Amount}
	}, query, sealedID(chat), unit)
}
