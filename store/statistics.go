package store

// Statistics of finished games: dice rolled, counts from moves, players who are new to a game, and lists of games of a
// chat or a player.

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"knobel/store/engine"
)

// Faces holds how often each face of the dice was rolled for one seat at a finished table, or a sum of such counts.
type Faces struct {
	Seat   int
	Sides  int     // the number of sides of each die
	Throws int64   // the number of rolls, each of one or more dice
	Counts []int64 // how often each face was rolled, starting with face 1
}

// With returns the sum of f and more; its Seat is not set. f must have the same Sides as more or be the zero value.
func (f Faces) With(more Faces) Faces {
	sum := Faces{Sides: more.Sides, Throws: f.Throws + more.Throws, Counts: make([]int64, more.Sides)}
	for _, counts := range [][]int64{f.Counts, more.Counts} {
		for i := range min(len(counts), sum.Sides) {
			sum.Counts[i] += counts[i]
		}
	}
	return sum
}

// UncountedFaces returns the numbers of the tables without stored faces that a player has finished in a chat.
func (tx Scores) UncountedFaces(chat, player string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read uncounted dice of %s in %s", player, chat), uncountedFaces,
		sealedID(player), sealedID(chat))
}

// uncountedFaces selects the finished tables of the player $1 in the chat $2 without stored faces.
const uncountedFaces = `
	SELECT s.table_id
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over'
		AND NOT EXISTS (SELECT 1 FROM faces f WHERE f.table_id = s.table_id AND f.seat = s.seat)`

// AddFaces stores the faces rolled by all seats of a finished table. For a seat that has stored faces it is a no-op.
func (tx Scores) AddFaces(table int64, seats []Faces) error {
	var err error
	for _, f := range seats {
		err = cmp.Or(err, tx.run(`INSERT INTO faces (table_id, seat, sides, throws, counts) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (table_id, seat) DO NOTHING`, table, f.Seat, f.Sides, f.Throws, inJSON{f.Counts}))
	}
	return wrapped(err, "add dice of table %d", table)
}

// FacesOf returns how often a player has rolled each face in a chat, according to AddFaces. The keys are the numbers of
// sides of the dice. Voided tables are left out, and Seat is not set.
func (tx Scores) FacesOf(chat, player string) (map[int]Faces, error) {
	tables, err := collectBy(tx.Tx, doing("read dice of %s in %s", player, chat), func(f *Faces) []any {
		return []any{&f.Sides, &f.Throws, inJSON{&f.Counts}}
	}, facesOf, sealedID(player), sealedID(chat))
	all := map[int]Faces{}
	for _, f := range tables {
		all[f.Sides] = all[f.Sides].With(f)
	}
	return all, err
}

// facesOf selects the stored faces of the player $1 at each finished table of the chat $2, except voided ones.
const facesOf = `
	SELECT f.sides, f.throws, f.counts
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN faces f ON f.table_id = s.table_id AND f.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided`

// UncountedTallies returns the numbers of the tables that a player has finished in a chat with one of games, and that
// have stored moves but no tallies (see AddTallies). The newest comes first. If games is empty, it returns nil.
func (tx Scores) UncountedTallies(chat, player string, games []string) ([]int64, error) {
	if len(games) == 0 {
		return nil, nil
	}
	args, placeholders := []any{sealedID(player), sealedID(chat)}, make([]string, len(games))
	for i, game := range games {
		args = append(args, game)
		placeholders[i] = fmt.Sprint("$", len(args))
	}
	return collect[int64](tx.Tx, doing("read uncounted moves of %s in %s", player, chat),
		fmt.Sprintf(uncountedTallies, strings.Join(placeholders, ", ")), args...)
}

// uncountedTallies selects the finished tables of the player $1 in the chat $2 that have stored moves and no tallies.
// %s is a list of parameters, one for each game.
const uncountedTallies = `
	SELECT s.table_id
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.bare AND t.game IN (%s)
		AND NOT EXISTS (SELECT 1 FROM tallies c WHERE c.table_id = s.table_id AND c.seat = s.seat)
	ORDER BY s.table_id DESC`

// AddTallies stores the tallies of a finished table: what the game counts in the moves of each seat. seats[i] holds
// those of seat i, by the name of the count. For a seat that has stored tallies it is a no-op.
func (tx Scores) AddTallies(table int64, seats []map[string]int64) error {
	var err error
	for seat, counts := range seats {
		err = cmp.Or(err, tx.run(`INSERT INTO tallies (table_id, seat, counts) VALUES ($1, $2, $3)
			ON CONFLICT (table_id, seat) DO NOTHING`, table, seat, inJSON{counts}))
	}
	return wrapped(err, "add move counts of table %d", table)
}

