package sheettest

import (
	"slices"
	"strings"

	"knobel/games/sheet"
)

// The rules of a game, and what they let a page be filled with.

// maxRows is how many rows a sheet may have here.
const maxRows = 24

// Row is a row as its rules say it.
type Row struct {
	Name   string
	Upper  bool // it counts for the sum that a bonus is for
	Places int  // 0 means one
	// Score returns the points of a hand, and whether the hand has what the row needs.
	Score func(h Hand) (points int, there bool)
}

// Naive is a game as its rules say it.
type Naive struct {
	Dice, Throws int
	Rows         []Row             // top to bottom
	Bonus        func(sum int) int // for the sum of the upper rows, once all are filled; nil: none
	Order        sheet.Order
	Misses       bool   // turns may end with nothing, and no row is struck
	Flag         string // the row of which it matters whether it holds points
	ByServed     bool   // it matters whether a throw threw all dice
	// Try changes what a row may be filled with, on some page, from what its needs alone say; nil: it does not. It and
	// Extra look at the dice of a hand alone.
	Try func(n *Naive, p Page, h Hand, row string, now Filling) Filling
	// Extra are points that a turn brings beside its row; nil: none.
	Extra func(p Page, h Hand) int
}

// Filling says how a row may be filled.
type Filling struct {
	Points        int // when written
	Write, Strike bool
}

// Page is what matters of what a seat has written.
type Page struct {
	Left  [maxRows]int8 // open places of each row
	Sum   int           // of the upper rows
	Holds bool          // the row of the flag has points
}

// Fill is one way to end a turn.
type Fill struct {
	Verb string // of the move
	Row  int    // -1 for none
	// Points are all that the total gains; Own are those of the row.
	Points, Own int
}

// move returns how a match spells it.
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

// Page reads what a stored match has on a page, with every row once.
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
			now = n.filling(i, h)
		}
		p = n.next(p, i, now.Points, cell != "-")
	}
	return p
}

// filling returns what the needs alone say.
func (n *Naive) filling(row int, h Hand) Filling {
	points, there := n.Rows[row].Score(h)
	if !there {
		points = 0
	}
	return Filling{points, there, !there && !n.Misses}
}

// next returns a page with one more place of a row filled.
func (n *Naive) next(p Page, row, points int, wrote bool) Page {
	p.Left[row]--
	if n.Rows[row].Upper && n.Bonus != nil {
		p.Sum += points
	}
	if n.Rows[row].Name == n.Flag && wrote && points > 0 {
		p.Holds = true
	}
	return p
}

// whole reports whether all upper rows are filled.
func (n *Naive) whole(p Page) bool {
	for i, row := range n.Rows {
		if row.Upper && p.Left[i] > 0 {
			return false
		}
	}
	return true
}

// inOrder reports whether the order of the sheet lets a row be filled.
func (n *Naive) inOrder(p Page, row int) bool {
	switch n.Order {
	case sheet.Top:
		for above := range row {
			if p.Left[above] > 0 {
				return false
			}
		}
	case sheet.Parts:
		return n.Rows[row].Upper || n.whole(p)
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
		if p.Left[i] == 0 || !n.inOrder(p, i) {
			continue
		}
		now := n.filling(i, h)
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
	if n.Misses && (n.Order != sheet.Parts || n.whole(p)) {
		fills = append(fills, Fill{Verb: "miss", Row: -1, Points: extra})
	}
	return fills
}

func (n *Naive) fill(p Page, row int, verb string, points, extra int) Fill {
	f := Fill{Verb: verb, Row: row, Own: points, Points: points + extra}
	if p = n.next(p, row, points, verb == "write"); n.Bonus != nil && n.Rows[row].Upper && n.whole(p) {
		f.Points += n.Bonus(p.Sum)
	}
	return f
}

// Faces returns the upper rows: each the sum of the dice of its face.
func Faces(names ...string) []Row {
	var rows []Row
	for i, name := range names {
		rows = append(rows, Row{Name: name, Upper: true, Score: func(h Hand) (int, bool) {
			return h.Count(i+1) * (i + 1), true
		}})
	}
	return rows
}

// From returns a bonus of so many points for a sum of at least so much.
func From(least, points int) func(int) int {
	return func(sum int) int {
		if sum >= least {
			return points
		}
		return 0
	}
}
