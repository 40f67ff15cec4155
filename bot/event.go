package bot

import (
	"context"

	"knobel/games"
)

// Chat is a group of people who share units, house rules, a language and
// their books: a Discord server, a Telegram group, a browser room. Like all
// ids here it begins with its platform's name and a colon; only the adapter
// that made it may look behind the colon, everybody else compares.
type Chat string

// Place is where in a chat a table stands: a channel, a thread, a topic.
type Place string

// User is a person on a platform.
type User string

// Ref is a message that a platform has posted, in that platform's spelling.
type Ref string

// Event is what a person did: a command or a press.
type Event struct {
	// ID is the platform's own id of the update, beginning with the
	// platform's name: the same id again does nothing. "" is never doubled.
	ID    string
	Chat  Chat
	Place Place
	// User is who it is; "" where the platform hides it, as it does with
	// Telegram's anonymous administrators. Nothing is done for such a person,
	// and the refusal says why.
	User User
	// Name is how the person is called there: hostile text, any length.
	Name string
	// Locale is the language of the person's client as a BCP 47 tag, or "".
	Locale string

	// Command is a command's name without the slash; "" for a press.
	Command string
	// Options are the command's options by name, where the platform has
	// them apart.
	Options map[string]string
	// Text is what stands behind the command, where a platform has only
	// text: "10 golf one-die=never". It is read by the command table.
	Text string

	// Press is what the pressed button carried; "" for a command.
	Press string
	// On is the message whose button was pressed.
	On Ref

	// Joined and Left are people who have come into the chat or gone, where the
	// platform tells. Such an event is neither a command nor a press, and its
	// reply is empty.
	Joined, Left []User

	// Renamed says that the person is called by Name from now on, where the platform
	// tells: no command and no press either, and the reply is empty.
	Renamed bool

	// Own says that the chat is a conversation of the person with the bot alone.
	Own bool
	// Carries says that the adapter will draw Reply.Board with this answer,
	// by Bot.Draw; otherwise the board is drawn by Platform.Post and Edit.
	Carries bool
	// NoMoney says that the platform's rules allow no stakes that look like
	// money: a unit named like a currency is refused there.
	NoMoney bool
	// Aloud says that all in the place read a private answer to this event.
	Aloud bool
	// Missing is what boards need in this place and the bot may not do. Whoever
	// asks for a board is told of it.
	Missing Lack
	// Thread opens a thread with a name below the place and tells its place. It
	// is called outside transactions and only when somebody asks for a thread.
	// Its error is a Lack where the bot may not open any. nil: none can be opened
	// there, and NoThread says what to do instead.
	Thread   func(ctx context.Context, name string) (Place, error)
	NoThread games.Line
	// Admin asks the platform whether the person may change the chat. It is
	// called outside transactions and only when it matters; nil: no.
	Admin func(context.Context) bool
	// Equals says that everybody here may change the chat, so that nobody is above
	// the others: whoever is no opener ends a table by a vote.
	Equals bool
}

// Reply is what the person is told, at once and alone. An adapter shows every
// reply in the way its platform answers the event, exactly once.
type Reply struct {
	// Toast is one short sentence for the person; "" with no Private: a
	// silent answer.
	Toast string
	// Refused says that Toast tells why nothing was changed.
	Refused bool
	// Private is a longer answer for the person alone (where the platform
	// can do that), instead of Toast. One with buttons takes the place of the
	// answer whose button was pressed, where that is the person's own: pages
	// turn, and nobody loses the way back.
	Private *Message
	// Secret says that nobody else may read Private: an adapter that could
	// show it to all only shortens it until it can be shown to the person alone.
	Secret bool
	// Unsent is what is said in place of Private and Toast where Private holds a
	// file and the platform does not let the adapter give it to the person alone.
	// Where that takes another place than the event's, Toast is said here.
	Unsent string
	// Public says that Private is news for all in the place: an adapter that
	// can show it to them in answering does so.
	Public bool
	// Instead says that Private, which is public, is about what the message tells
	// whose button was pressed: an adapter that can edit puts it in that message's
	// place. With Refused, Toast is said as well.
	Instead bool
	// Board is the table whose board this event changed or asked for; 0:
	// none.
	Board int64
	// Fresh says that Board is to appear as a new message at the bottom,
	// not in the place of the old one.
	Fresh bool
	// At is the other place that Toast speaks of, "" for none: an adapter that
	// can lead there does so.
	At Place
}

