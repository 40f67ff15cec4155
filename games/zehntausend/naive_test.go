package zehntausend

import (
	"fmt"
	"math"
	"testing"

	"knobel/games"
)

// The rules told once more, slowly: dice are put into groups in every way.

// naive scores by options as they are told.
type naive struct {
	ones                      int
	more                      string
	straight, pairs, triplets int
	known                     map[string]int
}

// worth is the most that dice, which are sorted, count in groups of which every one counts; 0 where there is no such
// way.
func (n *naive) worth(dice []int) int {
	key := fmt.Sprint(dice)
	if points, known := n.known[key]; known {
		return points
	}
	best := 0
	for some := 1; some < 1<<len(dice); some += 2 { // groups with the first of them
		var group, rest []int
		for i, face := range dice {
			if some>>i&1 == 1 {
				group = append(group, face)
			} else {
				rest = append(rest, face)
			}
		}
		points := n.group(group)
		if points == 0 {
			continue
		}
		if more := n.worth(rest); len(rest) == 0 || more > 0 {
			best = max(best, points+more)
		}
	}
	n.known[key] = best
	return best
}

// group is what dice count as one, 0 where they are nothing together.
func (n *naive) group(dice []int) int {
	var shown [7]int
	for _, face := range dice {
		shown[face]++
	}
	face, alike := dice[0], shown[dice[0]] == len(dice)
	three := map[int]int{1: n.ones, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600}[face]
	switch {
	case len(dice) == 1:
		return map[int]int{1: 100, 5: 50}[face]
	case alike && len(dice) == 3:
		return three
	case alike && len(dice) > 3:
		return max(map[string][]int{
			"double": {2 * three, 4 * three, 8 * three}, "add": {2 * three, 3 * three, 4 * three},
			"thousands": {1000, 2000, 3000}, "none": {0, 0, 0},
		}[n.more][len(dice)-4], n.six(shown))
	}
	return n.six(shown)
}

// six is what six dice count as a straight, as pairs or as triplets.
func (n *naive) six(shown [7]int) int {
	times := map[int]int{}
	for _, count := range shown[1:] {
		times[count]++
	}
	switch {
	case times[1] == 6:
		return n.straight
	case times[2] == 3, times[4] == 1 && times[2] == 1, times[6] == 1:
		return n.pairs
	case times[3] == 2:
		return n.triplets
	}
	return 0
}

// eachSorted calls do for all that so many dice can show, sorted, with its ways to fall.
func eachSorted(count int, do func(dice []int, ways float64)) {
	var next func(dice []int, from int, ways float64, alike int)
	next = func(dice []int, from int, ways float64, alike int) {
		if len(dice) == count {
			do(dice, ways)
			return
		}
		for face := from; face <= sides; face++ {
			again := 1
			if len(dice) > 0 && face == from {
				again = alike + 1
			}
			next(append(dice[:len(dice):len(dice)], face), face, ways*float64(len(dice)+1)/float64(again), again)
		}
	}
	next(nil, 1, 1, 0)
}

// eachScoring calls do with a slow scorer and the rules that it goes by, of all ways in which options score.
func eachScoring(do func(*naive, games.Rules)) {
	for _, ones := range []int{300, 1000} {
		for _, more := range []string{double, add, none, thousands} {
			for _, straight := range []int{0, 700} {
				for _, pairs := range []int{0, 750} {
					for _, triplets := range []int{0, 500, 2500} {
						do(&naive{ones, more, straight, pairs, triplets, map[string]int{}}, games.Rules{
							"ones": fmt.Sprint(ones), "more": more, "straight": fmt.Sprint(straight),
							"pairs": fmt.Sprint(pairs), "triplets": fmt.Sprint(triplets),
						})
					}
				}
			}
		}
	}
}

