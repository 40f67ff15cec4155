package wuerfelpoker

import (
	"slices"

	"knobel/games"
)

// row is a row of the sheet, from top to bottom. The rows of the school have
// the face that they count, less one.
type row uint8

const (
	ones row = iota
	twos
	threes
	fours
	fives
	sixes
	pair
	twoPairs
	three
	smallStraight
	bigStraight
	fullHouse
	four
	poker
	chance

	rows         = 15 // on the sheet, and rounds of a match
	schoolRows   = 6  // of part one
	combinations = rows - schoolRows
)

// names are the rows' names in moves, keys and records.
var names = [rows]string{
	"ones", "twos", "threes", "fours", "fives", "sixes",
	"pair", "two-pairs", "three", "small-straight", "big-straight", "full-house", "four", "poker", "chance",
}

// writes and strikeMoves are the moves that fill a row.
var writes, strikeMoves = func() (w, s [rows]games.Move) {
	for i, name := range names {
		w[i], s[i] = games.Move("write "+name), games.Move("strike "+name)
	}
	return w, s
}()

// hardest are the combinations that can be struck, in the order in which one
// would rather strike them: first what a round brings least of on average.
var hardest = [...]row{poker, smallStraight, bigStraight, four, fullHouse, three, twoPairs, pair}

// rowNamed finds a row by its name.
func rowNamed(name string) (row, bool) {
	i := slices.Index(names[:], name)
	return row(max(i, 0)), i >= 0
}

func (w row) String() string { return names[w] }

// school reports whether the row belongs to part one.
func (w row) school() bool { return w < schoolRows }

// face is the face that a row of the school counts.
func (w row) face() int { return int(w) + 1 }

// name is the row's name in a sentence.
func (w row) name() games.Word { return games.Word("wuerfelpoker.row." + names[w]) }

// short is the row's name at the edge of a sheet, at most ten characters.
func (w row) short() games.Line { return games.Say("wuerfelpoker.short."+names[w], nil) }
