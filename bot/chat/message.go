package chat

// Messages as every platform draws them: boards, answers, and what they are made of.

import (
	"slices"
	"strings"

	"knobel/games"
)

// The sizes of what is drawn with buttons.
const (
	// MaxButton is the largest number of characters of a button's label. Platforms that show less cut
	// it themselves.
	MaxButton = 100
	// ChoiceRow is how many buttons of a choice stand in a row.
	ChoiceRow = 5
	// MaxChoices is how many choices a message offers at most.
	MaxChoices = 12
	// MenuRow is how many buttons of a menu stand side by side, so that a phone
	// shows their labels whole.
	MenuRow = 3
)

// Message is one message in the reader's language, with a structure that each platform draws as
// well as it can. All text is plain and may be hostile: adapters escape it. The JSON form is for
// the browser table.
type Message struct {
	// Table is the table of a board; 0: the message is no board.
	Table int64 `json:"table,omitempty"`
	// Game is what the board's game is called.
	Game string `json:"game,omitempty"`
	// Lang is the language that the message is in, as a BCP 47 tag: "en".
	Lang string `json:"lang"`
	// Head is the first line, plain sentences: what a screen reader reads. On a board it is one
	// sentence, and its heading.
	Head string `json:"head"`
	// Told are what else has happened and who is next, a sentence each: below the heading, above the
	// game.
	Told []string `json:"told,omitempty"`
	// Tiles are the rows of the box. A row with dice shows a turn that has ended; Dice are those of
	// whoever is to move.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
	// Sheet is the paper of a game that is written down, nil in others and
	// where the board has no room for it.
	Sheet *Sheet `json:"sheet,omitempty"`
	// People has one line for each seat.
	People []Person `json:"people,omitempty"`
	// Exact are lines with something that people copy, above the further lines.
	Exact []Exact `json:"exact,omitempty"`
	// Lines are further lines or, in a message that is no board, paragraphs.
	Lines []string `json:"lines,omitempty"`
	// Folds says that Lines are a text to be read at leisure, no list that people compare or press
	// buttons by: where it is long, a platform that can folds it away below what stands above.
	Folds bool `json:"-"`
	// Grids say which of the Lines are rows of a table. Who draws no tables shows the lines.
	Grids []Grid `json:"grids,omitempty"`
	// Deadline is when the present turn ends; nil: it has no limit. Platforms with clocks of their
	// own show the time left, others the time of day; boards are not redrawn for it.
	Deadline *Deadline `json:"deadline,omitempty"`
	// Guide explains the next step to people who are new to the game, in at most one line.
	Guide string `json:"guide,omitempty"`
	// Small is the small print, at most one line.
	Small string `json:"small,omitempty"`
	// Pick is what whoever looks may choose on the board itself, nil: nothing.
	Pick *PickOn `json:"pick,omitempty"`
	State
	// Buttons stand in rows that belong together. Adapters break rows that
	// are wider than their platform.
	Buttons [][]Button `json:"buttons,omitempty"`
	// Choices stand above the buttons: of each, one value is chosen. Only answers for one person to
	// events that say Menus have any; to others the same is offered as rows of buttons, page by page.
	Choices []Choice `json:"choices,omitempty"`
	// Picture is shown with the message, nil: none. Boards have none.
	Picture *Picture `json:"picture,omitempty"`
	// File is a file that goes with the message, nil: none. Boards have none.
	File *File `json:"file,omitempty"`
	// Record is the table that is over whose board or whose dice the message shows, so
	// that the browser can throw them again; 0: none.
	Record int64 `json:"record,omitempty"`
	// Accent is the seat whose colour the board has; -1: none.
	Accent int `json:"accent"`
}

// State is what a board tells of its table, or a message of its puzzle, besides what is drawn.
type State struct {
	// Puzzle is the puzzle that the message asks, 0: none.
	Puzzle int64 `json:"-"`
	// Version is that of the board's table or of the puzzle: it grows with every change. 0: it is not known.
	Version int64 `json:"-"`
	// Turn counts the moves of a board's table.
	Turn int64 `json:"turn"`
	// Steps are the last moves one by one, oldest first, where the platform shows them.
	Steps []Step `json:"steps,omitempty"`
	// Live says that a board's table is not over.
	Live bool `json:"live,omitempty"`
	// Ends is a press that asks whether to end a game that goes on, for people who may ask that; "": none.
	Ends string `json:"ends,omitempty"`
	// Concerns are the people for whom the board may look different than for all others.
	Concerns []User `json:"-"`
	// Views is a board as the viewers see it that Platform.Viewers returns.
	Views []View `json:"-"`
	// Silent says that the message only brings down what stands further up: it notifies nobody.
	Silent bool `json:"-"`
	// Unnoted says that the board may have been posted already, below the message Below: who posted it has died,
	// maybe, before its Ref was stored.
	Unnoted bool `json:"-"`
	Below   Ref  `json:"-"`
}

