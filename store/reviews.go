package store

// Reviews of finished games, puzzles made of their decisions, and guesses at puzzles.

import (
	"cmp"
	"fmt"
	"math"
)

// The states of a review.
const (
	ToReview = "wanted" // still to be computed
	Reviewed = "done"   // computed and stored
	NoReview = "none"   // no review: there is no perfect play to compare with, or it failed
)

// Review is the analysis of a finished table: how much luck and decisions have changed the result of each seat.
type Review struct {
	Table   int64
	State   string
	Failed  bool   // there is no review because it could not be computed or stored
	Measure string // the meaning of the values in Seats: a games.Measure
	Steps   []byte // the effect of each move, as JSON made by the core
	// Weight is the relative cost of the costliest decision of a person: its cost divided by the least cost that is
	// shown as a mistake, in billionths. 0: no decision was costly enough to be shown.
	Weight  int64
	Choices []byte // the possible moves at that decision, as JSON made by the core
	Seats   []ReviewSeat
}

// ReviewSeat is the review of one seat, in points or in shares of the stakes: see Review.Measure. Result is the sum of
// the seven values before it. These are the expected result at the start, and the effects of the seat's dice, of its
// own decisions, of decisions made for it while absent, of the other seats' dice and decisions, and of the box (what
// was booked beyond the exact share). Values are stored in billionths, or in larger units if they are very large.
type ReviewSeat struct {
	Start, Dice, Decisions, PlayedFor, OthersDice, OthersDecisions, Box, Result float64

	Chosen, Absent int64 // the numbers of its own decisions, and of those made for it while absent
	// Costs is the sum of the costs of the seat's own decisions, and Squares the sum of the squares of these costs.
	// They are in points or in shares of the whole pool.
	Costs, Squares float64
}

var (
	reviewSeats = columnsOf(
		`begins, dice, decisions, played_for, others_dice, others_decisions, box, result, chosen, absent, costs, squares`,
		func(s *ReviewSeat) []any {
			return []any{&s.Start, &s.Dice, &s.Decisions, &s.PlayedFor, &s.OthersDice, &s.OthersDecisions, &s.Box,
				&s.Result, &s.Chosen, &s.Absent, &s.Costs, &s.Squares}
		})
	insertReviewSeat = reviewSeats.insert("review_seats", "table_id", "seat")
	reviewSeatsOf    = `SELECT ` + reviewSeats.list("") + ` FROM review_seats WHERE table_id = $1 ORDER BY seat`
	sumsOfSeats      = reviewSeats.each(func(_ int, c column) string { return "SUM(v." + c.name + ")" })
)

const (
	// billion is the number of stored units in one point, or in one share of the pool, at scale 0 (see maxScale).
	billion = 1e9
	// maxKept is the largest number stored for a value. Millions of such numbers can still be added up.
	maxKept = 1e12
	// maxScale is the largest scale. At the scale n a value is stored in units of 10^n billionths.
	maxScale = 40
)

// eachValue calls the function each for every value of s in points or shares. unit is the unit in which the value is
// stored at scale, in billionths: 10^(2*scale) for Squares, 10^scale for all others.
func (s *ReviewSeat) eachValue(scale int, each func(value *float64, unit float64)) {
	for _, variable := range reviewSeats.of(s) {
		switch value, isValue := variable.(*float64); {
		case value == &s.Squares:
			each(value, math.Pow10(2*scale))
		case isValue:
			each(value, math.Pow10(scale))
		}
	}
}

// scaleOf returns the smallest scale at which all values of seats can be stored, or an error if a value is too large.
func scaleOf(seats []ReviewSeat) (int, error) {
	for scale := range maxScale + 1 {
		fit := true
		for _, s := range seats {
			s.eachValue(scale, func(value *float64, unit float64) {
				fit = fit && math.Abs(*value)*billion <= maxKept*unit
			})
		}
		if fit {
			return scale, nil
		}
	}
	return 0, fmt.Errorf("the values %v cannot be stored", seats)
}

// unscale converts the values of s, which were read as stored at scale, to points or shares.
func (s *ReviewSeat) unscale(scale int) {
	s.eachValue(scale, func(value *float64, unit float64) { *value = *value / billion * unit })
}

