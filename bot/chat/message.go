package chat

// Messages: boards, answers, and their parts.

import (
	"slices"
	"strings"

	"knobel/games"
)

// Limits of buttons.
const (
	// MaxButton is the most characters of a button's label. Platforms that show less cut it.
	MaxButton = 100
	// ChoiceRow is the number of a choice's buttons in a row.
	ChoiceRow = 5
	// MaxChoices is the most choices of a message.
	MaxChoices = 12
	// MenuRow is the number of a menu's buttons in a row, so that a phone shows whole labels.
	MenuRow = 3
)

// Message is one message in the reader's language, with a structure that each platform draws as well as it can. All
// text is plain and may be hostile: adapters escape it. The JSON form is for the browser.
type Message struct {
	// Table is the table of a board; 0: the message is no board.
	Table int64 `json:"table,omitempty"`
	// Game is the name of the board's game.
	Game string `json:"game,omitempty"`
	// Lang is the message's language, as a BCP 47 tag: "en".
	Lang string `json:"lang"`
	// Head is the first line, in plain sentences, which a screen reader reads. On a board it is one sentence, and its
	// heading.
	Head string `json:"head"`
	// Told are further news and whose turn it is, a sentence each: below the heading, above the game.
	Told []string `json:"told,omitempty"`
	// Tiles are the rows of tiles of the game. A row with dice shows a turn that has ended; Dice are those of the
	// mover, the person whose turn it is.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
	// Sheet is the score sheet, nil for games without one and on boards without room.
	Sheet *Sheet `json:"sheet,omitempty"`
	// People has one line for each seat.
	People []Person `json:"people,omitempty"`
	// Exact are lines with a text to copy, above Lines.
	Exact []Exact `json:"exact,omitempty"`
	// Lines are further lines or, in a message that is no board, paragraphs.
	Lines []string `json:"lines,omitempty"`
	// Folds means that Lines are a text rather than a list, so that a platform may fold it away if it is long.
	Folds bool `json:"-"`
	// Grids are tables with the same words as some of the Lines, for adapters that draw tables.
	Grids []Grid `json:"grids,omitempty"`
	// Deadline is when the current turn ends; nil: it has no limit. Platforms with clocks show the time left, others
	// the time of day; boards are not redrawn for it.
	Deadline *Deadline `json:"deadline,omitempty"`
	// Guide explains the next step to new players, in at most one line.
	Guide string `json:"guide,omitempty"`
	// Small is the small print, at most one line.
	Small string `json:"small,omitempty"`
	// Pick holds the choices that the viewer makes by touching tiles or dice, nil: none. A board that all share has
	// none, unless bot.Config.Picks is set.
	Pick *PickOn `json:"pick,omitempty"`
	State
	// Buttons are rows of buttons that belong together. Adapters break rows that are too wide.
	Buttons [][]Button `json:"buttons,omitempty"`
	// Choices are lists above the buttons, of each of which one value is chosen. Only private answers to events with
	// Menus have any; others offer the same as rows of buttons, page by page.
	Choices []Choice `json:"choices,omitempty"`
	// Picture is shown with the message, nil: none. Boards have none.
	Picture *Picture `json:"picture,omitempty"`
	// File is attached to the message, nil: none. Boards have none.
	File *File `json:"file,omitempty"`
	// Record is the finished table whose board or dice the message shows, so that the browser can replay them; 0:
	// none.
	Record int64 `json:"record,omitempty"`
	// Accent is the seat whose colour the board has; -1: none.
	Accent int `json:"accent"`
}

// State is the part of a message's table or puzzle that is not drawn.
type State struct {
	// Puzzle is the message's puzzle, 0: none.
	Puzzle int64 `json:"-"`
	// Version is that of the table or the puzzle: it grows with every change. 0: unknown.
	Version int64 `json:"-"`
	// Turn counts the moves of a board's table.
	Turn int64 `json:"turn"`
	// Steps are the last moves one by one, oldest first, where the platform shows them.
	Steps []Step `json:"steps,omitempty"`
	// Live means that a board's table is not over.
	Live bool `json:"live,omitempty"`
	// Ends is a press that asks whether to end a game in progress, for people who may; "": none.
	Ends string `json:"ends,omitempty"`
	// Concerns are the people whose board may differ from the shared one.
	Concerns []User `json:"-"`
	// Views are the boards of the viewers that Platform.Viewers returns.
	Views []View `json:"-"`
	// Silent means that the message only moves a board down: it should notify no person.
	Silent bool `json:"-"`
	// Unnoted means that the board may have been posted already, below the message Below: the process that posted it
	// may have died before it stored the Ref.
	Unnoted bool `json:"-"`
	Below   Ref  `json:"-"`
}

