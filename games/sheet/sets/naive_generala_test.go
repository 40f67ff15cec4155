package sets

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sheettest"
)

// plainGenerala returns Generala by its options first, wrap and double.
func plainGenerala(first int, wrap, double bool) *sheettest.Naive {
	sooner := func(points int, there func(h hand) bool) func(h hand) (int, bool) {
		return func(h hand) (int, bool) {
			if h.Throw == 1 {
				return points + first, there(h)
			}
			return points, there(h)
		}
	}
	n := &sheettest.Naive{Dice: 5, Throws: 3, Rows: append(faceRows(),
		row{Name: "straight", Score: sooner(20, func(h hand) bool {
			return straight(h) || wrap && h.Has(1, 3, 4, 5, 6)
		})},
		row{Name: "full", Score: sooner(30, func(h hand) bool { return h.Two(3, 2) > 0 })},
		row{Name: "poker", Score: sooner(40, func(h hand) bool { return h.Equal(4) > 0 })},
		row{Name: "generala", Score: func(h hand) (int, bool) { return 50, h.Same() > 0 }},
	)}
	if !double {
		return n
	}
	n.Flag = "generala"
	n.Rows = append(n.Rows, row{Name: "double-generala", Score: func(h hand) (int, bool) { return 100, h.Same() > 0 }})
	n.Try = func(_ *sheettest.Naive, p sheettest.Page, h hand, row string, now sheettest.Filling) sheettest.Filling {
		if row == "double-generala" && !p.Holds {
			now.Write, now.Strike = false, true
		}
		return now
	}
	return n
}

func TestEveryHandOfGenerala(t *testing.T) {
	for _, first := range []int{5, 0, 10} {
		for _, wrap := range []bool{false, true} {
			for _, double := range []bool{false, true} {
				if !long() && first != 5 {
					continue
				}
				rules := games.Rules{"first": strconv.Itoa(first), "wrap": yes(wrap), "double": yes(double)}
				n := plainGenerala(first, wrap, double)
				t.Run(fmt.Sprint(rules), func(t *testing.T) {
					sheettest.Hands{Game: Generala(), Rules: rules, Naive: n}.Check(t)
				})
			}
		}
	}
}

// TestDoubleGenerala looks at the row on every page that matters to it.
func TestDoubleGenerala(t *testing.T) {
	n := plainGenerala(5, false, true)
	for _, generala := range []string{".", "-", "33333", "44444!"} {
		for _, others := range []string{".", "11234"} {
			cells := append(slices.Repeat([]string{others}, 6), ".", ".", ".", generala, ".")
			rules := games.Rules{"double": "yes"}
			sheettest.Hands{Game: Generala(), Rules: rules, Naive: n, Cells: cells}.Check(t)
		}
	}
}

func yes(is bool) string { return map[bool]string{false: "no", true: "yes"}[is] }
