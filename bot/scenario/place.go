package scenario

// What a stage asks of a platform: drivers implement these interfaces, with what their platform has.

import (
	"context"
	"log/slog"
	"strings"

	"knobel/bot/chat"
)

// Place is where people meet on a platform, as those see it who are there. A driver implements it, and as much of Chat
// and Server as its platform has; stories speak to a Stage. Where people see later what the bot has drawn, as on a
// page, the driver has CatchUp, too, which reports whether they see all of it.
type Place interface {
	// Connect returns a new adapter to the platform.
	Connect(log *slog.Logger) chat.Platform
	// Listening reports whether the bot hears what people do.
	Listening() bool
	// Wait returns once something holds, which may ask the place, or ctx's error.
	Wait(ctx context.Context, holds func() bool) error
	// Meet brings somebody whose client speaks a language, and returns their number, from 0 on.
	Meet(name, language string) (who int)
	// ID is somebody's, as the bot spells it.
	ID(who int) string
	// Messages are those of the bot that stand here and, behind them, those for one person alone, each oldest first;
	// -1 is everybody.
	Messages(who int) []Message
	// Write sends a command, its options named: "/shutbox stake=5 variant=golf".
	Write(who int, line string) Deed
	// Press presses a button of a message; data is what it carries.
	Press(who int, on, data string) Deed
	// Name is the platform's: "Discord".
	Name() string
}

// Chat is what a place belongs to that can have others beside it, and admins who are above the others: a browser table
// is one room, in which all are alike.
type Chat interface {
	// Appoint makes somebody an admin of the chat.
	Appoint(who int)
	// Elsewhere is another place of the same chat, with the same people.
	Elsewhere() Place
	// Remove deletes a message, as somebody may.
	Remove(message string)
}

// Server is what a place is on a server that plays a platform, with its wire and its troubles.
type Server interface {
	// Mention sends a command with somebody mentioned behind it: "/settle what=why".
	Mention(who int, line string, other int) Deed
	// Talk has somebody write something that is no command.
	Talk(who int, text string)
	// Writes is how much the bot has written of its own accord: answers to presses that Discord draws aside.
	Writes() int
	// Sent are all texts that the bot has sent so far for people to read.
	Sent() []string
	// Menu is the menu of commands in a language, as JSON; "" where there is none.
	Menu(language string) string
	// Vanish deletes the place, as somebody may.
	Vanish()
	// Mute takes the right to write from the bot, or gives it back.
	Mute(on bool)
	// LockOut removes the bot from the chat, or lets it in again.
	LockOut(on bool)
	// Secrets are what must stand in no log.
	Secrets() []string
	// Storm has the next requests fail in all ways that there are.
	Storm()
}

// Deed is something that somebody did. It returns what they alone are told, "" where the board shows all, and whether
// the bot has answered.
type Deed func() (told string, answered bool)

// Message is a message of the bot, as people see it.
type Message struct {
	ID      string
	Text    string
	Buttons []Button
	Alone   bool   // one person alone sees it
	Edits   int    // how often it was changed
	Answers string // the id of the message that it answers
	// Pictures are by name what is said of them.
	Pictures map[string]string
	File     []byte
	Calls    []string // the ids of those whom it notifies
}

// Button is what a button says, and what its press carries.
type Button struct {
	Label, Data string
	Picked      bool // it looks like one that was chosen
}

// Button finds a button by what its label holds or, with a colon before it, by how ends what it carries.
func (m Message) Button(name string) (Button, bool) {
	for _, b := range m.Buttons {
		if name[0] == ':' && strings.HasSuffix(b.Data, name) || name[0] != ':' && strings.Contains(b.Label, name) {
			return b, true
		}
	}
	return Button{}, false
}
