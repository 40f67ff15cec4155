package store

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// over adds a table of Anna and Ben, and a third seat for the house, that is over.
func over(t testing.TB, tx *Tx, chat, unit string, evening Day, pools ...int64) int64 {
	t.Helper()
	table := Table{
		Chat: chat, Place: fmt.Sprint(chat, "/", unit, evening), Game: "coin", Rules: map[string]string{},
		Unit: unit, State: Playing, Dice: Dice{Seed: make([]byte, 32)}, Match: []byte("{}"),
		Seats: []Seat{
			{Player: "test:Anna", Name: "Anna", Confirmed: true}, {Player: "test:Ben", Name: "Ben", Confirmed: true},
			{House: "random", Confirmed: true},
		},
	}
	id, err := tx.Tables.AddTable(table)
	if err != nil {
		t.Fatal(err)
	}
	var rows []Result
	for seat, pool := range pools {
		rows = append(rows, Result{Seat: seat, Threw: true, Place: 1, Pool: pool})
	}
	if err := tx.Tables.Finish(id, 1, evening, rows); err != nil {
		t.Fatal(err)
	}
	if table, err = tx.Tables.Table(id); err != nil {
		t.Fatal(err)
	}
	table.State = Over
	post := Posting{Chat: chat, Unit: unit, Table: id, Kind: Payout}
	for i, account := range []string{"player:test:Anna", "player:test:Ben", "house:random"} {
		if pools[i] != 0 {
			post.Entries = append(post.Entries, Entry{Account: account, Amount: pools[i]})
		}
	}
	if err := tx.Tables.SaveTable(table); err != nil {
		t.Fatal(err)
	}
	if len(post.Entries) > 0 {
		if err := tx.Books.Post(post); err != nil {
			t.Fatal(err)
		}
	}
	return id
}

func TestWhatMovesCountIsAddedUpByGame(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Update(t.Context(), func(tx *Tx) error {
		first := over(t, tx, "test:1", "chips", 10, 10, -5, -5)
		second := over(t, tx, "test:1", "chips", 11, -3, 3, 0)
		away := over(t, tx, "test:2", "chips", 11, 7, -7, 0)
		bare := over(t, tx, "test:1", "chips", 12, 0, 0, 0)
		uncounted := func(want ...int64) {
			t.Helper()
			open, err := tx.Scores.UncountedTallies("test:1", "test:Anna", []string{"pile", "coin"})
			if err != nil || !slices.Equal(open, want) {
				t.Errorf("%v %v are not counted yet, want %v", open, err, want)
			}
		}
		if err := tx.Tables.DropMoves(bare); err != nil {
			t.Error(err)
		}
		uncounted(second, first)
		for range 2 { // the second time changes nothing
			for table, counts := range map[int64][]map[string]int64{
				first: {{"heads": 1, "tails": 2}, {"heads": 9}, {}}, second: {{"heads": 4}, {}, {}},
				away: {{"heads": 99}, {}, {}},
			} {
				if err := tx.Scores.AddTallies(table, counts); err != nil {
					t.Error(err)
				}
			}
		}
		uncounted()
		if other, err := tx.Scores.UncountedTallies("test:1", "test:Anna", nil); err != nil || other != nil {
			t.Errorf("%v %v of no game are not counted yet", other, err)
		}
		all, err := tx.Scores.TalliesOf("test:1", "test:Anna")
		want := map[string]map[string]int64{"coin": {"heads": 5, "tails": 2}}
		if err != nil || !reflect.DeepEqual(all, want) {
			t.Errorf("%v %v, want %v", all, err, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestFacesAndWhatWasWon(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var first, second int64
	err = s.Update(t.Context(), func(tx *Tx) error {
		first = over(t, tx, "test:1", "chips", 10, 10, -5, -5)
		second = over(t, tx, "test:1", "chips", 11, -3, 3, 0)
		other := over(t, tx, "test:1", "coffees", 11, 1, 0, -1)
		away := over(t, tx, "test:2", "chips", 11, 7, -7, 0)
		open, err := tx.Scores.UncountedFaces("test:1", "test:Anna")
		if err != nil || !reflect.DeepEqual(open, []int64{first, second, other}) {
			t.Errorf("%v %v are not counted yet", open, err)
		}
		for table, faces := range map[int64][]Faces{
			first: {{Seat: 0, Sides: 6, Throws: 2, Counts: []int64{1, 0, 0, 0, 0, 3}},
				{Seat: 1, Sides: 6, Throws: 9, Counts: []int64{9, 0, 0, 0, 0, 0}}},
			second: {{Seat: 0, Sides: 6, Throws: 1, Counts: []int64{0, 2, 0, 0, 0, 0}}},
			other:  {{Seat: 0, Sides: 2, Throws: 1, Counts: []int64{0, 1}}},
			away:   {{Seat: 0, Sides: 6, Throws: 99, Counts: []int64{99, 0, 0, 0, 0, 0}}},
		} {
			for range 2 { // the second time changes nothing
				if err := tx.Scores.AddFaces(table, faces); err != nil {
					t.Error(err)
				}
			}
		}
		if open, err := tx.Scores.UncountedFaces("test:1", "test:Anna"); err != nil || len(open) > 0 {
			t.Errorf("%v %v are not counted yet", open, err)
		}
		if open, err := tx.Scores.UncountedFaces("test:1", "test:Ben"); err != nil || len(open) != 2 {
			t.Errorf("%v %v of Ben are not counted yet", open, err)
		}
		faces, err := tx.Scores.FacesOf("test:1", "test:Anna")
		want := map[int]Faces{6: {Sides: 6, Throws: 3, Counts: []int64{1, 2, 0, 0, 0, 3}},
			2: {Sides: 2, Throws: 1, Counts: []int64{0, 1}}}
		if err != nil || !maps.EqualFunc(faces, want, func(a, b Faces) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%v %v, want %v", faces, err, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	err = s.View(t.Context(), func(tx *Tx) error { // once the totals are added up
		for name, got := range map[string]func(string, string) ([]Won, error){
			"evening": tx.Books.WonByEvening, "table": tx.Books.WonByTable,
		} {
			steps := map[string][2]int64{"evening": {10, 11}, "table": {first, second}}[name]
			want := []Won{{steps[0], "test:Anna", 10}, {steps[0], "test:Ben", -5},
				{steps[1], "test:Anna", -3}, {steps[1], "test:Ben", 3}}
			if won, err := got("test:1", "chips"); err != nil || !reflect.DeepEqual(won, want) {
				t.Errorf("by %s %v %v, want %v", name, won, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if faults, err := s.Check(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
}
