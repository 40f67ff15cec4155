package sheettest

import (
	"slices"
	"strings"

	"knobel/games/sheet"
)

// Naive implementations of games, and the ways to fill a page in them.

// maxRows is the largest number of rows of a sheet.
const maxRows = 24

// Row is a row, implemented from its rules.
type Row struct {
	Name   string
	Upper  bool // its points are part of the sum for the bonus
	Places int  // how often it can be filled; 0 means once
	// Score returns the points of a hand, and whether the hand meets the row's need.
	Score func(h Hand) (points int, met bool)
}

// Naive is a game, implemented from its rules.
type Naive struct {
	Dice, Throws int
	Rows         []Row             // the rows from top to bottom
	Bonus        func(sum int) int // the bonus for the sum of the upper rows, once all are filled; nil: none
	Order        sheet.Order
	Misses       bool   // turns may end with nothing, and no row is struck
	Flag         string // the name of a row for which it matters whether it holds points
	ByServed     bool   // points depend on whether the last throw threw all dice
	// Try returns the Filling of a row if not only its Score decides; now is the Filling by Score alone. If Try is nil,
	// now is used. Try and Extra may use only the dice of h.
	Try func(n *Naive, p Page, h Hand, row string, now Filling) Filling
	// Extra returns points that a turn adds in addition to its row; nil: none.
	Extra func(p Page, h Hand) int
}

// Filling is the way in which a row may be filled: written, struck or neither.
type Filling struct {
	Points        int // the points if the row is written
	Write, Strike bool
}

// Page is the state of a seat's page, as far as it matters.
type Page struct {
	Left  [maxRows]int8 // the number of open places of each row
	Sum   int           // the sum of the filled upper rows
	Holds bool          // the row Flag has points
}

// Fill is one way to end a turn.
type Fill struct {
	Verb string // the first word of the move: "write", "strike" or "miss"
	Row  int    // the index in Naive.Rows of the row, -1 for none
	// Points is the whole gain of the total; Own is that of the row alone.
	Points, Own int
}

// move returns the text of the move that f describes.
func (n *Naive) move(f Fill) string {
	if f.Row < 0 {
		return f.Verb
	}
	return f.Verb + " " + n.Rows[f.Row].Name
}

// Open reports whether a row is on the sheet and has an open place.
func (n *Naive) Open(p Page, row string) bool {
	i := slices.IndexFunc(n.Rows, func(r Row) bool { return r.Name == row })
	return i >= 0 && p.Left[i] > 0
}

// Start returns an empty page.
func (n *Naive) Start() Page {
	var p Page
	for i, row := range n.Rows {
		p.Left[i] = int8(max(row.Places, 1))
	}
	return p
}

// Page returns the page with these cells, spelled as in a stored match. Every row must have one place.
func (n *Naive) Page(cells []string) Page {
	p := n.Start()
	for i, cell := range cells[:len(n.Rows)] {
		if cell == "." {
			continue
		}
		h := Hand{Throw: 2}
		if strings.HasSuffix(cell, "!") {
			h.Throw = 1
		}
		for _, die := range cell[:n.Dice*min(1, len(cell)/n.Dice)] {
			h.Dice = append(h.Dice, int(die-'0'))
		}
		now := Filling{Strike: true}
		if cell != "-" {
			now = n.plainFilling(i, h)
		}
		p = n.afterFill(p, i, now.Points, cell != "-")
	}
	return p
}

// plainFilling returns the Filling of a row that follows from its Score, before Naive.Try changes it.
func (n *Naive) plainFilling(row int, h Hand) Filling {
	points, met := n.Rows[row].Score(h)
	if !met {
		points = 0
	}
	return Filling{points, met, !met && !n.Misses}
}

// afterFill returns page p with one more place of a row filled; wrote means written, not struck.
func (n *Naive) afterFill(p Page, row, points int, wrote bool) Page {
	p.Left[row]--
	if n.Rows[row].Upper && n.Bonus != nil {
		p.Sum += points
	}
	if n.Rows[row].Name == n.Flag && wrote && points > 0 {
		p.Holds = true
	}
	return p
}

// hasFullUpper reports whether all upper rows are filled.
func (n *Naive) hasFullUpper(p Page) bool {
	for i, row := range n.Rows {
		if row.Upper && p.Left[i] > 0 {
			return false
		}
	}
	return true
}

// mayFill reports whether the order of the sheet allows to fill a row.
func (n *Naive) mayFill(p Page, row int) bool {
	switch n.Order {
	case sheet.Top:
		for above := range row {
			if p.Left[above] > 0 {
				return false
			}
		}
	case sheet.Parts:
		return n.Rows[row].Upper || n.hasFullUpper(p)
	}
	return true
}

// Fills returns every way to end a turn with a hand.
func (n *Naive) Fills(p Page, h Hand) (fills []Fill) {
	extra := 0
	if n.Extra != nil {
		extra = n.Extra(p, h)
	}
	for i, row := range n.Rows {
		if p.Left[i] == 0 || !n.mayFill(p, i) {
			continue
		}
		now := n.plainFilling(i, h)
		if n.Try != nil {
			now = n.Try(n, p, h, row.Name, now)
		}
		if now.Write {
			fills = append(fills, n.fill(p, i, "write", now.Points, extra))
		}
		if now.Strike {
			fills = append(fills, n.fill(p, i, "strike", 0, extra))
		}
	}
	if n.Misses && (n.Order != sheet.Parts || n.hasFullUpper(p)) {
		fills = append(fills, Fill{Verb: "miss", Row: -1, Points: extra})
	}
	return fills
}

// fill returns the Fill of a row on p. verb is "write" or "strike", points the row's points, extra the result of Extra.
func (n *Naive) fill(p Page, row int, verb string, points, extra int) Fill {
	f := Fill{Verb: verb, Row: row, Own: points, Points: points + extra}
	if p = n.afterFill(p, row, points, verb == "write"); n.Bonus != nil && n.Rows[row].Upper && n.hasFullUpper(p) {
		f.Points += n.Bonus(p.Sum)
	}
	return f
}

// Faces returns the upper rows with these names: each counts the sum of the dice of its face.
func Faces(names ...string) []Row {
	var rows []Row
	for i, name := range names {
		rows = append(rows, Row{Name: name, Upper: true, Score: func(h Hand) (int, bool) {
			return h.Count(i+1) * (i + 1), true
		}})
	}
	return rows
}

// From returns a bonus function: points for a sum of at least least, else 0.
func From(least, points int) func(int) int {
	return func(sum int) int {
		if sum >= least {
			return points
		}
		return 0
	}
}
