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
// below computes it once perfect play for its rules is available, and redraws the board. No press waits for that.

// maxWeight is the largest value of store.Review.Weight, which orders decisions by cost.
const maxWeight = 1 << 62

// reviewSteps holds the expected results of all seats before and after each move, in the measure of the review.
type reviewSteps struct {
	Start []float64    `json:"start"` // by seat, before the first move
	Moves []reviewStep `json:"moves"`
}

// reviewStep is the effect of one move.
type reviewStep struct {
	Choice bool       `json:"choice,omitempty"` // the legal moves had different values
	Cost   float64    `json:"cost,omitempty"`   // loss against the best move, 0 if too small to show
	Best   games.Move `json:"best,omitempty"`   // the best move, if Cost is set
	Worth  float64    `json:"worth"`            // the mover's expected result before the roll
	Expect []float64  `json:"expect"`           // by seat, after the move
}

// reviewChoice holds the legal moves at the costliest decision of a person, in the order of Match.Moves.
type reviewChoice struct {
	At    int        `json:"at"` // the index of the move
	Moves []tryMove  `json:"moves"`
	Seat  games.Seat `json:"seat"`
	Asked int        `json:"asked,omitempty"` // askedByOne or askedByAll once the review was read, else 0
}

// The values of reviewChoice.Asked: how many people have read a review.
const (
	askedByOne = 1
	askedByAll = 2 // everyone in the place
)

// tryMove is one legal move of a reviewChoice.
type tryMove struct {
	Move games.Move `json:"move"`
	Cost float64    `json:"cost"` // loss against the best move, 0 for a best move
}

// wantReview requests the review of t, which has ended, or stores that there is none. It reports whether it requested
// one.
func (v *visit) wantReview(t store.Table, g games.Game) (wanted bool, err error) {
	state := store.ToReview
	// Dice do not explain the result of a game that a seat left early.
	if _, err := board.ProblemOf(g, t); err != nil || board.AnyOut(t) {
		state = store.NoReview
	}
	v.Wake(v.bot.wake)
	return state == store.ToReview, v.Tx.Reviews.AddReview(t.ID, state)
}

// lookReviews computes all requested reviews, newest first. It skips those that need perfect play which takes seconds,
// and has the newest of these solved in the background, which then wakes the loop.
func (b *Reviews) lookReviews(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	b.kept.run(true)
	const many = 64
	var faults []error
	var later *games.Problem
	below := int64(math.MaxInt64)
	for {
		var tables []store.Row
		err := b.Due(ctx, func(tx *store.Tx) (err error) {
			tables, err = tx.Reviews.WantedReviews(below, many)
			return err
		})
		if err != nil {
			return 0, errors.Join(append(faults, err)...)
		}
		for _, at := range tables {
			below = at.ID
			of, held := b.Under(store.OfTable(at.ID), at.Chat)
			if !held {
				continue
			}
			t, err := b.tableOf(ctx, at.ID)
			if err == nil {
				if problem, slow := b.takesLong(t); slow {
					later = cmp.Or(later, &problem)
					continue
				}
				err = b.reviewTable(ctx, c, of, t)
			}
			if err != nil && !b.Leases.Fenced(err) {
				faults = append(faults, fmt.Errorf("review of table %d: %w", at.ID, err))
			}
			if ctx.Err() != nil {
				return 0, errors.Join(faults...)
			}
		}
		if len(tables) < many {
			if later != nil {
				b.Solutions.Ask(*later)
			}
			return 0, errors.Join(faults...)
		}
	}
}

func (b *Reviews) tableOf(ctx context.Context, id int64) (t store.Table, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		t, err = tx.Tables.Table(id)
		return err
	})
	return t, err
}

