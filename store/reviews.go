package store

// Reviews of finished games.

import (
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
	// Weight says how costly the costliest decision of a person was, in
	// billionths of the least cost that is shown; 0: there is none.
	Weight  int64
	Choices []byte // what could have been played there, as the core spells it
	Seats   []ReviewSeat
}

// ReviewSeat is the review of one seat, in the measure: the parts add up to Result. They are stored
// to a billionth, or less exactly where scores are very large.
type ReviewSeat struct {
	Start, Dice, Decisions, PlayedFor, OthersDice, OthersDecisions, Box, Result float64

	Chosen, Absent int64 // decisions, of its own and made for it
	// Costs is the sum of the costs of its own decisions, Squares the sum of their squares: in shares of the stakes, or
	// points.
	Costs, Squares float64
}

// plain are the values of a seat that a scale makes coarser once; the squares it
// does twice.
func (s *ReviewSeat) plain() []*float64 {
	return []*float64{&s.Start, &s.Dice, &s.Decisions, &s.PlayedFor, &s.OthersDice, &s.OthersDecisions, &s.Box,
		&s.Result, &s.Costs}
}

const (
	// billion is the resolution of stored reviews.
	billion = 1e9
	// maxKept is the largest number that is kept: millions of them can be added.
	maxKept = 1e12
	// maxScale is the coarsest scale.
	maxScale = 40
)

// scaleOf returns the scale at which all values of some seats can be stored, or an error if there
// is none.
func scaleOf(seats []ReviewSeat) (scale int, err error) {
	for _, s := range seats {
		for _, value := range s.plain() {
			for ; !(math.Abs(*value)*billion <= maxKept*math.Pow10(scale)); scale++ {
				if scale == maxScale {
					return 0, fmt.Errorf("the value %v cannot be kept", *value)
				}
			}
		}
		for ; !(math.Abs(s.Squares)*billion <= maxKept*math.Pow10(2*scale)); scale++ {
			if scale == maxScale {
				return 0, fmt.Errorf("the squares %v cannot be kept", s.Squares)
			}
		}
	}
	return scale, nil
}

// kept are the values of a seat at a scale, as they are stored.
func (s ReviewSeat) kept(scale int) (plain []int64, squares int64) {
	for _, value := range s.plain() {
		plain = append(plain, int64(math.Round(*value*billion/math.Pow10(scale))))
	}
	return plain, int64(math.Round(s.Squares * billion / math.Pow10(2*scale)))
}

// unscale turns stored values at a scale into values of the measure.
func (s *ReviewSeat) unscale(scale int) {
	for _, value := range s.plain() {
		*value = *value / billion * math.Pow10(scale)
	}
	s.Squares = s.Squares / billion * math.Pow10(2*scale)
}

