package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/loop"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/review"
	"knobel/store"
)

// Reviews of finished tables, which separate luck from mistakes. A table's review is requested when it ends. The loop
// below computes it once perfect play for its rules is available, and redraws the board. Presses never wait for it.

// maxWeight is the largest value of store.Review.Weight, which orders decisions by cost.
const maxWeight = 1 << 62

// reviewSteps holds all seats' expected results before the first and after each move, in the measure of the review.
type reviewSteps struct {
	Start []float64    `json:"start"` // by seat, before the first move
	Moves []reviewStep `json:"moves"`
}

// reviewStep is the effect of one move.
type reviewStep struct {
	Choice bool       `json:"choice,omitempty"` // the legal moves had different values
	Cost   float64    `json:"cost,omitempty"`   // loss against the best move, 0 if too small to be shown
	Best   games.Move `json:"best,omitempty"`   // the best move, if Cost is set
	Worth  float64    `json:"worth"`            // the mover's expected result before the roll
	Expect []float64  `json:"expect"`           // by seat, after the move
}

// reviewChoice is the costliest decision of a person, with its legal moves in the order of Match.Moves.
type reviewChoice struct {
	At    int        `json:"at"` // index of the move
	Moves []tryMove  `json:"moves"`
	Seat  games.Seat `json:"seat"`
	Asked int        `json:"asked,omitempty"` // who has read the review: askedByOne, askedByAll, or 0 for no one
}

// The values of reviewChoice.Asked: who has read the review.
const (
	askedByOne = 1
	askedByAll = 2 // all people in the place
)

// tryMove is one legal move of a reviewChoice.
type tryMove struct {
	Move games.Move `json:"move"`
	Cost float64    `json:"cost"` // loss against the best move, 0 for a best move
}

// requestReview requests the review of the ended game t and returns true, or stores that there is none.
func (v *visit) requestReview(t store.Table, g games.Game) (requested bool, err error) {
	state := store.ToReview
	// Dice do not explain the result of a game that a seat left early.
	if _, err := board.ProblemOf(g, t); err != nil || board.AnyOut(t) {
		state = store.NoReview
	}
	v.Wake(v.bot.wake)
	return state == store.ToReview, v.Tx.Reviews.AddReview(t.ID, state)
}

// computeReviews computes all requested reviews, newest first. It skips those whose perfect play takes seconds
// to compute. It has the newest of these solved in the background, which wakes the loop again. soon is always 0.
func (b *Reviews) computeReviews(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	b.stored.setRunning(true)
	const batch = 64
	var faults []error
	var unsolved *games.Problem
	before := int64(math.MaxInt64)
	for {
		var tables []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			tables, err = tx.Reviews.WantedReviews(before, batch)
			return err
		})
		if err != nil {
			return 0, errors.Join(append(faults, err)...)
		}
		for _, row := range tables {
			before = row.ID
			scope, held := b.Under(store.OfTable(row.ID), row.Chat)
			if !held {
				continue
			}
			t, err := b.readTable(ctx, row.ID)
			if err == nil {
				if problem, slow := b.isSlow(t); slow {
					unsolved = cmp.Or(unsolved, &problem)
					continue
				}
				err = b.reviewTable(ctx, c, scope, t)
			}
			if err != nil && !b.Leases.Fenced(err) {
				faults = append(faults, fmt.Errorf("review of table %d: %w", row.ID, err))
			}
			if ctx.Err() != nil {
				return 0, errors.Join(faults...)
			}
		}
		if len(tables) < batch {
			if unsolved != nil {
				b.Solutions.Ask(*unsolved)
			}
			return 0, errors.Join(faults...)
		}
	}
}

// readTable reads a table in its own transaction.
func (b *Reviews) readTable(ctx context.Context, id int64) (t store.Table, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		t, err = tx.Tables.Table(id)
		return err
	})
	return t, err
}

// isSlow reports whether the review of t must wait for perfect play that takes seconds to compute. problem is then what
// must be solved. slow is false for games without perfect play.
func (b *Reviews) isSlow(t store.Table) (problem games.Problem, slow bool) {
	g, err := b.Game(t.Game)
	if err != nil {
		return problem, false
	}
	if problem, err = board.ProblemOf(g, t); err != nil || !problem.Laborious() {
		return problem, false
	}
	_, solved, _ := b.Solutions.Look(problem)
	return problem, !solved
}

