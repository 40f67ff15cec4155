package sets

import (
	"maps"
	"math"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// TestPublishedFigures compares perfect play with what others have computed; all of it with KNOBEL_TEST_LONG=1.
func TestPublishedFigures(t *testing.T) {
	for i, c := range []struct {
		game  sheet.Game
		rules games.Rules
		want  float64
	}{
		{Yatzy(), nil, 248.4399893779},
		{Yatzy(), games.Rules{"order": "forced"}, 122.5585273964}, // of before
		{Yatzy(), games.Rules{"order": "forced", "bonus": "42"}, 150.2167965110},
		{Kniffel(), kniffelRules(100, "forced"), 254.5877287345},
		{Kniffel(), nil, 245.8707745141},
		{Kniffel(), kniffelRules(100, "free"), 254.5896094820},
	} {
		if i > 3 && !long() {
			break
		}
		if got := sheettest.Total(t, c.game, c.rules); !(math.Abs(got-c.want) < 1e-9) {
			t.Errorf("%s %v: %.12f, not %.10f", c.game.Name(), c.rules, got, c.want)
		}
	}
}

// TestFiguresAreThoseOfPerfectPlay, also where nothing is left of it but the total.
func TestFiguresAreThoseOfPerfectPlay(t *testing.T) {
	for _, g := range []sheet.Game{Crag(), Kniffel()} {
		solved, err := g.Solve(nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sheettest.Total(t, g, nil), solved.(*sheet.Perfect).Total(); got != want {
			t.Errorf("%s: %v, not %v", g.Name(), got, want)
		}
	}
	if !long() {
		return
	}
	if figures, err := MaxiYatzy().Figures(nil, nil); err != nil || len(figures) != 1 {
		t.Errorf("Maxi Yatzy: %+v, %v", figures, err)
	}
}

// TestBonusOfForcedYatzy: what is agreed on now says from which sum the bonus comes where rows are forced; what is of
// before does not, and keeps 63.
func TestBonusOfForcedYatzy(t *testing.T) {
	g := Yatzy()
	for _, c := range []struct{ now, given, want games.Rules }{
		{nil, games.Rules{"order": "forced"}, games.Rules{"order": "forced", "bonus": "42"}},
		{nil, games.Rules{"order": "forced", "bonus": "63"}, games.Rules{"order": "forced", "bonus": "63"}},
		{nil, games.Rules{"bonus": "42"}, games.Rules{"bonus": "42"}},
		{nil, games.Rules{"bonus": "63", "order": "free"}, games.Rules{}},
		{games.Rules{"order": "forced"}, games.Rules{"hints": "yes"}, games.Rules{"order": "forced", "hints": "yes"}},
		{games.Rules{"order": "forced"}, games.Rules{"order": "forced"}, games.Rules{"order": "forced"}},
		{games.Rules{"hints": "yes"}, games.Rules{"order": "forced"},
			games.Rules{"order": "forced", "bonus": "42", "hints": "yes"}},
		{games.Rules{"order": "forced", "bonus": "42"}, games.Rules{"order": "free"}, games.Rules{}},
		{games.Rules{"order": "forced", "bonus": "63"}, games.Rules{"point": "2"},
			games.Rules{"order": "forced", "bonus": "63", "point": "2"}},
	} {
		got, err := games.Change(g, c.now, c.given)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%v over %v: %v, %v", c.given, c.now, got, err)
		}
		if again, err := g.Check(got); err != nil || !maps.Equal(again, got) {
			t.Errorf("%v is checked to %v, %v", got, again, err)
		}
		if chosen, err := games.Choose(g, "", c.given); c.now == nil && (err != nil || !maps.Equal(chosen, c.want)) {
			t.Errorf("%v is chosen as %v, %v", c.given, chosen, err)
		}
	}
}
