package sets

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sheettest"
)

// jokerPoints holds the points of the rows that a joker may write without meeting their need.
var jokerPoints = map[string]int{"full-house": 25, "small-straight": 30, "large-straight": 40}

// lowerRows lists the rows of Kniffel below those of the faces.
var lowerRows = []string{"three-alike", "four-alike", "full-house", "small-straight", "large-straight", "kniffel",
	"chance"}

var faceNames = []string{"ones", "twos", "threes", "fours", "fives", "sixes"}

// naiveKniffel returns a naive Kniffel. further is the bonus for another Kniffel, joker is "none", "forced" or "free".
func naiveKniffel(further int, joker string) *sheettest.Naive {
	run := func(h hand) bool { return h.Has(1, 2, 3, 4) || h.Has(2, 3, 4, 5) || h.Has(3, 4, 5, 6) }
	n := &sheettest.Naive{Dice: 5, Throws: 3, Bonus: sheettest.From(63, 35), Flag: "kniffel", Rows: append(faceRows(),
		row{Name: "three-alike", Score: func(h hand) (int, bool) { return h.Sum(), h.Equal(3) > 0 }},
		row{Name: "four-alike", Score: func(h hand) (int, bool) { return h.Sum(), h.Equal(4) > 0 }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return 25, h.Two(3, 2) > 0 }},
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return 30, run(h) }},
		row{Name: "large-straight", Score: func(h hand) (int, bool) { return 40, isStraight(h) }},
		row{Name: "kniffel", Score: func(h hand) (int, bool) { return 50, h.Same() > 0 }},
		row{Name: "chance", Score: sum},
	)}
	n.Extra = func(p sheettest.Page, h hand) int {
		if p.Holds && h.Same() > 0 {
			return further
		}
		return 0
	}
	if joker == "none" {
		return n
	}
	n.Try = func(n *sheettest.Naive, p sheettest.Page, h hand, row string, plain sheettest.Filling) sheettest.Filling {
		if h.Same() == 0 || n.Open(p, "kniffel") {
			return plain
		}
		own := faceNames[h.Same()-1]
		ownOpen, lower := n.Open(p, own), slices.Contains(lowerRows, row)
		lowerOpen := slices.ContainsFunc(lowerRows, func(row string) bool { return n.Open(p, row) })
		switch {
		case joker == "forced" && ownOpen && row != own, joker == "forced" && !ownOpen && lowerOpen && !lower:
			return sheettest.Filling{}
		case !ownOpen && jokerPoints[row] > 0:
			return sheettest.Filling{Points: jokerPoints[row], Write: true}
		}
		return plain
	}
	return n
}

func TestEveryHandOfKniffel(t *testing.T) {
	for j, joker := range []string{"none", "forced", "free"} {
		for i, further := range []int{0, 50, 100} {
			for _, kniffel := range []string{".", "-", "22222"} {
				if !isLong() && i != j {
					continue
				}
				cells := append(slices.Repeat([]string{"."}, 11), kniffel, ".")
				sheettest.Hands{Game: Kniffel(), Rules: kniffelRules(further, joker), Cells: cells,
					Naive: naiveKniffel(further, joker),
					Only:  func(h hand) bool { return h.Throw != 2 }}.Check(t)
			}
		}
	}
}

