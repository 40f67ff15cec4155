package sheet

import (
	"slices"
	"sync"

	"knobel/games"
)

// Paper holds the rules of a table: the score sheet and how it is filled. It contains no functions.
type Paper struct {
	Dice     int // the number of dice, at most 6
	Throws   int // the largest number of throws in a turn
	Sections []Section
	Order    Order
	Columns  []Column // the columns; empty for a single one, filled as Order says
	// Colours holds the colour of each face, that of 1 first; empty if colours do not matter.
	Colours []int
	Again   Again // the effect of throwing equal dice when the row for equal dice is full
	Misses  bool  // a turn may end without filling a row; then rows are never struck
	Saves   bool  // unused throws may be made in later turns of the seat
	Wins    bool  // all dice equal in the first throw of a turn win the match
	Final   *Final
	Settle  games.Shape // the way to settle the result
	Point   int         // the worth of a point of difference, in units
}

// Section is a part of the sheet. Its sum is shown if it has a name.
type Section struct {
	Name  string // the name in message keys; empty if no sum is shown
	Rows  []Row
	Bonus []Step // the bonus for the sum of its rows once all are written; ascending
	Times string // a row by which the first row less the second is multiplied; "": rows are added
}

// Step is a bonus of Points for a sum that is at least From and less than From of the next step.
type Step struct{ From, Points int }

// Row is a row of the sheet.
type Row struct {
	Name   string // the name in moves, keys and records
	Need   Need
	Points Points
	Places int  // how often it can be filled; 0 means once
	Cheers bool // the sentence about writing it ends with an exclamation mark
}

// Column is one of several columns of a sheet.
type Column struct {
	Name  string // the name in moves and keys
	Order ColumnOrder
}

// ColumnOrder is the order in which the rows of a column are filled.
type ColumnOrder uint8

// The orders of columns.
const (
	AnyRow ColumnOrder = iota
	Down               // from top to bottom
	Up                 // from bottom to top
	Called             // only the row that was called after the first throw of the turn
)

// Order is the order in which the rows of a sheet with a single column are filled.
type Order uint8

// The orders of a sheet.
const (
	Free  Order = iota // any row at any time
	Top                // always the topmost open row
	Parts              // the first section is filled before the others
)

// Again defines the points of a throw of all dice equal once the row for such throws is full.
type Again struct {
	Row    string // the name of the row for equal dice; empty: no effect
	Points int    // bonus for each turn that ends with all dice equal while Row has points
	Joker  Joker
}

// Joker selects the rows that equal dice may fill once the row for them is full.
type Joker uint8

// The jokers. A forced joker must fill the row of the dice's face if it is open, else a row that counts no face. When
// the row of that face is full, both kinds may write a row of fixed points without meeting its need.
const (
	NoJoker Joker = iota
	ForcedJoker
	FreeJoker
)

// Final defines points for a full sheet. They decide the places and payments; the total breaks ties.
type Final struct {
	Sums   []FinalSum // points for the sum of a row
	Clean  []FinalRow // points for a row without a struck place
	Each   FinalRow   // points for each written place of a row
	Totals []Step     // points for the total
}

// FinalSum gives points for a row whose sum is at least From.
type FinalSum struct {
	Row          string
	From, Points int
}

// FinalRow is a row and the points that it gives if it meets a condition of Final.
type FinalRow struct {
	Row    string
	Points int
}

// plan is a paper prepared for play: its rows and places (cells of a page) have numbers.
type plan struct {
	set          *rules
	variant      string // the variant after which the table is named, "" if it is named after the game
	paper        Paper
	rows         []row
	columns      []Column
	all          games.DiceSet     // the set of all dice
	places       int               // the number of places on a page, equal to the turns of a seat
	again        int               // the row of paper.Again, -1 if there is none
	first, lower rowSet            // the rows of the first section, and those that count no face
	own          [sides + 1]rowSet // the row of each face
	wide         int               // the number of columns of a seat on the score sheet
	extremes     func() []extreme  // returns the extremes by row, computed on the first call
}

// row is a row of a plan, with the numbers that it and its places have.
type row struct {
	Row
	section int
	first   int  // its first place within a column
	count   int  // the number of its places within a column
	with    int  // the row that must already have points, or -1
	face    int  // the face of a row that counts one face, else 0
	lower   bool // it is not a row of a face
}

// newPlan prepares a paper for play under a rule set.
func newPlan(set *rules, paper Paper) *plan {
	p := &plan{set: set, paper: paper, columns: paper.Columns, all: 1<<paper.Dice - 1}
	if len(p.columns) == 0 {
		p.columns = []Column{{}}
	}
	nextPlace := 0
	for s, section := range paper.Sections {
		for _, r := range section.Rows {
			prepared := row{Row: r, section: s, first: nextPlace, count: max(r.Places, 1), lower: r.Points.Face == 0}
			prepared.face = r.Points.Face
			nextPlace += prepared.count
			if s == 0 {
				p.first |= 1 << len(p.rows)
			}
			if prepared.lower {
				p.lower |= 1 << len(p.rows)
			} else if p.own[prepared.face] == 0 {
				p.own[prepared.face] = 1 << len(p.rows)
			}
			p.rows = append(p.rows, prepared)
		}
	}
	for r := range p.rows {
		p.rows[r].with = p.rowNamed(p.rows[r].Need.With)
	}
	p.places = nextPlace * len(p.columns)
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

// rowNamed returns the index of the row with that name, -1 if there is none.
func (p *plan) rowNamed(name string) int {
	return slices.IndexFunc(p.rows, func(r row) bool { return r.Name == name })
}

// spot is a row in a column of a page.
type spot struct{ column, row int }

// firstPlace returns the number of the first place (cell of a page) of spot s.
func (p *plan) firstPlace(s spot) int {
	return s.column*(p.places/len(p.columns)) + p.rows[s.row].first
}

// spotName returns the text for spot s in moves: the row, after its column if there are several columns.
func (p *plan) spotName(s spot) string {
	if len(p.columns) == 1 {
		return p.rows[s.row].Name
	}
	return p.columns[s.column].Name + " " + p.rows[s.row].Name
}

// spotNamed returns the spot for which spotName returns name, and false if there is none.
func (p *plan) spotNamed(name string) (spot, bool) {
	for column := range p.columns {
		for r := range p.rows {
			if s := (spot{column, r}); p.spotName(s) == name {
				return s, true
			}
		}
	}
	return spot{}, false
}

// canBeStruck reports whether the row can be struck: all can except those whose need is always met.
func (r *row) canBeStruck() bool { return !r.Need.isAlwaysMet() }

// canDouble reports whether the row counts double right after the first throw.
func (r *row) canDouble() bool { return r.Points.Doubled != Single }

// isSigned reports whether the row can give losses, so that its points have a sign.
func (r *row) isSigned() bool { return r.Points.Count == OverThree }

// isSigned reports whether rows of the section can give losses, so that its sum has a sign.
func (s Section) isSigned() bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Points.Count == OverThree })
}
