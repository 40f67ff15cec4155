package shutbox

import (
	"math"
	"testing"

	"knobel/games"
	"knobel/games/dice"
)

// TestRandomIsEven checks that the strategy "random" chooses each of ten sets about equally often.
func TestRandomIsEven(t *testing.T) {
	m, err := Game{}.New(nil, 1)
	check(t, err)
	m, _ = m.Apply(0, "throw 2", dice.NewFallen([]int{5, 6}))
	const each = 1000
	luck, count := newChance(3), map[games.Move]int{}
	for range 10 * each {
		count[random(m, 0, luck)]++
	}
	for _, mv := range m.Moves(0) {
		if n := count[mv]; math.Abs(float64(n-each)) > 5*math.Sqrt(each) {
			t.Errorf("%s comes %d times in %d", mv, n, 10*each)
		}
	}
}

func TestShutByChance(t *testing.T) {
	g := Game{}
	for _, c := range []struct {
		rules games.Rules
		least float64 // lower bound of the result of best play
		most  float64
	}{
		{games.Rules{"one-die": "never"}, 0.005, 0.071432},
		{games.Rules{}, 0.005, 0.097614},
		{games.Rules{"tiles": "6", "dice": "1d6"}, 0.01, 145.0 / 1944},
		{games.Rules{"tiles": "12"}, 0.0001, 0.071432},
		{games.Rules{"tiles": "12", "dice": "1d20"}, 0.0001, 0.071432},
		{games.Rules{"first-throw": "2"}, 0.001, 0.097614},
		{games.Rules{"close": "one-tile", "one-die": "never"}, 0.001, 0.1},
	} {
		rules, err := g.Check(c.rules)
		check(t, err)
		p, ok := g.ShutByChance(rules)
		if !ok || p < c.least || p >= c.most {
			t.Errorf("%v: %v %v", c.rules, p, ok)
		}
	}
	// With a single tile, the only die must show its number.
	if p, ok := g.ShutByChance(games.Rules{"tiles": "3-3", "dice": "1d6"}); !ok || math.Abs(p-1.0/6) > 1e-12 {
		t.Errorf("one tile is shut with %v %v", p, ok)
	}
	for _, none := range []games.Rules{{"variant": "canoga"}, {"variant": "lucky-seven"},
		{"tiles": "24", "dice": "4d6", "one-die": "never"}} {
		if p, ok := g.ShutByChance(none); ok {
			t.Errorf("%v: %v", none, p)
		}
	}
}

// TestChanceIsTheRandomHouse compares the mean score of turns played at random with the published one.
func TestChanceIsTheRandomHouse(t *testing.T) {
	_, score := playAtRandom(parseRules(games.Rules{"one-die": "never"}))
	if math.Abs(score-20.4188122282) > 1e-9 {
		t.Errorf("chance scores %.10f", score)
	}
}