// TalliesOf returns the sums of a player's stored tallies in a chat: for each game, by the name of the count. Voided
// tables are left out.
func (tx Scores) TalliesOf(chat, player string) (map[string]map[string]int64, error) {
	all := map[string]map[string]int64{}
	err := tx.rows(talliesOf, []any{sealedID(player), sealedID(chat)}, func(row engine.Row) error {
		var game string
		var counts map[string]int64
		if err := row.Scan(&game, inJSON{&counts}); err != nil {
			return err
		}
		if all[game] == nil {
			all[game] = map[string]int64{}
		}
		for name, n := range counts {
			all[game][name] += n
		}
		return nil
	})
	return all, wrapped(err, "read counted moves of %s in %s", player, chat)
}

// talliesOf selects the stored tallies of the player $1 at each finished table of the chat $2, except voided ones.
const talliesOf = `
	SELECT t.game, c.counts
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN tallies c ON c.table_id = s.table_id AND c.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided`

// firstGame selects whether the game $2 is new to the chat $1 or to the player $3, as FirstGame describes. It runs
// while boards are drawn, so it reads at most the last thousand games of the chat. isFirst is the condition in it.
const (
	firstGame = `SELECT ` + isFirst
	isFirst   = `
	NOT EXISTS (
		SELECT 1 FROM (SELECT game FROM tables WHERE chat = $1 AND state = 'over' ORDER BY id DESC LIMIT 1000) lately
		WHERE lately.game = $2)
	OR NOT EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $3 AND t.state = 'over')`
)