// TestEveryJoker checks all throws of equal dice, on pages that differ in the rows that matter to a joker. The rows of
// faces are all open or all filled; with KNOBEL_TEST_LONG=1 any of them are filled.
func TestEveryJoker(t *testing.T) {
	lowers := [][]string{
		{".", ".", ".", ".", ".", "."},
		{"11123", "11112", "11222", "12345", "12345", "."},
		{"11123", "11112", "-", "-", "-", "11234"},
		{"-", "-", ".", "12345", "-", "11234"},
		{".", "-", "11222", ".", ".", "11234"},
		{".", "11112", "11222", "-", "12345", "11234"},
		{"11123", ".", "11222", "-", ".", "."},
	}
	for _, joker := range []string{"none", "forced", "free"} {
		for _, further := range []int{0, 50, 100} {
			n := naiveKniffel(further, joker)
			for _, kniffel := range []string{".", "-", "22222", "33333"} {
				for _, lower := range lowers {
					for filled := range 1 << 6 {
						few := bits.OnesCount(uint(filled))
						if !isLong() && (few > 0 && few < 6 || further == 50) {
							continue
						}
						cells := slices.Concat(filledFaces(filled), lower[:5], []string{kniffel}, lower[5:])
						if !slices.Contains(cells, ".") {
							continue
						}
						sheettest.Hands{Game: Kniffel(), Rules: kniffelRules(further, joker), Naive: n, Cells: cells,
							Only: func(h hand) bool { return h.Same() > 0 && h.Throw != 2 }}.Check(t)
					}
				}
			}
		}
	}
}

// TestFurtherKniffelsAddUp checks the bonus of another Kniffel on a page that already has one.
func TestFurtherKniffelsAddUp(t *testing.T) {
	cells := append(filledFaces(63), ".", ".", ".", ".", ".", "22222", ".", "+1")
	cells[5] = "66666" // the Kniffel that gave the first bonus
	sheettest.Hands{Game: Kniffel(), Rules: kniffelRules(100, "forced"), Naive: naiveKniffel(100, "forced"),
		Cells: cells}.Check(t)
}

// filledFaces returns the cells of the rows of faces, as stored: filled with dice if the row's bit is set in filled.
func filledFaces(filled int) (cells []string) {
	for i, dice := range []string{"11123", "12223", "12333", "12444", "12555", "12666"} {
		if filled>>i&1 == 0 {
			dice = "."
		}
		cells = append(cells, dice)
	}
	return cells
}

// kniffelRules returns rules of Kniffel with these values of its options "further" and "joker".
func kniffelRules(further int, joker string) games.Rules {
	return games.Rules{"further": strconv.Itoa(further), "joker": joker}
}

// naiveGenerala returns an independent naive implementation of Generala with its options first, wrap and double.
func naiveGenerala(first int, wrap, double bool) *sheettest.Naive {
	withFirst := func(points int, met func(h hand) bool) func(h hand) (int, bool) {
		return func(h hand) (int, bool) {
			if h.Throw == 1 {
				return points + first, met(h)
			}
			return points, met(h)
		}
	}
	n := &sheettest.Naive{Dice: 5, Throws: 3, Rows: append(faceRows(),
		row{Name: "straight", Score: withFirst(20, func(h hand) bool {
			return isStraight(h) || wrap && h.Has(1, 3, 4, 5, 6)
		})},
		row{Name: "full", Score: withFirst(30, func(h hand) bool { return h.Two(3, 2) > 0 })},
		row{Name: "poker", Score: withFirst(40, func(h hand) bool { return h.Equal(4) > 0 })},
		row{Name: "generala", Score: func(h hand) (int, bool) { return 50, h.Same() > 0 }},
	)}
	if !double {
		return n
	}
	n.Flag = "generala"
	n.Rows = append(n.Rows, row{Name: "double-generala", Score: func(h hand) (int, bool) { return 100, h.Same() > 0 }})
	n.Try = func(_ *sheettest.Naive, p sheettest.Page, h hand, row string, plain sheettest.Filling) sheettest.Filling {
		if row == "double-generala" && !p.Holds {
			plain.Write, plain.Strike = false, true
		}
		return plain
	}
	return n
}

func TestEveryHandOfGenerala(t *testing.T) {
	for _, first := range []int{5, 0, 10} {
		for _, wrap := range []bool{false, true} {
			for _, double := range []bool{false, true} {
				if !isLong() && first != 5 {
					continue
				}
				rules := games.Rules{"first": strconv.Itoa(first), "wrap": yesOrNo(wrap), "double": yesOrNo(double)}
				n := naiveGenerala(first, wrap, double)
				t.Run(fmt.Sprint(rules), func(t *testing.T) {
					sheettest.Hands{Game: Generala(), Rules: rules, Naive: n}.Check(t)
				})
			}
		}
	}
}

