package games

import "math/bits"

// View is the public view of a match, as a structure that boards show. The caller translates its lines and draws its
// parts as its platform allows.
type View struct {
	// Won names the winner in one plain sentence once the match is over. It is empty before that, and if a seat has
	// left the game, because then not only the dice decide. For games with a pool, another sentence also tells the
	// amount won: its key is that of Won plus "-takes", with the further argument Amount.
	Won Line
	// Head holds plain sentences: first on the last move or the turn that it ended, then on the seat that moves next.
	// Boards use the first sentence as their heading. After the end of the match, Head describes how the last turn
	// ended, unless the rest of the view shows it.
	Head []Line
	// Tiles holds rows of tiles; none in games without tiles. Until the next throw, a row may show the owner and the
	// dice of the turn that has just ended; at the end of the match it does so only if that owner has won.
	Tiles []TileRow
	// Sheet is the score sheet; nil in games without one.
	Sheet *Sheet
	// Dice holds the dice that the mover has thrown, left to right; none before a throw.
	Dice []Die
	// Stands holds the standing of each seat, in seat order.
	Stands []Stand
	// Notes holds at most two lines about the match, such as the round and the limit.
	Notes []Line
	// Buttons holds the moves of the seats that may move now, in rows that belong together. The most usual move is
	// first, and Primary. A legal move without a button is among the choices of Pick.
	Buttons [][]Button
	// Groups holds the names of the groups into which small boards divide the buttons; none if all always fit.
	Groups []Line
	// Apart labels a button that opens a page of the Danger buttons. If its key is empty, they stay with the others.
	Apart Line
	// Pick, if not nil, offers moves that are too many to have a button each.
	Pick *Pick
	// Race is the progress of the seats in games that end at a number of points; nil in others.
	Race *Race
	// Undo lists the seats that may take back the last move: the seat that made it, until that move or a later one
	// throws dice. It is empty once the match is over.
	Undo []Seat
}

// Race is the progress of the seats of a match to the number of points that ends it.
type Race struct {
	Target int
	Points []int // in seat order
	Turn   int   // points of the present turn, which are not yet among Points
}

// TileRow is one row of tiles, in ascending order, or the last throw of a finished turn, or both.
type TileRow struct {
	Owner Seat   // Nobody if all seats share the row
	Tiles []Tile // empty for a finished turn in a game without tiles
	Dice  []Die  // the last throw of the owner's finished turn
	Next  []Tile // the tiles of the turn after it
}

// Tile is one tile of a row.
type Tile struct {
	Number int
	Open   bool // false if it is shut or covered
}

// Sheet is a score sheet with one or several columns for each seat.
type Sheet struct {
	// Parts names the columns that each seat has; empty if each seat has a single column.
	Parts []Part
	Rows  []SheetRow // the rows from top to bottom
	// Star explains in one line the star that marks doubled points ("24*") in cells, sentences, buttons and moves.
	Star Line
}

// Part is one of several columns that each seat has: its name, and a short name of at most four characters.
type Part struct{ Name, Short Line }

// Wide returns the number of columns that each seat has.
func (s *Sheet) Wide() int { return max(len(s.Parts), 1) }

// Of returns the cells of row that belong to a seat, one for each of the seat's columns.
func (s *Sheet) Of(row SheetRow, seat Seat) []Cell {
	return row.Cells[int(seat)*s.Wide():][:s.Wide()]
}

// SheetRow is one row of a score sheet, with the cells of all seats.
type SheetRow struct {
	// Name is the row's name, Short a shorter name of at most ten characters.
	Name, Short Line
	// Sum is true if the row is computed from other rows: the sum of some rows, a bonus, the total.
	Sum bool
	// Signed is true if the points are gains or losses, shown with a sign.
	Signed bool
	// Cells holds the cells in seat order, Sheet.Wide of them for each seat.
	Cells []Cell
}

// Cell is the cell of a seat in a row of the sheet.
type Cell struct {
	Mark   Mark
	Points int // 0 unless Mark is Written or Doubled
	// Fill is the move with which the seat to move fills the cell now, or calls it (promises to fill it); "" if there
	// is none. Label describes that move, which is also a button of the view.
	Fill  Move
	Label Line
}

// Mark is the state of a cell.
type Mark string

// The marks of a cell, and the sign for each if there is room for only one.
const (
	Open    Mark = "open"    // "·": not filled yet
	Written Mark = "written" // the points of the filled cell
	Doubled Mark = "doubled" // the points of the filled cell, already doubled, and "*"
	Struck  Mark = "struck"  // "—": crossed out
	Blank   Mark = "blank"   // "": the row does not exist in this column
)

