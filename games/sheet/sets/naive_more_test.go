package sets

import (
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sheettest"
)

// The rule sets whose places are more than their rows, or whose rows do not just add up.

func plainBalut() *sheettest.Naive {
	face := func(face int) func(h hand) (int, bool) {
		return func(h hand) (int, bool) { return face * h.Count(face), true }
	}
	lines := func(h hand) (int, bool) {
		if h.Has(1, 2, 3, 4, 5) {
			return 15, true
		}
		return 20, h.Has(2, 3, 4, 5, 6)
	}
	n := &sheettest.Naive{Dice: 5, Throws: 3, Rows: []row{
		{Name: "fours", Score: face(4)},
		{Name: "fives", Score: face(5)},
		{Name: "sixes", Score: face(6)},
		{Name: "straight", Score: lines},
		{Name: "full-house", Score: func(h hand) (int, bool) { return h.Sum(), h.Two(3, 2) > 0 }},
		{Name: "choice", Score: sum},
		{Name: "balut", Score: func(h hand) (int, bool) { return 20 + h.Sum(), h.Same() > 0 }},
	}}
	for i := range n.Rows {
		n.Rows[i].Places = 4
	}
	return n
}

// plainYamb returns a column of Yamb without what its middle multiplies.
func plainYamb() *sheettest.Naive {
	return &sheettest.Naive{Dice: 5, Throws: 3, Bonus: sheettest.From(60, 30), Rows: append(faceRows(),
		row{Name: "max", Score: sum},
		row{Name: "min", Score: sum},
		row{Name: "three", Score: func(h hand) (int, bool) { return 3*h.Equal(3) + 20, h.Equal(3) > 0 }},
		row{Name: "straight", Score: func(h hand) (int, bool) { return 76 - 10*h.Throw, straight(h) }},
		row{Name: "full", Score: func(h hand) (int, bool) { return h.Sum() + 30, h.Two(3, 2) > 0 }},
		row{Name: "poker", Score: func(h hand) (int, bool) { return 4*h.Equal(4) + 40, h.Equal(4) > 0 }},
		row{Name: "yamb", Score: func(h hand) (int, bool) { return 5*h.Equal(5) + 50, h.Same() > 0 }},
	)}
}

func TestEveryHandOfBalut(t *testing.T) {
	sheettest.Hands{Game: Balut(), Naive: plainBalut()}.Check(t)
}

// TestEveryHandOfYamb fills a column with either row of the middle missing, or with both. With KNOBEL_TEST_LONG=1 it
// does so with all faces filled, too.
func TestEveryHandOfYamb(t *testing.T) {
	for _, c := range []struct{ ones, most, least string }{
		{"11123", ".", "."}, {"11123", ".", "12345"}, {"11123", "44445", "."}, {"23456", ".", "12345"},
		{".", ".", "12345"}, {".", "44445", "."}, {".", "44445", "12345"}, {".", "12345", "44445"},
	} {
		for _, face := range []string{".", "12666"} {
			if !long() && face != "." {
				continue
			}
			cells := append(slices.Repeat([]string{face}, 6), c.most, c.least, ".", ".", ".", ".", ".")
			cells[0] = c.ones
			worth := func(dice string) int { // 0 where nothing is written
				n := 0
				for _, die := range dice {
					n += max(int(die-'0'), 0)
				}
				return n
			}
			ones := map[string]int{"11123": 3}[c.ones]
			gains := func(row string, points int) int {
				switch {
				case row == "max" && c.least != ".":
					return max(points-worth(c.least), 0) * ones
				case row == "min" && c.most != ".":
					return max(worth(c.most)-points, 0) * ones
				case row == "max" || row == "min":
					return 0
				case row == "ones" && c.most != "." && c.least != ".":
					return points + points*max(worth(c.most)-worth(c.least), 0)
				}
				return points
			}
			sheettest.Hands{Game: Yamb(), Rules: games.Rules{"columns": "1"}, Naive: plainYamb(), Cells: cells,
				Gains: gains}.Check(t)
		}
	}
}

// TestBonusOfYamb fills the ones last, beside other faces that add up to 57.
func TestBonusOfYamb(t *testing.T) {
	cells := append([]string{".", "12223", "23333", "12444", "12555", "12366"}, slices.Repeat([]string{"."}, 7)...)
	sheettest.Hands{Game: Yamb(), Rules: games.Rules{"columns": "1"}, Naive: plainYamb(), Cells: cells,
		Only: func(h hand) bool { return h.Count(1) > 1 }, Gains: func(row string, points int) int {
			if row == "max" || row == "min" {
				return 0
			}
			return points
		}}.Check(t)
}
