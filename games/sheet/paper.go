package sheet

import "knobel/games"

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
