package store_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"knobel/store"
)

// addFinishedAt adds a table at a place that ended at a time in Unix milliseconds.
func addFinishedAt(t *testing.T, s *store.Store, place string, at int64) store.Table {
	t.Helper()
	table := addPlaying(t, s, place)
	update(t, s, func(tx *store.Tx) (err error) {
		table, err = finishAt(tx, table, at)
		return err
	})
	table.Ending.Ended = at
	return table
}

// addReview stores a review of a table with three seats. weight is the weight of Anna's costliest decision.
func addReview(t *testing.T, s *store.Store, table store.Table, weight int64) store.Review {
	t.Helper()
	r := store.Review{
		Table: table.ID, State: store.Reviewed, Measure: "share",
		Steps:  []byte(`{"moves":[]}`),
		Weight: weight, Choices: []byte(`[]`),
		Seats: []store.ReviewSeat{
			{Start: 1, Dice: 20, Decisions: -3, PlayedFor: -1, OthersDice: 5, OthersDecisions: 6, Box: 2, Result: 30,
				Chosen: 4, Absent: 1, Costs: 3, Squares: 5},
			{Dice: -10, Result: -10, Chosen: 2},
			{Dice: -20, Result: -20, Chosen: 9, Costs: 9, Squares: 99},
		},
	}
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Reviews.AddReview(r.Table, store.ToReview); err != nil {
			return err
		}
		return tx.Reviews.SaveReview(r)
	})
	return r
}

func TestReviewsAreWantedOnceAndKept(t *testing.T) {
	s := openNew(t)
	one, two := addFinishedAt(t, s, "test:one", 5), addFinished(t, s, "test:two")
	update(t, s, func(tx *store.Tx) error {
		if _, err := tx.Reviews.Review(one.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a review from nowhere: %v", err)
		}
		if open, err := tx.Reviews.Unreviewed("test:chat", 9); err != nil || !slices.Equal(open, []int64{two.ID,
			one.ID}) {
			t.Errorf("without a review are %v, %v", open, err)
		}
		for range 2 {
			if err := tx.Reviews.AddReview(one.ID, store.ToReview); err != nil {
				return err
			}
		}
		if wanted, err := idsOf(tx.Reviews.WantedReviews(1<<60, 9)); err != nil || !slices.Equal(wanted,
			[]int64{one.ID}) {
			t.Errorf("wanted are %v, %v", wanted, err)
		}
		if n, err := tx.Reviews.Reviewing("test:chat", 5, 6); err != nil || n != 1 {
			t.Errorf("%d are wanted, %v", n, err)
		}
		return tx.Reviews.AddReview(two.ID, store.NoReview)
	})
	want := addReview(t, s, one, 7)
	update(t, s, func(tx *store.Tx) error {
		got, err := tx.Reviews.Review(one.ID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v (%v)", got, want, err)
		}
		if wanted, err := tx.Reviews.WantedReviews(1<<60, 9); err != nil || len(wanted) != 0 {
			t.Errorf("still wanted are %v, %v", wanted, err)
		}
		if err := tx.Reviews.SaveReview(want); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a review that nobody wants is stored: %v", err)
		}
		return nil
	})
	wantNoFaults(t, s)
}

func TestReviewsAndPuzzlesMoveWithTheirChat(t *testing.T) {
	s := openNew(t)
	r := addReview(t, s, addFinishedAt(t, s, "test:one", 10), 3)
	p := store.Puzzle{Chat: "test:chat", Table: r.Table, Asker: "test:anna", Asked: 30, Open: true,
		Posted: store.Posted{Place: "test:one", Version: 1, Drawn: 1, Message: "test:m1"}}
	update(t, s, func(tx *store.Tx) (err error) {
		if p.ID, err = tx.Reviews.AddPuzzle(p); err != nil {
			return err
		}
		return tx.Upkeep.Migrate("test:chat", "test:new", func(string) string { return "test:new/one" })
	})
	update(t, s, func(tx *store.Tx) error {
		p.Chat, p.Place, p.Message, p.Drawn = "test:new", "test:new/one", "", 0
		if got, err := tx.Reviews.PuzzleAt("test:new/one"); err != nil || got != p {
			t.Errorf("got %+v, want %+v (%v)", got, p, err)
		}
		return nil
	})
	wantNoFaults(t, s)
}

