package store

// Reviews of finished games, puzzles made of them, and guesses.

import (
	"cmp"
	"fmt"
	"math"
)

// The states of a review.
const (
	ToReview = "wanted" // it is still to be worked out
	Reviewed = "done"
	NoReview = "none" // there is no perfect play to compare with
)

// Review is the effect of luck and decisions in a finished table.
type Review struct {
	Table   int64
	State   string
	Failed  bool // there is none because it could not be worked out, or not be kept
	Measure string
	Steps   []byte // what each move did, as the core spells it
	// Weight is the cost of the costliest decision of a person, in billionths of the least cost that is shown; 0: none.
	Weight  int64
	Choices []byte // what could have been played there, as the core spells it
	Seats   []ReviewSeat
}

// ReviewSeat is the review of one seat, in the measure: the parts add up to Result. They are stored in billionths, or
// coarser if scores are very large.
type ReviewSeat struct {
	Start, Dice, Decisions, PlayedFor, OthersDice, OthersDecisions, Box, Result float64

	Chosen, Absent int64 // decisions, of its own and made for it
	// Costs is the sum of the costs of its own decisions, Squares the sum of their squares: in shares of the stakes, or
	// points.
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
	// billion is the resolution of stored reviews.
	billion = 1e9
	// maxKept is the largest number that is kept: millions of them can be added.
	maxKept = 1e12
	// maxScale is the coarsest scale.
	maxScale = 40
)

// measured calls each for the measured values of a seat, with the billionths in which a scale keeps them. It makes
// squares coarser twice.
func (s *ReviewSeat) measured(scale int, each func(value *float64, unit float64)) {
	for _, variable := range reviewSeats.of(s) {
		switch value, is := variable.(*float64); {
		case value == &s.Squares:
			each(value, math.Pow10(2*scale))
		case is:
			each(value, math.Pow10(scale))
		}
	}
}

// scaleOf returns the scale at which all values of some seats can be stored, or an error.
func scaleOf(seats []ReviewSeat) (int, error) {
	for scale := range maxScale + 1 {
		fit := true
		for _, s := range seats {
			s.measured(scale, func(value *float64, unit float64) {
				fit = fit && math.Abs(*value)*billion <= maxKept*unit
			})
		}
		if fit {
			return scale, nil
		}
	}
	return 0, fmt.Errorf("the values %v cannot be kept", seats)
}

// unscale turns stored values at a scale into values of the measure.
func (s *ReviewSeat) unscale(scale int) {
	s.measured(scale, func(value *float64, unit float64) { *value = *value / billion * unit })
}

// AddReview stores that the review of a finished table is still to be computed, or that there will be none, unless it
// has one.
func (tx Reviews) AddReview(table int64, state string) error {
	err := tx.run(`
		INSERT INTO reviews (table_id, chat, ended, state, measure, steps, weight, choices)
		SELECT id, chat, ended, $2, '', '', 0, '' FROM tables WHERE id = $1
		ON CONFLICT (table_id) DO NOTHING`, table, state)
	return wrapped(err, "add review of table %d", table)
}

// SaveReview stores the review of a table.
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
		s.measured(scale, func(value *float64, unit float64) { *value = math.Round(*value * billion / unit) })
		values := reviewSeats.values(&s, r.Table, i)
		for column, value := range values {
			if whole, is := value.(float64); is {
				values[column] = int64(whole)
			}
		}
		err = tx.run(insertReviewSeat, values...)
	}
	return wrapped(err, "save review of table %d", r.Table)
}

const reviewOf = `SELECT state, failed, measure, steps, weight, choices, scale FROM reviews WHERE table_id = $1`

// Review returns the review of a table, or ErrNotFound.
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

// wantedReviews reads an index that holds nothing else.
const wantedReviews = `
	SELECT r.table_id, t.chat FROM reviews r JOIN tables t ON t.id = r.table_id
	WHERE r.state = 'wanted' AND r.table_id < $1 ORDER BY r.table_id DESC LIMIT $2`

// WantedReviews returns at most limit tables below a number whose reviews are to be computed, the newest first.
func (tx Reviews) WantedReviews(below int64, limit int) ([]Row, error) {
	return tx.rowsOf("wanted reviews", limit, nil, wantedReviews, below)
}

