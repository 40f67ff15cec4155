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

// Ref is the platform's id of a posted message. Unlike other ids it need not begin with the platform's name. If it
// equals its Place, the place is one message, which shows the newest table and everything else that is said there.
type Ref string

// Event is a command, a button press, or news about the people of a chat (Members).
type Event struct {
	// ID is the platform's id of the update, beginning with the platform's name. An event with the id of an earlier
	// event is ignored, unless the id is "".
	ID    string
	Chat  Chat
	Place Place
	// User is the person who acts; "" if the platform hides who that is, as with Telegram's anonymous admins. Such an
	// event is refused.
	User User
	// Name is User's name in the chat: hostile text of any length.
	Name string
	// Locale is the language of User's client as a BCP 47 tag, "" if unknown.
	Locale string

	// Shared is the language that is set on the platform for the whole chat, as a BCP 47 tag. It is "und" if none is
	// set, "" if the platform has no such setting.
	Shared string

	// Command is a command's name without the slash; "" for a press.
	Command string
	// Row is the name of the chosen subcommand, on platforms whose menus list subcommands.
	Row string
	// Options are the command's options by name, on platforms that pass them separately.
	Options map[string]string
	// Text is all that was typed after the command, on platforms that do not separate options: "10 golf one-die=never".
	Text string
	// Mentions are the people mentioned in Text or an option, by the text of the mention there.
	Mentions map[string]Mention

	// Press is the pressed button's data; "" for a command.
	Press string
	// On is the message with the pressed button, or the message in whose menu the command was chosen; "" if unknown.
	On Ref

	// Missing holds the permissions that the bot lacks in Place to post boards. A person who asks for a board is told.
	Missing MissingPermissions
	// Functions ask the platform. They are nil within database transactions.
	Functions
	// Members are changes of the people in the chat.
	Members
	// Traits are the abilities of the platform and this place.
	Traits
}

// Functions holds functions that ask the platform about an event. They are called outside of database transactions.
type Functions struct {
	// Confide sends a message to the private chat of Event.User with the bot, and reports whether it was sent. nil:
	// there is no such chat.
	Confide func(context.Context, Message) bool
	// Thread opens a thread with this name in the event's channel and returns its place. If the bot lacks permissions,
	// the error is a MissingPermissions. nil: no thread can be opened; Traits.NoThread says what to do instead.
	Thread func(ctx context.Context, name string) (Place, error)
	// Admin reports whether Event.User may change the chat's settings; nil: no.
	Admin func(context.Context) bool
}

// Members holds people who have joined, left or been renamed. An event with such people is neither a command nor a
// press, and its reply is empty.
type Members struct {
	Joined, Left []User
	// Renamed means that Event.Name is a new name of Event.User.
	Renamed bool
}

// Mention is a person mentioned in a text, with the id that the platform gives.
type Mention struct {
	User User
	// Name is the person's name in the mention, "" if unknown.
	Name string
}

// Reply is the answer to an event, for Event.User only. An adapter shows every reply exactly once, in the way of its
// platform.
type Reply struct {
	// Toast is one short sentence for the person. If it is "" and Private is nil, no answer is shown.
	Toast string
	// Refused means that nothing was changed, for the reason in Toast.
	Refused bool
	// Slip means that Toast refuses the second press of a double tap, which was a mistake: an adapter whose toasts stay
	// until they are dismissed does not show it.
	Slip bool
	// Receipt means that Toast only says that the request was done: an adapter may show a sign instead, such as a tick.
	Receipt bool
	// Stays means that others will want to read this answer (Private or Page) later. Where all people read answers, the
	// person's next answer does not replace this one.
	Stays bool
	// Private is a longer answer, shown instead of Toast, and only to the person if the platform can do that. If
	// Private has buttons and the person pressed a button of an earlier private answer to them, it replaces that
	// answer.
	Private *Message
	// Secret means that no other person may read Private. An adapter that cannot hide all of it shows a short form to
	// the person only.
	Secret bool
	// Unsent is shown instead of Private and Toast if Private holds a file that the adapter cannot send privately. An
	// adapter that has sent the file to the person's private chat shows Toast in the place of the event.
	Unsent string
	// Public means that Private is shown to all people in the place, if the adapter can do that.
	Public bool
	// Instead means that Private, which is then Public, replaces the content of the message with the pressed button, if
	// the adapter can edit it. If also Refused, Toast is shown as well.
	Instead bool
	// Page is the new content of the message with the pressed button, such as a list that the press has changed, even
	// if that message answered another person. Where all people read that message, Private is not shown.
	Page *Message
	// Short is shown instead of Private or Page if these would cover the board of a game in play; "": there is none.
	Short string
	// Board is the number of the table that this event changed or asked for; 0: none.
	Board int64
	// Puzzle is the number of a puzzle that the adapter draws as the answer, by Core.DrawPuzzle; 0: none. It is 0
	// unless Traits.Carries is set.
	Puzzle int64
	// Fresh means that Board must be posted as a new message at the bottom, not edited.
	Fresh bool
	// Opened is the private page of a board that the person has opened, nil: none. It is nil unless Traits.Pages is
	// set.
	Opened *Opened
	// All is a line for all people in the place, in addition to a private answer; "" without Traits.Whispers.
	All string
	// At is another place (channel or thread) that Toast speaks of, so that the adapter can add a link; "": none.
	At Place
}

// Platform returns the name of the event's platform.
func (ev Event) Platform() string { return PlatformOf(string(ev.Place)) }

// PlatformOf returns the part of an id before the colon.
func PlatformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}

