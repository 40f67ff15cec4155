package sheettest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"knobel/games"
)

// The comparison of every possible hand with the match of a game.

// Hands compares a game with its naive implementation, hand by hand.
type Hands struct {
	Game  games.Game
	Rules games.Rules
	Naive *Naive
	// Cells holds the page's places as a match stores them; nil: all open.
	Cells []string
	// Only selects the hands to compare; nil: all.
	Only func(h Hand) bool
	// Gains returns the change of the total for points written in a row; nil: the points.
	Gains func(row string, points int) int

	before *int // the total of the page, which the dice do not change; nil until computed
}

// Check loads a match with every hand after every throw, and compares the rows that may be filled. It also compares the
// points that they add, but after throws between the first and the last only with KNOBEL_TEST_LONG=1.
func (c Hands) Check(t *testing.T) {
	t.Helper()
	n := c.Naive
	if c.Cells == nil {
		for _, row := range n.Rows {
			for range max(row.Places, 1) {
				c.Cells = append(c.Cells, ".")
			}
		}
	}
	for _, dice := range allThrows(n.Dice) {
		for throw := 1; throw <= n.Throws; throw++ {
			for _, served := range []bool{true, false} {
				h := Hand{dice, throw, served}
				if throw == 1 && !served || throw > 1 && served && !n.ByServed || c.Only != nil && !c.Only(h) {
					continue
				}
				c.checkHand(t, h)
			}
		}
	}
}

// checkHand compares the moves after hand h, and their points.
func (c *Hands) checkHand(t *testing.T, h Hand) {
	t.Helper()
	m := c.load(t, h)
	want := map[string]int{}
	for _, f := range c.naiveFills(h) {
		move := c.Naive.move(f)
		want[move] = f.Points
		if c.Gains != nil && f.Verb == "write" {
			want[move] = f.Points - f.Own + c.Gains(c.Naive.Rows[f.Row].Name, f.Own)
		}
	}
	position := fmt.Sprintf("%v, %v, with %v after throw %d, served %v", c.Rules, c.Cells, h, h.Throw, h.Served)
	if c.before == nil {
		c.before = new(c.total(t, m))
	}
	checksPoints := h.Throw == 1 || h.Throw == c.Naive.Throws || os.Getenv("KNOBEL_TEST_LONG") != ""
	for _, move := range m.Moves(0) {
		verb, _, _ := strings.Cut(string(move), " ")
		if verb == "keep" || verb == "call" {
			continue
		}
		points, isExpected := want[string(move)]
		if !isExpected {
			t.Errorf("%s: %q is offered", position, move)
			continue
		}
		delete(want, string(move))
		if !checksPoints {
			continue
		}
		next, _, err := games.Play(m, 0, move, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.total(t, next) - *c.before; got != points {
			t.Errorf("%s: %q brings %d, not %d", position, move, got, points)
		}
	}
	for move := range want {
		t.Errorf("%s: %q is not offered", position, move)
	}
}

// naiveFills returns the ways to fill the page with h according to c.Naive. Rows with several places are supported only
// if all of Cells are open.
func (c Hands) naiveFills(h Hand) []Fill {
	p := c.Naive.Start()
	if strings.Trim(strings.Join(c.Cells, ""), ".") != "" {
		p = c.Naive.Page(c.Cells)
	}
	return c.Naive.Fills(p, h)
}

// load returns the match with the page Cells and the hand h.
func (c Hands) load(t *testing.T, h Hand) games.Match {
	t.Helper()
	filled := 0
	for _, cell := range c.Cells {
		if cell != "." && cell[0] != '+' {
			filled++
		}
	}
	kept := strings.Repeat("0", c.Naive.Dice)
	if !h.Served {
		kept = "1" + kept[1:]
	}
	saved := fmt.Sprintf(`{"sheets":["%s"],"round":%d,"turn":0,"throws":%d,"dice":"%v","kept":"%s"}`,
		strings.Join(c.Cells, " "), filled, h.Throw, h, kept)
	m, err := c.Game.Load(c.Rules, []byte(saved))
	if err != nil {
		t.Fatalf("%v: %s: %v", c.Rules, saved, err)
	}
	return m
}

// total returns the total of the sheet, with the bonuses of complete sections only.
func (c Hands) total(t *testing.T, m games.Match) int {
	t.Helper()
	early := 0
	open := map[int]bool{} // columns in which a row before the bonus is open
	for _, row := range m.View().Sheet.Rows {
		for column, cell := range row.Cells {
			if open[column] = open[column] || cell.Mark == games.Open; open[column] &&
				strings.HasSuffix(row.Name.Key, ".sum.bonus") {
				early += cell.Points
			}
		}
		if strings.HasSuffix(row.Name.Key, ".sum.total") {
			return row.Cells[0].Points - early
		}
	}
	t.Fatal("the sheet has no total")
	return 0
}