// TestDoubleGenerala checks the row double-generala on every page that matters to it.
func TestDoubleGenerala(t *testing.T) {
	n := naiveGenerala(5, false, true)
	for _, generala := range []string{".", "-", "33333", "44444!"} {
		for _, others := range []string{".", "11234"} {
			cells := append(slices.Repeat([]string{others}, 6), ".", ".", ".", generala, ".")
			rules := games.Rules{"double": "yes"}
			sheettest.Hands{Game: Generala(), Rules: rules, Naive: n, Cells: cells}.Check(t)
		}
	}
}

// yesOrNo returns the spelling of a boolean in rules.
func yesOrNo(is bool) string { return map[bool]string{false: "no", true: "yes"}[is] }

// Balut, whose rows are filled several times each, and Yamb, whose middle section is multiplied.

func naiveBalut() *sheettest.Naive {
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

// naiveYamb returns a naive implementation of one column of Yamb, without the multiplication in its middle section.
func naiveYamb() *sheettest.Naive {
	return &sheettest.Naive{Dice: 5, Throws: 3, Bonus: sheettest.From(60, 30), Rows: append(faceRows(),
		row{Name: "max", Score: sum},
		row{Name: "min", Score: sum},
		row{Name: "three", Score: func(h hand) (int, bool) { return 3*h.Equal(3) + 20, h.Equal(3) > 0 }},
		row{Name: "straight", Score: func(h hand) (int, bool) { return 76 - 10*h.Throw, isStraight(h) }},
		row{Name: "full", Score: func(h hand) (int, bool) { return h.Sum() + 30, h.Two(3, 2) > 0 }},
		row{Name: "poker", Score: func(h hand) (int, bool) { return 4*h.Equal(4) + 40, h.Equal(4) > 0 }},
		row{Name: "yamb", Score: func(h hand) (int, bool) { return 5*h.Equal(5) + 50, h.Same() > 0 }},
	)}
}

func TestEveryHandOfBalut(t *testing.T) {
	sheettest.Hands{Game: Balut(), Naive: naiveBalut()}.Check(t)
}

// TestEveryHandOfYamb writes every hand into columns that differ in which of the rows ones, max and min are filled.
// With KNOBEL_TEST_LONG=1 it does so with the other rows of faces filled, too.
func TestEveryHandOfYamb(t *testing.T) {
	for _, c := range []struct{ ones, most, least string }{
		{"11123", ".", "."}, {"11123", ".", "12345"}, {"11123", "44445", "."}, {"23456", ".", "12345"},
		{".", ".", "12345"}, {".", "44445", "."}, {".", "44445", "12345"}, {".", "12345", "44445"},
	} {
		for _, face := range []string{".", "12666"} {
			if !isLong() && face != "." {
				continue
			}
			cells := append(slices.Repeat([]string{face}, 6), c.most, c.least, ".", ".", ".", ".", ".")
			cells[0] = c.ones
			worth := func(dice string) int { // 0 if the place is not written
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
			sheettest.Hands{Game: Yamb(), Rules: games.Rules{"columns": "1"}, Naive: naiveYamb(), Cells: cells,
				Gains: gains}.Check(t)
		}
	}
}

// TestBonusOfYamb fills the ones last, with other faces that add up to 57.
func TestBonusOfYamb(t *testing.T) {
	cells := append([]string{".", "12223", "23333", "12444", "12555", "12366"}, slices.Repeat([]string{"."}, 7)...)
	sheettest.Hands{Game: Yamb(), Rules: games.Rules{"columns": "1"}, Naive: naiveYamb(), Cells: cells,
		Only: func(h hand) bool { return h.Count(1) > 1 }, Gains: func(row string, points int) int {
			if row == "max" || row == "min" {
				return 0
			}
			return points
		}}.Check(t)
}