// Message is one message in the reader's language, structured so that each
// platform can draw it as well as it is able to. All text is plain and may be
// hostile: adapters escape it. The JSON form is what the browser table gets.
type Message struct {
	// Table is the table of a board; 0: the message is no board.
	Table int64 `json:"table,omitempty"`
	// Lang is the language that the message is in, as a BCP 47 tag: "en".
	Lang string `json:"lang"`
	// Head is the first line, plain sentences: what a screen reader reads.
	Head  string    `json:"head"`
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
	// Deadline is when the present turn has to be over, nil: no clock runs.
	// Platforms that count by themselves show the time left, others the clock;
	// no board is drawn anew for it.
	Deadline *Deadline `json:"deadline,omitempty"`
	// Guide says what to do to those who are new to it, at most one line.
	Guide string `json:"guide,omitempty"`
	// Small is the small print, at most one line.
	Small string `json:"small,omitempty"`
	// Buttons stand in rows that belong together. Adapters break rows that
	// are wider than their platform.
	Buttons [][]Button `json:"buttons,omitempty"`
	// Picture is shown with the message, nil: none. Boards have none.
	Picture *Picture `json:"picture,omitempty"`
	// File is a file that goes with the message, nil: none. Boards have none.
	File *File `json:"file,omitempty"`
	// Record is the table that is over whose dice the message is about, so that the
	// browser can throw them again; 0: none.
	Record int64 `json:"record,omitempty"`
	// Accent is the seat whose colour the board wears; -1: nobody's.
	Accent int `json:"accent"`
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

// Exact is a sentence around a text that people copy: whoever does must get it as it
// is, with no mark inside, so platforms set it as code, in which they make nothing a
// link or a call. Before, the text and After make the sentence up.
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
}

// File is a file that somebody is given.
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
	Tiles []Tile `json:"tiles"`
	// Sum says in a word or two how the row stands: "open 45".
	Sum string `json:"sum,omitempty"`
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

// Sheet is a paper with a column for each of some seats, all texts ready to be
// shown.
type Sheet struct {
	// Asked says that somebody wants to see it, or that the game is over. Where
	// space is dear it is shown only then.
	Asked   bool          `json:"asked,omitempty"`
	Columns []SheetColumn `json:"columns"`
	Rows    []SheetRow    `json:"rows"`
}

// SheetColumn is one seat's column.
type SheetColumn struct {
	Seat int    `json:"seat"`
	Name string `json:"name"`
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
}

// Person is one seat's line.
type Person struct {
	Seat int `json:"seat"`
	// User is who sits there, "" for a house seat: for an adapter on which
	// one visitor plays for several people. It is never shown.
	User User   `json:"-"`
	Name string `json:"name"`
	// Text is how the seat stands: "12", "9 open", "reserved"; may be "".
	Text  string           `json:"text,omitempty"`
	State games.StandState `json:"state,omitempty"`
	House bool             `json:"house,omitempty"`
}

// Button is one button: what it says and what its press carries.
type Button struct {
	// Label is at most 34 characters, usually below 16.
	Label string `json:"label"`
	// Press is at most 64 bytes of printable ASCII, for Event.Press.
	Press string      `json:"press"`
	Style games.Style `json:"style,omitempty"`
	// For is whose business it is, where it is one person's: an adapter on
	// which one visitor plays for several presses as them.
	For User `json:"-"`
}
