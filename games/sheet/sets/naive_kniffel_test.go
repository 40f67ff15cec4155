package sets

import (
	"math/bits"
	"slices"
	"strconv"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sheettest"
)

// jokerPoints are the rows that a joker writes without what they need.
var jokerPoints = map[string]int{"full-house": 25, "small-straight": 30, "large-straight": 40}

// lowerRows are the rows of Kniffel below the faces.
var lowerRows = []string{"three-alike", "four-alike", "full-house", "small-straight", "large-straight", "kniffel",
	"chance"}

var faceNames = []string{"ones", "twos", "threes", "fours", "fives", "sixes"}

// plainKniffel returns Kniffel by its options.
func plainKniffel(further int, joker string) *sheettest.Naive {
	run := func(h hand) bool { return h.Has(1, 2, 3, 4) || h.Has(2, 3, 4, 5) || h.Has(3, 4, 5, 6) }
	n := &sheettest.Naive{Dice: 5, Throws: 3, Bonus: sheettest.From(63, 35), Flag: "kniffel", Rows: append(faceRows(),
		row{Name: "three-alike", Score: func(h hand) (int, bool) { return h.Sum(), h.Equal(3) > 0 }},
		row{Name: "four-alike", Score: func(h hand) (int, bool) { return h.Sum(), h.Equal(4) > 0 }},
		row{Name: "full-house", Score: func(h hand) (int, bool) { return 25, h.Two(3, 2) > 0 }},
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return 30, run(h) }},
		row{Name: "large-straight", Score: func(h hand) (int, bool) { return 40, straight(h) }},
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
	n.Try = func(n *sheettest.Naive, p sheettest.Page, h hand, row string, now sheettest.Filling) sheettest.Filling {
		if h.Same() == 0 || n.Open(p, "kniffel") {
			return now
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
		return now
	}
	return n
}

func TestEveryHandOfKniffel(t *testing.T) {
	for j, joker := range []string{"none", "forced", "free"} {
		for i, further := range []int{0, 50, 100} {
			for _, kniffel := range []string{".", "-", "22222"} {
				if !long() && i != j {
					continue
				}
				cells := append(slices.Repeat([]string{"."}, 11), kniffel, ".")
				sheettest.Hands{Game: Kniffel(), Rules: kniffelRules(further, joker), Cells: cells,
					Naive: plainKniffel(further, joker),
					Only:  func(h hand) bool { return h.Throw != 2 }}.Check(t)
			}
		}
	}
}

// TestEveryJoker looks at all throws of equal dice, on pages with every filling of the rows that matter to a joker.
// With KNOBEL_TEST_LONG=1 it fills the faces in every way, else none or all.
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
			n := plainKniffel(further, joker)
			for _, kniffel := range []string{".", "-", "22222", "33333"} {
				for _, lower := range lowers {
					for filled := range 1 << 6 {
						few := bits.OnesCount(uint(filled))
						if !long() && (few > 0 && few < 6 || further == 50) {
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

// TestFurtherKniffelsAddUp counts one more where there was one already.
func TestFurtherKniffelsAddUp(t *testing.T) {
	cells := append(filledFaces(63), ".", ".", ".", ".", ".", "22222", ".", "+1")
	cells[5] = "66666" // which brought them
	sheettest.Hands{Game: Kniffel(), Rules: kniffelRules(100, "forced"), Naive: plainKniffel(100, "forced"),
		Cells: cells}.Check(t)
}

// filledFaces returns the rows of the faces, some of them filled.
func filledFaces(filled int) (cells []string) {
	for i, dice := range []string{"11123", "12223", "12333", "12444", "12555", "12666"} {
		if filled>>i&1 == 0 {
			dice = "."
		}
		cells = append(cells, dice)
	}
	return cells
}

func kniffelRules(further int, joker string) games.Rules {
	return games.Rules{"further": strconv.Itoa(further), "joker": joker}
}
