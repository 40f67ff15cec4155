package store

// Results of finished games, and the totals that leaderboards read.

import (
	"fmt"
	"math"
	"strings"

	"knobel/store/engine"
)

// Standing is the sum of a player's finished games in a chat, under one set of rules and in one unit.
type Standing struct {
	Game   string
	Rules  string // JSON object of option and value, keys sorted, as encoding/json spells them
	Unit   string
	Player string
	Name   string // what the player is called now

	Games  int64
	Parts  int64 // of these games: each counts PartsOfGame, shared alike by its players
	Won    int64 // first places, shared ones too
	Turns  int64 // turns at a box
	Shut   int64 // turns that shut the box
	Scored int64 // games with a score, and of these:
	Points int64 // the sum; beyond what an int64 holds, the nearest that it does
	Low    int64 // the lowest and
	High   int64 // the highest, 0 where Scored is
	Pool   int64 // won and lost in pools, in units
	// Shares are won and lost by differences to the average, in 1/2520 of a
	// point: exact for games of up to ten seats.
	Shares  int64
	Settled int64 // what differences were worth and the seats paid each other, in units
}

// PartsOfGame is the sum of the Parts of all players of a game. It is divisible by every number of players up to ten.
const PartsOfGame = 2520

// Add adds another standing's numbers to this one. Player, game, rules and unit stay as they are.
func (s *Standing) Add(o Standing) {
	if o.Scored > 0 && (s.Scored == 0 || o.Low < s.Low) {
		s.Low = o.Low
	}
	if o.Scored > 0 && (s.Scored == 0 || o.High > s.High) {
		s.High = o.High
	}
	s.Games += o.Games
	s.Parts += o.Parts
	s.Won += o.Won
	s.Turns += o.Turns
	s.Shut += o.Shut
	s.Scored += o.Scored
	s.Points = within(s.Points, o.Points)
	s.Pool += o.Pool
	s.Shares += o.Shares
	s.Settled += o.Settled
}