// AddReview stores a review of a finished table without values. state is ToReview if the values have to be computed, or
// NoReview if that is impossible. If the table has a review, AddReview is a no-op.
func (tx Reviews) AddReview(table int64, state string) error {
	err := tx.run(`
		INSERT INTO reviews (table_id, chat, ended, state, measure, steps, weight, choices)
		SELECT id, chat, ended, $2, '', '', 0, '' FROM tables WHERE id = $1
		ON CONFLICT (table_id) DO NOTHING`, table, state)
	return wrapped(err, "add review of table %d", table)
}

// SaveReview stores r, the computed review of r.Table. If the stored review is not ToReview, it returns ErrNotFound.
func (tx Reviews) SaveReview(r Review) error {
	scale, err := scaleOf(r.Seats)
	if err != nil {
		return fmt.Errorf("save review of table %d: %w", r.Table, err)
	}
	err = execFound(tx.Tx, `
		UPDATE reviews SET state = $2, failed = $3, measure = $4, steps = $5, weight = $6, choices = $7, scale = $8
		WHERE table_id = $1 AND state = 'wanted'`,
		r.Table, r.State, r.Failed, r.Measure, string(r.Steps), r.Weight, string(r.Choices), scale)
	for i, s := range r.Seats {
		if err != nil {
			break
		}
		s.eachValue(scale, func(value *float64, unit float64) { *value = math.Round(*value * billion / unit) })
		values := reviewSeats.values(&s, r.Table, i)
		for column, value := range values {
			if number, ok := value.(float64); ok {
				values[column] = int64(number)
			}
		}
		err = tx.run(insertReviewSeat, values...)
	}
	return wrapped(err, "save review of table %d", r.Table)
}

// reviewOf selects the review of the table $1 without its seats.
const reviewOf = `SELECT state, failed, measure, steps, weight, choices, scale FROM reviews WHERE table_id = $1`

// Review returns the review of a table with its seats, or ErrNotFound.
func (tx Reviews) Review(table int64) (Review, error) {
	r, scale := Review{Table: table}, 0
	err := tx.get(reviewOf, []any{table},
		&r.State, &r.Failed, &r.Measure, &r.Steps, &r.Weight, &r.Choices, &scale)
	if err == nil {
		r.Seats, err = collectBy(tx.Tx, doing("read seats"), reviewSeats.of, reviewSeatsOf, table)
	}
	for i := range r.Seats {
		r.Seats[i].unscale(scale)
	}
	return r, wrapped(err, "read review of table %d", table)
}

// wantedReviews selects at most $2 tables with numbers below $1 whose reviews have to be computed, the newest first.
// Its conditions match an index that contains only such reviews.
const wantedReviews = `
	SELECT r.table_id, t.chat FROM reviews r JOIN tables t ON t.id = r.table_id
	WHERE r.state = 'wanted' AND r.table_id < $1 ORDER BY r.table_id DESC LIMIT $2`

// WantedReviews returns at most limit tables whose reviews have to be computed, with numbers smaller than upper. The
// newest table comes first.
func (tx Reviews) WantedReviews(upper int64, limit int) ([]Row, error) {
	return tx.rowsOf("wanted reviews", limit, nil, wantedReviews, upper)
}