// Grid is a table with the same words as some lines of a message.
type Grid struct {
	// From and To delimit the lines: Lines[From:To].
	From int `json:"from"`
	To   int `json:"to"`
	// Caption is the table's title, "" if the message's head is.
	Caption string `json:"caption,omitempty"`
	// Head names the columns.
	Head []string `json:"head,omitempty"`
	// Rows hold display texts. A row of one cell spans all columns.
	Rows [][]string `json:"rows"`
}

// Grid adds a table to a message, without empty columns.
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

// without returns the cells except those of some columns.
func without(cells []string, columns []int) (left []string) {
	for i, cell := range cells {
		if !slices.Contains(columns, i) {
			left = append(left, cell)
		}
	}
	return left
}

// Deadline is a sentence in three parts, Before, a time and After: "The house plays this turn ", "in 9 minutes", ".".
type Deadline struct {
	// At is the time in Unix seconds.
	At int64 `json:"at"`
	// Before and After enclose the time.
	Before string `json:"before"`
	After  string `json:"after"`
	// Clock is the time by the chat's clock, "at 21:40": for platforms that cannot count down.
	Clock string `json:"clock"`
}

// String returns the sentence with the time by the chat's clock.
func (d Deadline) String() string { return d.Before + d.Clock + d.After }

// Exact is a sentence in three parts, Before, a text to copy, and After. Platforms set the text as code, without links
// or marks inside.
type Exact struct {
	Before string `json:"before"`
	// Text has one line and no invisible characters.
	Text  string `json:"text"`
	After string `json:"after"`
}

// String returns the whole sentence.
func (e Exact) String() string { return e.Before + e.Text + e.After }

// Picture is a drawing that replaces a long list.
type Picture struct {
	// Name is its file name, "balance.png".
	Name string `json:"name"`
	// PNG is the file, readable on light and dark and on a phone that shows it 340 points wide.
	PNG []byte `json:"png"`
	// Alt describes the picture in at most 1024 characters.
	Alt string `json:"alt"`
	// More is the part of Alt that the message's lines do not contain, "" for none: for platforms whose pictures have
	// no description.
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
	// Whose is the owner's name alone if Owner also has rolls behind it.
	Whose string `json:"whose,omitempty"`
	// Tiles are empty after a turn without tiles.
	Tiles []Tile `json:"tiles"`
	// Dice are the last roll of the owner's ended turn.
	Dice []Die `json:"dice,omitempty"`
	// Picks means that tiles are picked from this row: it leaves room for marks, so that it does not shift.
	Picks bool `json:"-"`
}

// Tile is one tile of a row.
type Tile struct {
	Number int  `json:"number"`
	Open   bool `json:"open"`
	// Picked tiles are chosen but not yet shut.
	Picked bool `json:"picked,omitempty"`
}

// Die is one die.
type Die struct {
	Face  int  `json:"face"`
	Sides int  `json:"sides"`
	Kept  bool `json:"kept,omitempty"`
	// Press is the press of the die itself, "" if it cannot be picked: for adapters with pressable dice.
	Press string `json:"press,omitempty"`
}

// PickOn holds the choices that people make by touching the tiles or dice on the board: tiles to close, dice to keep.
// Each choice has its press, so nothing is stored while a person picks.
type PickOn struct {
	// Kind is "tiles" or "dice".
	Kind string `json:"kind"`
	// Goal is the sum of each choice's numbers, unless it is 0.
	Goal int `json:"goal"`
	// Picked are the dice that are picked at first.
	Picked []int `json:"picked,omitempty"`
	// Refusal is the reason why picked items that are no choice cannot be played; "" if that is obvious.
	Refusal string `json:"refusal,omitempty"`
	// Choices are all choices; those with the same items are next to each other.
	Choices []PickChoice `json:"choices"`
}

// PickChoice is one choice of a PickOn.
type PickChoice struct {
	// Row is the index in Message.Tiles.
	Row int `json:"row,omitempty"`
	// Items are numbers of tiles, or indices of Message.Dice; empty for the choice of none.
	Items []int       `json:"items"`
	Press string      `json:"press"`
	Label string      `json:"label"`
	Style games.Style `json:"style,omitempty"`
}