// firstGamesAt selects the condition isFirst for each seat of the table $1, in order. Only the number of the table is a
// parameter, so that the rows can be prefetched with others that a board needs.
var firstGamesAt = `SELECT` + strings.NewReplacer(
	`$1`, `(SELECT chat FROM tables WHERE id = $1)`,
	`$2`, `(SELECT game FROM tables WHERE id = $1)`,
	`$3`, `b.player`).Replace(isFirst) + `
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

// movesBySeat selects the number of moves of each seat of the table $1, in order. Only the number of the table is a
// parameter, so that the rows can be prefetched.
const movesBySeat = `
	SELECT (SELECT COUNT(*) FROM moves m WHERE m.table_id = b.table_id AND m.seat = b.seat)
	FROM seats b WHERE b.table_id = $1 ORDER BY b.seat`

// FirstGame reports whether a game is new to a chat or to a player: it is not among the last thousand games that the
// chat has finished, or the player has never finished any game in any chat.
func (tx Scores) FirstGame(chat, game, player string) (bool, error) {
	return one[bool](tx.Tx, doing("read whether a game of %s is the first", player), firstGame, sealedID(chat), game,
		sealedID(player))
}

// FirstGamesAt returns, for each seat of a table in order, what FirstGame returns for the table's game and chat and the
// player of that seat. For computer players the values mean nothing.
func (tx Scores) FirstGamesAt(table int64) ([]bool, error) {
	return collect[bool](tx.Tx, doing("read first games at table %d", table), firstGamesAt, table)
}

// MovesBySeat returns the number of moves made for each seat of a table, in order.
func (tx Scores) MovesBySeat(table int64) ([]int, error) {
	return collect[int](tx.Tx, doing("count the moves of table %d", table), movesBySeat, table)
}

// LastFinished returns at most limit finished tables of a chat, the newest first. They have numbers smaller than upper,
// or any numbers if upper is 0.
func (tx Scores) LastFinished(chat string, upper int64, limit int) ([]Table, error) {
	if upper == 0 {
		upper = math.MaxInt64
	}
	numbers, err := collect[int64](tx.Tx, doing("read tables of %s", chat), lastInChat, sealedID(chat), upper, limit)
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

// lastInChat selects the newest $3 finished tables of the chat $1 with numbers below $2.
const lastInChat = `SELECT id FROM tables WHERE chat = $1 AND state = 'over' AND id < $2 ORDER BY id DESC LIMIT $3`

// Played is a finished game of a player, with the result of their seat.
type Played struct {
	Game    string
	Rules   string // a JSON object, as in Standing
	Unit    string
	Stake   int64 // the stake of each seat; 0: for fun, or settled by differences
	Alone   bool  // it was practice, played without other people
	Evening Day
	Result
}

// Series returns at most limit finished games of a player in a chat, the newest first. Practice is included, voided
// games are not.
func (tx Scores) Series(chat, player string, limit int) ([]Played, error) {
	return collectBy(tx.Tx, doing("read games of %s in %s", player, chat), func(p *Played) []any {
		return append([]any{&p.Game, &p.Rules, &p.Unit, &p.Stake, &p.Alone, &p.Evening}, resultColumns.of(&p.Result)...)
	}, series, sealedID(player), sealedID(chat), limit)
}

// isPractice is the SQL condition that the table t is practice. For tables of versions that did not store this, it is
// true if they have only one seat.
const isPractice = `(t.practice OR NOT EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1))`

// series selects the last $3 finished games of the player $1 in the chat $2 with the player's results.
var series = `
	SELECT t.game, t.rules, t.unit, t.stake, ` + isPractice + `, t.evening, ` + resultColumns.list("r.") + `
	FROM seats s
	JOIN tables t ON t.id = s.table_id
	JOIN results r ON r.table_id = s.table_id AND r.seat = s.seat
	WHERE s.player = $1 AND t.chat = $2 AND t.state = 'over' AND NOT t.voided
	ORDER BY s.table_id DESC LIMIT $3`

// Opponent is another player in games of a player, with the numbers of games in which the one or the other had the
// better place at the end.
type Opponent struct {
	Player string
	Ahead  int64 // games in which the player had the better place than the opponent
	Behind int64 // games in which the opponent had the better place; in all others both shared a place
}

// Opponents returns all players who have finished games with a player in a chat, the most frequent one first. Players
// who are left out of lists (see Unlisted) are included. It reads all games of the player.
func (tx Scores) Opponents(chat, player string) ([]Opponent, error) {
	return collectBy(tx.Tx, doing("read opponents of %s in %s", player, chat), func(o *Opponent) []any {
		return []any{(*sealedID)(&o.Player), &o.Ahead, &o.Behind}
	}, opponents, sealedID(player), sealedID(chat))
}

// opponents compares the places of the player $1 with those of each other player in the finished games of the chat $2.
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

// Won is the amount that a player has won (below zero: lost) on one evening or at one table.
type Won struct {
	At     int64 // the evening as a Day, or the number of the table
	Player string
	Amount int64
}

// WonByEvening returns the winnings or losses of each player of a chat in a unit, by pools and settlements, on each
// evening. The oldest evening comes first. Evenings on which a player neither won nor lost anything are left out.
func (tx Books) WonByEvening(chat, unit string) ([]Won, error) {
	return tx.wonBy(wonByEvening, chat, unit)
}

// wonByEvening reads the totals of evenings of the chat $1 in the unit $2.
const wonByEvening = `
	SELECT t.period, t.player, SUM(t.pool + t.settled)
	FROM totals t
	WHERE t.chat = $1 AND t.kind = 'evening' AND t.unit = $2 AND (t.pool <> 0 OR t.settled <> 0)
	GROUP BY t.period, t.player
	ORDER BY t.period, t.player`

// WonByTable returns the winnings or losses of each player of a chat in a unit, by pools and settlements, at each
// table. The oldest table comes first. It reads all results of the chat.
func (tx Books) WonByTable(chat, unit string) ([]Won, error) { return tx.wonBy(wonByTable, chat, unit) }

// wonByTable reads the results of finished tables of the chat $1 in the unit $2, except practice and voided tables.
const wonByTable = `
	SELECT t.id, s.player, r.pool + COALESCE(r.settlement, 0)
	FROM tables t
	JOIN results r ON r.table_id = t.id
	JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
	WHERE t.chat = $1 AND t.state = 'over' AND t.unit = $2 AND s.player IS NOT NULL AND NOT t.practice AND NOT t.voided AND (r.pool <> 0
	OR COALESCE(r.settlement, 0) <> 0)
		AND EXISTS (SELECT 1 FROM seats o WHERE o.table_id = t.id AND o.seat = 1)
	ORDER BY t.id, s.seat`

// wonBy returns the rows that query selects. Its arguments are chat and unit.
func (tx Books) wonBy(query, chat, unit string) ([]Won, error) {
	return collectBy(tx.Tx, doing("read wins in %s in %s", unit, chat), func(w *Won) []any {
		return []any{&w.At, (*sealedID)(&w.Player), &w.Amount}
	}, query, sealedID(chat), unit)
}