// errUnsolved is the error if perfect play could not be computed. The solver has already logged the cause.
var errUnsolved = errors.New("perfect play is unknown")

// reviewTable computes and stores the review of t. If computing fails for good, it stores that there is no review and
// returns the error, except one that the solver has logged.
func (b *Reviews) reviewTable(ctx context.Context, c *bot.Core, scope store.Scope, t store.Table) error {
	computed, fault := b.computeReview(ctx, t)
	if ctx.Err() != nil {
		return nil // the review is still requested
	}
	save := func(r store.Review) error {
		return c.Step(ctx, scope, func(v *bot.Visit) error { return b.Visit(v).storeReview(r) })
	}
	if fault == nil {
		fault = save(computed)
	}
	if fault == nil || ctx.Err() != nil || errors.Is(fault, store.ErrNotFound) || errors.Is(fault, store.ErrFenced) ||
		store.Passing(fault) {
		return fault // the review is still requested if only storing it failed
	}
	none := store.Review{Table: t.ID, State: store.NoReview, Failed: !errors.Is(fault, errUnsolved)}
	if !none.Failed {
		fault = nil // already logged by the solver
	}
	return errors.Join(fault, save(none))
}

// AwaitReview computes and stores the review of a finished table if one is requested and not stored yet. It gives up
// when ctx ends. Use it if Core.Run does not run.
func (b *Reviews) AwaitReview(ctx context.Context, c *bot.Core, table int64) error {
	wanted, err := b.isRequested(ctx, table)
	if err != nil || !wanted {
		return err
	}
	t, err := b.readTable(ctx, table)
	if err != nil {
		return err
	}
	return b.reviewTable(ctx, c, store.OfTable(table), t)
}

// isRequested reports whether a review of the table is requested and not stored yet.
func (b *Reviews) isRequested(ctx context.Context, table int64) (requested bool, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		r, err := tx.Reviews.Review(table)
		if requested = r.State == store.ToReview; errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	return requested, err
}

// computeReview returns the review of t. It waits until perfect play is computed or ctx is done.
func (b *Reviews) computeReview(ctx context.Context, t store.Table) (computed store.Review, err error) {
	defer loop.Rescue(&err)
	g, err := b.Game(t.Game)
	if err != nil {
		return computed, err
	}
	problem, err := board.ProblemOf(g, t)
	if err != nil {
		return computed, table.Ours(err)
	}
	perfect, solved, err := b.Solutions.Look(problem)
	for ; err == nil && !solved; perfect, solved, err = b.Solutions.Look(problem) {
		select {
		case <-b.Solutions.Ask(problem):
		case <-ctx.Done():
			return computed, ctx.Err()
		}
	}
	if err != nil {
		return computed, fmt.Errorf("%w: %w", errUnsolved, err)
	}
	rec, err := b.Record(ctx, "", t.ID)
	if err != nil {
		return computed, err
	}
	r, err := review.Of(perfect, g, rec)
	if err != nil {
		return computed, err
	}
	return toStored(t, r)
}

// storeReview stores r. It redraws the board of the game if the game ended less than a day ago, unless the board is
// about to be redrawn anyway because it still shows the table before the final turn.
func (v *visit) storeReview(r store.Review) error {
	if err := v.Tx.Reviews.SaveReview(r); err != nil {
		return err
	}
	v.After(func(context.Context, *bot.Core) error {
		v.bot.stored.wakeAll()
		return nil
	})
	t, err := v.Tx.Tables.Table(r.Table)
	if err != nil || r.State != store.Reviewed || t.Board.Away {
		return err
	}
	if time.Duration(v.At-t.Ending.Ended)*time.Millisecond > 24*time.Hour || store.Staged(t, v.At) > 0 {
		return nil // the last stage of the end shows the review anyway
	}
	return v.Redraw(&t)
}