// takesLong reports whether the review of t must wait for perfect play that takes seconds to compute, and returns its
// problem. It is false for games without perfect play.
func (b *Reviews) takesLong(t store.Table) (problem games.Problem, slow bool) {
	g, err := b.Game(t.Game)
	if err != nil {
		return problem, false
	}
	if problem, err = board.ProblemOf(g, t); err != nil || !problem.Laborious() {
		return problem, false
	}
	_, there, _ := b.Solutions.Look(problem)
	return problem, !there
}

// errUnsolved is the error if perfect play is unavailable. The solver has already logged the cause.
var errUnsolved = errors.New("perfect play is not known")

// reviewTable computes and stores the review of t. If that fails for good, it stores that there is no review and
// returns the error to be logged, unless the solver has logged it.
func (b *Reviews) reviewTable(ctx context.Context, c *bot.Core, of store.Scope, t store.Table) error {
	worked, fault := b.workOut(ctx, t)
	if ctx.Err() != nil {
		return nil // the review is still requested
	}
	keep := func(r store.Review) error {
		return c.Step(ctx, of, func(v *bot.Visit) error { return b.Visit(v).keepReview(r) })
	}
	if fault == nil {
		fault = keep(worked)
	}
	if fault == nil || ctx.Err() != nil || errors.Is(fault, store.ErrNotFound) || errors.Is(fault, store.ErrFenced) ||
		store.Passing(fault) {
		return fault // the review is still requested if only storing it failed
	}
	none := store.Review{Table: t.ID, State: store.NoReview, Failed: !errors.Is(fault, errUnsolved)}
	if !none.Failed {
		fault = nil // already logged by the solver
	}
	return errors.Join(fault, keep(none))
}

// AwaitReview computes the review of a finished table if one is requested and missing, until ctx ends. It is for
// platforms that draw without Run.
func (b *Reviews) AwaitReview(ctx context.Context, c *bot.Core, table int64) error {
	wanted, err := b.wanted(ctx, table)
	if err != nil || !wanted {
		return err
	}
	t, err := b.tableOf(ctx, table)
	if err != nil {
		return err
	}
	return b.reviewTable(ctx, c, store.OfTable(table), t)
}

// wanted reports whether a review of the table is requested and not stored yet.
func (b *Reviews) wanted(ctx context.Context, table int64) (wanted bool, err error) {
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		r, err := tx.Reviews.Review(table)
		if wanted = r.State == store.ToReview; errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	return wanted, err
}

// workOut returns the review of t. It waits until perfect play is computed or ctx is done.
func (b *Reviews) workOut(ctx context.Context, t store.Table) (worked store.Review, err error) {
	defer loop.Rescue(&err)
	g, err := b.Game(t.Game)
	if err != nil {
		return worked, err
	}
	problem, err := board.ProblemOf(g, t)
	if err != nil {
		return worked, table.Ours(err)
	}
	perfect, there, err := b.Solutions.Look(problem)
	for ; err == nil && !there; perfect, there, err = b.Solutions.Look(problem) {
		select {
		case <-b.Solutions.Ask(problem):
		case <-ctx.Done():
			return worked, ctx.Err()
		}
	}
	if err != nil {
		return worked, fmt.Errorf("%w: %w", errUnsolved, err)
	}
	rec, err := b.Record(ctx, "", t.ID)
	if err != nil {
		return worked, err
	}
	r, err := review.Of(perfect, g, rec)
	if err != nil {
		return worked, err
	}
	return storedReview(t, r)
}