// TestEveryThrowUnderEveryOption compares what dice count with the slow scorer.
func TestEveryThrowUnderEveryOption(t *testing.T) {
	eachScoring(func(n *naive, rules games.Rules) {
		checked, err := Game{}.Check(rules)
		if err != nil {
			t.Fatal(err)
		}
		r := read(checked)
		for count := 1; count <= maxDice; count++ {
			eachSorted(count, func(dice []int, _ float64) {
				if got, want := r.worth(countsOf(dice, 1<<count-1)), n.worth(dice); got != want {
					t.Errorf("%v: %v count %d, not %d", rules, dice, got, want)
				}
			})
		}
	})
}

// recursion plays a turn for its expected points by trying everything, up to an amount at which it stops.
type recursion struct {
	naive
	least   int
	hotMay  bool
	throws  [maxDice + 1][]fallen
	figures map[[2]int]figures
}

// fallen is what can be set aside of dice that fell so: the most points for each number of them.
type fallen struct {
	chance float64
	best   [maxDice + 1]int
}

// mostTried is the amount from which on a turn is not followed: so few turns get there that it makes no difference in
// the digits compared.
const mostTried = 16_000

func (r *recursion) expected(points, count int) figures {
	if f, known := r.figures[[2]int{points, count}]; known {
		return f
	}
	var sum figures
	for _, fell := range r.thrown(count) {
		best := figures{nothing: 1}
		for aside := count; aside > 0; aside-- {
			got := points + fell.best[aside]
			if fell.best[aside] == 0 {
				continue
			}
			stops := got >= r.least && (aside < count || r.hotMay)
			if got >= mostTried || stops && float64(got) >= best.points {
				best = figures{points: float64(got)}
			}
			if got >= mostTried {
				continue
			}
			again := count - aside
			if again == 0 {
				again = maxDice
			}
			if f := r.expected(got, again); f.points > best.points*(1+1e-9) {
				best = f
			}
		}
		sum.points += fell.chance * best.points
		sum.nothing += fell.chance * best.nothing
	}
	r.figures[[2]int{points, count}] = sum
	return sum
}

// thrown are the ways in which dice fall.
func (r *recursion) thrown(count int) []fallen {
	if r.throws[count] == nil {
		eachSorted(count, func(dice []int, ways float64) {
			fell := fallen{chance: ways / math.Pow(sides, float64(count))}
			for some := 1; some < 1<<count; some++ {
				var aside []int
				for i, face := range dice {
					if some>>i&1 == 1 {
						aside = append(aside, face)
					}
				}
				fell.best[len(aside)] = max(fell.best[len(aside)], r.worth(aside))
			}
			r.throws[count] = append(r.throws[count], fell)
		})
	}
	return r.throws[count]
}

// TestTurnAgreesWithRecursion compares the solution of an opening turn with a plain recursion over the slow scorer.
func TestTurnAgreesWithRecursion(t *testing.T) {
	for name, c := range map[string]struct {
		recursion
		rules games.Rules
	}{
		"farkle": {recursion{naive: naive{300, thousands, 1500, 1500, 2500, nil}, least: 500, hotMay: true},
			variants()[1].Rules},
		"may": {recursion{naive: naive{1000, add, 750, 0, 600, nil}, least: 0, hotMay: true},
			games.Rules{"more": add, "straight": "750", "pairs": "0", "triplets": "600", "hot": may}},
		"must": {recursion{naive: naive{300, none, 0, 500, 0, nil}, least: 300},
			games.Rules{"ones": "300", "more": none, "straight": "0", "pairs": "500", "least": "300", "nothings": "0"}},
	} {
		c.known, c.figures = map[string]int{}, map[[2]int]figures{}
		want := c.expected(0, maxDice)
		got := read(c.rules).turn(false).at(0, maxDice)
		if math.Abs(got.points-want.points) > 1e-6 || math.Abs(got.nothing-want.nothing) > 1e-6 {
			t.Errorf("%s: a turn comes to %+v, by the recursion to %+v", name, got, want)
		}
	}
}
