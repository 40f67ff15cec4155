package shutbox

import (
	"reflect"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
)

// TestPoolsAreRestored stores pools and takes them back: all that they say in play is as before.
func TestPoolsAreRestored(t *testing.T) {
	for _, c := range []struct {
		rules string
		seats int
	}{
		{"", 2}, {"", 6}, {"score=digits shut=pays-double", 3}, {"seven=ends-round", 4},
		{"match=rounds:3 ties=roll-off", 3}, {"tiles=12 shut=scores-zero", 3},
	} {
		given, seats, err := Game{}.Alike(rulesOf(c.rules), c.seats)
		if err != nil {
			t.Fatal(c.rules, err)
		}
		solved, err := Game{}.Solve(given, seats)
		if err != nil {
			t.Fatal(err)
		}
		all := gametest.NumbersOf(t, solved)
		if layout, err := (Game{}).Layout(given, seats); err != nil || layout.Count != len(all) {
			t.Errorf("%s: %d numbers, of %d: %v", c.rules, len(all), layout.Count, err)
		}
		restored, err := Game{}.Restore(given, seats, all)
		if err != nil {
			t.Fatalf("%s: %v", c.rules, err)
		}
		if solved.Size() != restored.Size() {
			t.Errorf("%s: %d bytes have become %d", c.rules, solved.Size(), restored.Size())
		}
		m, err := Game{}.New(rulesOf(c.rules), c.seats)
		if err != nil {
			t.Fatal(err)
		}
		for fair := (&dice.Fair{Table: "kept"}); len(m.Turn()) > 0; {
			seat := m.Turn()[0]
			ones, err := solved.Worths(m, seat)
			if err != nil {
				t.Fatal(err)
			}
			if others, err := restored.Worths(m, seat); err != nil || !reflect.DeepEqual(ones, others) {
				t.Fatalf("%s: %+v and %+v: %v", c.rules, ones, others, err)
			}
			best, _ := games.Best(ones, seat)
			if m, _, err = games.Play(m, seat, best.Move, fair); err != nil {
				t.Fatal(err)
			}
		}
		wrong := slices.Clone(all)
		for i := range wrong {
			wrong[i] += 0.01
		}
		if _, err := (Game{}).Restore(given, seats, wrong); err == nil {
			t.Errorf("%s: other numbers were taken", c.rules)
		}
		if _, err := (Game{}).Restore(given, seats, all[:len(all)-1]); err == nil {
			t.Errorf("%s: without the last number it was taken", c.rules)
		}
	}
}

// TestOnlyLargePoolsTakeLong says what is kept.
func TestOnlyLargePoolsTakeLong(t *testing.T) {
	for _, c := range []struct {
		rules string
		seats int
		long  bool
	}{
		{"", 1, false}, {"", 2, false}, {"", 10, false}, {"tiles=16", 1, false}, {"tiles=12", 10, true},
		{"variant=lucky-seven", 4, false}, {"match=rounds:3", 6, false},
	} {
		given, seats, err := Game{}.Alike(rulesOf(c.rules), c.seats)
		if err != nil {
			t.Fatal(c.rules, err)
		}
		if long := (Game{}).Laborious(given, seats); long != c.long {
			t.Errorf("%q of %d takes long: %v", c.rules, c.seats, long)
		}
		if _, err := (Game{}).Layout(given, seats); c.long && err != nil {
			t.Error(c.rules, err)
		}
	}
}
