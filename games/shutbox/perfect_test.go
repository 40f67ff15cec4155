package shutbox

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"knobel/games"
	"knobel/games/dice"
)

// solve is perfect play of a match that begins.
func solve(t checked, rules games.Rules, seats int) (games.Perfect, games.Match) {
	m, err := Game{}.New(rules, seats)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Game{}.Solve(rules, seats)
	if err != nil {
		t.Fatal(err)
	}
	return p, m
}

// TestPublishedFigures compares with what others have computed.
func TestPublishedFigures(t *testing.T) {
	for _, c := range []struct {
		rules string
		goal  Goal
		want  float64
		near  float64
	}{
		{"one-die=never", ShutBox, 0.071432, 5e-7},
		{"one-die=sum-six", ShutBox, 0.097614, 5e-7},
		{"one-die=high-shut", ShutBox, 0.097614, 5e-7},
		{"one-die=sum-six close=two-tiles", ShutBox, 0.074194, 5e-7},
		{"one-die=never", LowScore, 11.1575084442, 5e-11},
		{"tiles=6 dice=1d6", ShutBox, 145.0 / 1944, 1e-15},
	} {
		e, err := Expected(rulesOf(c.rules), c.goal, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := e.Score
		if c.goal == ShutBox {
			got = e.Shut
		}
		if math.Abs(got-c.want) > c.near {
			t.Errorf("%s, played for the %s: %.12f, published are %v", c.rules, c.goal, got, c.want)
		}
	}
}

// TestThaiByRule plays thai by a rule of thumb that is published with its chance
// to shut the box, and checks that perfect play shuts it more often.
func TestThaiByRule(t *testing.T) {
	const published = 0.0798552796
	r := read(rulesOf("close=one-tile one-die=never"))
	known := map[tiles]float64{0: 1}
	var shuts func(open tiles) float64
	shuts = func(open tiles) float64 {
		if chance, met := known[open]; met {
			return chance
		}
		sum := 0.0
		r.throws(2, func(faces []int) bool {
			found := r.closable(open, faces, false)
			if len(found) == 0 {
				return true
			}
			set := found[len(found)-1] // the lowest
			if both := total(faces); both >= 7 && both <= 9 && open.has(both) {
				set = tile(both)
			}
			sum += shuts(open &^ set)
			return true
		})
		known[open] = sum / 36
		return known[open]
	}
	if got := shuts(r.tiles); math.Abs(got-published) > 5e-11 {
		t.Errorf("the rule of thumb shuts %.12f, published are %v", got, published)
	}
	if e, err := Expected(rulesOf("close=one-tile one-die=never"), ShutBox, 1); err != nil || e.Shut <= published {
		t.Errorf("perfect play shuts %v, %v", e.Shut, err)
	}
}

// TestGoals checks that each goal is reached best by the play for it.
func TestGoals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := someRules(t)
		score, err := Expected(rules, LowScore, 1)
		if err != nil {
			t.Fatal(err)
		}
		shut, err := Expected(rules, ShutBox, 1)
		if err != nil {
			t.Fatal(err)
		}
		if shut.Shut < score.Shut-1e-11 || shut.Score < score.Score-1e-9 {
			t.Fatalf("%s: for the score %+v, for shutting %+v", spell(rules), score, shut)
		}
		if rules["match"] != "" || rules["score"] == scoreDigits {
			return
		}
		pool, err := Expected(rules, PoolWon, rapid.IntRange(2, 3).Draw(t, "seats"))
		if err != nil {
			t.Fatal(err)
		}
		all := 0.0
		for _, s := range pool.Shares {
			all += s
		}
		if math.Abs(all-1) > 1e-9 || pool.Score < score.Score-1e-9 || pool.Shut > shut.Shut+1e-9 {
			t.Fatalf("%s: for the score %+v, for shutting %+v, for the pool %+v", spell(rules), score, shut, pool)
		}
	})
}

// TestPolicyImprovementFindsNothing plays matches of any rules anyhow. In every
// position no move leads, on average over its dice, to more than is expected of
// the position, and every move to what its worth says, for every seat.
func TestPolicyImprovementFindsNothing(t *testing.T) {
	most := 2
	if long() {
		most = 6
	}
	rapid.Check(t, func(t *rapid.T) {
		rules, seats := someRules(t), rapid.IntRange(1, most).Draw(t, "seats")
		if rules["score"] == scoreDigits {
			seats = min(seats, 2)
		}
		if rapid.IntRange(0, 9).Draw(t, "lucky") == 0 {
			rules, seats = rulesOf("variant=lucky-seven"), max(2, seats)
			if rapid.Bool().Draw(t, "several") {
				rules["match"] = "knockout:20"
			}
		}
		if _, _, err := (Game{}).Alike(rules, seats); err != nil {
			t.Skip("too much to compute")
		}
		improve(t, rules, seats, rapid.Uint64().Draw(t, "seed"))
	})
}

