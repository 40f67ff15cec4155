package sheet_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/dice"
	"knobel/games/gametest"
	"knobel/games/sheet"
	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
)

// TestSolutionsAreRestored stores solutions of sheets of every make, wave by wave too, and takes them back.
func TestSolutionsAreRestored(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
	}{
		{wuerfelpoker.New(), nil},
		{wuerfelpoker.New(), games.Rules{"miss": "deferred", "bonus": "both"}},
		{sets.Crag(), nil},
		{sets.Kniffel(), games.Rules{"further": "100", "joker": "forced"}},
		{sets.Yatzy(), games.Rules{"order": "forced"}},
		{sets.Generala(), games.Rules{"double": "yes"}},
		{sets.Balut(), nil},
	} {
		t.Run(fmt.Sprint(c.game.Name(), c.rules), func(t *testing.T) {
			solved, err := c.game.Solve(c.rules, 2)
			if err != nil {
				t.Fatal(err)
			}
			all := gametest.NumbersOf(t, solved)
			layout, err := c.game.Layout(c.rules, 2)
			if err != nil || layout.Count != len(all) {
				t.Errorf("%d numbers, of %d: %v", len(all), layout.Count, err)
			}
			restored, err := c.game.Restore(c.rules, 2, all)
			if err != nil {
				t.Fatal(err)
			}
			if again := gametest.NumbersOf(t, restored); !slices.Equal(all, again) {
				t.Error("restored, it has other numbers")
			}
			alikeInPlay(t, c.game, c.rules, solved, restored)
			var waves games.Numbers
			_, err = c.game.Offline().SolveTo(c.rules, 2, func(part []float64) error {
				waves = append(waves, part...)
				return nil
			})
			if err != nil || !slices.Equal(all, waves) {
				t.Errorf("solved wave by wave it has other numbers: %v", err)
			}
			all[len(all)-1]++
			if _, err := c.game.Restore(c.rules, 2, all); err == nil {
				t.Error("a greater total was taken")
			}
			if _, err := c.game.Restore(c.rules, 2, all[:len(all)-1]); err == nil {
				t.Error("without its last number it was taken")
			}
		})
	}
}

// alikeInPlay plays a game by one solution and compares what both know on the way.
func alikeInPlay(t *testing.T, g games.Game, rules games.Rules, one, other games.Perfect) {
	t.Helper()
	m, err := g.New(rules, 2)
	if err != nil {
		t.Fatal(err)
	}
	for fair := (&dice.Fair{Table: "kept"}); len(m.Turn()) > 0; {
		seat := m.Turn()[0]
		ones, err := one.Worths(m, seat)
		if err != nil {
			t.Fatal(err)
		}
		others, err := other.Worths(m, seat)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ones {
			if !slices.Equal(ones[i].Values, others[i].Values) {
				t.Fatalf("%+v and %+v", ones[i], others[i])
			}
		}
		best, _ := games.Best(ones, seat)
		if m, _, err = games.Play(m, seat, best.Move, fair); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSolvingEndsWhereNothingCanBeWritten has the numbers refused.
func TestSolvingEndsWhereNothingCanBeWritten(t *testing.T) {
	full, parts := errors.New("the disk is full"), 0
	_, err := sets.Crag().Offline().SolveTo(nil, 1, func([]float64) error {
		parts++
		if parts == 3 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || parts != 3 {
		t.Errorf("%d parts were written: %v", parts, err)
	}
}

// TestLayoutsTellRulesApart looks at what the numbers of rules mean.
func TestLayoutsTellRulesApart(t *testing.T) {
	g := sets.Kniffel()
	means := func(rules games.Rules) string {
		t.Helper()
		layout, err := g.Layout(rules, 1)
		if err != nil {
			t.Fatal(err)
		}
		return layout.Means
	}
	if means(nil) != means(games.Rules{"settle": "pool", "hints": "yes"}) {
		t.Error("what changes no number changes what they mean")
	}
	if means(nil) == means(games.Rules{"further": "50"}) {
		t.Error("other points mean the same")
	}
}

// TestWhereThereIsNoSolutionThereIsNone compares what comes with an error with nil, as callers do.
func TestWhereThereIsNoSolutionThereIsNone(t *testing.T) {
	if solved, err := sets.Yamb().Solve(nil, 1); err == nil || solved != nil {
		t.Errorf("%T is the perfect play of what is not solved: %v", solved, err)
	}
	if solved, err := sets.Crag().Restore(nil, 1, games.Numbers{1}); err == nil || solved != nil {
		t.Errorf("%T is the perfect play of one number: %v", solved, err)
	}
}

// TestWhatWasFoundIsTakenWhereItIsWell has solutions found, of which some are of no use.
func TestWhatWasFoundIsTakenWhereItIsWell(t *testing.T) {
	g, rules := sets.Crag(), games.Rules{}
	solved, err := g.Solve(rules, 1)
	if err != nil {
		t.Fatal(err)
	}
	total := solved.(*sheet.Perfect).Total()
	all, read := gametest.NumbersOf(t, solved), 0
	well := func() (games.Values, error) { read++; return all, nil }
	torn := func() (games.Values, error) { return nil, errors.New("it is torn") }
	wrong := func() (games.Values, error) { return make(games.Numbers, len(all)), nil }
	type find = func() (games.Values, error)
	for name, c := range map[string]struct {
		finds []find
		taken bool
	}{
		"nothing":         {},
		"well":            {[]find{well}, true},
		"torn":            {[]find{torn}, false},
		"wrong":           {[]find{wrong}, false},
		"torn, then well": {[]find{torn, well}, true},
		"well, then torn": {[]find{well, torn}, true},
	} {
		t.Run(name, func(t *testing.T) {
			with, ok := g, false
			for _, find := range c.finds {
				if with, ok = with.With(rules, 1, find).(sheet.Game); !ok {
					t.Fatal("it is another game")
				}
			}
			read = 0
			again, err := with.Solve(rules, 1)
			if err != nil || again.(*sheet.Perfect).Total() != total {
				t.Fatalf("it is not solved: %v", err)
			}
			if (read > 0) != c.taken {
				t.Errorf("what is well was read %d times", read)
			}
			if name != "wrong" && with.Laborious(rules, 1) == c.taken {
				t.Errorf("solving is said to take long: %v", !c.taken)
			}
		})
	}
	vast := sets.MaxiYatzy().With(nil, 1, torn)
	if _, _, err := vast.(games.Solver).Alike(nil, 1); err == nil {
		t.Error("a torn solution has too much be solved while a program runs")
	}
}

// TestWhatIsNeverSolvedIsNotSolvedOffline either.
func TestWhatIsNeverSolvedIsNotSolvedOffline(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
	}{
		{sets.MaxiYatzy(), games.Rules{"saved": "yes"}},
		{sets.Yamb(), nil},
		{sets.Escalero(), games.Rules{"columns": "3"}},
	} {
		if _, _, err := c.game.Offline().Alike(c.rules, 1); err == nil {
			t.Errorf("%s %v is solved", c.game.Name(), c.rules)
		}
	}
	if _, _, err := sets.MaxiYatzy().Alike(nil, 1); err == nil {
		t.Error("maxi-yatzy is solved while a program runs")
	}
	if _, _, err := sets.MaxiYatzy().Offline().Alike(nil, 1); err != nil {
		t.Error(err)
	}
}
