package sheet

import (
	"slices"
	"sync"

	"knobel/games"
)

// Paper is the rules of a table: the sheet, and how it is filled. It is data alone.
type Paper struct {
	Dice     int // how many are thrown, at most 6
	Throws   int // how many a turn has
	Sections []Section
	Order    Order
	Columns  []Column // none: one, filled in any order
	// Colours holds the colour of each face, the 1 first; none where colours play no part.
	Colours []int
	Again   Again // what further equal dice bring once their row is filled
	Misses  bool  // a turn may end with no row; then no row is struck
	Saves   bool  // throws that a turn leaves may be made in later turns of the seat
	Wins    bool  // all dice equal in the first throw of a turn win the match
	Final   *Final
	Settle  games.Shape // how the result is settled
	Point   int         // what a point of difference is worth, in units
}

// Section is a part of the sheet, with a sum of its own where it has a name.
type Section struct {
	Name  string // in keys; empty: its rows count for the total alone
	Rows  []Row
	Bonus []Step // for the sum of its rows, once all are filled; ascending
	Times string // the name of the row whose points multiply the first row less the second, if any
}

// Step is a bonus for a sum that is at least From, up to the next step.
type Step struct{ From, Points int }

// Row is a row of the sheet.
type Row struct {
	Name   string // in moves, keys and records
	Need   Need
	Points Points
	Places int  // how often it is filled; 0 means once
	Cheers bool // writing it is told with an exclamation mark
}

// Column is one of several columns of a sheet.
type Column struct {
	Name  string // in moves and keys
	Order ColumnOrder
}

// ColumnOrder is the order in which the rows of a column are filled.
type ColumnOrder uint8

// The orders of columns.
const (
	AnyRow ColumnOrder = iota
	Down               // from the top
	Up                 // from the bottom
	Called             // only the row that was called after the first throw of the turn
)

// Order is the order in which the rows of a sheet of one column are filled.
type Order uint8

// The orders of a sheet.
const (
	Free  Order = iota // any row at any time
	Top                // always the topmost open row
	Parts              // the first section wholly before the others
)

// Again says what all dice equal bring when the row that needs them is filled.
type Again struct {
	Row    string // that row; empty: nothing
	Points int    // for each turn that ends so while the row holds points
	Joker  Joker
}

// Joker says which rows equal dice may fill once their own is filled.
type Joker uint8

// The jokers. With either, rows of fixed points whose need is missing may be written when the face's own row is
// filled, and lower rows before upper ones where the joker is forced.
const (
	NoJoker Joker = iota
	ForcedJoker
	FreeJoker
)

// Final makes points of a sheet that is full: places and settlement go by them, equal ones by the total.
type Final struct {
	Sums   []FinalSum // for the sum of a row
	Clean  []FinalRow // for a row of which no place was struck
	Each   FinalRow   // for each place of a row with points
	Totals []Step     // by the total
}

// FinalSum gives points to a row whose sum is at least From.
type FinalSum struct {
	Row          string
	From, Points int
}

// FinalRow gives points to a row.
type FinalRow struct {
	Row    string
	Points int
}

// plan is a paper made ready to play by: its rows and places numbered.
type plan struct {
	set          *rules
	paper        Paper
	rows         []row
	columns      []Column
	all          games.DiceSet     // all dice
	places       int               // of a page, which are the turns of a seat
	again        int               // the row of paper.Again, -1 without one
	first, lower rowSet            // the rows of the first section, and those below the rows of faces
	own          [sides + 1]rowSet // the row of each face
	wide         int               // how many columns a seat has on the sheet
	extremes     func() []extreme  // by row
}

// row is a row with its place among the others.
type row struct {
	Row
	section int
	first   int  // its first place within a column
	count   int  // its places within a column
	with    int  // the row that must hold points, -1 without one
	face    int  // of a row that counts one face, else 0
	lower   bool // it stands below the rows of faces
}

// newPlan numbers the rows and places of a paper.
func newPlan(set *rules, paper Paper) *plan {
	p := &plan{set: set, paper: paper, columns: paper.Columns, all: 1<<paper.Dice - 1}
	if len(p.columns) == 0 {
		p.columns = []Column{{}}
	}
	within := 0
	for s, section := range paper.Sections {
		for _, r := range section.Rows {
			one := row{Row: r, section: s, first: within, count: max(r.Places, 1), lower: r.Points.Face == 0}
			one.face = r.Points.Face
			within += one.count
			if s == 0 {
				p.first |= 1 << len(p.rows)
			}
			if one.lower {
				p.lower |= 1 << len(p.rows)
			} else if p.own[one.face] == 0 {
				p.own[one.face] = 1 << len(p.rows)
			}
			p.rows = append(p.rows, one)
		}
	}
	for r := range p.rows {
		p.rows[r].with = p.rowNamed(p.rows[r].Need.With)
	}
	p.places = within * len(p.columns)
	p.again, p.wide = p.rowNamed(paper.Again.Row), len(p.columns)
	for _, r := range p.rows {
		p.wide = max(p.wide, r.count)
	}
	p.extremes = sync.OnceValue(func() (all []extreme) {
		for r := range p.rows {
			all = append(all, p.extremeOf(r))
		}
		return all
	})
	return p
}

// rowNamed finds a row by its name, -1 where there is none.
func (p *plan) rowNamed(name string) int {
	return slices.IndexFunc(p.rows, func(r row) bool { return r.Name == name })
}

// spot is a row of a column.
type spot struct{ column, row int }

// place returns the first place of a spot on a page.
func (p *plan) place(s spot) int { return s.column*(p.places/len(p.columns)) + p.rows[s.row].first }

// name spells a spot as in moves: the row, behind its column where there are several.
func (p *plan) name(s spot) string {
	if len(p.columns) == 1 {
		return p.rows[s.row].Name
	}
	return p.columns[s.column].Name + " " + p.rows[s.row].Name
}

// spotNamed returns the spot that name spells so, and false where there is none.
func (p *plan) spotNamed(name string) (spot, bool) {
	for column := range p.columns {
		for r := range p.rows {
			if s := (spot{column, r}); p.name(s) == name {
				return s, true
			}
		}
	}
	return spot{}, false
}

// strikes reports whether a row can be struck at all: not one that needs nothing.
func (r *row) strikes() bool { return !r.Need.any() }

// doubles reports whether the row counts double right after the first throw.
func (r *row) doubles() bool { return r.Points.Doubled != Single }

// signed reports whether the row's points are gains or losses.
func (r *row) signed() bool { return r.Points.Count == OverThree }

// signed reports whether the sum of a section is of gains and losses.
func (s Section) signed() bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Points.Count == OverThree })
}
