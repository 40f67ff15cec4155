package sets

import (
	"os"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// Naive implementations of the rule sets: the need and the points of each row. Here rows depend on the dice alone.

type (
	hand = sheettest.Hand
	row  = sheettest.Row
)

// isLong reports whether tests may take longer and play more rows.
func isLong() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// faceRows returns the rows of the faces in most sets.
func faceRows() []row { return sheettest.Faces("ones", "twos", "threes", "fours", "fives", "sixes") }

// isStraight reports whether five dice are 1-5 or 2-6.
func isStraight(h hand) bool { return h.Has(1, 2, 3, 4, 5) || h.Has(2, 3, 4, 5, 6) }

// sum is the Score of rows that count all dice.
func sum(h hand) (int, bool) { return h.Sum(), true }

func naiveYatzy() *sheettest.Naive {
	return &sheettest.Naive{Dice: 5, Throws: 3, Bonus: sheettest.From(63, 50), Rows: append(faceRows(),
		row{Name: "pair", Score: func(h hand) (int, bool) { return 2 * h.Equal(2), h.Equal(2) > 0 }},
		row{Name: "two-pairs", Score: func(h hand) (int, bool) { return h.Two(2, 2), h.Two(2, 2) > 0 }},
		row{Name: "three", Score: func(h hand) (int, bool) { return 3 * h.Equal(3), h.Equal(3) > 0 }},
		row{Name: "four", Score: func(h hand) (int, bool) { return 4 * h.Equal(4), h.Equal(4) > 0 }},
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return 15, h.Has(1, 2, 3, 4, 5) }},
		row{Name: "big-straight", Score: func(h hand) (int, bool) { return 20, h.Has(2, 3, 4, 5, 6) }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return h.Sum(), h.Two(3, 2) > 0 }},
		row{Name: "chance", Score: sum},
		row{Name: "yatzy", Score: func(h hand) (int, bool) { return 50, h.Same() > 0 }},
	)}
}

func naiveMaxiYatzy() *sheettest.Naive {
	return &sheettest.Naive{Dice: 6, Throws: 3, Bonus: sheettest.From(84, 100), Rows: append(faceRows(),
		row{Name: "pair", Score: func(h hand) (int, bool) { return 2 * h.Equal(2), h.Equal(2) > 0 }},
		row{Name: "two-pairs", Score: func(h hand) (int, bool) { return h.Two(2, 2), h.Two(2, 2) > 0 }},
		row{Name: "three-pairs", Score: func(h hand) (int, bool) {
			pairs := 0
			for face := 1; face <= 6; face++ {
				pairs += h.Count(face) / 2 * map[bool]int{true: 1}[h.Count(face) < 4]
			}
			return h.Sum(), pairs == 3
		}},
		row{Name: "three", Score: func(h hand) (int, bool) { return 3 * h.Equal(3), h.Equal(3) > 0 }},
		row{Name: "four", Score: func(h hand) (int, bool) { return 4 * h.Equal(4), h.Equal(4) > 0 }},
		row{Name: "five", Score: func(h hand) (int, bool) { return 5 * h.Equal(5), h.Equal(5) > 0 }},
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return 15, h.Has(1, 2, 3, 4, 5) }},
		row{Name: "big-straight", Score: func(h hand) (int, bool) { return 20, h.Has(2, 3, 4, 5, 6) }},
		row{Name: "full-straight", Score: func(h hand) (int, bool) { return 21, h.Has(1, 2, 3, 4, 5, 6) }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return h.Two(3, 2), h.Two(3, 2) > 0 }},
		row{Name: "villa", Score: func(h hand) (int, bool) { return h.Sum(), h.Two(3, 3) > 0 }},
		row{Name: "tower", Score: func(h hand) (int, bool) { return h.Sum(), h.Two(4, 2) > 0 }},
		row{Name: "chance", Score: sum},
		row{Name: "maxi-yatzy", Score: func(h hand) (int, bool) { return 100, h.Same() > 0 }},
	)}
}

func naiveEscalero() *sheettest.Naive {
	served := func(points, served int, there func(h hand) bool) func(h hand) (int, bool) {
		return func(h hand) (int, bool) { return map[bool]int{false: points, true: served}[h.Served], there(h) }
	}
	return &sheettest.Naive{Dice: 5, Throws: 3, ByServed: true, Rows: append(
		sheettest.Faces("nines", "tens", "jacks", "queens", "kings", "aces"),
		row{Name: "straight", Score: served(20, 25, isStraight)},
		row{Name: "full", Score: served(30, 35, func(h hand) bool { return h.Two(3, 2) > 0 })},
		row{Name: "poker", Score: served(40, 45, func(h hand) bool { return h.Equal(4) > 0 })},
		row{Name: "grande", Score: served(50, 80, func(h hand) bool { return h.Same() > 0 })},
	)}
}

