// Package chat holds the types that platforms and the bot exchange: events, replies, messages, and Platform, which an
// adapter implements. It depends on neither tables nor the store.
package chat

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"knobel/games"
)

// Chat is the id of a group of people with common units, house rules, language and payments: a Discord server, a
// Telegram group, a browser room. Like all ids here it begins with its platform's name and a colon. Only its adapter
// parses the rest.
type Chat string

// Place is the id of the part of a chat where a table is: a channel, a thread, a topic.
type Place string

// User is the id of a person on a platform.
type User string

// Ref is the platform's id of a posted message. Unlike other ids it need not begin with the platform's name.
type Ref string

// Event is a command, a button press, or news about the people of a chat (Members).
type Event struct {
	// ID is the platform's id of the update, beginning with the platform's name. A repeated id is ignored unless it
	// is "".
	ID    string
	Chat  Chat
	Place Place
	// User is the person; "" if the platform hides them, as with Telegram's anonymous admins. Such an event is
	// refused.
	User User
	// Name is the person's name there: hostile text of any length.
	Name string
	// Locale is the language of the person's client as a BCP 47 tag, or "".
	Locale string

	// Shared is the language that the chat has on its platform, as a BCP 47 tag: "und" if none is set, "" if the
	// platform has no such setting.
	Shared string

	// Command is a command's name without the slash; "" for a press.
	Command string
	// Row is the chosen subcommand, on platforms that list them.
	Row string
	// Options are the command's options by name, on platforms that pass them separately.
	Options map[string]string
	// Text is the text after the command, on platforms with text only: "10 golf one-die=never".
	Text string
	// Mentions are the people mentioned in Text or an option, by the spelling of the mention.
	Mentions map[string]Mention

	// Press is the pressed button's data; "" for a command.
	Press string
	// On is the message of the pressed button or of the menu in which the command was chosen, "" if unknown.
	On Ref

	// Missing holds the permissions that boards need in this place and the bot lacks. A person who asks for a board
	// reads them.
	Missing MissingPermissions
	// Functions ask the platform. Inside of transactions they are nil.
	Functions
	// Members holds news about people of the chat.
	Members
	// Traits are those of the platform and of this place.
	Traits
}

// Functions holds the functions of an event that ask its platform. They are called outside of transactions.
type Functions struct {
	// Confide sends a message to the person's private chat with the bot, and returns false if there is none. nil: there
	// is no such chat.
	Confide func(context.Context, Message) bool
	// Thread opens a thread below the place and returns its place. Its error is a MissingPermissions if the bot lacks
	// them. nil: no thread can be opened there, and NoThread is an alternative.
	Thread func(ctx context.Context, name string) (Place, error)
	// Admin reports whether the person may change the chat; nil: they may not.
	Admin func(context.Context) bool
}

// Members holds people who have joined, left or been renamed. An event with such news is neither a command nor a press,
// and its reply is empty.
type Members struct {
	Joined, Left []User
	// Renamed means that the event's Name is the person's new name.
	Renamed bool
}

// Mention is a person mentioned with an id.
type Mention struct {
	User User
	// Name is the person's name there, "" if unknown.
	Name string
}

// Reply is the answer to an event, for its person only. An adapter shows every reply exactly once, in its platform's
// way.
type Reply struct {
	// Toast is one short sentence. "" without Private means that nothing is shown.
	Toast string
	// Refused means that nothing was changed, for the reason in Toast.
	Refused bool
	// Slip means that Toast refuses the second press of a double tap: an adapter whose toasts stay until dismissed
	// shows nothing.
	Slip bool
	// Receipt means that Toast only confirms the request: an adapter may show a platform's sign, such as a tick,
	// instead.
	Receipt bool
	// Stays means that others will read Private, or Page, later. In places where all read answers, the person's next
	// answer does not replace it.
	Stays bool
	// Private is a longer answer for the person only (if the platform can do that), instead of Toast. If it has
	// buttons and the pressed button was on the person's own answer, it replaces that answer: so pages turn.
	Private *Message
	// Secret means that no other person may read Private: an adapter that cannot hide it shows a short form until it
	// can.
	Secret bool
	// Unsent replaces Private and Toast if Private holds a file that the adapter may not give to the person alone. If
	// the file is sent to another place, Toast is shown in the event's place.
	Unsent string
	// Public means that Private is for all in the place, if the adapter can show answers to all.
	Public bool
	// Instead means that Private, which is then public, updates the message of the pressed button, if the adapter can
	// edit. With Refused, Toast is shown as well.
	Instead bool
	// Page is the new content of the message of the pressed button, even another person's, such as a list that its own
	// press has changed. Where all read that message, it replaces Private.
	Page *Message
	// Board is the number of the table that this event changed or asked for; 0: none.
	Board int64
	// Puzzle is the number of a puzzle to be drawn as the answer, by Core.DrawPuzzle; 0: none. Only replies to events
	// with Carries have it.
	Puzzle int64
	// Fresh means that Board is a new message at the bottom, instead of an edit.
	Fresh bool
	// Opened is the private page that the person has opened on a board, nil: none. Only replies to events with Pages
	// have it.
	Opened *Opened
	// All is a line for all in the place beside a private answer, on platforms with Whispers; "" for none.
	All string
	// At is another place that Toast refers to, for a link; "" for none.
	At Place
}