// Grid is a table that says what some lines of a message say, in the same words.
type Grid struct {
	// From and To are the lines: Lines[From:To].
	From int `json:"from"`
	To   int `json:"to"`
	// Caption says what the table shows, "" where the head of the message does.
	Caption string `json:"caption,omitempty"`
	// Head names the columns: the lines say that in other ways, or not at all.
	Head []string `json:"head,omitempty"`
	// Rows hold texts ready to be shown. A row of one cell stands across all columns.
	Rows [][]string `json:"rows"`
}

// Grid adds a table to a message, without the columns in which no row has anything.
func (m *Message) Grid(g Grid) {
	var empty []int
	for column := range g.Head {
		if !slices.ContainsFunc(g.Rows, func(row []string) bool {
			return (len(row) > 1 || len(g.Head) == 1) && column < len(row) && row[column] != ""
		}) {
			empty = append(empty, column)
		}
	}
	rows := g.Rows
	g.Head, g.Rows = without(g.Head, empty), nil
	for _, row := range rows {
		if len(row) > 1 {
			row = without(row, empty)
		}
		g.Rows = append(g.Rows, row)
	}
	m.Grids = append(m.Grids, g)
}

// without are cells but those of some columns.
func without(cells []string, columns []int) (left []string) {
	for i, cell := range cells {
		if !slices.Contains(columns, i) {
			left = append(left, cell)
		}
	}
	return left
}

// Deadline is a sentence around a moment. Before, the time and After make it
// up: "The house plays this turn ", "in 9 minutes", ".".
type Deadline struct {
	// At is the moment in Unix seconds.
	At int64 `json:"at"`
	// Before and After stand around the time.
	Before string `json:"before"`
	After  string `json:"after"`
	// Clock is the time as the chat's clock will show it, "at 21:40": for
	// platforms that cannot count.
	Clock string `json:"clock"`
}

// String is the whole sentence with the time as the chat's clock will show it.
func (d Deadline) String() string { return d.Before + d.Clock + d.After }

// Exact is a sentence around a text that people copy. The text must stay as it is, without marks
// inside, so platforms set it as code, in which they make no links. The sentence is Before, the
// text and After.
type Exact struct {
	Before string `json:"before"`
	// Text is of one line and holds nothing that is not seen.
	Text  string `json:"text"`
	After string `json:"after"`
}

// String is the whole sentence.
func (e Exact) String() string { return e.Before + e.Text + e.After }

// Picture is a drawing that says what lines could only list.
type Picture struct {
	// Name is its file name, "balance.png".
	Name string `json:"name"`
	// PNG is the picture itself, readable on light and on dark ground, and on a
	// phone that shows it 340 points wide.
	PNG []byte `json:"png"`
	// Alt says in words what the picture shows, at most 1024 characters.
	Alt string `json:"alt"`
	// More is what Alt says and the other lines of the message do not, "" for nothing: for
	// platforms whose pictures have no words of their own.
	More string `json:"more,omitempty"`
}

// File is a file for a person to download.
type File struct {
	// Name is its name, letters, digits and points: "knobel.json".
	Name string `json:"name"`
	// Type is its media type: "application/json".
	Type  string `json:"type"`
	Bytes []byte `json:"bytes"`
}

// TileRow is a row of tiles with the name of its owner, or none.
type TileRow struct {
	Owner string `json:"owner,omitempty"`
	// Whose is the owner's name where Owner has throws behind it.
	Whose string `json:"whose,omitempty"`
	// Tiles are none where a turn without tiles has ended.
	Tiles []Tile `json:"tiles"`
	// Dice are the last throw of the owner's turn, which has ended.
	Dice []Die `json:"dice,omitempty"`
	// Picks says that tiles are picked from: where those that are picked have marks beside them, the row
	// leaves room for that, and does not shift.
	Picks bool `json:"-"`
}

// Tile is one tile of a row.
type Tile struct {
	Number int  `json:"number"`
	Open   bool `json:"open"`
	// Picked tiles are chosen but not yet shut.
	Picked bool `json:"picked,omitempty"`
}

// Die is one die as it lies.
type Die struct {
	Face  int  `json:"face"`
	Sides int  `json:"sides"`
	Kept  bool `json:"kept,omitempty"`
	// Press is what pressing the die itself carries, "" where it cannot be
	// picked: for adapters whose dice can be pressed.
	Press string `json:"press,omitempty"`
}