// TestNoReviewIsTooLargeToBeKept checks that reviews of extreme scores, and their sums, can be stored.
func TestNoReviewIsTooLargeToBeKept(t *testing.T) {
	s := openNew(t)
	large := 1e15 // the score of a round that is entered as digits
	for i, r := range []store.ReviewSeat{
		{Start: large, Dice: -large, Costs: large, Squares: large * large, Chosen: 1},
		{Dice: -1e9 * large, Result: -1e9 * large, Costs: 1e9 * large, Squares: 1e18 * large * large, Chosen: 1},
		{Costs: 1e5, Squares: 1e10, Chosen: 1},
		{Squares: 9.2e9, Costs: 96_000, Chosen: 1},
	} {
		for range 40 {
			table := addFinishedAt(t, s, fmt.Sprint("test:", i), 5)
			update(t, s, func(tx *store.Tx) error {
				if err := tx.Reviews.AddReview(table.ID, store.ToReview); err != nil {
					return err
				}
				seats := []store.ReviewSeat{r, {}, {}}
				if err := tx.Reviews.SaveReview(store.Review{Table: table.ID, State: store.Reviewed, Measure: "par",
					Seats: seats}); err != nil {
					return err
				}
				got, err := tx.Reviews.Review(table.ID)
				if err != nil || !almostEqual(got.Seats[0].Costs, r.Costs) ||
					!almostEqual(got.Seats[0].Squares, r.Squares) ||
					!almostEqual(got.Seats[0].Start, r.Start) {
					t.Errorf("got %+v, want %+v (%v)", got.Seats[0], r, err)
				}
				return nil
			})
		}
	}
	update(t, s, func(tx *store.Tx) error {
		all, err := tx.Reviews.Skills("test:chat", store.AllTime())
		tables := int64(0)
		for _, k := range all {
			if k.Player == "test:anna" {
				tables += k.Tables
			}
		}
		if err != nil || tables != 160 {
			t.Errorf("%d tables, %v", tables, err)
		}
		return nil
	})
	table := addFinishedAt(t, s, "test:none", 5)
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Reviews.AddReview(table.ID, store.ToReview); err != nil {
			return err
		}
		for _, value := range []float64{math.NaN(), math.Inf(1), 1e300} {
			if err := tx.Reviews.SaveReview(store.Review{Table: table.ID, State: store.Reviewed,
				Seats: []store.ReviewSeat{{Costs: value}, {}, {}}}); err == nil || store.Passing(err) {
				t.Errorf("%v is kept, or may be another time: %v", value, err)
			}
		}
		if err := tx.Reviews.SaveReview(store.Review{Table: table.ID, State: store.NoReview,
			Failed: true}); err != nil {
			return err
		}
		if failed, err := tx.Reviews.GivenUp(9); err != nil || !slices.Equal(failed, []int64{table.ID}) {
			t.Errorf("given up are %v, %v", failed, err)
		}
		return nil
	})
	wantNoFaults(t, s)
}

// TestLargeReviewsOfOlderVersionsHeal checks that a review too large for its columns is computed again, and that one
// whose sums would be too large is stored with less precision.
func TestLargeReviewsOfOlderVersionsHeal(t *testing.T) {
	s := openNew(t)
	for i := range 4 {
		addReview(t, s, addFinishedAt(t, s, fmt.Sprint("test:", i), 5), 1)
	}
	tamper(t, s,
		"UPDATE review_seats SET squares = 8000000000000000000, costs = 9000000000000000 WHERE table_id IN (1, 2) "+
			"AND seat = 0",
		"UPDATE review_seats SET begins = (-9223372036854775807 - 1) WHERE table_id IN (3, 4)",
		"UPDATE tables SET bare = TRUE WHERE id = 4",
		"DELETE FROM moves WHERE table_id = 4")
	script, err := os.ReadFile("../migrations/0024_scales.sql")
	check(t, err)
	_, heals, _ := strings.Cut(string(script), "IN (FALSE, TRUE));")
	tamper(t, s, heals)
	view(t, s, func(tx *store.Tx) error {
		for table, want := range map[int64]store.Review{
			1: {State: store.Reviewed}, 2: {State: store.Reviewed}, 3: {State: store.ToReview},
			4: {State: store.NoReview, Failed: true},
		} {
			if r, err := tx.Reviews.Review(table); err != nil || r.State != want.State || r.Failed != want.Failed {
				t.Errorf("table %d: %+v, %v", table, r, err)
			}
		}
		all, err := tx.Reviews.Skills("test:chat", store.AllTime())
		if err != nil || len(all) == 0 || !almostEqual(all[0].Seat.Squares, 2*8e9) ||
			!almostEqual(all[0].Seat.Costs, 2*9e6) {
			t.Errorf("%+v, %v", all, err)
		}
		return nil
	})
	wantNoFaults(t, s)
}

// almostEqual reports whether a and b are equal to about ten digits, or to a billionth.
func almostEqual(a, b float64) bool { return math.Abs(a-b) <= max(1e-9, 1e-10*math.Abs(b)) }
