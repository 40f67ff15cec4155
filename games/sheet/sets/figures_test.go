package sets

import (
	"maps"
	"testing"

	"knobel/games"
)

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