// PickOn offers what can be chosen by touching the things themselves: tiles to turn over, dice to keep.
// Each choice has its press, so nothing is asked or stored while somebody picks.
type PickOn struct {
	// Kind is "tiles" or "dice".
	Kind string `json:"kind"`
	// Goal, where it is not 0, is what the numbers on the items of each choice add up to.
	Goal int `json:"goal"`
	// Picked are the dice that are picked to begin with.
	Picked []int `json:"picked,omitempty"`
	// Refusal says why what is picked cannot be played, where that is not a choice; "": it goes without
	// saying.
	Refusal string `json:"refusal,omitempty"`
	// Choices are all of them. Those of the same items stand side by side.
	Choices []PickChoice `json:"choices"`
}

// PickChoice is one whole choice of a PickOn.
type PickChoice struct {
	// Row is the row of Message.Tiles in which the tiles stand.
	Row int `json:"row,omitempty"`
	// Items are numbers of tiles, or indices of Message.Dice; none is a choice as well.
	Items []int       `json:"items"`
	Press string      `json:"press"`
	Label string      `json:"label"`
	Style games.Style `json:"style,omitempty"`
}

// Sheet is a paper with a column for each of some seats, all texts ready to be
// shown.
type Sheet struct {
	// Asked says that a person asked for the sheet, or that the game is over. Where space is scarce
	// the sheet is shown only then.
	Asked   bool          `json:"asked,omitempty"`
	Columns []SheetColumn `json:"columns"`
	Rows    []SheetRow    `json:"rows"`
	// Star says what the star in cells means, "" where none has one: a line below the sheet.
	Star string `json:"star,omitempty"`
}

// Star is the line below the sheet of a message, "" where there is none or it stands in the message already.
func (m Message) Star() string {
	if m.Sheet == nil || slices.Contains(m.Lines, m.Sheet.Star) {
		return ""
	}
	return m.Sheet.Star
}

// SheetColumn is one seat's column. Of several that a seat has, which stand side by side, each has a sign of at most
// four characters, and a name.
type SheetColumn struct {
	Seat   int    `json:"seat"`
	Name   string `json:"name"` // of the seat
	Sign   string `json:"sign,omitempty"`
	Column string `json:"column,omitempty"`
}

// SheetRow is one row: its name, the same in at most ten characters, and one
// cell a column.
type SheetRow struct {
	Label string      `json:"label"`
	Short string      `json:"short"`
	Sum   bool        `json:"sum,omitempty"` // it adds up others
	Cells []SheetCell `json:"cells"`
}

// SheetCell is one cell: its text ("24*", "+3", "—", "·") and what it means.
type SheetCell struct {
	Text string     `json:"text"`
	Mark games.Mark `json:"mark"`
	// Press fills the cell now, "" where whoever looks may not, and Label says what that does: "Pair 24".
	Press string `json:"press,omitempty"`
	Label string `json:"label,omitempty"`
}

// Person is one seat's line.
type Person struct {
	Seat int `json:"seat"`
	// User is who sits there, "" for a house seat: for an adapter on which
	// one visitor plays for several people. It is never shown.
	User User   `json:"-"`
	Name string `json:"name"`
	// Text is the standing of the seat: "12", "9 open", "reserved"; may be "".
	Text  string           `json:"text,omitempty"`
	State games.StandState `json:"state,omitempty"`
	House bool             `json:"house,omitempty"`
	// Reserved says that the seat is kept for somebody who has not sat down.
	Reserved bool `json:"reserved,omitempty"`
}

// Button is one button: what it says and what its press carries.
type Button struct {
	// Label is at most MaxButton characters, usually below 16.
	Label string `json:"label"`
	// Press is at most 64 bytes of printable ASCII, for Event.Press; "" for a button with a
	// Link.
	Press string `json:"press"`
	// Link is an https address that the button opens instead of being pressed, "" for none.
	Link  string      `json:"link,omitempty"`
	Style games.Style `json:"style,omitempty"`
	// For is whose business it is, where it is one person's: an adapter on
	// which one visitor plays for several presses as them.
	For User `json:"-"`
	// By are those who may press it, none: it is not said. An adapter that shows each person a page of their own
	// leaves it out for all others.
	By []User `json:"-"`
}

// Choice is a list of buttons of which one is chosen, as of the values of a rule.
type Choice struct {
	// Said is what is chosen, and the present value: "ties: roll-off", at most MaxButton characters.
	Said string `json:"said"`
	// Values are what can be chosen, none of them a link. The present one has the style Success; there
	// need not be one.
	Values []Button `json:"values"`
}

// Said is what a board says before it shows anything: its heading, and what else has happened.
func (m Message) Said() string {
	return strings.TrimSpace(strings.Join(append([]string{m.Head}, m.Told...), " "))
}

// Row adds a row of buttons, where there are any.
func (m *Message) Row(buttons ...Button) {
	if len(buttons) > 0 {
		m.Buttons = append(m.Buttons, buttons)
	}
}

// Rows adds buttons in rows of at most wide.
func (m *Message) Rows(wide int, buttons ...Button) {
	for some := range slices.Chunk(buttons, wide) {
		m.Row(some...)
	}
}
