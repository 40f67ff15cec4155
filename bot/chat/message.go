package chat

// Messages: boards, answers, and their parts.

import (
	"fmt"
	"slices"
	"strings"

	"knobel/games"
)

// Limits of buttons.
const (
	// MaxButton is the largest number of characters in a button's label. A platform that shows fewer cuts the label.
	MaxButton = 100
	// ChoiceRow is the number of buttons in a row of a Choice.
	ChoiceRow = 5
	// MaxChoices is the largest number of Choices of a message.
	MaxChoices = 12
	// MenuRow is the number of buttons in a row of a menu: few, so that a phone shows the whole labels.
	MenuRow = 3
)

// Message is one message in the reader's language, with a structure that each platform draws as well as it can. All
// text is plain and may be hostile: adapters escape it. The JSON form is for the browser.
type Message struct {
	// Table is the number of the board's table; 0: the message is not a board.
	Table int64 `json:"table,omitempty"`
	// Game is the name of the game that is played on the board.
	Game string `json:"game,omitempty"`
	// Lang is the message's language, as a BCP 47 tag: "en".
	Lang string `json:"lang"`
	// Head is the first line, in plain sentences, which a screen reader reads. On a board it is one sentence, and its
	// heading.
	Head string `json:"head"`
	// Told is further news and whose turn it is, one sentence each. It is shown below Head and above the game.
	Told []string `json:"told,omitempty"`
	// Tiles are the rows of tiles of the game. Dice are the dice of the person whose turn it is; the dice of a turn
	// that has ended are in its TileRow.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
	// Sheet is the score sheet; nil if the game has none or the board has no space for it.
	Sheet *Sheet `json:"sheet,omitempty"`
	// People has one line for each seat, in the order of seats or, at the end of a game, of places.
	People []Person `json:"people,omitempty"`
	// Exact are lines with a text that people copy. They are shown above Lines.
	Exact []Exact `json:"exact,omitempty"`
	// Lines are further lines or, in a message that is not a board, paragraphs.
	Lines []string `json:"lines,omitempty"`
	// Folds means that Lines are one text, not a list: a platform may collapse a long text.
	Folds bool `json:"-"`
	// Grids are tables with the same words as some of the Lines. Adapters that draw tables leave out those Lines.
	Grids []Grid `json:"grids,omitempty"`
	// Deadline says when the current turn ends; nil: it has no limit. Platforms with clocks show the time left, others
	// the time of day. No board is redrawn only because time passes.
	Deadline *Deadline `json:"deadline,omitempty"`
	// Guide explains to new players what to do next, in at most one line.
	Guide string `json:"guide,omitempty"`
	// Small is the small print, at most one line.
	Small string `json:"small,omitempty"`
	// Race is the progress of the seats in games that end at a number of points; nil in others.
	Race *Race `json:"race,omitempty"`
	// Pool is the amount in the pool, with its unit; "" if there is none. Only the board of a viewer's own page has
	// it, and the two fields below, which are set before the game: HowTo says in a few sentences how to play, and
	// Houses are buttons that add a computer player, labelled with its strength.
	Pool   string   `json:"pool,omitempty"`
	HowTo  []string `json:"howto,omitempty"`
	Houses []Button `json:"houses,omitempty"`
	// Pick holds the moves that can be chosen by touching tiles or dice; nil: none. A board that all people share has
	// none, unless bot.Config.Picks is set.
	Pick *PickOn `json:"pick,omitempty"`
	State
	// Buttons are rows of related buttons. Adapters break a row that is too wide.
	Buttons [][]Button `json:"buttons,omitempty"`
	// Choices are lists above the buttons; one value of each list is chosen. Only private answers with Traits.Menus
	// have lists. Without it, the same values are offered as pages of buttons.
	Choices []Choice `json:"choices,omitempty"`
	// Picture is shown with the message, nil: none. Boards have none.
	Picture *Picture `json:"picture,omitempty"`
	// File is a file attached to the message, nil: none. Boards have none.
	File *File `json:"file,omitempty"`
	// Record is the number of the finished table whose board or dice the message shows, so that the browser can replay
	// them; 0: none.
	Record int64 `json:"record,omitempty"`
	// Accent is the number of the seat in whose colour the board is drawn; -1: none.
	Accent int `json:"accent"`
}

// Readdress replaces a user by another in the lines of seats and the buttons of m.
func Readdress(m *Message, user, by User) {
	for i := range m.People {
		if m.People[i].User == user {
			m.People[i].User = by
		}
	}
	for _, row := range m.Buttons {
		for i := range row {
			if row[i].For == user {
				row[i].For = by
			}
			for j := range row[i].By {
				if row[i].By[j] == user {
					row[i].By[j] = by
				}
			}
		}
	}
}