// toStored converts r, the review of t, for the store, with the costliest decision of a person as a possible puzzle.
func toStored(t store.Table, r review.Review) (store.Review, error) {
	stored := store.Review{Table: t.ID, State: store.Reviewed, Measure: string(r.Measure),
		Seats: make([]store.ReviewSeat, len(r.Seats))}
	unit := 1.0 // costs are divided by all stakes of the pool, so that tables of any size compare
	if r.Measure == games.Share {
		unit = float64(len(r.Seats))
	}
	costliest := -1 // index of the costliest decision of a person
	for i, s := range r.Seats {
		stored.Seats[i] = store.ReviewSeat{
			Start: s.Start, Dice: s.Dice, Decisions: s.Decisions, PlayedFor: s.PlayedFor,
			OthersDice: s.OthersDice, OthersDecisions: s.OthersDecisions, Box: s.Box, Result: s.Result,
			Chosen: int64(s.Count), Absent: int64(s.Absent), Costs: s.Costs / unit, Squares: s.Squares / unit / unit,
		}
		if t.Seats[i].House == "" && s.Costliest >= 0 &&
			(costliest < 0 || r.Moves[s.Costliest].Cost > r.Moves[costliest].Cost) {
			costliest = s.Costliest
		}
	}
	steps := reviewSteps{Start: roundValues(r.Start), Moves: make([]reviewStep, len(r.Moves))}
	for i, m := range r.Moves {
		step := reviewStep{Choice: m.Choice, Worth: roundValues(m.Worth)[m.Seat], Expect: roundValues(m.Expect)}
		if r.Shown(m.Cost) {
			step.Cost, step.Best = m.Cost, m.Best[0]
		}
		steps.Moves[i] = step
	}
	var err error
	if stored.Steps, err = json.Marshal(steps); err != nil {
		return stored, err
	}
	if costliest < 0 {
		return stored, nil
	}
	m := r.Moves[costliest]
	choice := reviewChoice{At: costliest, Seat: m.Seat}
	best, _ := games.Best(m.Worths, m.Seat)
	for _, w := range m.Worths {
		cost := best.Values[m.Seat] - w.Values[m.Seat]
		if cost <= games.Noise {
			cost = 0
		}
		choice.Moves = append(choice.Moves, tryMove{w.Move, cost})
	}
	stored.Weight = int64(min(math.Round(1e9*m.Cost/review.Least(r.Measure, len(r.Seats))), maxWeight))
	stored.Choices, err = json.Marshal(choice)
	return stored, err
}

// roundValues returns values rounded to seven decimals; more are never shown.
func roundValues(values []float64) []float64 {
	const shown = 1e7
	short := make([]float64, len(values))
	for i, x := range values {
		short[i] = math.Round(x*shown) / shown
	}
	return short
}

// awaitQuickReview waits until the review of t, which has just ended, is stored, but not beyond deadline, so that the
// end is drawn only once. This takes milliseconds. If perfect play takes seconds to compute, it returns at once.
func (b *Reviews) awaitQuickReview(ctx context.Context, _ *bot.Core, t store.Table, deadline time.Time) {
	if _, slow := b.isSlow(t); slow {
		return
	}
	timeout := b.Clock.After(deadline.Sub(b.Clock.Now()))
	for stored := b.stored.nextReview(); stored != nil; stored = b.stored.nextReview() { // called before the read below
		if wanted, err := b.isRequested(ctx, t.ID); err != nil || !wanted {
			return // if it cannot be read, the board is drawn without it
		}
		select {
		case <-stored:
		case <-timeout:
			return
		case <-ctx.Done():
			return
		}
	}
}

// reviewSignal wakes all waiting goroutines when a review is stored or the loop ends.
type reviewSignal struct {
	mu   sync.Mutex
	wait chan struct{} // closed when the next review is stored; nil while the loop does not run
}

// setRunning sets whether the loop runs. If it ends, all waiting goroutines wake.
func (s *reviewSignal) setRunning(running bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case running && s.wait == nil:
		s.wait = make(chan struct{})
	case !running && s.wait != nil:
		close(s.wait)
		s.wait = nil
	}
}

// nextReview returns a channel that is closed when the next review is stored, or nil while the loop does not run.
func (s *reviewSignal) nextReview() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wait
}

// wakeAll wakes all waiting goroutines after a review was stored.
func (s *reviewSignal) wakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wait != nil {
		close(s.wait)
		s.wait = make(chan struct{})
	}
}
