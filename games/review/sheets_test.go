package review_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/review"
	"knobel/games/sheet/sets"
)

// Reviews of games on a score sheet.

// sheetRules returns rules of a game by chance, with both settlements, where these have a solution.
func sheetRules(g games.Game, chance *rand.Rand) []games.Rules {
	drawn := games.Rules{}
	for _, o := range g.Options() {
		if o.Name != games.Settle && o.Name != games.Hints && o.Name != "point" {
			drawn[o.Name] = o.Values[chance.IntN(len(o.Values))]
		}
	}
	var all []games.Rules
	for _, settle := range []games.Shape{games.ShapeDifference, games.ShapePool} {
		rules := games.Rules{games.Settle: string(settle)}
		for name, value := range drawn {
			rules[name] = value
		}
		if canonical, err := g.Check(rules); err == nil {
			all = append(all, canonical)
		}
	}
	return all
}

// TestReviewsOfSheetsAddUp plays every rule set that is solved, by options that are drawn, settled both ways.
func TestReviewsOfSheetsAddUp(t *testing.T) {
	draws, matches := 2, 2
	if _, long, _ := tested(); long {
		draws, matches = 12, 25
	}
	chance, solved := rand.New(rand.NewPCG(16, 9)), solutions{}
	for _, g := range sets.All() {
		unsolved := g.Name() == "yamb" || g.Name() == "maxi-yatzy"
		reviewed := 0
		for drawn := 0; drawn < draws || reviewed == 0 && !unsolved && drawn < 20; drawn++ {
			for _, rules := range sheetRules(g, chance) {
				for _, seats := range []int{1, 3} {
					a, can := solved.arrange(t, g, rules, seats)
					if !can {
						continue
					}
					if pool := rules[games.Settle] == string(games.ShapePool); pool != games.AimsAtTotal(g, rules) &&
						g.Name() != "balut" {
						t.Errorf("%v: perfect play aims at the total: %t", a, !pool)
					}
					for n := range matches {
						a.addsUp(t, n, 0)
						reviewed++
					}
				}
			}
		}
		if reviewed == 0 && !unsolved {
			t.Errorf("no game of %s was reviewed", g.Name())
		}
	}
}

// TestReviewOfAMatchWonAtOnce takes a match apart that a first throw has won: results are differences of what the
// totals were by then.
func TestReviewOfAMatchWonAtOnce(t *testing.T) {
	a, can := solutions{}.arrange(t, sets.Generala(), games.Rules{"served": "wins"}, 3)
	if !can {
		t.Fatal("there is no perfect play")
	}
	won := 0
	for n := 0; won < 3 && n < 2000; n++ {
		rec := a.playMixed(t, n, 0)
		last := rec.Moves[len(rec.Moves)-1]
		if !strings.HasPrefix(string(last.Move), "throw") {
			continue
		}
		won++
		r, err := review.Of(a.solved, a.game, rec)
		if err != nil {
			t.Fatal(err)
		}
		checkIdentity(t, r, rec)
		checkBooks(t, a, r, rec)
		checkExpected(t, a, r, rec)
	}
	if won < 3 {
		t.Errorf("%d matches were won at once", won)
	}
}
