package wuerfelpoker

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"knobel/games"
)

// byText is perfect play as the text of the rules has it, with nothing of the
// game's own: five dice in a row, every subset of them to keep, every way that
// the others may fall, and the points of a row read off the dice.
type byText struct {
	rules  games.Rules
	school bool // a school is part of it, so it may bring a bonus
	misses bool
	rounds map[textRound]float64
}

// textRound is what stands before a round; left are the rounds.
type textRound struct {
	open      rowSet
	sum, left int
}

func (b *byText) is(option, value string) bool { return b.rules[option] == value }

// worth is what a sheet brings from a round on.
func (b *byText) worth(at textRound) float64 {
	if at.left == 0 {
		switch {
		case at.open&wholeSchool != 0 || !b.school:
			return 0
		case at.sum >= 0 && (b.is("bonus", "") || b.is("bonus", "both")):
			return 50
		case at.sum < 0 && (b.is("bonus", "minus") || b.is("bonus", "both")):
			return -50
		}
		return 0
	}
	if v, known := b.rounds[at]; known {
		return v
	}
	after := map[[5]int]float64{} // what sorted dice are worth after the throw at hand
	for throw := 3; throw >= 1; throw-- {
		before, kept := after, map[[6]int]float64{}
		after = map[[5]int]float64{}
		eachThrow(5, func(dice []int) {
			sorted := [5]int(slices.Sorted(slices.Values(dice)))
			if _, known := after[sorted]; known {
				return
			}
			best := b.end(at, sorted, throw == 1)
			for keeps := range 31 {
				if throw < 3 {
					best = max(best, average(sorted, keeps, before, kept))
				}
			}
			after[sorted] = best
		})
	}
	sum := 0.0
	eachThrow(5, func(dice []int) { sum += after[[5]int(slices.Sorted(slices.Values(dice)))] })
	b.rounds[at] = sum / 7776
	return sum / 7776
}

// average throws the dice that are not kept; what was kept before is known.
func average(dice [5]int, keeps int, after map[[5]int]float64, known map[[6]int]float64) float64 {
	var key [6]int // the dice, and how many there are
	for i, face := range dice {
		if keeps>>i&1 == 1 {
			key[key[5]] = face
			key[5]++
		}
	}
	if v, there := known[key]; there {
		return v
	}
	sum, ways := 0.0, 0.0
	eachThrow(5-key[5], func(thrown []int) {
		all := slices.Concat(key[:key[5]], thrown)
		slices.Sort(all)
		sum, ways = sum+after[[5]int(all)], ways+1
	})
	known[key] = sum / ways
	return sum / ways
}

// eachThrow goes through all ways that so many dice may fall.
func eachThrow(count int, each func(dice []int)) {
	dice := slices.Repeat([]int{1}, count)
	for {
		each(dice)
		i := 0
		for i < count && dice[i] == 6 {
			dice[i] = 1
			i++
		}
		if i == count {
			return
		}
		dice[i]++
	}
}

// end is the best that a round can end with.
func (b *byText) end(at textRound, dice [5]int, first bool) float64 {
	best := math.Inf(-1)
	if b.misses {
		best = b.worth(textRound{at.open, at.sum, at.left - 1})
	}
	for w, name := range names {
		if at.open&(1<<w) == 0 {
			continue
		}
		points, there := b.points(name, dice, first)
		if !there && b.misses {
			continue
		}
		next := textRound{at.open &^ (1 << w), at.sum, at.left - 1}
		if w < 6 {
			next.sum += points
		}
		best = max(best, float64(points)+b.worth(next))
	}
	return best
}

// points reads off what a row gives: a struck one 0.
func (b *byText) points(row string, dice [5]int, first bool) (points int, there bool) {
	var alike [7]int
	sum := 0
	for _, face := range dice {
		alike[face]++
		sum += face
	}
	if face := slices.Index([]string{"ones", "twos", "threes", "fours", "fives", "sixes"}, row) + 1; face > 0 {
		return (alike[face] - 3) * face, true
	}
	for face := 1; face <= 6; face++ {
		switch n := alike[face]; {
		case row == "pair" && n >= 2:
			points = 2 * face
		case row == "three" && n >= 3:
			points = 3 * face
		case row == "four" && n >= 4:
			points = 4 * face
		case row == "poker" && n == 5:
			points = 5*face + 50
		case row == "two-pairs" && n >= 4 && b.is("four-as-two-pairs", "yes"):
			points = 4 * face
		case row == "full-house" && n == 5 && b.is("five-as-full-house", "yes"):
			points = sum
		}
		for other := 1; other <= 6; other++ {
			switch {
			case row == "two-pairs" && other < face && alike[face] >= 2 && alike[other] >= 2:
				points = 2*face + 2*other
			case row == "full-house" && alike[face] == 3 && alike[other] == 2:
				points = sum
			}
		}
	}
	switch {
	case row == "chance":
		points = sum
	case row == "small-straight" && dice == [5]int{1, 2, 3, 4, 5}:
		points = 15
	case row == "big-straight" && dice == [5]int{2, 3, 4, 5, 6}:
		points = 20
	}
	switch {
	case !first || b.is("first-throw", "plain") || points == 0:
	case row == "chance" && !b.is("chance", "double"):
	case row == "poker" && b.is("poker", "never"):
	case row == "poker" && b.is("poker", ""):
		points += points - 50
	default:
		points *= 2
	}
	return points, points > 0
}

// TestPerfectByText compares every value of every option with the rows that it
// is about, and draws rules and one or two open rows beside.
func TestPerfectByText(t *testing.T) {
	about := map[string][]row{
		"order": {sixes, pair}, "poker": {poker}, "first-throw": {pair, chance}, "chance": {chance},
		"miss":  {bigStraight, poker},
		"bonus": {ones, sixes}, "four-as-two-pairs": {twoPairs}, "five-as-full-house": {fullHouse},
	}
	random := rand.New(rand.NewPCG(1, 2))
	draws := 0
	if long() {
		draws = 60
	}
	for _, o := range options() {
		for _, value := range o.Values {
			if rows := about[o.Name]; rows != nil && (long() || value != o.Default()) {
				compareByText(t, games.Rules{o.Name: value}, random, rows...)
			}
		}
	}
	for range draws {
		given := games.Rules{}
		for _, o := range options() {
			given[o.Name] = o.Values[random.IntN(len(o.Values))]
		}
		first := row(random.IntN(rows))
		second := row(random.IntN(rows))
		compareByText(t, given, random, first, second)
	}
}

func compareByText(t *testing.T, given games.Rules, random *rand.Rand, open ...row) {
	t.Helper()
	canonical, err := check(given)
	if err != nil {
		t.Fatal(err)
	}
	within := rowSet(0)
	for _, w := range open {
		within |= 1 << w
	}
	if canonical["order"] == "" && within&wholeSchool != 0 && within&wholeRest != 0 {
		within &= wholeSchool // one part at a time
	}
	at := textRound{within, random.IntN(9) - 6, within.size()}
	text := &byText{
		rules: canonical, school: within&wholeSchool != 0, rounds: map[textRound]float64{},
		misses: canonical["miss"] == "deferred" && within&wholeRest != 0,
	}
	table := newTable(read(canonical), within)
	table.fill()
	got, want := *table.slot(at.open, at.sum, at.left), text.worth(at)
	if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
		t.Errorf("%v: rows %015b, school %d: %.15f, by the text %.15f", canonical, within, at.sum, got, want)
	}
}