// Unreviewed returns the numbers of at most limit finished tables of a chat without a review, the newest first.
func (tx Reviews) Unreviewed(chat string, limit int) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read tables of %s without a review", chat), `
		SELECT t.id FROM tables t WHERE t.chat = $1 AND t.state = 'over' AND NOT t.bare
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.table_id = t.id)
		ORDER BY t.id DESC LIMIT $2`, sealedID(chat), limit)
}

// GivenUp returns the numbers of at most limit tables whose reviews have failed, in order.
func (tx Reviews) GivenUp(limit int) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read reviews that failed"),
		`SELECT table_id FROM reviews WHERE failed ORDER BY table_id LIMIT $1`, limit)
}

// Skill is the sum of a player's reviews in a period, for one game, set of rules, stake and unit, alone or with others,
// and one scale.
type Skill struct {
	Player  string
	Game    string
	Rules   string // as in Standing
	Alone   bool   // it was practice
	Measure string
	Unit    string
	Stake   int64
	Tables  int64
	Seat    ReviewSeat // sums over the tables
	scale   int
}

// Skills returns the sums of the reviews of a chat's tables in a period, for every player.
func (tx Reviews) Skills(chat string, p Period) ([]Skill, error) {
	const aDay = 1000 * secondsADay
	kind, first, last := p.span()
	in, from, before := "COALESCE(t.season, 0)", int64(0), int64(math.MaxInt64)
	if kind == ofEvening { // an evening is over within two days of its midnight, wherever people are
		in, from, before = "t.evening", (first-1)*aDay, (last+3)*aDay
	}
	all, err := collectBy(tx.Tx, doing("skills in %s", chat), func(k *Skill) []any {
		return append([]any{(*sealedID)(&k.Player), &k.Game, &k.Rules, &k.Alone, &k.Measure, &k.Unit, &k.Stake,
			&k.scale, &k.Tables}, reviewSeats.of(&k.Seat)...)
	}, `
		SELECT s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale, COUNT(*),
			`+sumsOfSeats+`
		FROM reviews r
		JOIN tables t ON t.id = r.table_id
		JOIN review_seats v ON v.table_id = r.table_id
		JOIN seats s ON s.table_id = v.table_id AND s.seat = v.seat
		WHERE r.chat = $1 AND r.ended >= $2 AND r.ended < $3 AND `+in+` >= $4 AND `+in+` <= $5 AND s.player IS NOT NULL
			AND NOT t.voided
		GROUP BY s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale
		ORDER BY s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale`,
		sealedID(chat), from, before, first, last)
	for i := range all {
		all[i].Seat.unscale(all[i].scale)
	}
	return all, err
}

// Reviewing returns the number of a chat's reviews still to be computed, from one moment to before another.
func (tx Reviews) Reviewing(chat string, from, before int64) (int, error) {
	return one[int](tx.Tx, doing("count wanted reviews of %s", chat),
		`SELECT COUNT(*) FROM reviews WHERE chat = $1 AND ended >= $2 AND ended < $3 AND state = 'wanted'`,
		sealedID(chat), from, before)
}

// Puzzle is a costly decision of a finished table, as a position that all in the chat may try.
type Puzzle struct {
	ID      int64
	Chat    string
	Place   string
	Table   int64
	Asker   string // a player's id
	Asked   int64  // Unix milliseconds
	Open    bool   // its answer is still secret
	Version int64  // grows with every change that its message shows
	Drawn   int64  // the version that its message shows
	Message string // the message, "" none yet
	Away    bool   // the message cannot be drawn at present: its place is away
}

var (
	puzzleColumns = columnsOf(`id, chat, place, table_id, asker, asked, open, version, drawn, message, away`,
		func(p *Puzzle) []any {
			return []any{&p.ID, (*sealedID)(&p.Chat), (*sealedID)(&p.Place), &p.Table, (*sealedID)(&p.Asker),
				&p.Asked, &p.Open, &p.Version, &p.Drawn, (*sealedID)(&p.Message), &p.Away}
		})
	newPuzzles   = puzzleColumns.without("id")
	puzzleStates = newPuzzles.without("chat", "place", "table_id", "asker", "asked")
	insertPuzzle = newPuzzles.insert("puzzles") + ` RETURNING id`
	updatePuzzle = puzzleStates.update("puzzles", "id")
	selectPuzzle = `SELECT ` + puzzleColumns.list("") + ` FROM puzzles `
)

// PuzzleReviews returns the numbers and choices of at most limit reviews of a chat since a moment with a costly
// decision that was no puzzle yet, the costliest first.
func (tx Reviews) PuzzleReviews(chat string, since int64, limit int) (all []Review, err error) {
	return collectBy(tx.Tx, doing("look for a puzzle of %s", chat), func(r *Review) []any {
		return []any{&r.Table, &r.Choices}
	}, `
		SELECT r.table_id, r.choices FROM reviews r WHERE r.chat = $1 AND r.ended >= $2 AND r.weight > 0
			AND NOT EXISTS (SELECT 1 FROM puzzles p WHERE p.table_id = r.table_id)
			AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.id = r.table_id AND t.voided)
		ORDER BY r.weight DESC, r.table_id DESC LIMIT $3`, sealedID(chat), since, limit)
}

// SaveChoices stores the choices of a review's costliest decision.
func (tx Reviews) SaveChoices(r Review) error {
	return wrapped(tx.run(`UPDATE reviews SET choices = $2 WHERE table_id = $1`, r.Table, string(r.Choices)),
		"save choices of the review of table %d", r.Table)
}

// AddPuzzle stores a new puzzle and returns its number. Its place must have no open one, and its table none.
func (tx Reviews) AddPuzzle(p Puzzle) (int64, error) {
	err := cmp.Or(tx.Chats.meetPlayer(p.Asker, ""), tx.get(insertPuzzle, newPuzzles.values(&p), &p.ID))
	return p.ID, wrapped(err, "add puzzle at %s", p.Place)
}

// SavePuzzle stores whether a puzzle is open, how it is drawn and where.
func (tx Reviews) SavePuzzle(p Puzzle) error {
	return wrapped(execFound(tx.Tx, updatePuzzle, puzzleStates.values(&p, p.ID)...), "save puzzle %d", p.ID)
}

// Puzzle returns a puzzle, or ErrNotFound.
func (tx Reviews) Puzzle(id int64) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE id = $1`, id)
}