// State holds facts about a message or its table that are not drawn.
type State struct {
	// Puzzle is the number of the puzzle that the message shows; 0: none.
	Puzzle int64 `json:"-"`
	// Version grows with every change of the table or puzzle. 0: unknown.
	Version int64 `json:"-"`
	// Turn is the number of moves that were made at the table so far.
	Turn int64 `json:"turn"`
	// Steps are the latest moves one by one, oldest first; only set with Traits.Steps.
	Steps []Step `json:"steps,omitempty"`
	// Live means that the board's game is not over.
	Live bool `json:"live,omitempty"`
	// Ends is the press that asks the viewer whether to end the running game; "" if the viewer may not end it.
	Ends string `json:"ends,omitempty"`
	// Concerns are the people whose board may differ from the shared board.
	Concerns []User `json:"-"`
	// Views are the boards for the viewers that Platform.Viewers returned, who have separate boards.
	Views []View `json:"-"`
	// Posting says how the message is posted or edited.
	Posting `json:"-"`
}

// Grid is a table (rows and columns) with the same words as some lines of a message.
type Grid struct {
	// From and To delimit the message's lines that the table replaces: Lines[From:To].
	From int `json:"from"`
	To   int `json:"to"`
	// Caption is the table's title; "" if the message's Head serves as the title.
	Caption string `json:"caption,omitempty"`
	// Head names the columns.
	Head []string `json:"head,omitempty"`
	// Rows hold the texts of the cells. A row with only one cell spans all columns.
	Rows [][]string `json:"rows"`
}

// Grid adds g to the message, without the columns that are empty.
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
	g.Head, g.Rows = withoutColumns(g.Head, empty), nil
	for _, row := range rows {
		if len(row) > 1 {
			row = withoutColumns(row, empty)
		}
		g.Rows = append(g.Rows, row)
	}
	m.Grids = append(m.Grids, g)
}

// withoutColumns returns the cells whose indices are not in columns.
func withoutColumns(cells []string, columns []int) (rest []string) {
	for i, cell := range cells {
		if !slices.Contains(columns, i) {
			rest = append(rest, cell)
		}
	}
	return rest
}

// Deadline is a sentence in three parts: Before, a time, After, such as "Ben's turn ends ", "in 9 minutes", ".".
type Deadline struct {
	// At is the time between Before and After, in Unix seconds.
	At int64 `json:"at"`
	// Before and After are the parts of the sentence before and after the time.
	Before string `json:"before"`
	After  string `json:"after"`
	// Clock is the time of day in the chat's time zone, "at 21:40", for platforms that cannot count down.
	Clock string `json:"clock"`
}

// String returns the whole sentence, with Clock as the time.
func (d Deadline) String() string { return d.Before + d.Clock + d.After }

// Exact is a sentence in three parts: Before, a text that people copy, and After. Platforms show the text like code:
// without links, and without invisible characters in it.
type Exact struct {
	Before string `json:"before"`
	// Text has one line and no invisible characters.
	Text  string `json:"text"`
	After string `json:"after"`
}

// String returns the whole sentence.
func (e Exact) String() string { return e.Before + e.Text + e.After }