// Unreviewed returns the numbers of at most limit finished tables of a chat that have stored moves but no review, the
// newest first.
func (tx Reviews) Unreviewed(chat string, limit int) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read tables of %s without a review", chat), `
		SELECT t.id FROM tables t WHERE t.chat = $1 AND t.state = 'over' AND NOT t.bare
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.table_id = t.id)
		ORDER BY t.id DESC LIMIT $2`, sealedID(chat), limit)
}

// GivenUp returns the numbers of at most limit tables whose reviews have failed, ascending.
func (tx Reviews) GivenUp(limit int) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read reviews that failed"),
		`SELECT table_id FROM reviews WHERE failed ORDER BY table_id LIMIT $1`, limit)
}

// Skill is the sum of a player's reviews in a period for games with equal rules, stake, unit and measure. All of these
// games were practice (without other people), or none was.
type Skill struct {
	Player  string
	Game    string
	Rules   string // a JSON object, as in Standing
	Alone   bool   // the games were practice, played without other people
	Measure string // as in Review
	Unit    string
	Stake   int64
	Tables  int64      // the number of reviewed tables
	Seat    ReviewSeat // sums over all these tables
	scale   int        // at which the sums are stored
}

// Skills returns the sums of each player's reviews for a chat's tables in the period p, without voided tables. A player
// has a sum for each combination of game, rules, stake, measure and scale of storage.
func (tx Reviews) Skills(chat string, p Period) ([]Skill, error) {
	const aDay = 1000 * secondsADay
	kind, first, last := p.span()
	in, from, before := "COALESCE(t.season, 0)", int64(0), int64(math.MaxInt64)
	if kind == ofEvening { // in any time zone, an evening ends at most three days after 0:00 UTC of its date
		in, from, before = "t.evening", (first-1)*aDay, (last+3)*aDay
	}
	all, err := collectBy(tx.Tx, doing("read skills in %s", chat), func(k *Skill) []any {
		return append([]any{(*sealedID)(&k.Player), &k.Game, &k.Rules, &k.Alone, &k.Measure, &k.Unit, &k.Stake,
			&k.scale, &k.Tables}, reviewSeats.of(&k.Seat)...)
	}, `
		SELECT s.player, t.game, t.rules, `+isPractice+`, r.measure, t.unit, t.stake, r.scale, COUNT(*),
			`+sumsOfSeats+`
		FROM reviews r
		JOIN tables t ON t.id = r.table_id
		JOIN review_seats v ON v.table_id = r.table_id
		JOIN seats s ON s.table_id = v.table_id AND s.seat = v.seat
		WHERE r.chat = $1 AND r.ended >= $2 AND r.ended < $3 AND `+in+` >= $4 AND `+in+` <= $5 AND s.player IS NOT NULL
			AND NOT t.voided
		GROUP BY s.player, t.game, t.rules, `+isPractice+`, r.measure, t.unit, t.stake, r.scale
		ORDER BY s.player, t.game, t.rules, `+isPractice+`, r.measure, t.unit, t.stake, r.scale`,
		sealedID(chat), from, before, first, last)
	for i := range all {
		all[i].Seat.unscale(all[i].scale)
	}
	return all, err
}

// Reviewing returns how many reviews have to be computed for the tables of a chat that ended at the time begin or
// later, but before the time end, both in Unix milliseconds.
func (tx Reviews) Reviewing(chat string, begin, end int64) (int, error) {
	return one[int](tx.Tx, doing("count wanted reviews of %s", chat),
		`SELECT COUNT(*) FROM reviews WHERE chat = $1 AND ended >= $2 AND ended < $3 AND state = 'wanted'`,
		sealedID(chat), begin, end)
}

// Puzzle asks the people in a chat to guess the best move at a costly decision of a finished table.
type Puzzle struct {
	ID   int64
	Chat string
	Posted
	Table int64  // the number of the finished table
	Asker string // the id of the player who asked for the puzzle
	Asked int64  // Unix milliseconds
	Open  bool   // the solution is not shown yet
}

var (
	puzzleStates = columnsOf(`open, version, drawn, message, away`, func(p *Puzzle) []any {
		return []any{&p.Open, &p.Version, &p.Drawn, (*sealedID)(&p.Message), &p.Away}
	})
	newPuzzles = columnsOf(`chat, place, table_id, asker, asked`, func(p *Puzzle) []any {
		return []any{(*sealedID)(&p.Chat), (*sealedID)(&p.Place), &p.Table, (*sealedID)(&p.Asker), &p.Asked}
	}).and(puzzleStates)
	puzzleColumns = columnsOf(`id`, func(p *Puzzle) []any { return []any{&p.ID} }).and(newPuzzles)
	insertPuzzle  = newPuzzles.insert("puzzles") + ` RETURNING id`
	updatePuzzle  = puzzleStates.update("puzzles", "id")
	selectPuzzle  = `SELECT ` + puzzleColumns.list("") + ` FROM puzzles `
)

// PuzzleReviews returns at most limit reviews of a chat from which a puzzle can be made, the costliest decision first.
// Only Table and Choices are set. Their tables ended at the time since, in Unix milliseconds, or later, have no puzzle
// yet and are not voided.
func (tx Reviews) PuzzleReviews(chat string, since int64, limit int) (all []Review, err error) {
	return collectBy(tx.Tx, doing("look up puzzle of %s", chat), func(r *Review) []any {
		return []any{&r.Table, &r.Choices}
	}, `
		SELECT r.table_id, r.choices FROM reviews r WHERE r.chat = $1 AND r.ended >= $2 AND r.weight > 0
			AND NOT EXISTS (SELECT 1 FROM puzzles p WHERE p.table_id = r.table_id)
			AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = r.table_id AND t.voided)
		ORDER BY r.weight DESC, r.table_id DESC LIMIT $3`, sealedID(chat), since, limit)
}

// SaveChoices stores r.Choices, the possible moves at the costliest decision, in the review of the table r.Table.
func (tx Reviews) SaveChoices(r Review) error {
	return wrapped(tx.run(`UPDATE reviews SET choices = $2 WHERE table_id = $1`, r.Table, string(r.Choices)),
		"save choices of the review of table %d", r.Table)
}

// AddPuzzle stores a new puzzle and returns its number. The place may have no other open puzzle, the table none at all.
func (tx Reviews) AddPuzzle(p Puzzle) (int64, error) {
	err := cmp.Or(tx.Chats.meetPlayer(p.Asker, ""), tx.get(insertPuzzle, newPuzzles.values(&p), &p.ID))
	return p.ID, wrapped(err, "add puzzle at %s", p.Place)
}

// SavePuzzle stores Open, Version, Drawn, Message and Away of the puzzle p. It returns ErrNotFound if p is not stored.
func (tx Reviews) SavePuzzle(p Puzzle) error {
	return wrapped(execFound(tx.Tx, updatePuzzle, puzzleStates.values(&p, p.ID)...), "save puzzle %d", p.ID)
}

// Puzzle returns the puzzle with the number id, or ErrNotFound.
func (tx Reviews) Puzzle(id int64) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE id = $1`, id)
}