// Platform returns the name of the event's platform.
func (ev Event) Platform() string { return PlatformOf(string(ev.Place)) }

// PlatformOf returns the part of an id before the colon.
func PlatformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}

// Viewer is a browser that watches a board, with the people who play in it.
type Viewer struct {
	// Lang is the language of the page, "": that of the chat.
	Lang string
	// People are the people in it whose board may differ from the shared one; see State.Concerns.
	People []User
	// Unseated means that a person there has no seat at the table.
	Unseated bool
	// Offers means that the view shows the offered seats instead of the board.
	Offers bool
	// Open is the page that they have opened on this board.
	Open Opened
}

// View is a board as a viewer sees it.
type View struct {
	By      Viewer
	Message Message
}

// Opened is a private page of a board. It is open until the next move at the table.
type Opened struct {
	Table int64
	Turn  int64
	// Page is its name, "" for the game alone.
	Page string
}

// MissingPermissions holds the permissions that the bot lacks in a place. It is the error of requests that fail for
// that reason.
type MissingPermissions struct {
	// Permissions are the names in the platform's client, in the reader's language.
	Permissions games.List
	// Where is the part of that client in which they are granted.
	Where games.Line
}

// Error returns a fixed text for the log; people read Line.
func (l MissingPermissions) Error() string { return "the bot lacks permissions there" }

// Line returns the sentence of a key with the missing permissions.
func (l MissingPermissions) Line(key string) games.Line {
	return games.Say(key, games.Args{"Permissions": l.Permissions, "Where": l.Where})
}

// MaxPress is the greatest length of a button's data in bytes.
const MaxPress = 64

// Press is the data of a button: version : table : turn : what. What is a move of the game, a verb of the table
// ("!join"), or a command ("/rules").
type Press struct {
	Table int64
	Turn  int64
	What  string
}

// pressed matches a press of version 1. Numbers have no leading zeros.
var pressed = regexp.MustCompile(`^1:(0|[1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8}):([ -~]{1,60})$`)

// String returns the press as a button carries it.
func (p Press) String() string { return fmt.Sprintf("1:%d:%d:%s", p.Table, p.Turn, p.What) }

// LobbyPress returns the press of a lobby's button for the verb asks: "join", "leave", "house fewest" (add a computer
// player), "start". It holds the turn of the given board. Adapters that press such buttons for people use it.
func LobbyPress(board Message, asks string) string {
	p := Press{Table: board.Table, What: "!" + asks}
	for _, row := range board.Buttons {
		for _, b := range row {
			if on, ok := ParsePress(b.Press); ok && on.Table == board.Table {
				p.Turn = max(p.Turn, on.Turn)
			}
		}
	}
	return p.String()
}

// ParsePress parses a press. It returns false for any text that String does not return.
func ParsePress(text string) (Press, bool) {
	if len(text) > MaxPress {
		return Press{}, false
	}
	m := pressed.FindStringSubmatch(text)
	if m == nil {
		return Press{}, false
	}
	table, err1 := strconv.ParseInt(m[1], 10, 64)
	turn, err2 := strconv.ParseInt(m[2], 10, 64)
	return Press{table, turn, m[3]}, err1 == nil && err2 == nil
}

// Verb returns the verb of a press that is an action on the table itself, such as "set" of "!set one-die=never", and
// rest, the text behind. ok is false for a move or a command.
func (p Press) Verb() (name, rest string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "!")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(said, " ")
	return name, rest, true
}

// Command returns the command of a press that is one, such as "rules" of "/rules golf", and text, the text behind. ok
// is false for other presses.
func (p Press) Command() (name, text string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "/")
	if !ok {
		return "", "", false
	}
	name, text, _ = strings.Cut(said, " ")
	return name, text, true
}

// Traits are the abilities of a platform and a place. The zero value has none.
type Traits struct {
	// Sparing means that drawing is expensive: picked dice are drawn only if the Budget has Room, else with the next
	// change.
	Sparing bool
	// Steps means that boards show the last moves one by one, as Steps. Then the game does not wait for people to see
	// them.
	Steps bool
	// Carries means that the adapter draws Reply.Board and Reply.Puzzle in its answer, by Core.Draw. Otherwise the
	// outbox draws the board, by Platform.Post and Edit.
	Carries bool
	// Typed means that presses are typed: there are no double taps, and explanations mention typing.
	Typed bool
	// Menus means that private answers are shown beside everything else, however long they are, and that the adapter
	// draws their Choices as lists.
	Menus bool
	// Pages means that each person sees boards drawn for themselves, by Core.View: pages that they open are private,
	// not stored, and returned by Reply.Opened.
	Pages bool
	// Aloud means that all in the place read answers for one person, except toasts of presses.
	Aloud bool
	// Whispers means that private answers are seen by the person only, and that an answer can be shown to all as well.
	Whispers bool
	// Own means that the chat is the person's private chat with the bot.
	Own bool
	// Invite is the https URL that adds the bot to a group, "" if there is none.
	Invite string
	// Threads means that the chat has threads, or topics, for a second table.
	Threads bool
	// NoThread is a sentence with an alternative if Event.Thread is nil.
	NoThread games.Line
	// Hosted means that the person who may change the chat is called its host.
	Hosted bool
	// Equals means that all people here may change the chat: then all but its opener need a vote to end a table.
	Equals bool
}
