// Package chat is what platforms and the bot say to each other: what people did, what they are told, messages as
// every platform draws them, and what a platform has to be able to do. It knows no tables and no store.
package chat

import (
	"context"
	"strings"

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
	// On is the message whose button was pressed, "" where the platform does not tell.
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
	Missing MissingPermissions
	// Thread opens a thread with a name below the place and tells its place. It
	// is called outside transactions and only when somebody asks for a thread.
	// Its error is a MissingPermissions where the bot may not open any. nil: none can be opened
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

// Platform returns what the ids of an event begin with.
func (ev Event) Platform() string { return PlatformOf(string(ev.Place)) }

// PlatformOf returns what the id of a chat, place or person begins with, before the colon.
func PlatformOf(id string) string {
	name, _, _ := strings.Cut(id, ":")
	return name
}