// AddReview stores that the review of a finished table is still to be computed, or that there will
// be none. A table that has a review keeps it.
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
		v, squares := s.kept(scale)
		err = tx.run(`
			INSERT INTO review_seats (table_id, seat, begins, dice, decisions, played_for, others_dice,
				others_decisions,
			box, result,
				chosen, absent, costs, squares)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
			r.Table, i, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], s.Chosen, s.Absent, v[8], squares)
	}
	return wrapped(err, "save review of table %d", r.Table)
}

const (
	reviewOf = `SELECT state, failed, measure, steps, weight, choices, scale FROM reviews
		WHERE table_id = $1`
	reviewSeatsOf = `
		SELECT begins, dice, decisions, played_for, others_dice, others_decisions, box, result, chosen, absent,
			costs, squares
		FROM review_seats WHERE table_id = $1 ORDER BY seat`
)

// Review returns the review of a table, or ErrNotFound where none was asked
// for.
func (tx Reviews) Review(table int64) (Review, error) {
	r, scale := Review{Table: table}, 0
	err := tx.get(reviewOf, []any{table},
		&r.State, &r.Failed, &r.Measure, &r.Steps, &r.Weight, &r.Choices, &scale)
	if err == nil {
		r.Seats, err = collectBy(tx.Tx, (*ReviewSeat).into, reviewSeatsOf, table)
	}
	for i := range r.Seats {
		r.Seats[i].unscale(scale)
	}
	return r, wrapped(err, "read review of table %d", table)
}

func (s *ReviewSeat) into() []any {
	return []any{&s.Start, &s.Dice, &s.Decisions, &s.PlayedFor, &s.OthersDice, &s.OthersDecisions, &s.Box, &s.Result,
		&s.Chosen, &s.Absent, &s.Costs, &s.Squares}
}

// wantedReviews reads an index that holds nothing else.
const wantedReviews = `
	SELECT r.table_id, t.chat FROM reviews r JOIN tables t ON t.id = r.table_id
	WHERE r.state = 'wanted' AND r.table_id < $1 ORDER BY r.table_id DESC LIMIT $2`

// WantedReviews returns at most limit tables below a number whose reviews are still
// to be computed, the newest first.
func (tx Reviews) WantedReviews(below int64, limit int) ([]Row, error) {
	return tx.rowsOf("wanted reviews", limit, wantedReviews, below)
}

// Unreviewed returns the numbers of at most limit finished tables of a chat for which no review was
// requested, the newest first.
func (tx Reviews) Unreviewed(chat string, limit int) ([]int64, error) {
	tables, err := collect[int64](tx.Tx, `
		SELECT t.id FROM tables t WHERE t.chat = $1 AND t.state = 'over' AND NOT t.bare
			AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.table_id = t.id)
		ORDER BY t.id DESC LIMIT $2`, sealedID(chat), limit)
	return tables, wrapped(err, "read tables of %s without a review", chat)
}

// GivenUp returns the numbers of tables whose reviews have failed, in order, at
// most limit of them.
func (tx Reviews) GivenUp(limit int) ([]int64, error) {
	tables, err := collect[int64](tx.Tx, `SELECT table_id FROM reviews WHERE failed ORDER BY table_id LIMIT $1`, limit)
	return tables, wrapped(err, "read reviews that failed")
}

// Skill is the sum of the reviews in a period for one player, at tables of one game, set of rules,
// stake and unit: those played alone, or those with others. There is one for each scale of the
// reviews.
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

// Skills adds up the reviews of a chat's tables in a period, for every player.
// House seats are left out.
func (tx Reviews) Skills(chat string, p Period) ([]Skill, error) {
	const aDay = 1000 * secondsADay
	kind, first, last := p.span()
	in, from, to := "COALESCE(t.season, 0)", int64(0), int64(math.MaxInt64)
	if kind == ofEvening { // an evening is over within two days of its midnight, wherever people are
		in, from, to = "t.evening", (first-1)*aDay, (last+3)*aDay
	}
	all, err := collectBy(tx.Tx, func(k *Skill) []any {
		return append([]any{(*sealedID)(&k.Player), &k.Game, &k.Rules, &k.Alone, &k.Measure, &k.Unit, &k.Stake,
			&k.scale, &k.Tables}, k.Seat.into()...)
	}, `
		SELECT s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale, COUNT(*),
			SUM(v.begins), SUM(v.dice), SUM(v.decisions), SUM(v.played_for), SUM(v.others_dice), SUM(v.others_decisions),
			SUM(v.box), SUM(v.result), SUM(v.chosen), SUM(v.absent), SUM(v.costs), SUM(v.squares)
		FROM reviews r
		JOIN tables t ON t.id = r.table_id
		JOIN review_seats v ON v.table_id = r.table_id
		JOIN seats s ON s.table_id = v.table_id AND s.seat = v.seat
		WHERE r.chat = $1 AND r.ended >= $2 AND r.ended < $3 AND `+in+` >= $4 AND `+in+` <= $5 AND s.player IS NOT NULL
			AND NOT t.voided
		GROUP BY s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale
		ORDER BY s.player, t.game, t.rules, `+alone+`, r.measure, t.unit, t.stake, r.scale`,
		sealedID(chat), from, to, first, last)
	for i := range all {
		all[i].Seat.unscale(all[i].scale)
	}
	return all, wrapped(err, "skills in %s", chat)
}

// Reviewing returns the number of a chat's tables, from one moment to before another, whose reviews
// are still to be computed.
func (tx Reviews) Reviewing(chat string, from, to int64) (n int, err error) {
	err = tx.get(`SELECT COUNT(*) FROM reviews WHERE chat = $1 AND ended >= $2 AND ended < $3 AND state = 'wanted'`,
		[]any{sealedID(chat), from, to}, &n)
	return n, wrapped(err, "count wanted reviews of %s", chat)
}