// Sheet is a score sheet with a column for each seat, in display texts.
type Sheet struct {
	// Asked means that a person asked for the sheet, or that the game is over. Where space is scarce the sheet is
	// shown only then.
	Asked   bool          `json:"asked,omitempty"`
	Columns []SheetColumn `json:"columns"`
	Rows    []SheetRow    `json:"rows"`
	// Star explains the star in cells, "" if there is none: a line below the sheet.
	Star string `json:"star,omitempty"`
}

// Star returns the line below the sheet, "" if there is none or the message has it already.
func (m Message) Star() string {
	if m.Sheet == nil || slices.Contains(m.Lines, m.Sheet.Star) {
		return ""
	}
	return m.Sheet.Star
}

// SheetColumn is one seat's column. Several columns of a seat are adjacent, each with a name and a sign of at most
// four characters.
type SheetColumn struct {
	Seat   int    `json:"seat"`
	Name   string `json:"name"` // of the seat
	Sign   string `json:"sign,omitempty"`
	Column string `json:"column,omitempty"`
}

// SheetRow is one row: its name, a short name of at most ten characters, and one cell for each column.
type SheetRow struct {
	Label string      `json:"label"`
	Short string      `json:"short"`
	Sum   bool        `json:"sum,omitempty"` // a sum of others
	Cells []SheetCell `json:"cells"`
}

// SheetCell is one cell: its text ("24*", "+3", "—", "·") and its meaning.
type SheetCell struct {
	Text string     `json:"text"`
	Mark games.Mark `json:"mark"`
	// Press is the press that fills the cell, "" if the viewer may not do that now, and Label describes it: "Pair 24".
	Press string `json:"press,omitempty"`
	Label string `json:"label,omitempty"`
}

// Person is one seat's line.
type Person struct {
	Seat int `json:"seat"`
	// User is the seat's person, "" for the house, the computer player: for an adapter whose visitor plays for several
	// people. It is never shown.
	User User   `json:"-"`
	Name string `json:"name"`
	// Text is the seat's score: "12", "9 open", "reserved"; may be "".
	Text  string           `json:"text,omitempty"`
	State games.StandState `json:"state,omitempty"`
	House bool             `json:"house,omitempty"`
	// Reserved means that the seat is kept for a person who has not joined.
	Reserved bool `json:"reserved,omitempty"`
}

// Button is a button with its label and press.
type Button struct {
	// Label is at most MaxButton characters, usually below 16.
	Label string `json:"label"`
	// Press is at most 64 bytes of printable ASCII, for Event.Press; "" for a button with a Link.
	Press string `json:"press"`
	// Link is an https URL that the button opens, "" for none.
	Link  string      `json:"link,omitempty"`
	Style games.Style `json:"style,omitempty"`
	// For is the only person who may press the button, "" for no such limit: an adapter whose visitor plays for several
	// people presses as this one.
	For User `json:"-"`
	// By are the people who may press it, nil: not limited. An adapter with a page for each person hides it from
	// others.
	By []User `json:"-"`
}

// Choice is a list of buttons of which one is chosen, such as the values of a rule.
type Choice struct {
	// Said is the label with the chosen value: "ties: roll-off", at most MaxButton characters.
	Said string `json:"said"`
	// Values are the buttons, without links. That of the chosen value, if any, has the style Success.
	Values []Button `json:"values"`
}

// Said returns the heading and the further news of a board as one text.
func (m Message) Said() string {
	return strings.TrimSpace(strings.Join(append([]string{m.Head}, m.Told...), " "))
}

// Row adds a row of buttons unless it is empty.
func (m *Message) Row(buttons ...Button) {
	if len(buttons) > 0 {
		m.Buttons = append(m.Buttons, buttons)
	}
}

// Rows adds buttons in rows of at most wide buttons each.
func (m *Message) Rows(wide int, buttons ...Button) {
	for some := range slices.Chunk(buttons, wide) {
		m.Row(some...)
	}
}

// Step is a board as it was after one of the last moves, for platforms that show these one by one.
type Step struct {
	// Turn counts the table's moves, as in Message.
	Turn int64 `json:"turn"`
	// Seat is the seat that moved.
	Seat int `json:"seat"`
	// Said is the news of the move, in sentences.
	Said string `json:"said"`
	// Tiles and Dice are those after the move. They cannot be pressed.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
}