func naiveKismet(strict bool) *sheettest.Naive { // strict: groups of equal dice must show different faces
	colours := [][]int{{1, 6}, {2, 5}, {3, 4}}
	colour := func(h hand) bool { // all dice have one colour
		return slices.ContainsFunc(colours, func(of []int) bool { return h.Only(of...) })
	}
	pairs := func(h hand) bool {
		return !strict && h.Equal(4) > 0 || slices.ContainsFunc(colours, func(of []int) bool {
			return h.Count(of[0]) >= 2 && h.Count(of[1]) >= 2
		})
	}
	full := func(h hand) bool { return h.Two(3, 2) > 0 || !strict && h.Same() > 0 }
	return &sheettest.Naive{Dice: 5, Throws: 3, Bonus: kismetBonus(63, 71, 78), Rows: append(faceRows(),
		row{Name: "colour-pairs", Score: func(h hand) (int, bool) { return h.Sum(), pairs(h) }},
		row{Name: "three", Score: func(h hand) (int, bool) { return h.Sum(), h.Equal(3) > 0 }},
		row{Name: "straight", Score: func(h hand) (int, bool) { return 30, isStraight(h) }},
		row{Name: "flush", Score: func(h hand) (int, bool) { return 35, colour(h) }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return h.Sum() + 15, full(h) }},
		row{Name: "colour-house", Score: func(h hand) (int, bool) { return h.Sum() + 20, full(h) && colour(h) }},
		row{Name: "four", Score: func(h hand) (int, bool) { return h.Sum() + 25, h.Equal(4) > 0 }},
		row{Name: "yarborough", Score: sum},
		row{Name: "kismet", Score: func(h hand) (int, bool) { return h.Sum() + 50, h.Same() > 0 }},
	)}
}

// kismetBonus returns a bonus function: 35 for a sum from first on, 55 from second on, 75 from third on, else 0.
func kismetBonus(first, second, third int) func(int) int {
	return func(sum int) int {
		switch {
		case sum < first:
			return 0
		case sum < second:
			return 35
		case sum < third:
			return 55
		}
		return 75
	}
}

func naiveCrag() *sheettest.Naive {
	return &sheettest.Naive{Dice: 3, Throws: 2, Rows: append(faceRows(),
		row{Name: "odd", Score: func(h hand) (int, bool) { return 20, h.Has(1, 3, 5) }},
		row{Name: "even", Score: func(h hand) (int, bool) { return 20, h.Has(2, 4, 6) }},
		row{Name: "low", Score: func(h hand) (int, bool) { return 20, h.Has(1, 2, 3) }},
		row{Name: "high", Score: func(h hand) (int, bool) { return 20, h.Has(4, 5, 6) }},
		row{Name: "three", Score: func(h hand) (int, bool) { return 25, h.Same() > 0 }},
		row{Name: "thirteen", Score: func(h hand) (int, bool) { return 26, h.Sum() == 13 }},
		row{Name: "crag", Score: func(h hand) (int, bool) { return 50, h.Sum() == 13 && h.Equal(2) > 0 }},
	)}
}

func TestEveryHandOfPlainSets(t *testing.T) {
	for _, c := range []struct {
		game  sheet.Game
		rules games.Rules
		naive *sheettest.Naive
	}{
		{Yatzy(), nil, naiveYatzy()},
		{MaxiYatzy(), nil, naiveMaxiYatzy()},
		{Escalero(), nil, naiveEscalero()},
		{Kismet(), nil, naiveKismet(true)},
		{Kismet(), games.Rules{"strict": "no"}, naiveKismet(false)},
		{Crag(), nil, naiveCrag()},
	} {
		t.Run(c.game.Name()+c.rules["strict"], func(t *testing.T) {
			sheettest.Hands{Game: c.game, Rules: c.rules, Naive: c.naive}.Check(t)
		})
	}
}

// TestEveryBonus writes every hand in the row of ones, on pages where that row decides whether there is a bonus.
func TestEveryBonus(t *testing.T) {
	yatzy, kismet, maxi := naiveYatzy(), naiveKismet(true), naiveMaxiYatzy()
	for _, c := range []struct {
		game  sheet.Game
		naive *sheettest.Naive
		cells []string // the dice in the rows from twos to sixes; a comment beside each case has their sum
	}{
		{Kniffel(), naiveKniffel(0, "none"), []string{"12223", "12333", "12444", "12555", "12666"}}, // sum 60
		{Yatzy(), yatzy, []string{"12223", "12333", "12444", "12555", "12666"}},                     // sum 60
		{Kismet(), kismet, []string{"12223", "12333", "12444", "12555", "12666"}},                   // sum 60
		{Kismet(), kismet, []string{"12223", "23333", "12444", "15555", "12666"}},                   // sum 68
		{Kismet(), kismet, []string{"12222", "23333", "14444", "12555", "16666"}},                   // sum 75
		{MaxiYatzy(), maxi, []string{"112222", "113333", "114444", "115555", "116666"}},             // sum 80
	} {
		c.cells = slices.Concat([]string{"."}, c.cells, slices.Repeat([]string{"."}, len(c.naive.Rows)-6))
		sheettest.Hands{Game: c.game, Naive: c.naive, Cells: c.cells}.Check(t)
	}
}

// TestTopRowOnly plays Yatzy with forced rows: on every possible page only the topmost open row can be filled.
func TestTopRowOnly(t *testing.T) {
	forced := naiveYatzy()
	forced.Order = sheet.Top
	cells := slices.Repeat([]string{"."}, len(forced.Rows))
	whole := []string{"11234", "11234", "11234", "11234", "11234", "11234", "11234", "11223", "11123", "11112", "12345",
		"-", "11222", "11234"}
	for i := range whole {
		sheettest.Hands{Game: Yatzy(), Rules: games.Rules{"order": "forced"}, Naive: forced, Cells: cells}.Check(t)
		cells[i] = whole[i]
	}
}
