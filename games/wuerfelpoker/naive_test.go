package wuerfelpoker

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"knobel/games"
	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// isLong reports whether tests may take longer.
func isLong() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

type (
	hand = sheettest.Hand
	row  = sheettest.Row
)

// defaults holds the default values of the options.
var defaults = sheet.Chosen{"order": "parts", "poker": "once", "first-throw": "double", "chance": "plain",
	"miss": "strike", "bonus": "plus", "four-as-two-pairs": "no", "five-as-full-house": "no"}

// withDefaults returns options, with the defaults of missing ones.
func withDefaults(options games.Rules) sheet.Chosen {
	c := maps.Clone(defaults)
	maps.Copy(c, options)
	return c
}

// naiveGame returns an independent naive implementation of Würfelpoker with the options c.
func naiveGame(c sheet.Chosen) *sheettest.Naive {
	n := &sheettest.Naive{Dice: 5, Throws: 3, Misses: c["miss"] == "deferred", Bonus: naiveBonus(c["bonus"])}
	if c["order"] == "parts" {
		n.Order = sheet.Parts
	}
	for i, name := range []string{"ones", "twos", "threes", "fours", "fives", "sixes"} {
		n.Rows = append(n.Rows, row{Name: name, Upper: true, Score: func(h hand) (int, bool) {
			return (h.Count(i+1) - 3) * (i + 1), true
		}})
	}
	doubled := func(h hand) bool { return h.Throw == 1 && c["first-throw"] == "double" }
	double := func(h hand, points int) int { return points * map[bool]int{false: 1, true: 2}[doubled(h)] }
	n.Rows = append(n.Rows,
		row{Name: "pair", Score: func(h hand) (int, bool) { return double(h, 2*h.Equal(2)), h.Equal(2) > 0 }},
		row{Name: "two-pairs", Score: func(h hand) (int, bool) {
			if c["four-as-two-pairs"] == "yes" && h.Equal(4) > 0 {
				return double(h, 4*h.Equal(4)), true
			}
			return double(h, h.Two(2, 2)), h.Two(2, 2) > 0
		}},
		row{Name: "three", Score: func(h hand) (int, bool) { return double(h, 3*h.Equal(3)), h.Equal(3) > 0 }},
		row{Name: "small-straight", Score: func(h hand) (int, bool) { return double(h, 15), h.Has(1, 2, 3, 4, 5) }},
		row{Name: "big-straight", Score: func(h hand) (int, bool) { return double(h, 20), h.Has(2, 3, 4, 5, 6) }},
		row{Name: "full-house", Score: func(h hand) (int, bool) {
			return double(h, h.Sum()), h.Two(3, 2) > 0 || c["five-as-full-house"] == "yes" && h.Same() > 0
		}},
		row{Name: "four", Score: func(h hand) (int, bool) { return double(h, 4*h.Equal(4)), h.Equal(4) > 0 }},
		row{Name: "poker", Score: func(h hand) (int, bool) {
			points := h.Sum() + 50
			switch {
			case doubled(h) && c["poker"] == "once":
				points += h.Sum()
			case doubled(h) && c["poker"] == "doubled":
				points *= 2
			}
			return points, h.Same() > 0
		}},
		row{Name: "chance", Score: func(h hand) (int, bool) {
			if c["chance"] == "double" {
				return double(h, h.Sum()), true
			}
			return h.Sum(), true
		}},
	)
	return n
}

// naiveBonus returns the bonus function for the sum of the school; kind is the value of the option bonus.
func naiveBonus(kind string) func(int) int {
	return func(sum int) int {
		switch {
		case sum >= 0 && (kind == "plus" || kind == "both"):
			return 50
		case sum < 0 && (kind == "minus" || kind == "both"):
			return -50
		}
		return 0
	}
}

// TestEveryHand fills every row with every hand, after every throw: with each value of each option, and with
// KNOBEL_TEST_LONG=1 with several together.
func TestEveryHand(t *testing.T) {
	all := []games.Rules{{}, {"miss": "deferred"}, {"four-as-two-pairs": "yes"}, {"five-as-full-house": "yes"},
		{"first-throw": "plain", "four-as-two-pairs": "yes", "five-as-full-house": "yes", "miss": "deferred"}}
	for _, poker := range []string{"once", "doubled", "never"} {
		for _, first := range []string{"double", "plain"} {
			for _, chance := range []string{"plain", "double"} {
				if !isLong() && (poker == "once" || first == "double" || chance == "plain") {
					continue
				}
				all = append(all, games.Rules{"poker": poker, "first-throw": first, "chance": chance})
			}
		}
	}
	for _, rules := range all {
		t.Run(fmt.Sprint(rules), func(t *testing.T) {
			rules["order"] = "free"
			sheettest.Hands{Game: New(), Rules: rules, Naive: naiveGame(withDefaults(rules))}.Check(t)
		})
	}
}

// TestEveryPart fills every row below a full school, and the last open row of the school, with every kind of bonus. It
// combines both orders with both kinds of misses only with KNOBEL_TEST_LONG=1.
func TestEveryPart(t *testing.T) {
	school := []string{"11123", "12223", "12333", "12444", "12555", "12666"}
	near := []string{".", "12223", "12333", "12444", "12555", "12666"} // with three ones the school adds up to 0
	for _, bonus := range []string{"plus", "minus", "both", "none"} {
		for _, miss := range []string{"strike", "deferred"} {
			for _, order := range []string{"parts", "free"} {
				if !isLong() && (miss == "strike") != (order == "parts") {
					continue
				}
				rules := games.Rules{"bonus": bonus, "miss": miss, "order": order}
				for _, cells := range [][]string{school, school[:5], near} {
					cells = append(slices.Clone(cells), slices.Repeat([]string{"."}, 15-len(cells))...)
					sheettest.Hands{Game: New(), Rules: rules, Naive: naiveGame(withDefaults(rules)), Cells: cells,
						Only: func(h hand) bool { return h.Throw != 2 }}.Check(t)
				}
			}
		}
	}
}