// within adds, and stays within int64.
func within(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// pointsOver is how many points one of the column points_over stands for.
const pointsOver = 1_000_000_000_000

// joined returns a sum of points that is stored in two parts.
func joined(points, over int64) int64 {
	if over > math.MaxInt64/pointsOver {
		return math.MaxInt64
	}
	if over < math.MinInt64/pointsOver {
		return math.MinInt64
	}
	return within(over*pointsOver, points)
}

// Wanted selects the games that count in standings. Houses and games that a person played alone never count.
type Wanted struct {
	Chat   string
	Period Period // the zero value: all time
	Game   string // "": all
	Unit   string // "": all
}

// filter returns the condition for Game and Unit, and appends its arguments.
func (w Wanted) filter(args []any) (string, []any) {
	where := ""
	if w.Game != "" {
		args = append(args, w.Game)
		where += fmt.Sprintf(" AND t.game = $%d", len(args))
	}
	if w.Unit != "" {
		args = append(args, w.Unit)
		where += fmt.Sprintf(" AND t.unit = $%d", len(args))
	}
	return where, args
}

var (
	// addedUp are the columns of totals that are added up. Points come in two parts.
	addedUp = columnsOf(`games, parts, won, turns, shut, scored, points, points_over, pool, shares, settled`,
		func(c *counts) (all []any) {
			for i := range c.added {
				all = append(all, &c.added[i])
			}
			return all
		})
	// sums are the columns of a standing, added up.
	sums = addedUp.each(func(_ int, c column) string { return "SUM(t." + c.name + ")" }) +
		`, COALESCE(MIN(t.low), 0), COALESCE(MAX(t.high), 0)`
	// addTotals adds what a table's results count for to the totals.
	addTotals = `INSERT INTO totals (chat, ` + totalColumns + `)
		SELECT chat, ` + totalColumns + ` FROM counted_results WHERE table_id = $1` + onTotals
	// totalColumns are the columns of totals but for the chat.
	totalColumns = `kind, period, game, rules, unit, player, low, high, ` + addedUp.list("")
	// onTotals adds a row to the one that is there.
	onTotals = ` ON CONFLICT (chat, kind, period, game, rules, unit, player) DO UPDATE SET ` +
		addedUp.each(func(_ int, c column) string {
			return c.name + " = totals." + c.name + " + excluded." + c.name
		}) + `,
		low = CASE WHEN totals.low IS NULL OR excluded.low < totals.low THEN excluded.low ELSE totals.low END,
		high = CASE WHEN totals.high IS NULL OR excluded.high > totals.high THEN excluded.high ELSE totals.high END`
)

// Standings returns a row for each player, game, rules and unit of a chat, ordered by these. It includes players who
// are left out of lists: see Unlisted. It reads one range of an index.
func (tx Scores) Standings(w Wanted) ([]Standing, error) {
	query, args := standings(w)
	all, err := tx.standings(query, args)
	return all, wrapped(err, "standings of %s", w.Chat)
}

// standings returns the query. If the period is one row of the totals, there is nothing to add up.
func standings(w Wanted) (string, []any) {
	kind, first, last := w.Period.span()
	const from = ` FROM totals t JOIN players p ON p.id = t.player WHERE t.chat = $1 AND t.kind = $2 AND `
	const by = `t.game, t.rules, t.unit, t.player`
	if first == last {
		where, args := w.filter([]any{sealedID(w.Chat), kind, first})
		return `SELECT ` + by + `, p.name, ` + addedUp.list("t.") + `, COALESCE(t.low, 0), COALESCE(t.high, 0)` +
			from + `t.period = $3` + where + ` ORDER BY ` + by, args
	}
	where, args := w.filter([]any{sealedID(w.Chat), kind, first, last})
	return `SELECT ` + by + `, MAX(p.name), ` + sums + from + `t.period BETWEEN $3 AND $4` + where + `
		GROUP BY ` + by + ` ORDER BY ` + by, args
}

// standings reads the rows of a query for standings.
func (tx Scores) standings(query string, args []any) ([]Standing, error) {
	var all []Standing
	err := tx.rows(query, args, func(row engine.Row) error {
		var s Standing
		var points, over int64
		err := row.Scan(&s.Game, &s.Rules, &s.Unit, (*sealedID)(&s.Player), (*sealedName)(&s.Name), &s.Games, &s.Parts,
			&s.Won, &s.Turns, &s.Shut, &s.Scored, &points, &over, &s.Pool, &s.Shares, &s.Settled, &s.Low, &s.High)
		s.Points = joined(points, over)
		all = append(all, s)
		return err
	})
	return all, err
}

// Kind is what distinguishes the games of a chat in its standings.
type Kind struct{ Game, Rules, Unit string }

// Staked returns the kinds of games of a chat with a stake in a period. It reads the results of the chat.
func (tx Scores) Staked(chat string, p Period) (map[Kind]bool, error) {
	kind, first, last := p.span()
	kinds, err := collectBy(tx.Tx, doing("games of %s with a stake", chat), func(k *Kind) []any {
		return []any{&k.Game, &k.Rules, &k.Unit}
	}, staked, sealedID(chat), kind, first, last)
	all := map[Kind]bool{}
	for _, k := range kinds {
		all[k] = true
	}
	return all, err
}

const staked = `
	SELECT DISTINCT c.game, c.rules, c.unit FROM counted_results c JOIN tables t ON t.id = c.table_id
	WHERE c.chat = $1 AND c.kind = $2 AND c.period BETWEEN $3 AND $4 AND t.stake > 0`

// HouseStandings returns a row for each strategy of house seats, game, rules and unit. Player is their account,
// "house:fewest", Name the strategy, and Parts is 0. It reads the results of the chat, as there are no totals of
// houses.
func (tx Scores) HouseStandings(w Wanted) ([]Standing, error) {
	kind, first, last := w.Period.span()
	where, args := w.filter([]any{sealedID(w.Chat), kind, first, last})
	all, err := tx.standings(houses+where+` GROUP BY t.game, t.rules, t.unit, s.house ORDER BY t.game, t.rules, t.unit,
		s.house`, args)
	if err != nil {
		return nil, fmt.Errorf("standings of the house in %s: %w", w.Chat, err)
	}
	for i := range all {
		all[i].Name = strings.TrimPrefix(all[i].Player, ofHouse)
	}
	return all, nil
}

const houses = `
	SELECT t.game, t.rules, t.unit, 'house:' || s.house, '', COUNT(*), 0, SUM(CASE WHEN r.place = 1 THEN 1 ELSE 0 END),
		SUM(COALESCE(r.turns, 0)), SUM(COALESCE(r.shut, 0)), SUM(CASE WHEN r.threw THEN 1 ELSE 0 END),
		SUM(CASE WHEN r.threw THEN r.score % 1000000000000 ELSE 0 END),
		SUM(CASE WHEN r.threw THEN r.score / 1000000000000 ELSE 0 END),
		SUM(r.pool), SUM(COALESCE(r.difference_n * (2520 / r.difference_d), 0)), SUM(COALESCE(r.settlement, 0)),
		COALESCE(MIN(CASE WHEN r.threw THEN r.score END), 0), COALESCE(MAX(CASE WHEN r.threw THEN r.score END), 0)
	FROM tables t
	JOIN results r ON r.table_id = t.id
	JOIN seats s ON s.table_id = r.table_id AND s.seat = r.seat
	WHERE t.chat = $1 AND t.state = 'over' AND NOT t.practice AND NOT t.voided AND s.player IS NULL
		AND CASE $2 WHEN 'season' THEN COALESCE(t.season, 0) ELSE t.evening END BETWEEN $3 AND $4`

// Duel returns a row for each of two players, game, rules and unit, from the games that both have played.
func (tx Scores) Duel(w Wanted, a, b string) ([]Standing, error) {
	kind, first, last := w.Period.span()
	where, args := w.filter([]any{sealedID(w.Chat), kind, first, last, sealedID(a), sealedID(b)})
	all, err := tx.standings(duel+where+` GROUP BY t.game, t.rules, t.unit, t.player ORDER BY t.game, t.rules, t.unit,
		t.player`, args)
	return all, wrapped(err, "duel in %s", w.Chat)
}

var duel = `
	SELECT t.game, t.rules, t.unit, t.player, MAX(p.name), ` + sums + `
	FROM seats x
	JOIN seats y ON y.player = $6 AND y.table_id = x.table_id
	JOIN counted_results t ON t.table_id = x.table_id
	JOIN players p ON p.id = t.player
	WHERE x.player = $5 AND t.chat = $1 AND t.kind = $2 AND t.period BETWEEN $3 AND $4 AND t.player IN ($5, $6)`