// PuzzleAt returns the open puzzle of a place, or ErrNotFound.
func (tx Reviews) PuzzleAt(place string) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE place = $1 AND open`, sealedID(place))
}

// PuzzleOf returns the puzzle of the game at a table, open or not, or ErrNotFound.
func (tx Reviews) PuzzleOf(table int64) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE table_id = $1`, table)
}

// puzzle returns the puzzle that query selects, or ErrNotFound. arg is the argument of query.
func (tx Reviews) puzzle(query string, arg any) (p Puzzle, err error) {
	err = tx.get(query, []any{arg}, puzzleColumns.of(&p)...)
	if err == nil {
		err = tx.requireLocked()
	}
	return p, wrapped(err, "read puzzle of %v", arg)
}

// laggingPuzzles selects at most $2 puzzles with stale messages on the platform whose ids begin with $1, but none where
// the bot cannot write. Its conditions match an index that contains only such puzzles.
const laggingPuzzles = `
	SELECT id, chat FROM puzzles WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1 ORDER BY id
		LIMIT $2`

// LaggingPuzzles returns at most limit puzzles with stale messages, on the platform whose ids begin with prefix. Places
// where the bot cannot write are left out.
func (tx Reviews) LaggingPuzzles(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("lagging puzzles", limit, nil, laggingPuzzles, prefix)
}

// OldPuzzles returns at most limit open puzzles that were posted before the time cutoff, in Unix milliseconds: those
// with numbers above beyond, in ascending order.
func (tx Reviews) OldPuzzles(cutoff, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("old puzzles", limit, nil,
		`SELECT id, chat FROM puzzles WHERE open AND asked < $1 AND id > $2 ORDER BY id LIMIT $3`, cutoff, beyond)
}

// Guess is a person's first answer to a puzzle: the move that they think is best.
type Guess struct {
	Player string
	Move   string
	Found  bool  // it was the best move
	At     int64 // Unix milliseconds
}

var (
	guessColumns = columnsOf(`player, move, found, at`, func(g *Guess) []any {
		return []any{(*sealedID)(&g.Player), &g.Move, &g.Found, &g.At}
	})
	insertGuess = guessColumns.insert("guesses", "puzzle_id") + ` ON CONFLICT (puzzle_id, player) DO NOTHING`
)

// AddGuess stores the first guess of a person at a puzzle. stored is false if the person has made a guess before.
func (tx Reviews) AddGuess(puzzle int64, g Guess) (stored bool, err error) {
	err = tx.Chats.meetPlayer(g.Player, "")
	var added int64
	if err == nil {
		added, err = tx.exec(insertGuess, guessColumns.values(&g, puzzle)...)
	}
	return added > 0, wrapped(err, "save guess at puzzle %d", puzzle)
}

// Guesses returns the stored guesses of all people at a puzzle, in order of time.
func (tx Reviews) Guesses(puzzle int64) ([]Guess, error) {
	return collectBy(tx.Tx, doing("read guesses at puzzle %d", puzzle), guessColumns.of,
		`SELECT player, move, found, at FROM guesses WHERE puzzle_id = $1 ORDER BY at, player`, puzzle)
}
