package store

// Totals of results, and the standings of players that leaderboards show.

import (
	"fmt"
	"math"
	"strings"

	"knobel/store/engine"
)

// Standing is the sum of a player's finished games in a chat that have the same game, rules and unit of stakes.
type Standing struct {
	Game   string
	Rules  string // a JSON object of options and values with sorted keys, as encoding/json writes it
	Unit   string
	Player string
	Name   string // the player's present name

	Games  int64
	Parts  int64 // the player's shares of these games: the players of a game share PartsOfGame equally
	Won    int64 // first places, also shared ones
	Turns  int64 // turns in Shut the Box
	Shut   int64 // turns that shut the box
	Scored int64 // games with a score: Points, Low and High count only these
	Points int64 // the sum of the scores, limited to the range of an int64
	Low    int64 // the lowest score, 0 if Scored is 0
	High   int64 // the highest score, 0 if Scored is 0
	Pool   int64 // won or lost in pools, in units of stakes
	// Shares is the sum of the player's differences to the average score, in 1/2520 of a point. This unit is exact for
	// games of up to ten seats.
	Shares  int64
	Settled int64 // won or lost by settlements, in units of stakes
}

// PartsOfGame is the sum of Parts of all players of one game. Every number of players up to ten divides it.
const PartsOfGame = 2520

// Add adds the numbers of other to s. Player, Name, Game, Rules and Unit of s do not change.
func (s *Standing) Add(other Standing) {
	if other.Scored > 0 && (s.Scored == 0 || other.Low < s.Low) {
		s.Low = other.Low
	}
	if other.Scored > 0 && (s.Scored == 0 || other.High > s.High) {
		s.High = other.High
	}
	s.Games += other.Games
	s.Parts += other.Parts
	s.Won += other.Won
	s.Turns += other.Turns
	s.Shut += other.Shut
	s.Scored += other.Scored
	s.Points = addLimited(s.Points, other.Points)
	s.Pool += other.Pool
	s.Shares += other.Shares
	s.Settled += other.Settled
}

