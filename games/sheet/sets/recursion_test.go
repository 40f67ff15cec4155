package sets

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"knobel/games/sheet"
	"knobel/games/sheet/sheettest"
)

// cut is a set with a few of its rows: their names stand in one string.
type cut struct {
	paper func(sheet.Chosen) sheet.Paper
	rules sheet.Chosen
	plain *sheettest.Naive
	bonus func(int) int
	cap   int // sums of faces from here on are alike, 0 where none are
	rows  string
}

// naive is the game told plainly.
func (c cut) naive() *sheettest.Naive {
	n := c.plain.Cut(c.bonus, strings.Fields(c.rows)...)
	n.Cap = c.cap
	return n
}

// sheet is the game as the engine has it.
func (c cut) sheet() sheet.Paper {
	return sheettest.Cut(c.paper(c.rules), c.bonus, strings.Fields(c.rows)...)
}

// long reports whether tests may take longer: then more rows are played.
func long() bool { return os.Getenv("KNOBEL_TEST_LONG") != "" }

// check compares perfect play of the set with the recursion.
func (c cut) check(t *testing.T, rows string) {
	t.Helper()
	c.rows = rows
	t.Run(fmt.Sprintf("%v %s", c.rules, rows), func(t *testing.T) { sheettest.Perfect(t, c.sheet(), c.naive()) })
}

func TestYatzyIsPlayedPerfectly(t *testing.T) {
	free, forced := sheet.Chosen{"order": "free", "bonus": "63"}, sheet.Chosen{"order": "forced", "bonus": "63"}
	top := plainYatzy()
	top.Order = sheet.Top
	for rows, least := range map[string]int{
		"ones twos fives pair two-pairs three":                         14,
		"twos threes four small-straight yatzy":                        9,
		"fours sixes big-straight full-house chance":                   24,
		"ones threes fives sixes pair three small-straight full-house": 30,
		"twos fours two-pairs four big-straight chance yatzy":          12,
	} {
		bonus := sheettest.From(least, 50)
		cut{yatzy, forced, top, bonus, 0, ""}.check(t, rows)
		if long() || strings.Count(rows, " ") < 7 {
			cut{yatzy, free, plainYatzy(), bonus, 0, ""}.check(t, rows)
		}
	}
}

func TestMaxiYatzyIsPlayedPerfectly(t *testing.T) {
	for rows, least := range map[string]int{
		"ones twos pair two-pairs three-pairs three":                               8,
		"threes fives four five small-straight chance full-straight":               24,
		"fours sixes big-straight full-straight full-house villa":                  30,
		"ones sixes full-house villa tower chance maxi-yatzy":                      20,
		"threes fours sixes three-pairs full-straight villa full-house maxi-yatzy": 48,
	} {
		bonus := sheettest.From(least, 100)
		if !long() && strings.Count(rows, " ") >= 6 {
			continue
		}
		cut{maxiYatzy, sheet.Chosen{"saved": "no"}, plainMaxiYatzy(), bonus, 0, ""}.check(t, rows)
	}
}

func TestGeneralaIsPlayedPerfectly(t *testing.T) {
	for _, first := range []int{5, 0, 10} {
		for _, wrap := range []bool{false, true} {
			for _, double := range []bool{false, true} {
				if !long() && (first != 5 || wrap != double) {
					continue
				}
				rules := sheet.Chosen{"first": fmt.Sprint(first), "wrap": yes(wrap), "double": yes(double)}
				c := cut{generala, rules, plainGenerala(first, wrap, double), nil, 0, ""}
				if !double {
					c.check(t, "ones threes fives sixes straight full poker generala")
					if first == 5 && long() {
						c.check(t, "ones twos threes fours fives sixes straight full poker generala")
					}
					continue
				}
				c.check(t, "sixes straight generala double-generala")
				c.check(t, "twos fours fives straight full poker generala double-generala")
			}
		}
	}
}

// TestEscaleroIsPlayedPerfectly has the whole sheet too with KNOBEL_TEST_LONG=1: no sum makes pages more than they are.
func TestEscaleroIsPlayedPerfectly(t *testing.T) {
	c := cut{escalero, sheet.Chosen{"columns": "1"}, plainEscalero(), nil, 0, ""}
	c.check(t, "nines jacks aces straight full poker grande")
	c.check(t, "tens queens kings straight grande")
	if long() {
		c.check(t, "nines tens jacks queens kings aces straight full poker grande")
	}
}

func TestKismetIsPlayedPerfectly(t *testing.T) {
	for _, strict := range []bool{true, false} {
		c := cut{paper: kismet, rules: sheet.Chosen{"strict": yes(strict)}, plain: plainKismet(strict)}
		c.bonus = kismetBonus(4, 8, 12)
		c.check(t, "ones threes colour-pairs three straight kismet")
		c.bonus = kismetBonus(14, 20, 26)
		c.check(t, "fours fives flush full-house kismet colour-pairs")
		c.bonus = kismetBonus(14, 20, 21)
		c.check(t, "twos sixes colour-house four yarborough")
		if !long() {
			continue
		}
		c.bonus = kismetBonus(24, 30, 36)
		c.check(t, "twos fours sixes colour-pairs flush full-house colour-house kismet")
	}
}

// TestCragIsPlayedPerfectly has every row with KNOBEL_TEST_LONG=1: three dice are quickly thrown.
func TestCragIsPlayedPerfectly(t *testing.T) {
	c := cut{paper: crag, plain: plainCrag()}
	c.check(t, "ones threes fives odd even low three crag")
	c.check(t, "twos fours sixes low high thirteen crag even")
	if long() {
		c.check(t, "ones twos threes fours fives sixes odd even low high three thirteen crag")
	}
}

// TestKniffelIsPlayedPerfectly has all faces where jokers ask for their rows, with a sum that soon matters no more.
// With KNOBEL_TEST_LONG=1 it matters longer, and each kind of joker is played with all further points.
func TestKniffelIsPlayedPerfectly(t *testing.T) {
	const faces = "ones twos threes fours fives sixes kniffel "
	lower := []string{"four-alike", "small-straight", "full-house"}
	for j, joker := range []string{"none", "forced", "free"} {
		for i, further := range []int{0, 50, 100} {
			if !long() && i != j {
				continue
			}
			rules := sheet.Chosen{"further": fmt.Sprint(further), "joker": joker}
			c := cut{paper: kniffel, rules: rules, plain: plainKniffel(further, joker)}
			c.bonus = sheettest.From(10, 35)
			c.check(t, "ones threes four-alike small-straight kniffel large-straight")
			c.bonus = sheettest.From(18, 35)
			c.check(t, "twos sixes full-house kniffel chance")
			c.bonus = sheettest.From(8, 35)
			c.check(t, "fives three-alike large-straight kniffel full-house small-straight four-alike")
			if joker == "none" {
				continue
			}
			c.bonus, c.cap = sheettest.From(4, 35), 4
			c.check(t, faces+lower[i])
			if !long() {
				continue
			}
			c.bonus, c.cap = sheettest.From(50, 35), 0
			c.check(t, faces+lower[i])
		}
	}
}
