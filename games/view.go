package games

import "math/bits"

// View is the public view of a match, as a structure. The caller puts its lines into words
// and draws its parts as its platform can.
type View struct {
	// Won says who has won, once the match is over: one plain sentence. It is empty while the match
	// goes on, and where the dice do not say it, since a seat is out. In games with a pool a second
	// sentence goes with it, that ends with what the winners get: its key is that of Won with -takes
	// behind it, and Amount is a further argument.
	Won Line
	// Head says what just happened, a dead end before whose turn is next: plain sentences, of which
	// boards make the first their heading. Once the match is over it says how the last turn ended,
	// where that says more than Won.
	Head []Line
	// Tiles are rows of tiles, none in games without. A turn that has ended is shown as it ended until
	// the next one has thrown: as a row with its owner and its dice. At the end it is shown if the one
	// who has won moved last.
	Tiles []TileRow
	// Sheet is the score sheet; nil in games without one.
	Sheet *Sheet
	// Dice are the dice that the mover has thrown, left to right; none before a throw.
	Dice []Die
	// Stands holds one standing a seat, in seat order.
	Stands []Stand
	// Notes are at most two lines about the match: the round, the limit.
	Notes []Line
	// Buttons are the moves of the seats in Turn, in rows that belong together; the one that one nearly always
	// wants is first and Primary. A legal move that is in no button is among the choices of Pick.
	Buttons [][]Button
	// Groups are the names of parts that the buttons fall into, none where there is always room for all
	// of them at once.
	Groups []Line
	// Apart labels the way to a page of their own for the buttons that give something up; with an empty key they stand
	// beside the others.
	Apart Line
	// Pick, where it is not nil, offers moves too many for a button each.
	Pick *Pick
	// Undo lists the seats that may take the last move back: the one that made it, as long as it
	// threw no dice and none were thrown since. It is empty once the match is over.
	Undo []Seat
}

// TileRow is one row of tiles, in ascending order.
type TileRow struct {
	Owner Seat   // Nobody where the row belongs to all
	Tiles []Tile // none of an ended turn in a game without tiles
	Dice  []Die  // the last throw of the owner's turn, which has ended
}

// Tile is one tile.
type Tile struct {
	Number int
	Open   bool // it stands; otherwise it is shut, or covered
}

// Sheet is a paper with a column for each seat, or with several for each.
type Sheet struct {
	// Parts are the columns that each seat has, none where it has one.
	Parts []Part
	Rows  []SheetRow // from top to bottom
	// Star says in one line what the star of doubled points means, in cells, lines, buttons and moves: "24*".
	Star Line
}

// Part is one of several columns that each seat has: its name, and the same in at most four characters.
type Part struct{ Name, Short Line }

// Wide returns how many columns a seat has.
func (s *Sheet) Wide() int { return max(len(s.Parts), 1) }

// Of returns the cells of a seat in a row: one a part.
func (s *Sheet) Of(row SheetRow, seat Seat) []Cell {
	return row.Cells[int(seat)*s.Wide():][:s.Wide()]
}

// SheetRow is one row of a sheet.
type SheetRow struct {
	// Name is the row's name, Short the same in at most ten characters.
	Name, Short Line
	// Sum says that the row adds up others: part sums, a bonus, the total.
	Sum bool
	// Signed says that the points are gains or losses, shown with a sign.
	Signed bool
	// Cells holds one cell a seat, in seat order; of a seat with several columns one for each of them.
	Cells []Cell
}

// Cell is a seat's entry in a row.
type Cell struct {
	Mark   Mark
	Points int // 0 where the mark says that there are none
	// Fill is the move by which the seat fills the cell now, or chooses it to be filled, "" where it may not, and
	// Label says what that does: it is one of the view's buttons as well.
	Fill  Move
	Label Line
}

// Mark is how to read a cell.
type Mark string

// The marks of a cell, with the sign that each is shown by where there is room for one only.
const (
	Open    Mark = "open"    // "·": nothing stands there yet
	Written Mark = "written" // its points
	Doubled Mark = "doubled" // its points, doubled already, and "*"
	Struck  Mark = "struck"  // "—": nothing will stand there any more
	Blank   Mark = "blank"   // "": the row has nothing in this column of a seat
)

// Die is one die as it lies.
type Die struct {
	Face  int
	Sides int
	Kept  bool
}

