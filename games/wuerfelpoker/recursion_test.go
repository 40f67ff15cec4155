package wuerfelpoker

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sheettest"
)

// long reports whether tests may take longer.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// TestCutDownIsPlayedPerfectly compares perfect play of a few rows with a plain recursion. With KNOBEL_TEST_LONG=1
// there are more of them.
func TestCutDownIsPlayedPerfectly(t *testing.T) {
	for _, c := range []struct {
		rules games.Rules
		least int // the school that brings the bonus
		rows  string
		long  bool
	}{
		{nil, -2, "ones threes sixes pair two-pairs three small-straight poker", false},
		{games.Rules{"order": "free"}, -4, "twos fours full-house four chance pair", false},
		{games.Rules{"bonus": "both", "poker": "doubled", "chance": "double"}, 3,
			"ones fours fives big-straight full-house four poker chance", false},
		{games.Rules{"order": "free", "bonus": "both", "poker": "never"}, 0, "twos fives poker three chance", false},
		{games.Rules{"order": "free", "bonus": "minus", "first-throw": "plain", "chance": "double"}, -3,
			"threes sixes pair two-pairs chance poker", false},
		{games.Rules{"first-throw": "plain", "poker": "doubled"}, 0, "twos threes fives poker pair four", false},
		{games.Rules{"miss": "deferred"}, 0,
			"threes fives big-straight small-straight poker four pair chance", false},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "both"}, -3,
			"ones fives poker full-house chance", false},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "minus", "chance": "double"}, 0,
			"twos threes big-straight two-pairs chance", false},
		{games.Rules{"order": "free", "miss": "deferred"}, 0, "ones fours three two-pairs", false},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "none"}, 0, "sixes fours poker three pair", false},
		{games.Rules{"bonus": "none"}, 0, "sixes fours poker three pair", false},
		{games.Rules{"order": "free", "bonus": "none", "four-as-two-pairs": "yes"}, 0,
			"ones sixes two-pairs four", false},
		{games.Rules{"five-as-full-house": "yes", "bonus": "minus"}, 0, "ones twos full-house poker", false},
		{games.Rules{"order": "free", "bonus": "both"}, -1,
			"ones threes fours sixes pair full-house four poker", true},
		{games.Rules{"order": "free", "miss": "deferred", "bonus": "both", "poker": "doubled"}, 1,
			"twos threes sixes two-pairs three small-straight poker chance", true},
	} {
		if c.long && !long() {
			continue
		}
		t.Run(fmt.Sprintf("%v %s", c.rules, c.rows), func(t *testing.T) {
			chosen, rows := with(c.rules), strings.Fields(c.rows)
			bonus := plainBonus(chosen["bonus"], c.least)
			if chosen["bonus"] == "none" {
				bonus = nil
			}
			sheettest.Perfect(t, sheettest.Cut(paper(chosen), bonus, rows...), plain(chosen).Cut(bonus, rows...))
		})
	}
}

// TestPublishedFigures compares perfect play with figures from programs of other make.
func TestPublishedFigures(t *testing.T) {
	const school, combinations = 14.496131127402482, 150.41484020222458
	for name, want := range map[string]float64{
		"school": school, "combinations": combinations, "total": school + combinations,
	} {
		if got := sheettest.Figure(t, New(), nil, name); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("%s: %.12f, not %.12f", name, got, want)
		}
	}
}