func improve(t *rapid.T, rules games.Rules, seats int, seed uint64) {
	p, m := solve(t, rules, seats)
	luck := newChance(seed)
	moves := 5
	switch {
	case long():
		moves = 200
	case rules["dice"] == "4d6":
		moves = 3 // its dice fall in 1296 ways
	}
	for range moves {
		if len(m.Turn()) == 0 {
			checkEnd(t, p, m)
			return
		}
		seat := m.Turn()[0]
		expected, err := p.Expect(m)
		if err != nil {
			t.Fatal(err)
		}
		worths, err := p.Worths(m, seat)
		if err != nil {
			t.Fatal(err)
		}
		near := 1e-9 * float64(1+read(rules).points(read(rules).tiles))
		for _, w := range worths {
			found, began := average(t, p, m, seat, w.Move)
			for s := range found {
				if !began && math.Abs(found[s]-w.Values[s]) > near {
					t.Fatalf("%s, %s: seat %d expects %v, its worth is %v", spell(rules), w.Move, s, found[s],
						w.Values[s])
				}
			}
			if w.Values[seat] > expected[seat]+near {
				t.Fatalf("%s: %s is worth %v, expected are %v", spell(rules), w.Move, w.Values[seat], expected[seat])
			}
		}
		best, _ := games.Best(worths, seat)
		for s := range expected {
			if math.Abs(best.Values[s]-expected[s]) > near {
				t.Fatalf("%s: seat %d expects %v, of the best move %v", spell(rules), s, expected[s], best.Values[s])
			}
		}
		m, _ = m.Apply(seat, worths[luck.IntN(len(worths))].Move, luck)
	}
}

// average is what the seats expect after a move, over all its dice, and whether
// some of them begin a roll-off.
func average(t *rapid.T, p games.Perfect, m games.Match, s games.Seat, mv games.Move) (sums []float64, began bool) {
	all, ways := &allDice{}, 0.0
	rolls := func(m games.Match) int {
		if c, ok := m.(*classic); ok {
			return c.rollOff
		}
		return m.(lucky).sheet.rollOff
	}
	for all.more() {
		next, _ := m.Apply(s, mv, all)
		values, err := p.Expect(next)
		if err != nil {
			t.Fatal(err)
		}
		if sums == nil {
			sums = make([]float64, len(values))
		}
		for i, v := range values {
			sums[i] += v
		}
		ways++
		began = began || rolls(next) != rolls(m)
	}
	for i := range sums {
		sums[i] /= ways
	}
	return sums, began
}

// checkEnd checks that a finished match is worth its result.
func checkEnd(t *rapid.T, p games.Perfect, m games.Match) {
	got, err := p.Expect(m)
	if err != nil {
		t.Fatal(err)
	}
	if worths, err := p.Worths(m, 0); err != nil || len(worths) > 0 {
		t.Fatalf("moves after the end: %v, %v", worths, err)
	}
	result, _ := m.Result()
	if p.Measure() == games.Share {
		sum := 0.0
		for s, row := range result.Rows {
			sum += got[s]
			if won := got[s] > -1; won != (row.Place == 1) {
				t.Fatalf("seat %d at place %d has %v", s, row.Place, got[s])
			}
		}
		if math.Abs(sum) > 1e-12 {
			t.Fatalf("the seats have %v together", got)
		}
	}
}

// TestPerfectInRollOff checks that a roll-off of a match in which points count
// is played for the pool, and changes no points.
func TestPerfectInRollOff(t *testing.T) {
	shares, one := solve(t, rulesOf("ties=roll-off shut=scores-zero"), 3)
	points, several := solve(t, rulesOf("ties=roll-off match=rounds:2"), 3)
	before, err := points.Expect(inRollOff(several, 0b101))
	if err != nil {
		t.Fatal(err)
	}
	a, b := inRollOff(one, 0b101), inRollOff(several, 0b101)
	luck := newChance(3)
	for b.(*classic).rollOff == 1 && len(b.Turn()) > 0 {
		seat := a.Turn()[0]
		want, err := shares.Worths(a, seat)
		if err != nil {
			t.Fatal(err)
		}
		got, err := points.Worths(b, seat)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i].Tiebreak != want[i].Values[seat] || fmt.Sprint(got[i].Values) != fmt.Sprint(before) {
				t.Fatalf("%+v, for the pool alone %+v", got[i], want[i])
			}
		}
		x, _ := games.Best(want, seat)
		y, _ := games.Best(got, seat)
		if x.Move != y.Move {
			t.Fatalf("plays %s, for the pool alone %s", y.Move, x.Move)
		}
		a, _ = a.Apply(seat, x.Move, luck)
		b, _ = b.Apply(seat, x.Move, dice.NewFallen(luck.fell))
	}
}

// TestOnlyLargePoolsTakeLong looks at pools and matches that have none.
func TestOnlyLargePoolsTakeLong(t *testing.T) {
	for _, c := range []struct {
		rules string
		seats int
		long  bool
	}{
		{"", 1, false}, {"", 10, false}, {"tiles=16", 1, false}, {"tiles=12", 10, true},
		{"variant=lucky-seven", 4, false}, {"match=rounds:3", 6, false},
	} {
		given, seats, err := Game{}.Alike(rulesOf(c.rules), c.seats)
		if err != nil {
			t.Fatal(c.rules, err)
		}
		if long := (Game{}).Laborious(given, seats); long != c.long {
			t.Errorf("%q of %d takes long: %v", c.rules, c.seats, long)
		}
	}
}