// addLimited returns the sum of a and b, or the nearest int64 if it is too large or too small.
func addLimited(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// pointsOver is the value of 1 in the column points_over: a sum of points takes the columns points and points_over.
const pointsOver = 1_000_000_000_000

// joinPoints returns points + over*pointsOver, or the nearest int64 if that is too large or too small.
func joinPoints(points, over int64) int64 {
	if over > math.MaxInt64/pointsOver {
		return math.MaxInt64
	}
	if over < math.MinInt64/pointsOver {
		return math.MinInt64
	}
	return addLimited(over*pointsOver, points)
}

// Wanted selects the games that a list of standings adds up. Practice games never count.
type Wanted struct {
	Chat   string
	Period Period // the zero value: all time
	Game   string // "": all games
	Unit   string // "": all units
}

// filter returns an SQL condition for w.Game and w.Unit, and args with the condition's arguments appended. The
// condition begins with AND, or is "" if all games and units are wanted.
func (w Wanted) filter(args []any) (string, []any) {
	condition := ""
	if w.Game != "" {
		args = append(args, w.Game)
		condition += fmt.Sprintf(" AND t.game = $%d", len(args))
	}
	if w.Unit != "" {
		args = append(args, w.Unit)
		condition += fmt.Sprintf(" AND t.unit = $%d", len(args))
	}
	return condition, args
}

var (
	// addedUp holds the columns of totals that are sums. Sums of points take two columns.
	addedUp = columnsOf(`games, parts, won, turns, shut, scored, points, points_over, pool, shares, settled`,
		func(c *counts) (all []any) {
			for i := range c.added {
				all = append(all, &c.added[i])
			}
			return all
		})
	// sums are the columns of a query for a standing, whose numbers are sums over rows of totals t.
	sums = addedUp.each(func(_ int, c column) string { return "SUM(t." + c.name + ")" }) +
		`, COALESCE(MIN(t.low), 0), COALESCE(MAX(t.high), 0)`
	// addTotals adds the results of the table $1 to the totals of its season and evening.
	addTotals = `INSERT INTO totals (chat, ` + totalColumns + `)
		SELECT chat, ` + totalColumns + ` FROM counted_results WHERE table_id = $1` + onTotals
	// totalColumns lists all columns of totals except chat.
	totalColumns = `kind, period, game, rules, unit, player, low, high, ` + addedUp.list("")
	// onTotals ends an INSERT into totals: if the row exists already, the numbers are added to it.
	onTotals = ` ON CONFLICT (chat, kind, period, game, rules, unit, player) DO UPDATE SET ` +
		addedUp.each(func(_ int, c column) string {
			return c.name + " = totals." + c.name + " + excluded." + c.name
		}) + `,
		low = CASE WHEN totals.low IS NULL OR excluded.low < totals.low THEN excluded.low ELSE totals.low END,
		high = CASE WHEN totals.high IS NULL OR excluded.high > totals.high THEN excluded.high ELSE totals.high END`
)

// Standings returns a row for each player, game, rules and unit in a chat, ordered by game, rules, unit and player.
// Players who are left out of lists (see Unlisted) are included. It reads one range of an index.
func (tx Scores) Standings(w Wanted) ([]Standing, error) {
	query, args := standingsQuery(w)
	all, err := tx.readSums(query, args)
	return all, wrapped(err, "read leaderboard of %s", w.Chat)
}

// standingsQuery returns the query of Standings and its arguments. For one season or evening the rows need no sums.
func standingsQuery(w Wanted) (string, []any) {
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

// readSums returns the standings that query selects with args. query has the columns of standingsQuery.
func (tx Scores) readSums(query string, args []any) ([]Standing, error) {
	var all []Standing
	err := tx.rows(query, args, func(row engine.Row) error {
		var s Standing
		var points, over int64
		err := row.Scan(&s.Game, &s.Rules, &s.Unit, (*sealedID)(&s.Player), (*sealedName)(&s.Name), &s.Games, &s.Parts,
			&s.Won, &s.Turns, &s.Shut, &s.Scored, &points, &over, &s.Pool, &s.Shares, &s.Settled, &s.Low, &s.High)
		s.Points = joinPoints(points, over)
		all = append(all, s)
		return err
	})
	return all, err
}

// Kind identifies games that can be added up in one standing.
type Kind struct{ Game, Rules, Unit string }

// Staked returns the kinds of games that a chat has finished with a stake in the period p. It reads all results.
func (tx Scores) Staked(chat string, p Period) (map[Kind]bool, error) {
	kind, first, last := p.span()
	kinds, err := collectBy(tx.Tx, doing("read games of %s with a stake", chat), func(k *Kind) []any {
		return []any{&k.Game, &k.Rules, &k.Unit}
	}, staked, sealedID(chat), kind, first, last)
	all := map[Kind]bool{}
	for _, k := range kinds {
		all[k] = true
	}
	return all, err
}

// staked selects the kinds of games with a stake in the chat $1, in the periods of the kind $2 from $3 to $4.
const staked = `
	SELECT DISTINCT c.game, c.rules, c.unit FROM counted_results c JOIN tables t ON t.id = c.table_id
	WHERE c.chat = $1 AND c.kind = $2 AND c.period BETWEEN $3 AND $4 AND t.stake > 0`

// HouseStandings returns the standings of computer players: a row for each strategy, game, rules and unit. Player is
// "house:" and the strategy, as in "house:fewest". Name is the strategy, and Parts is 0. Totals leave computer players
// out, so it reads all results of the chat.
func (tx Scores) HouseStandings(w Wanted) ([]Standing, error) {
	kind, first, last := w.Period.span()
	where, args := w.filter([]any{sealedID(w.Chat), kind, first, last})
	all, err := tx.readSums(houses+where+` GROUP BY t.game, t.rules, t.unit, s.house ORDER BY t.game, t.rules, t.unit,
		s.house`, args)
	if err != nil {
		return nil, fmt.Errorf("read leaderboard of computers in %s: %w", w.Chat, err)
	}
	for i := range all {
		all[i].Name = strings.TrimPrefix(all[i].Player, ofHouse)
	}
	return all, nil
}

// houses selects the numbers of a standing for each strategy of computer players, in the chat $1 and in the periods of
// the kind $2 from $3 to $4. As in totals, sums of points take two columns.
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

// Duel returns the standings of the players a and b from the games in which both had a seat. Each of the two has a row
// for each game, rules and unit.
func (tx Scores) Duel(w Wanted, a, b string) ([]Standing, error) {
	kind, first, last := w.Period.span()
	where, args := w.filter([]any{sealedID(w.Chat), kind, first, last, sealedID(a), sealedID(b)})
	all, err := tx.readSums(duel+where+` GROUP BY t.game, t.rules, t.unit, t.player ORDER BY t.game, t.rules, t.unit,
		t.player`, args)
	return all, wrapped(err, "read duel in %s", w.Chat)
}

// duel adds up the results of the players $5 and $6 at the tables where both had a seat, in the chat $1 and in the
// periods of the kind $2 from $3 to $4.
var duel = `
	SELECT t.game, t.rules, t.unit, t.player, MAX(p.name), ` + sums + `
	FROM seats x
	JOIN seats y ON y.player = $6 AND y.table_id = x.table_id
	JOIN counted_results t ON t.table_id = x.table_id
	JOIN players p ON p.id = t.player
	WHERE x.player = $5 AND t.chat = $1 AND t.kind = $2 AND t.period BETWEEN $3 AND $4 AND t.player IN ($5, $6)`