// Viewer is a browser that shows a board. One or more people play in it.
type Viewer struct {
	// Lang is the language of the browser's page; "": that of the chat.
	Lang string
	// People are the people who play in this browser and whose board may differ from the shared board; see
	// State.Concerns.
	People []User
	// Unseated means that a person in this browser has no seat at the table.
	Unseated bool
	// Offers means that the browser shows the seats that players want to hand over to others, instead of the board.
	Offers bool
	// Open is the private page that is open on this board in the browser.
	Open Opened
}

// View is a board as drawn for one viewer.
type View struct {
	By      Viewer
	Message Message
}

// Opened names a private page of a board, such as a game's rules. It stays open until the next move at the table.
type Opened struct {
	Table int64
	Turn  int64
	// Page is the page's name; "": the page shows only the game.
	Page string
}

// MissingPermissions holds the permissions that the bot lacks in a channel or chat. Requests that fail for that reason
// return it as their error.
type MissingPermissions struct {
	// Permissions are the names of these permissions in the platform's client, in the reader's language.
	Permissions games.List
	// Where names the settings of the platform's client in which an admin grants these permissions.
	Where games.Line
}

// Error returns a fixed text for the log. People read the text of Line instead.
func (l MissingPermissions) Error() string { return "the bot lacks permissions there" }

// Line returns the sentence with this message key, which names the missing permissions and where to grant them.
func (l MissingPermissions) Line(key string) games.Line {
	return games.Say(key, games.Args{"Permissions": l.Permissions, "Where": l.Where})
}

// MaxPress is the greatest length of a button's data in bytes.
const MaxPress = 64

// Press is the data of a button, "1:TABLE:TURN:WHAT" (1 is the version). WHAT is a move of the game, "!" and an action
// on the table ("!join"), or a command ("/rules").
type Press struct {
	Table int64
	Turn  int64
	What  string
}

// pressPattern matches the data of a button. Numbers have no leading zeros.
var pressPattern = regexp.MustCompile(`^1:(0|[1-9][0-9]{0,17}):(0|[1-9][0-9]{0,8}):([ -~]{1,60})$`)

// String returns the press in the form in which a button carries it.
func (p Press) String() string { return fmt.Sprintf("1:%d:%d:%s", p.Table, p.Turn, p.What) }

// LobbyPress returns the data of a button of board, a lobby. verb is its action: "join", "leave", "start", or "house
// fewest" (add a computer player). Adapters use it to press such a button for a person.
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

// ParsePress parses a button's data. It returns false unless text is the String of a Press.
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

// Verb splits a press that is an action on the table, such as "!set one-die=never": name is "set", rest is
// "one-die=never". ok is false for a move or a command.
func (p Press) Verb() (name, rest string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "!")
	if !ok {
		return "", "", false
	}
	name, rest, _ = strings.Cut(said, " ")
	return name, rest, true
}

// Command splits a press that is a command, such as "/rules golf": name is "rules", text is "golf". ok is false for a
// move or an action on the table.
func (p Press) Command() (name, text string, ok bool) {
	said, ok := strings.CutPrefix(p.What, "/")
	if !ok {
		return "", "", false
	}
	name, text, _ = strings.Cut(said, " ")
	return name, text, true
}

// Traits are special abilities of a platform or a place (channel or thread). The zero value has none.
type Traits struct {
	// Sparing means that few writes are allowed: when a player picks dice, the board is redrawn only if Budget.Room.
	Sparing bool
	// Steps means that boards show the latest moves one after another (Message.Steps). The game then does not pause for
	// people to see each move.
	Steps bool
	// Carries means that the adapter itself draws Reply.Board and Reply.Puzzle as the answer, by Core.Draw and
	// DrawPuzzle. Otherwise the core draws the board later, by Platform.Post and Edit.
	Carries bool
	// Typed means that people type instead of pressing buttons: without double taps, with explanations of what to type.
	Typed bool
	// Menus means that the adapter shows private answers of any length without covering the board, and draws their
	// Choices as lists.
	Menus bool
	// Pages means that each person has a board drawn for them by Core.View. A page that a person opens on it is
	// private: Reply.Opened returns it, and the core does not store it.
	Pages bool
	// Aloud means that all people in the place can read an answer for one person, except a toast after a press.
	Aloud bool
	// Whispers means that only Event.User sees private answers, and that an answer can also be shown to all people.
	Whispers bool
	// Own means that the chat is the private chat of Event.User with the bot.
	Own bool
	// Guest means that the bot is no member of the chat: it writes only where a person has asked it to, and calls no
	// one.
	Guest bool
	// Perishable means that, as a guest, the bot can edit a board only for some minutes after a press there. Only the
	// answer to an event posts a board.
	Perishable bool
	// Invite is the https URL that adds the bot to a group, Install the one by which a person can use it in all chats;
	// "" if there is none.
	Invite, Install string
	// Alias is another id of the chat, under which events come that do not name it; "": none is known. If Event.Chat is
	// the alias itself, the core uses the chat that was paired with it by an earlier event, if there was one.
	Alias Chat
	// Threads means that the chat has threads or topics, each of which can hold another table.
	Threads bool
	// Calendar shows fixed evenings as events, and Pinner pins messages; nil: the platform cannot. Only Platform.Traits
	// sets them.
	Calendar Calendar
	Pinner   Pinner
	// NoThread is a sentence that says what to do instead if Functions.Thread is nil.
	NoThread games.Line
	// Hosted means that the person who may change the chat's settings is called its host.
	Hosted bool
	// Embeds means that the platform's client shows pages of tables.
	Embeds bool
	// Launches means that boards have a button with the action "!app", by which the adapter opens such a page.
	Launches bool
	// Equals means that all people may change the chat's settings. This alone lets no one end a table without a vote.
	Equals bool
}