// PuzzleAt returns the open puzzle of a place, or ErrNotFound.
func (tx Reviews) PuzzleAt(place string) (Puzzle, error) {
	return tx.puzzle(selectPuzzle+`WHERE place = $1 AND open`, sealedID(place))
}

func (tx Reviews) puzzle(query string, of any) (p Puzzle, err error) {
	err = tx.get(query, []any{of}, puzzleColumns.of(&p)...)
	if err == nil {
		err = tx.found()
	}
	return p, wrapped(err, "read puzzle of %v", of)
}

// laggingPuzzles reads an index that holds nothing else.
const laggingPuzzles = `
	SELECT id, chat FROM puzzles WHERE drawn < version AND NOT away AND SUBSTR(place, 1, LENGTH($1)) = $1 ORDER BY id
		LIMIT $2`

// LaggingPuzzles returns at most limit puzzles with stale messages on the platform of a prefix of ids.
func (tx Reviews) LaggingPuzzles(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("lagging puzzles", limit, nil, laggingPuzzles, prefix)
}

// OldPuzzles returns at most limit open puzzles with numbers above beyond, ascending, asked before a moment.
func (tx Reviews) OldPuzzles(before, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("old puzzles", limit, nil,
		`SELECT id, chat FROM puzzles WHERE open AND asked < $1 AND id > $2 ORDER BY id LIMIT $3`, before, beyond)
}

// Guess is the first try of a person at a puzzle.
type Guess struct {
	Player string
	Move   string
	Found  bool // it was the best
	At     int64
}

var (
	guessColumns = columnsOf(`player, move, found, at`, func(g *Guess) []any {
		return []any{(*sealedID)(&g.Player), &g.Move, &g.Found, &g.At}
	})
	insertGuess = guessColumns.insert("guesses", "puzzle_id") + ` ON CONFLICT (puzzle_id, player) DO NOTHING`
)

// AddGuess stores a person's first try, and reports whether it was the first.
func (tx Reviews) AddGuess(puzzle int64, g Guess) (first bool, err error) {
	err = tx.Chats.meetPlayer(g.Player, "")
	var added int64
	if err == nil {
		added, err = tx.exec(insertGuess, guessColumns.values(&g, puzzle)...)
	}
	return added > 0, wrapped(err, "guess at puzzle %d", puzzle)
}

// Guesses returns the first tries of all people, in order.
func (tx Reviews) Guesses(puzzle int64) ([]Guess, error) {
	return collectBy(tx.Tx, doing("read guesses at puzzle %d", puzzle), guessColumns.of,
		`SELECT player, move, found, at FROM guesses WHERE puzzle_id = $1 ORDER BY at, player`, puzzle)
}