// keepReview stores r and redraws the board, if the game ended less than a day ago and its end is no longer staged.
func (v *visit) keepReview(r store.Review) error {
	if err := v.Tx.Reviews.SaveReview(r); err != nil {
		return err
	}
	v.After(func(context.Context, *bot.Core) error {
		v.bot.kept.tell()
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

// storedReview returns r in the form that the store keeps.
func storedReview(t store.Table, r review.Review) (store.Review, error) {
	kept := store.Review{Table: t.ID, State: store.Reviewed, Measure: string(r.Measure),
		Seats: make([]store.ReviewSeat, len(r.Seats))}
	of := 1.0 // costs are divided by all stakes of the pool, so that tables of any size compare
	if r.Measure == games.Share {
		of = float64(len(r.Seats))
	}
	worst := -1 // move index of the costliest decision of a person
	for i, s := range r.Seats {
		kept.Seats[i] = store.ReviewSeat{
			Start: s.Start, Dice: s.Dice, Decisions: s.Decisions, PlayedFor: s.PlayedFor,
			OthersDice: s.OthersDice, OthersDecisions: s.OthersDecisions, Box: s.Box, Result: s.Result,
			Chosen: int64(s.Count), Absent: int64(s.Absent), Costs: s.Costs / of, Squares: s.Squares / of / of,
		}
		if t.Seats[i].House == "" && s.Costliest >= 0 &&
			(worst < 0 || r.Moves[s.Costliest].Cost > r.Moves[worst].Cost) {
			worst = s.Costliest
		}
	}
	steps := reviewSteps{Start: brief(r.Start), Moves: make([]reviewStep, len(r.Moves))}
	for i, m := range r.Moves {
		step := reviewStep{Choice: m.Choice, Worth: brief(m.Worth)[m.Seat], Expect: brief(m.Expect)}
		if r.Shown(m.Cost) {
			step.Cost, step.Best = m.Cost, m.Best[0]
		}
		steps.Moves[i] = step
	}
	var err error
	if kept.Steps, err = json.Marshal(steps); err != nil {
		return kept, err
	}
	if worst < 0 {
		return kept, nil
	}
	m := r.Moves[worst]
	choice := reviewChoice{At: worst, Seat: m.Seat}
	best, _ := games.Best(m.Worths, m.Seat)
	for _, w := range m.Worths {
		cost := best.Values[m.Seat] - w.Values[m.Seat]
		if cost <= games.Noise {
			cost = 0
		}
		choice.Moves = append(choice.Moves, tryMove{w.Move, cost})
	}
	kept.Weight = int64(min(math.Round(1e9*m.Cost/review.Least(r.Measure, len(r.Seats))), maxWeight))
	kept.Choices, err = json.Marshal(choice)
	return kept, err
}

// brief returns values rounded to seven decimals: more are never shown.
func brief(values []float64) []float64 {
	const shown = 1e7
	short := make([]float64, len(values))
	for i, x := range values {
		short[i] = math.Round(x*shown) / shown
	}
	return short
}

// awaitSoon waits, at most until the given time, for the review of t, which has just ended, so that its end is drawn
// once. That takes milliseconds; it does not wait for perfect play that takes seconds to compute.
func (b *Reviews) awaitSoon(ctx context.Context, _ *bot.Core, t store.Table, until time.Time) {
	if _, slow := b.takesLong(t); slow {
		return
	}
	late := b.Clock.After(until.Sub(b.Clock.Now()))
	for next := b.kept.next(); next != nil; next = b.kept.next() { // get the channel before reading, to miss no review
		if wanted, err := b.wanted(ctx, t.ID); err != nil || !wanted {
			return // if it cannot be read, the board is drawn without it
		}
		select {
		case <-next:
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// kept wakes all waiting goroutines when a review is stored or the loop ends.
type kept struct {
	mu   sync.Mutex
	wait chan struct{} // closed at the next review; nil while the loop does not run
}

// run stores whether the loop runs. Waiting goroutines wake when it ends.
func (k *kept) run(runs bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case runs && k.wait == nil:
		k.wait = make(chan struct{})
	case !runs && k.wait != nil:
		close(k.wait)
		k.wait = nil
	}
}

// next returns a channel that is closed when the next review is stored, or nil while the loop does not run.
func (k *kept) next() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.wait
}

// tell wakes the waiting goroutines, because a review was stored.
func (k *kept) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wait != nil {
		close(k.wait)
		k.wait = make(chan struct{})
	}
}
