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

// Chat is the id of a group of people with common stakes, house rules, language and payments: a Discord server, a
// Telegram group, a browser room. Like all ids here it begins with its platform's name and a colon. Only its adapter
// parses the rest.
type Chat string

// Place is the id of the part of a chat that holds a table: a channel, a thread, a topic, the whole browser room.
type Place string

// User is the id of a person on a platform.
type User string

// Ref is the platform's id of a posted message. Unlike other ids it need not begin with the platform's name.
type Ref string

// Event is a command, a button press, or news about the people of a chat (Members).
type Event struct {
	// ID is the platform's id of the update, beginning with the platform's name. An event whose id is known is ignored,
	// unless the id is "".
	ID    string
	Chat  Chat
	Place Place
	// User is the person; "" if the platform hides them, as with Telegram's anonymous admins. Such an event is
	// refused.
	User User
	// Name is the person's name in the chat: hostile text of any length.
	Name string
	// Locale is the language of the person's client as a BCP 47 tag, or "".
	Locale string

	// Shared is the language that the platform has for the whole chat, as a BCP 47 tag: "und" if none is set, "" if the
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

	// Missing holds the permissions for boards that the bot lacks here. A person who asks for a board is told.
	Missing MissingPermissions
	// Functions ask the platform. They are nil inside of transactions.
	Functions
	// Members are changes of the people in the chat.
	Members
	// Traits are the traits of the platform and of this place.
	Traits
}

// Functions holds the functions of an event that ask its platform. They are called outside of transactions.
type Functions struct {
	// Confide sends a message to the person's private chat with the bot, and reports whether it was sent. nil: there is
	// no such chat.
	Confide func(context.Context, Message) bool
	// Thread opens a thread with a name in the event's channel and returns its place. If permissions are missing, the
	// error is a MissingPermissions. nil: no thread can be opened there; Traits.NoThread suggests an alternative.
	Thread func(ctx context.Context, name string) (Place, error)
	// Admin reports whether the person may change the chat; nil: they may not.
	Admin func(context.Context) bool
}

// Members holds people who have joined, left or been renamed. An event with any is neither a command nor a press, and
// its reply is empty.
type Members struct {
	Joined, Left []User
	// Renamed means that the event's Name is the person's new name.
	Renamed bool
}

// Mention is a person whom a text mentions with an id.
type Mention struct {
	User User
	// Name is the person's name there, "" if unknown.
	Name string
}

// Reply is the answer to an event, for its person only. An adapter shows every reply exactly once, in its platform's
// way.
type Reply struct {
	// Toast is one short sentence. If it is "" and Private is nil, nothing is shown.
	Toast string
	// Refused means that nothing was changed, for the reason in Toast.
	Refused bool
	// Slip means that Toast refuses the second press of a double tap: an adapter whose toasts stay until dismissed
	// shows nothing.
	Slip bool
	// Receipt means that Toast only confirms the request: an adapter may show a sign instead, such as a tick.
	Receipt bool
	// Stays means that others will read Private, or Page, later. In places where all read answers, the person's next
	// answer does not replace it.
	Stays bool
	// Private is a longer answer, shown instead of Toast, for the person only if the platform can do that. If it has
	// buttons and the pressed button was on the person's own answer, it replaces that answer: so people turn pages.
	Private *Message
	// Secret means that no other person may read Private: an adapter that cannot hide it shows a short form until it
	// can.
	Secret bool
	// Unsent replaces Private and Toast if Private holds a file that the adapter cannot give to the person alone. If it
	// sends the file to another place, it shows Toast in the event's place.
	Unsent string
	// Public means that Private is for all people in the place, if the adapter can show answers to all.
	Public bool
	// Instead means that Private, which is then public, updates the message of the pressed button, if the adapter can
	// edit. With Refused, Toast is shown as well.
	Instead bool
	// Page is the new content of the message of the pressed button, even if that is another person's: a list that the
	// press has changed. Where all people read that message, it replaces Private.
	Page *Message
	// Board is the number of the table that this event changed or asked for; 0: none.
	Board int64
	// Puzzle is the number of a puzzle to be drawn as the answer, by Core.DrawPuzzle; 0: none. Only replies to events
	// with Carries have it.
	Puzzle int64
	// Fresh means that Board must be a new message at the bottom, not an edit.
	Fresh bool
	// Opened is the private page of a board that the person has opened, nil: none. Only replies to events with Pages
	// have it.
	Opened *Opened
	// All is a line for all people in the place beside a private answer, on platforms with Whispers; "" for none.
	All string
	// At is another place (channel or thread) that Toast refers to, for a link; "" for none.
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
	// Lang is the language of the page; "": that of the chat.
	Lang string
	// People are the people who play in this browser and whose board may differ from the shared one; see
	// State.Concerns.
	People []User
	// Unseated means that a person in this browser has no seat at the table.
	Unseated bool
	// Offers means that the view shows the seats that players want to hand over, instead of the board.
	Offers bool
	// Open is the private page that they have opened on this board.
	Open Opened
}