// Die is one thrown die. Kept is true if the mover keeps it.
type Die struct {
	Face  int
	Sides int
	Kept  bool
}

// Stand is the standing of a seat in the match.
type Stand struct {
	State StandState
	// Line is the standing in short, without a name: "12", "9 open", "out". An empty key means that there is none yet.
	Line Line
}

// StandState is the state of a seat in the present round.
type StandState string

// The states of a seat.
const (
	Waiting StandState = "waiting" // its turn is still to come
	ToMove  StandState = "to-move" // its turn is now
	Done    StandState = "done"    // its turn of this round is over
	Out     StandState = "out"     // it has left the game for good
	Won     StandState = "won"     // it has won, alone or with others
)

// Style is the emphasis of a button.
type Style string

// The styles of a button.
const (
	Plain   Style = ""
	Primary Style = "primary" // the most usual move
	Success Style = "success" // it wins or completes something
	Danger  Style = "danger"  // it gives something up
)

// Button is a button that plays one move.
type Button struct {
	Label Line
	Move  Move
	Style Style
	// Tiles holds the numbers of the tiles that the move turns over, ascending; empty if it turns none over. Row is the
	// index of their row in View.Tiles. Boards with clickable tiles use both.
	Tiles []int
	Row   int
	// Passing is true if the move is possible now but will not be possible later in the turn.
	Passing bool
	// Group is the number of the button's group in View.Groups, from 1; 0 if there are no groups.
	Group int
}

// Pick offers several items that are selected one by one and together make one move: tiles to shut, dice to keep.
type Pick struct {
	// Kind is "tiles", or "dice" if the items are View.Dice: the mover keeps the selected dice and throws the others.
	Kind string
	// Items holds the numbers on the selectable items, in display order.
	Items []int
	// Row is the index in View.Tiles of the row with the selectable tiles.
	Row int
	// Picked is the initial selection: indices into Items, ascending.
	Picked []int
	// Choices holds all complete choices. Boards offer only items that can still lead to one of them.
	Choices []Choice
	// Goal is the sum of the items, if it is the same for all choices, so that boards can show the rest; else 0.
	Goal int
	// Guide explains to beginners in one line how to select; its key is empty if that is obvious.
	Guide Line
	// Done labels the button that plays the selected Choice, unless that Choice has a label itself.
	Done Line
	// Rest labels the button that opens a page with View.Buttons. If its key is empty, View.Buttons appear beside the
	// button that plays the choice.
	Rest Line
	// Unfit explains why the selected items make no choice; its key is empty if that is obvious.
	Unfit Line
	// Refusal is the answer to a player who plays selected items that are not a legal move. If its key is not empty,
	// boards always offer all items and the button that plays them; else only items that can lead to a legal move.
	Refusal Line
}

// Choice is one complete choice of a Pick. Choices with the same items are offered side by side.
type Choice struct {
	Items []int // indices into Pick.Items, ascending
	Move  Move
	// Label and Style belong to the button that plays the choice. If the key of Label is empty, the button has the
	// label Done of the Pick, and is Primary.
	Label Line
	Style Style
	// Points is the value of the items by themselves; 0: nothing, or unknown.
	Points int
}

// LieAs returns dice that show these faces, in this order; each has that many sides and is not kept.
func LieAs(faces []int, sides int) []Die {
	var dice []Die
	for _, face := range faces {
		dice = append(dice, Die{Face: face, Sides: sides})
	}
	return dice
}

// DiceSet is a set of dice by position: bit 0 is the leftmost. Moves spell a digit for each die: 1 if it is in the set.
type DiceSet uint8

// Has reports whether the die at a position is in the set.
func (s DiceSet) Has(position int) bool { return s>>position&1 == 1 }

// Count returns how many dice are in the set.
func (s DiceSet) Count() int { return bits.OnesCount8(uint8(s)) }

// Positions returns the positions of the dice in the set, ascending.
func (s DiceSet) Positions() (positions []int) {
	for ; s != 0; s &= s - 1 {
		positions = append(positions, bits.TrailingZeros8(uint8(s)))
	}
	return positions
}

// Spell returns one digit for each of that many dice, the leftmost first: 1 if the die is in the set, else 0.
func (s DiceSet) Spell(dice int) string {
	text := make([]byte, dice)
	for position := range text {
		text[position] = '0' + byte(s>>position&1)
	}
	return string(text)
}

// ParseDiceSet returns the set for which DiceSet.Spell with that many dice returns text, and false if there is none.
func ParseDiceSet(text string, dice int) (s DiceSet, ok bool) {
	for position, digit := range []byte(text) {
		if digit != '0' && digit != '1' {
			return 0, false
		}
		s |= DiceSet(digit-'0') << position
	}
	return s, len(text) == dice
}
