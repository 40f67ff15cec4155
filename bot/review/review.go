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

// Reviews of finished tables, which tell luck and decisions apart. When a table ends its review is requested; the loop
// below works it out once the perfect play of its rules is available, and has the board redrawn. No press waits for
// that, and unfinished games have no review.

// maxWeight is the largest weight of a decision.
const maxWeight = 1 << 62

// reviewSteps are the expectations of all seats before and after each move, in the measure of the review.
type reviewSteps struct {
	Start []float64    `json:"start"` // what each seat expected before the first
	Moves []reviewStep `json:"moves"`
}

// reviewStep is the effect of one move.
type reviewStep struct {
	Choice bool       `json:"choice,omitempty"` // the legal moves differed in worth
	Cost   float64    `json:"cost,omitempty"`   // if it is shown as an error
	Best   games.Move `json:"best,omitempty"`   // the best move, with a cost
	Worth  float64    `json:"worth"`            // what the mover expected before the dice fell
	Expect []float64  `json:"expect"`           // what each seat expected after
}

// reviewChoice lists the legal moves at the costliest decision of a person, in the order of Match.Moves.
type reviewChoice struct {
	At    int        `json:"at"` // the index of the move
	Moves []tryMove  `json:"moves"`
	Seat  games.Seat `json:"seat"`
	Asked int        `json:"asked,omitempty"` // who has read the review: askedByOne or askedByAll
}

// The readers of a review.
const (
	askedByOne = 1
	askedByAll = 2 // all in the place
)

// tryMove is one of these moves.
type tryMove struct {
	Move games.Move `json:"move"`
	Cost float64    `json:"cost"` // 0: it is best
}

// wantReview requests the review of a table that ends now, or notes that there will be none, and reports which.
func (v *visit) wantReview(t store.Table, g games.Game) (wanted bool, err error) {
	state := store.ToReview
	// The result of a game with a seat that was out does not follow from the dice.
	if _, err := board.ProblemOf(g, t); err != nil || board.AnyOut(t) {
		state = store.NoReview
	}
	v.Wake(v.bot.wake)
	return state == store.ToReview, v.Tx.Reviews.AddReview(t.ID, state)
}

// lookReviews works out every requested review, one after the other, the newest first. Reviews that need perfect play
// which takes seconds keep no others waiting: that of the newest is solved meanwhile, and wakes the loop.
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

// takesLong reports whether the review of a table has to wait for perfect play that takes seconds, and for which. It is
// false for games without perfect play.
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

// errUnsolved: perfect play is not available, and the operator has been told why.
var errUnsolved = errors.New("perfect play is not known")

// reviewTable computes the review of one table. If it cannot be computed or stored, that is logged
// once, and the review given up.
func (b *Reviews) reviewTable(ctx context.Context, c *bot.Core, of store.Scope, t store.Table) error {
	worked, fault := b.workOut(ctx, t)
	if ctx.Err() != nil {
		return nil // it is still wanted
	}
	keep := func(r store.Review) error {
		return c.Step(ctx, of, func(v *bot.Visit) error { return b.Visit(v).keepReview(r) })
	}
	if fault == nil {
		fault = keep(worked)
	}
	if fault == nil || ctx.Err() != nil || errors.Is(fault, store.ErrNotFound) || errors.Is(fault, store.ErrFenced) ||
		store.Passing(fault) {
		return fault // where the disk did not take it, it is still wanted
	}
	none := store.Review{Table: t.ID, State: store.NoReview, Failed: !errors.Is(fault, errUnsolved)}
	if !none.Failed {
		fault = nil // the operator knows since the solver failed
	}
	return errors.Join(fault, keep(none))
}

// AwaitReview works out the review of a finished table if it is still wanted, until ctx ends, for platforms that draw
// without Run.
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

// wanted reports whether a review is requested and not stored yet.
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

// workOut reviews a finished table, once its perfect play is known.
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

// keepReview stores a review, and has the board drawn with it while people may still look at it.
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
		return nil // where the end is staged it shows the review when it is drawn
	}
	return v.Redraw(&t)
}

// storedReview returns a review as the store keeps it.
func storedReview(t store.Table, r review.Review) (store.Review, error) {
	kept := store.Review{Table: t.ID, State: store.Reviewed, Measure: string(r.Measure),
		Seats: make([]store.ReviewSeat, len(r.Seats))}
	of := 1.0 // costs are those of all stakes where a pool was shared: tables of few and of many can be compared
	if r.Measure == games.Share {
		of = float64(len(r.Seats))
	}
	worst := -1 // the costliest decision of a person that is shown
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

// brief drops digits that are never shown.
func brief(values []float64) []float64 {
	const shown = 1e7
	short := make([]float64, len(values))
	for i, x := range values {
		short[i] = math.Round(x*shown) / shown
	}
	return short
}

// awaitSoon waits at most until a moment for the review of a table that has just ended, so that the end is drawn once.
// With known perfect play that takes some milliseconds; it does not wait for play that takes seconds to work out.
func (b *Reviews) awaitSoon(ctx context.Context, _ *bot.Core, t store.Table, until time.Time) {
	if _, slow := b.takesLong(t); slow {
		return
	}
	late := b.Clock.After(until.Sub(b.Clock.Now()))
	for next := b.kept.next(); next != nil; next = b.kept.next() { // before it is read
		if wanted, err := b.wanted(ctx, t.ID); err != nil || !wanted {
			return // where it cannot be read, the board shows what there is
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

// kept wakes all waiting goroutines when a review was stored, or when the loop ends.
type kept struct {
	mu   sync.Mutex
	wait chan struct{} // closed at the next review; nil: the loop that stores them does not run
}

// run notes whether the loop runs.
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

// next returns a channel that is closed when the next review is stored, nil where the loop does not run.
func (k *kept) next() <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.wait
}

// tell wakes the waiting goroutines.
func (k *kept) tell() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.wait != nil {
		close(k.wait)
		k.wait = make(chan struct{})
	}
}