// View is a board as one viewer sees it.
type View struct {
	By      Viewer
	Message Message
}

// Opened names a private page of a board. It is open until the next move at the table.
type Opened struct {
	Table int64
	Turn  int64
	// Page is the page's name, "" for the game alone.
	Page string
}

// MissingPermissions holds the permissions that the bot lacks in a channel or chat. Requests that fail for that reason
// return it as their error.
type MissingPermissions struct {
	// Permissions are their names in the platform's client, in the reader's language.
	Permissions games.List
	// Where is the part of that client in which an admin grants them.
	Where games.Line
}

// Error returns a fixed text for the log. People read Line instead.
func (l MissingPermissions) Error() string { return "the bot lacks permissions there" }

// Line returns the sentence of key with the missing permissions and where to grant them.
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

// pressPattern matches the data of a button, version 1. Numbers have no leading zeros.
var pressPattern = regexp.MustCompile(`^1:(0|[1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8}):([ -~]{1,60})$`)

// String returns the press as a button carries it.
func (p Press) String() string { return fmt.Sprintf("1:%d:%d:%s", p.Table, p.Turn, p.What) }

// LobbyPress returns the data of a lobby's button for a verb: "join", "leave", "house fewest" (add a computer player),
// "start". Its turn is that of the given board. Adapters that press such buttons for people use it.
func LobbyPress(board Message, verb string) string {
	p := Press{Table: board.Table, What: "!" + verb}
	for _, row := range board.Buttons {
		for _, b := range row {
			if press, ok := ParsePress(b.Press); ok && press.Table == board.Table {
				p.Turn = max(p.Turn, press.Turn)
			}
		}
	}
	return p.String()
}

// ParsePress parses a button's data. It returns false for any text that String does not return.
func ParsePress(text string) (Press, bool) {
	if len(text) > MaxPress {
		return Press{}, false
	}
	m := pressPattern.FindStringSubmatch(text)
	if m == nil {
		return Press{}, false
	}
	table, err1 := strconv.ParseInt(m[1], 10, 64)
	turn, err2 := strconv.ParseInt(m[2], 10, 64)
	return Press{table, turn, m[3]}, err1 == nil && err2 == nil
}

// Verb splits a press that is an action on the table itself, such as "!set one-die=never": name is "set", rest the text
// behind. ok is false for a move or a command.
func (p Press) Verb() (name, rest string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "!")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(said, " ")
	return name, rest, true
}

// Command splits a press that is a command, such as "/rules golf": name is "rules", text the text behind. ok is false
// for other presses.
func (p Press) Command() (name, text string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "/")
	if !ok {
		return "", "", false
	}
	name, text, _ = strings.Cut(said, " ")
	return name, text, true
}

// Traits are what a platform or a place (channel or thread) can do. The zero value can nothing special.
type Traits struct {
	// Sparing means that drawing is expensive: dice that a player picks are drawn at once only if the Budget has Room.
	Sparing bool
	// Steps means that boards show the last moves one by one (Message.Steps), so the game does not pause for people to
	// see them.
	Steps bool
	// Carries means that the adapter draws Reply.Board and Reply.Puzzle in its answer, by Core.Draw and DrawPuzzle.
	// Otherwise the outbox draws the board, by Platform.Post and Edit.
	Carries bool
	// Typed means that presses are typed: there are no double taps, and explanations mention typing.
	Typed bool
	// Menus means that private answers are shown beside everything else, at any length, and that the adapter draws
	// their Choices as lists.
	Menus bool
	// Pages means that each person sees boards drawn for them by Core.View. Pages that they open are private, returned
	// by Reply.Opened and not stored.
	Pages bool
	// Aloud means that all people in the place read answers for one person, except toasts of presses.
	Aloud bool
	// Whispers means that only the person sees private answers, and that an answer can be shown to all people as well.
	Whispers bool
	// Own means that the chat is the person's private chat with the bot.
	Own bool
	// Invite is the https URL that adds the bot to a group, "" if there is none.
	Invite string
	// Threads means that the chat has threads or topics, each of which can hold another table.
	Threads bool
	// NoThread is a sentence that suggests an alternative if Event.Thread is nil.
	NoThread games.Line
	// Hosted means that the person who may change the chat is called its host.
	Hosted bool
	// Equals means that all people here may change the chat. Only a table's opener then ends it without a vote.
	Equals bool
}
