// Package chat holds what platforms and the bot exchange: events, replies, messages as every
// platform draws them, and Platform, which an adapter implements. It knows no tables and no store.
package chat

import (
	"context"
	"strings"
)

// Chat is a group of people with units, house rules, a language and books in common: a Discord
// server, a Telegram group, a browser room. Like all ids here it begins with its platform's name
// and a colon. Only the adapter that made an id looks behind the colon; all other code compares.
type Chat string

// Place is the part of a chat where a table stands: a channel, a thread, a topic.
type Place string

// User is a person on a platform.
type User string

// Ref is a message that a platform has posted, in that platform's spelling: unlike other
// ids it need not begin with the platform's name.
type Ref string

// Event is what a person did: a command or a press.
type Event struct {
	// ID is the platform's own id of the update, beginning with the
	// platform's name: the same id again does nothing. "" is never doubled.
	ID    string
	Chat  Chat
	Place Place
	// User is the person; "" where the platform hides them, as with Telegram's anonymous
	// administrators. Such an event is refused with the reason.
	User User
	// Name is how the person is called there: hostile text, any length.
	Name string
	// Locale is the language of the person's client as a BCP 47 tag, or "".
	Locale string

	// Shared is the language of the chat as its platform says it, as a BCP 47 tag, "und" where none is set there; ""
	// where the platform does not say.
	Shared string

	// Command is a command's name without the slash; "" for a press.
	Command string
	// Row is the row of the command that was chosen, where the platform has rows apart.
	Row string
	// Options are the command's options by name, where the platform has
	// them apart.
	Options map[string]string
	// Text is what stands behind the command, where a platform has only text:
	// "10 golf one-die=never". It is read by the command table.
	Text string
	// Mentions are the people whom Text or an option mentions, by how the mention is
	// spelled there.
	Mentions map[string]Mention

	// Press is what the pressed button carried; "" for a command.
	Press string
	// On is the message whose button was pressed, or whose menu the command was chosen from, ""
	// where the platform does not tell.
	On Ref

	// Confide sends a message to the person's own conversation with the bot, and returns false where
	// they have none. It is called outside of transactions. nil: there is no such conversation.
	Confide func(context.Context, Message) bool
	// Missing holds the permissions that boards need in this place and the bot lacks. A person who
	// asks for a board is told so.
	Missing MissingPermissions
	// Thread opens a thread with a name below the place and returns its place. It is called outside
	// of transactions, and only for a person who asks for a thread. Its error is a
	// MissingPermissions if the bot lacks them. nil: no thread can be opened there, and NoThread
	// says what to do instead.
	Thread func(ctx context.Context, name string) (Place, error)
	// Admin asks the platform whether the person may change the chat. It is called outside of
	// transactions, and only if it matters; nil: the person may not.
	Admin func(context.Context) bool
	// Members is what else has happened to people of the chat.
	Members
	// Traits is what the platform and this place are like.
	Traits
}

// Members are people who have joined, left or been renamed, on platforms that report it. An event that says so is
// neither a command nor a press, and its reply is empty.
type Members struct {
	Joined, Left []User
	// Renamed says that the event's Name is the person's new name.
	Renamed bool
}

// Mention is a person whom somebody has mentioned, not by name alone.
type Mention struct {
	User User
	// Name is how the person is called there, "" where the platform does not tell.
	Name string
}

// Reply is the answer to an event, for the person alone. An adapter shows every reply exactly once,
// in the way that its platform answers the event.
type Reply struct {
	// Toast is one short sentence for the person; "" with no Private: a
	// silent answer.
	Toast string
	// Refused says that nothing was changed, and Toast is the reason.
	Refused bool
	// Slip says that Toast refuses the second tap of a double one: an adapter whose toasts stay until
	// they are put away says nothing.
	Slip bool
	// Receipt says that Toast tells the person no more than that what they asked for is done: an
	// adapter may show so by a sign of the platform.
	Receipt bool
	// Stays says that others look at Private, or Page, later as well: where all read answers, the person's next one
	// replaces it no more than a public one.
	Stays bool
	// Private is a longer answer for the person alone (if the platform can do that), instead of
	// Toast. If it has buttons and the pressed button was on the person's own answer, it replaces
	// that answer: so pages turn.
	Private *Message
	// Secret says that no other person may read Private: an adapter that cannot show it to the
	// person alone shows a short form until it can.
	Secret bool
	// Unsent is the text instead of Private and Toast if Private holds a file and the adapter may
	// not give it to the person alone. If the file would go to another place than the event's,
	// Toast is shown in the event's place.
	Unsent string
	// Public says that Private is for all in the place: an adapter whose answer can be seen by all
	// shows it so.
	Public bool
	// Instead says that Private, which is then public, updates the message whose button was
	// pressed: an adapter that can edit replaces that message. With Refused, Toast is shown as
	// well.
	Instead bool
	// Page is what the message whose button was pressed shows from now on, whoever asked for it: a
	// list that its own press has changed. Where all read that message, it tells what Private tells
	// them, and Private is not shown.
	Page *Message
	// Board is the number of the table that this event changed or asked for; 0: none.
	Board int64
	// Puzzle is the number of a puzzle to be drawn as the answer, by Core.DrawPuzzle; 0: none. Only events that say
	// Carries are answered so.
	Puzzle int64
	// Fresh says that Board is to be a new message at the bottom, instead of an edit.
	Fresh bool
	// Opened is the page that the person has opened on a board for themselves alone, nil: none was turned.
	// Only events that say Pages are answered so.
	Opened *Opened
	// All is one line for all in the place beside an answer for the person alone, for platforms
	// that say that they whisper; "" for none.
	All string
	// At is another place that Toast refers to, which adapters link if they can; "" for none.
	At Place
}

// Plain returns the event without what asks its platform: as a transaction knows it.
func (ev Event) Plain() Event {
	ev.Admin, ev.Thread, ev.Confide = nil, nil, nil
	return ev
}

// Platform returns the name of the event's platform.
func (ev Event) Platform() string { return PlatformOf(string(ev.Place)) }

// PlatformOf returns the name of the platform of a chat, place or person: what stands before the
// colon.
func PlatformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}
