// Package replica is what the browser tables of several replicas share of their rooms, and tell each other of them.
package replica

import (
	"context"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
)

// What is shared.

// Others are what the browser table of this process shares with those of others.
type Others struct {
	// Shared is what the database tells of rooms.
	Shared Shared
	// Tell tells all replicas something, of at most 7900 bytes, and Hear has hear called with what they tell, until
	// stop is called. It may be lost; nil: nothing is told, changes are found by looking alone, and who is here on
	// another replica is not known.
	Tell func(ctx context.Context, hint string) error
	Hear func(hear func(hint string)) (stop func())
	// Alone reports whether no other replica is there: nothing is looked for then; nil: one may be there.
	Alone func() bool
}

// Lonely reports whether nobody is there to be looked for.
func (o *Others) Lonely() bool { return o == nil || o.Alone != nil && o.Alone() }

// Shared is what the database tells of rooms. The place of a room is called as its chat.
type Shared interface {
	// Look returns what stands in a room, by indexes. It is asked every two seconds for each room that somebody
	// follows.
	Look(ctx context.Context, room chat.Place) (Standing, error)
	// Say keeps what all in a room are told at a moment, and returns its number.
	Say(ctx context.Context, room chat.Place, text string, at time.Time) (number int64, err error)
	// SayAnew changes it, and returns its version, which begins at 1.
	SayAnew(ctx context.Context, room chat.Place, number int64, text string) (version int64, err error)
	// Said returns it, "" where it was forgotten.
	Said(ctx context.Context, room chat.Place, number int64) (text string, err error)
	// DropSaid forgets what was said before a moment.
	DropSaid(ctx context.Context, before time.Time) error
	// Call returns what a call says that was sent; ok is false where it is over.
	Call(ctx context.Context, number int64) (s chat.Ping, ok bool, err error)
}

// Standing are the newest things that stand in a room, of each kind the newest first.
type Standing struct{ Tables, Puzzles, Calls, Said []Thing }

// Thing is something that stands in a room: a table's board, a puzzle, a call, or what all were told.
type Thing struct {
	// ID is its number, and Version grows with every change.
	ID, Version int64
	// Drawn is the version that its message shows where it was drawn, and Ref that message, "" for none yet.
	Drawn int64
	Ref   chat.Ref
	// At is when it was posted, asked or said.
	At time.Time
	// Going is of a table that is not over and of a puzzle that is open.
	Going bool
}

// Room is what is kept of a room that somebody has made. Its address is not: only who has it can
// find the room.
type Room struct {
	// Number is the room's own, which no other room ever had.
	Number int64
	// Print is the fingerprint of the address.
	Print string
	// Host is who may change the room, "" while nobody does.
	Host chat.User
	// HostSeen is when the host was last there.
	HostSeen time.Time
	// Used is when anybody last was.
	Used time.Time
	// Out are the fingerprints of those who were shown out.
	Out []string
}

const roomPrefix = "web:r-"

// ChatOf is the chat of the room of a number, which has one place of the same name.
func ChatOf(number int64) chat.Chat { return chat.Chat(roomPrefix + strconv.FormatInt(number, 10)) }

// NumberOf is the number of the room at a place; ok is false for any other place.
func NumberOf(place chat.Place) (number int64, ok bool) {
	text, ok := strings.CutPrefix(string(place), roomPrefix)
	number, err := strconv.ParseInt(text, 10, 64)
	return number, ok && err == nil
}
