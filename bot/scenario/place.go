package scenario

// The interfaces of a platform for tests, which drivers implement.

import (
	"context"
	"log/slog"
	"strings"

	"knobel/bot/chat"
	"knobel/cmd/wiring"
)

// Place is a channel or chat of a platform, as its people see it. A driver implements it and, if the platform has them,
// Server; tests use a Stage. If people see boards later than they are drawn, as on a page, the driver also has a method
// CatchUp, which reports whether they see everything.
type Place interface {
	// Connect returns a new adapter to the platform.
	Connect(log *slog.Logger, b *wiring.Bot) chat.Platform
	// Listening reports whether the bot receives events.
	Listening() bool
	// Wait returns once holds, which may use the place, returns true. Otherwise it returns ctx's error.
	Wait(ctx context.Context, holds func() bool) error
	// Meet adds a person whose client has a language, and returns their number, from 0 on.
	Meet(name, language string) (who int)
	// ID returns a person's id, as the bot spells it.
	ID(who int) string
	// Messages returns the bot's messages, oldest first, then those private to person number who (-1: none).
	Messages(who int) []Message
	// Write sends a command with named options: "/shutbox stake=5 variant=golf".
	Write(who int, line string) Deed
	// Press presses the button with this data in the message with the id on.
	Press(who int, on, data string) Deed
	// Name returns the platform's name: "Discord".
	Name() string
}

// Server is implemented by places on a fake platform, which can have faults: their chats may have admins and several
// places. A browser room does not implement it.
type Server interface {
	// Appoint makes a person an admin of the chat.
	Appoint(who int)
	// Elsewhere returns another place of the same chat, with the same people.
	Elsewhere() Place
	// Remove deletes a message, as a person may.
	Remove(message string)
	// Mention sends a command that ends with a mention: "/settle what=why".
	Mention(who int, line string, other int) Deed
	// Talk sends a text that is not a command.
	Talk(who int, text string)
	// Writes returns how many messages the bot has sent or edited, without answers to presses and commands on Discord.
	Writes() int
	// Sent returns all visible texts that the bot has sent.
	Sent() []string
	// Menu returns the registered commands in a language, as JSON; "" for none.
	Menu(language string) string
	// Vanish deletes the place, as a person may.
	Vanish()
	// Mute removes or restores the bot's right to write.
	Mute(on bool)
	// LockOut removes the bot from the chat, or lets it in again.
	LockOut(on bool)
	// Secrets returns texts that must not be in a log.
	Secrets() []string
	// Storm makes the next requests fail in every possible way.
	Storm()
}

// Deed returns the private answer to an action, "" if the board is the answer, and whether the bot has answered yet.
type Deed func() (told string, answered bool)

// Message is a message of the bot, as people see it.
type Message struct {
	ID      string
	Text    string
	Buttons []Button
	Alone   bool   // only one person sees it
	Edits   int    // how often it was changed
	Answers string // the id of the message that it answers
	// Pictures are the descriptions of its pictures, by name.
	Pictures map[string]string
	File     []byte
	Calls    []string // the ids of the people that it notifies
}

// Button is a button's label and data.
type Button struct {
	Label, Data string
	Picked      bool // it is shown as chosen
}

// Button returns the button whose label contains name or, if name begins with a colon, whose data ends with it.
func (m Message) Button(name string) (Button, bool) {
	for _, b := range m.Buttons {
		if name[0] == ':' && strings.HasSuffix(b.Data, name) || name[0] != ':' && strings.Contains(b.Label, name) {
			return b, true
		}
	}
	return Button{}, false
}
