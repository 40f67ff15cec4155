// Package gametest holds tests of the requirements that every game must meet. Each game calls them from its own tests:
//
//	func TestPromises(t *testing.T) { gametest.Run(t, shutbox.Game{}) }
//
// They play random matches: of every variant and of random options, with few seats and many, by random moves and by the
// computer players. All randomness comes from fixed seeds, so a failure can be repeated. With KNOBEL_TEST_LONG=1 there
// are more random options, and variants after the first are played with medium numbers of seats, too.
package gametest

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"knobel/games"
)

const (
	mixtures   = 6      // largest number of random sets of options
	perOption  = 1      // random sets per option, for games with few options
	longer     = 10     // with KNOBEL_TEST_LONG=1, the number of random sets is multiplied by this
	anyMoves   = 150    // largest number of random moves of a match before the houses take over
	houseMoves = 20_000 // largest number of moves in which houses must bring a match to its end
)

// Run tests that g meets the requirements of a game.
func Run(t *testing.T, g games.Game) {
	words, drafts := readWords(t, g)
	t.Run("words", func(t *testing.T) { words.check(t, g, drafts) })
	t.Run("options", func(t *testing.T) { checkOptions(t, g, words) })
	t.Run("refusals", func(t *testing.T) { checkRefusals(t, g, words) })
	for at, v := range g.Variants() {
		t.Run("variant "+v.Name, func(t *testing.T) {
			rules, err := games.Choose(g, v.Name, nil)
			Check(t, err)
			counts := seatCounts(g, rules)
			for i, n := range counts {
				if between := 0 < i && i < len(counts)-1; between && at > 0 && os.Getenv("KNOBEL_TEST_LONG") == "" {
					continue
				}
				playMatch(t, g, rules, n, uint64(i), words)
			}
		})
	}
	t.Run("perfect", func(t *testing.T) { checkSolver(t, g, words) })
	t.Run("mixtures", func(t *testing.T) { playMixtures(t, g, words) })
}

