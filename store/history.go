package store

// Finished games of a chat, and of a player with others.

import "math"

// LastFinished returns finished tables of a chat by descending numbers, as many as most. With before it returns smaller
// numbers only, so that the last table of a page leads to the next page; 0 leads to the first.
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

// Series returns finished games of a player in a chat by descending table numbers, as many as most, with those that the
// player played alone.
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

// Opponents returns all players with whom a player has shared a finished table of a chat, the most
// common games first. Players who are left out of lists are included: see Unlisted. It reads all games of the player.
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
	return collectBy(tx.Tx, doing("won in %s in %s", unit, chat), func(w *Won) []any {
		return []any{&w.At, (*sealedID)(&w.Player), &w.Amount}
	}, query, sealedID(chat), unit)
}