// Picture is a drawing, such as a chart, instead of a long list.
type Picture struct {
	// Name is its file name, "balance.png".
	Name string `json:"name"`
	// PNG is the picture's content. It is readable on light and dark, and on a phone that shows it 340 points wide.
	PNG []byte `json:"png"`
	// Alt describes the picture in at most 1024 characters.
	Alt string `json:"alt"`
	// More is the part of Alt that the message's Lines do not say; "": none. Platforms without descriptions of pictures
	// show it as text.
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

// TileRow is a row of tiles, with its owner's name if it belongs to one player.
type TileRow struct {
	Owner string `json:"owner,omitempty"`
	// Whose is the owner's name alone; "" unless Owner also contains earlier rolls.
	Whose string `json:"whose,omitempty"`
	// Tiles is empty for a turn without tiles.
	Tiles []Tile `json:"tiles"`
	// Dice are the last roll of a turn that has ended.
	Dice []Die `json:"dice,omitempty"`
	// Picks means that tiles are picked from this row. Then it always has room for the marks of picked tiles, so that
	// it does not shift.
	Picks bool `json:"-"`
}

// Tile is one tile of a row.
type Tile struct {
	Number int  `json:"number"`
	Open   bool `json:"open"`
	// Picked means that a player has chosen the tile but not yet shut it.
	Picked bool `json:"picked,omitempty"`
}

// Die is one die.
type Die struct {
	Face  int  `json:"face"`
	Sides int  `json:"sides"`
	Kept  bool `json:"kept,omitempty"`
	// Press is the data of the die's button, for adapters that draw dice as buttons; "" if the die cannot be picked.
	Press string `json:"press,omitempty"`
}

// PickOn holds the moves that people choose by touching tiles to close or dice to keep on the board. Each choice has
// its own press, so nothing is stored while a person picks.
type PickOn struct {
	// Kind is "tiles" or "dice".
	Kind string `json:"kind"`
	// Goal is the sum that the numbers of each choice have; 0: the choices have different sums.
	Goal int `json:"goal"`
	// Picked are the indices of the dice that are picked before the person touches any.
	Picked []int `json:"picked,omitempty"`
	// Refusal says why picked tiles or dice that are in no choice are not allowed; "" if that is obvious.
	Refusal string `json:"refusal,omitempty"`
	// Choices are all choices. Choices with equal Items follow each other.
	Choices []PickChoice `json:"choices"`
}

// PickChoice is one choice of a PickOn: the tiles or dice to pick, and the move that this makes.
type PickChoice struct {
	// Row is the index in Message.Tiles of the row with the picked tiles.
	Row int `json:"row,omitempty"`
	// Items are the numbers of the tiles or the indices in Message.Dice; empty: nothing is picked.
	Items []int       `json:"items"`
	Press string      `json:"press"`
	Label string      `json:"label"`
	Style games.Style `json:"style,omitempty"`
	// Points is the value of the items by themselves; 0: nothing, or unknown.
	Points int `json:"points,omitempty"`
}

// Race is the progress of the seats to the number of points that ends the game.
type Race struct {
	Target int   `json:"target"`
	Points []int `json:"points"` // in seat order
	Turn   int   `json:"turn"`   // points of the present turn, which are not yet among Points
}

// Person is one seat's line on a board.
type Person struct {
	Seat int `json:"seat"`
	// User is the person at the seat, "" for the computer player (house). It is never shown; adapters need it where one
	// browser plays for several people.
	User User   `json:"-"`
	Name string `json:"name"`
	// Text is the seat's score or state: "12", "9 open", "reserved"; may be "".
	Text  string           `json:"text,omitempty"`
	State games.StandState `json:"state,omitempty"`
	House bool             `json:"house,omitempty"`
	// Reserved means that the seat is kept for a person who has not joined.
	Reserved bool `json:"reserved,omitempty"`
	// Opener means that the person invites to this game, which has not begun.
	Opener bool `json:"opener,omitempty"`
	// Asked means that the person has to agree to changes before the game can start.
	Asked bool `json:"asked,omitempty"`
	// Place is the seat's place in a finished game of several seats, 1 for the best; tied seats share one. Else 0.
	Place int `json:"place,omitempty"`
	// Amount is the seat's win or loss in a finished game, with a sign: "+20", "−10"; "" if nothing.
	Amount string `json:"amount,omitempty"`
}

// MoversOn returns the people at the seats that are to move on board m, "" for the computer player.
func MoversOn(m Message) (users []User) {
	for _, p := range m.People {
		if p.State == games.ToMove {
			users = append(users, p.User)
		}
	}
	return users
}

// PlacedName returns the person's name, after the place if there is one: "1. Anna".
func (p Person) PlacedName() string {
	if p.Place == 0 {
		return p.Name
	}
	return fmt.Sprintf("%d. %s", p.Place, p.Name)
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
	// For is the only person who may press the button; "": not limited to one. If one browser plays for several people,
	// its adapter presses for this person.
	For User `json:"-"`
	// By are the people who may press the button; nil: all. An adapter with a page for each person hides the button
	// from all others.
	By []User `json:"-"`
}

// Choice is a list of buttons; one of them is chosen, such as the value of a rule.
type Choice struct {
	// Said is the list's label with the chosen value: "ties: roll-off", at most MaxButton characters.
	Said string `json:"said"`
	// Values are the buttons of the list. They have no Link. The chosen value's button, if any, has the style Success.
	Values []Button `json:"values"`
}

// Said returns the texts Head and Told of a board, joined by spaces.
func (m Message) Said() string {
	return strings.TrimSpace(strings.Join(append([]string{m.Head}, m.Told...), " "))
}

// Row adds a row with these buttons; without buttons it adds no row.
func (m *Message) Row(buttons ...Button) {
	if len(buttons) > 0 {
		m.Buttons = append(m.Buttons, buttons)
	}
}

// Rows adds buttons in rows of at most perRow buttons each.
func (m *Message) Rows(perRow int, buttons ...Button) {
	for row := range slices.Chunk(buttons, perRow) {
		m.Row(row...)
	}
}

// Step is a board as it was after one move, for platforms that show the last moves one by one.
type Step struct {
	// Turn is the number of moves that were made at the table up to this one.
	Turn int64 `json:"turn"`
	// Seat is the seat that moved.
	Seat int `json:"seat"`
	// Said is the news of this move, in sentences.
	Said string `json:"said"`
	// Tiles and Dice are the tiles and dice after the move. They have no presses.
	Tiles []TileRow `json:"tiles,omitempty"`
	Dice  []Die     `json:"dice,omitempty"`
}