// seatCounts returns few, medium and many seats, ascending.
func seatCounts(g games.Game, rules games.Rules) []int {
	least, most := g.Seats(rules)
	counts := []int{least, min(least+1, most), (least + most) / 2, most}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// checkOptions tests that Check accepts the options and variants that a game offers.
func checkOptions(t *testing.T, g games.Game, words words) {
	defaults := canonical(t, g, games.Rules{})
	if rules, err := g.Check(games.Rules{"variant": "no-such-variant"}); err == nil {
		t.Errorf("Check takes a variant that there is not: %v", rules)
	}
	for _, o := range g.Options() {
		checkShapes(t, g, o)
		for i, value := range o.Values {
			if o.Say == nil {
				t.Fatalf("option %s cannot be put into words", o.Name)
			}
			words.checkLine(t, fmt.Sprintf("%s=%s", o.Name, value), o.Say(value))
			rules, err := g.Check(games.Rules{o.Name: value})
			if err != nil {
				continue // a value may need another option beside it
			}
			if i == 0 && !maps.Equal(rules, defaults) {
				t.Errorf("%s=%s is the default, and yet its rules are %v", o.Name, value, rules)
			}
			if written, ok := rules[o.Name]; i > 0 && (!ok || written != value) {
				t.Errorf("the offered value %s=%s is spelled %q by Check", o.Name, value, written)
			}
		}
	}
	seen := map[string]bool{}
	for _, v := range g.Variants() {
		if seen[v.Name] {
			t.Errorf("two variants are named %s", v.Name)
		}
		seen[v.Name] = true
		rules, err := games.Choose(g, v.Name, nil)
		if err != nil {
			t.Errorf("variant %s is refused: %v", v.Name, err)
			continue
		}
		if canon := canonical(t, g, rules); !maps.Equal(canon, rules) {
			t.Errorf("variant %s: Check is not idempotent: %v, then %v", v.Name, rules, canon)
		}
		if name := games.VariantOf(g, rules); name != v.Name {
			t.Errorf("variant %s is recognized as %q", v.Name, name)
		}
		if least, most := g.Seats(rules); least < 1 || most < least {
			t.Errorf("variant %s is for %d to %d seats", v.Name, least, most)
		}
	}
}

// checkShapes tests, if o is the option Settle, that each value is a shape and that the default is g.Shape(nil).
func checkShapes(t *testing.T, g games.Game, o games.Option) {
	known := []games.Shape{games.ShapePool, games.ShapeDifference, games.ShapeLastPays, games.ShapeOwnPoints}
	for _, value := range o.Values {
		if o.Name == games.Settle && !slices.Contains(known, games.Shape(value)) {
			t.Errorf("no match can be settled by %q", value)
		}
	}
	if o.Name == games.Settle && games.Shape(o.Default()) != g.Shape(nil) {
		t.Errorf("a match is settled by %q, and %q is the default", g.Shape(nil), o.Default())
	}
}

// canonical returns the canonical form of rules. It tests that Check does not change its argument and is idempotent.
func canonical(t *testing.T, g games.Game, rules games.Rules) games.Rules {
	t.Helper()
	before := maps.Clone(rules)
	once, err := g.Check(rules)
	if err != nil {
		t.Fatalf("Check(%v): %v", rules, err)
	}
	if !maps.Equal(before, rules) {
		t.Errorf("Check has changed its argument from %v to %v", before, rules)
	}
	if twice, err := g.Check(once); err != nil || !maps.Equal(once, twice) {
		t.Errorf("Check(%v) is %v and then %v, %v", rules, once, twice, err)
	}
	return once
}

// checkRefusals tests that invalid rules are refused with a *games.Refusal whose line exists.
func checkRefusals(t *testing.T, g games.Game, words words) {
	refused := func(what string, err error) {
		t.Helper()
		r, ok := games.Refused(err)
		if !ok {
			t.Errorf("%s is not refused: %v", what, err)
			return
		}
		words.checkLine(t, what, r.Line)
	}
	_, err := g.Check(games.Rules{"no-such-option": "1"})
	refused("an unknown option", err)
	_, err = games.Choose(g, "no-such-variant", nil)
	refused("an unknown variant", err)
	for _, o := range g.Options() {
		for _, value := range []string{"", "no such value", "-1", strings.Repeat("9", 4000), "\x00", "1-",
			"@everyone"} {
			_, err := g.Check(games.Rules{o.Name: value})
			refused(fmt.Sprintf("%s=%.20q", o.Name, value), err)
		}
	}
	rules := canonical(t, g, games.Rules{})
	least, most := g.Seats(rules)
	for _, seats := range []int{-1, 0, least - 1, most + 1} {
		_, err := g.New(rules, seats)
		refused(fmt.Sprintf("a match of %d seats", seats), err)
	}
}

// checkSolver tests g without computing perfect play: computer players need perfect play only if g is a games.Solver,
// whose methods Alike and Solve refuse the same rules with a *games.Refusal; the option hints does not affect Alike.
func checkSolver(t *testing.T, g games.Game, words words) {
	solver, solves := g.(games.Solver)
	for _, h := range g.Houses() {
		if h.Solved && !solves || h.Solved == (h.Choose != nil) {
			t.Errorf("nobody knows what the house %s plays", h.Name)
		}
	}
	if !solves {
		return
	}
	for _, v := range g.Variants() {
		rules := canonical(t, g, v.Rules)
		for _, seats := range seatCounts(g, rules) {
			alike, n, err := solver.Alike(rules, seats)
			if err != nil {
				if r, ok := games.Refused(err); ok {
					words.checkLine(t, "no perfect play", r.Line)
				} else {
					t.Errorf("variant %s, %d seats: %v", v.Name, seats, err)
				}
				if _, solveErr := solver.Solve(rules, seats); solveErr == nil || solveErr.Error() != err.Error() {
					t.Errorf("variant %s, %d seats: Alike says %v, Solve %v", v.Name, seats, err, solveErr)
				}
				continue
			}
			again, m, err := solver.Alike(alike, n)
			if err != nil || m != n || !maps.Equal(alike, again) || games.AllowsHints(alike) {
				t.Errorf("variant %s, %d seats: solved for %v and %d, and those for %v and %d, %v", v.Name, seats,
					alike, n, again, m, err)
			}
			hinted := maps.Clone(rules)
			hinted[games.Hints] = "yes"
			if same, m, err := solver.Alike(hinted, seats); err == nil && (m != n || !maps.Equal(alike, same)) {
				t.Errorf("variant %s, %d seats: hints change perfect play", v.Name, seats)
			}
		}
	}
}

// playMixtures plays random variants with random options, but not with the largest number of seats: with fewer seats a
// match progresses further in the same number of moves.
func playMixtures(t *testing.T, g games.Game, words words) {
	options := g.Options()
	if len(options) == 0 {
		return
	}
	random := rand.New(rand.NewPCG(1, 2))
	played := 0
	tried := min(mixtures, perOption*len(options))
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		tried *= longer
	}
	for i := range tried {
		rules := games.Rules{}
		for _, o := range options {
			if random.IntN(4) == 0 {
				rules[o.Name] = o.Values[random.IntN(len(o.Values))]
			}
		}
		variants := g.Variants()
		checked, err := games.Choose(g, variants[random.IntN(len(variants))].Name, rules)
		if err != nil {
			r, ok := games.Refused(err)
			if !ok {
				t.Errorf("Choose(%v): %v", rules, err)
			} else {
				words.checkLine(t, fmt.Sprint(rules), r.Line)
			}
			continue
		}
		played++
		canonical(t, g, checked)
		counts := seatCounts(g, checked)
		counts = counts[:max(len(counts)-1, 1)]
		playMatch(t, g, checked, counts[random.IntN(len(counts))], uint64(i), words)
	}
	if 10*played < tried {
		t.Errorf("only %d of %d mixtures were allowed", played, tried)
	}
}

// Main runs the tests of a package that plays many small matches, and returns the exit code. Unless benchmarks run, it
// reduces garbage collections, which would take a fifth of the time.
func Main(m *testing.M) (code int) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}

// Check ends the test on an error.
func Check(t interface {
	Helper()
	Fatal(...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