// Stand is how a seat stands in the match.
type Stand struct {
	State StandState
	// Line is the standing in short, with no name: "12", "9 open", "out". An empty key: nothing to say yet.
	Line Line
}

// StandState says what a seat is doing.
type StandState string

// The states of a seat.
const (
	Waiting StandState = "waiting" // its turn comes
	ToMove  StandState = "to-move" // its turn is now
	Done    StandState = "done"    // its turn of this round is over
	Out     StandState = "out"     // it plays no more
	Won     StandState = "won"     // it has won, alone or with others
)

// Style is how much a button asks to be pressed.
type Style string

// The styles of a button.
const (
	Plain   Style = ""
	Primary Style = "primary" // what one nearly always wants
	Success Style = "success" // it gains or ends something gladly
	Danger  Style = "danger"  // it gives something up
)

// Button is one move to press.
type Button struct {
	Label Line
	Move  Move
	Style Style
	// Tiles are the numbers of the tiles that the move turns over, ascending, and Row is the row of
	// View.Tiles that they stand in: where tiles can be touched, these are. No move turns over none.
	Tiles []int
	Row   int
	// Passing says that the move can be played now and no more later in the turn.
	Passing bool
	// Group is the number of the part in View.Groups that the button falls into, from 1; 0 where there are none.
	Group int
}

// Pick offers a choice of several things that make one move together: tiles to shut, dice to keep.
type Pick struct {
	// Kind says what is picked: "tiles", or "dice" to keep while the others are
	// thrown: then the items are View.Dice.
	Kind string
	// Items are the numbers on the things to pick from, in the order shown.
	Items []int
	// Row is the row of View.Tiles that tiles to pick stand in.
	Row int
	// Picked is what is picked to begin with: indices into Items, ascending.
	Picked []int
	// Choices are all complete choices. Only items that can still lead to one of them are offered.
	Choices []Choice
	// Goal, where it is not 0, is what the numbers on the items of each choice add up to: what is picked is
	// counted against it.
	Goal int
	// Guide says in one line, to people who are new, how to pick; with an empty key it goes without saying.
	Guide Line
	// Done labels the press that plays a choice without a label of its own.
	Done Line
	// Rest labels the way to a page with the view's buttons. With an empty key they are beside the
	// press that plays the choice.
	Rest Line
	// Unfit says why things that are picked make no choice; with an empty key it goes without saying.
	Unfit Line
	// Refusal, where its key is not empty, says why what is picked cannot be played
	// yet. Then everything is offered, and so is the press that plays it, always.
	Refusal Line
}

// Choice is one complete choice of a Pick. Choices of the same items are offered side by side.
type Choice struct {
	Items []int // indices into Pick.Items, ascending
	Move  Move
	// Label and Style are those of the press that plays the choice. With an empty key it has the
	// Done of the Pick as label, and is primary.
	Label Line
	Style Style
}

// LieAs returns dice with some number of sides that lie with these faces up.
func LieAs(faces []int, sides int) []Die {
	var dice []Die
	for _, face := range faces {
		dice = append(dice, Die{Face: face, Sides: sides})
	}
	return dice
}

// DiceSet is a set of dice as they lie, by position, bit 0 the leftmost. Moves spell it with a digit for each die, 1
// for those in it.
type DiceSet uint8

// Has reports whether the die at a position is in the set.
func (s DiceSet) Has(position int) bool { return s>>position&1 == 1 }

// Count returns how many dice are in the set.
func (s DiceSet) Count() int { return bits.OnesCount8(uint8(s)) }

// Positions returns where the dice of the set lie, ascending.
func (s DiceSet) Positions() (positions []int) {
	for ; s != 0; s &= s - 1 {
		positions = append(positions, bits.TrailingZeros8(uint8(s)))
	}
	return positions
}

// Spell spells the set among so many dice.
func (s DiceSet) Spell(dice int) string {
	text := make([]byte, dice)
	for position := range text {
		text[position] = '0' + byte(s>>position&1)
	}
	return string(text)
}

// ParseDiceSet reads what Spell spells for so many dice.
func ParseDiceSet(text string, dice int) (s DiceSet, ok bool) {
	for position, digit := range []byte(text) {
		if digit != '0' && digit != '1' {
			return 0, false
		}
		s |= DiceSet(digit-'0') << position
	}
	return s, len(text) == dice
}
