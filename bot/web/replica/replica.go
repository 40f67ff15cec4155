// Package replica defines what the browser tables of several replicas share.
package replica

import (
	"context"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
)

// The shared state.

// Others connects the browser table of this process with those of other replicas.
type Others struct {
	// Shared reads and writes the shared state of rooms.
	Shared Shared
	// Tell tells all replicas something, of at most 7900 bytes, and Hear has hear called with what they tell, until
	// stop is called. It may be lost; nil: nothing is told, changes are found by looking alone, and who is here on
	// another replica is not known.
	Tell func(ctx context.Context, hint string) error
	Hear func(hear func(hint string)) (stop func())
	// Alone reports whether there is no other replica, so that no looking is needed; nil means there may be one.
	Alone func() bool
}

// Lonely reports whether no other replica is running.
func (o *Others) Lonely() bool { return o == nil || o.Alone != nil && o.Alone() }

// Shared is the shared state of rooms in the database. The place of a room has the name of its chat.
type Shared interface {
	// Look returns the newest things in a room, by indexes. It is called every two seconds for each followed room.
	Look(ctx context.Context, room chat.Place) (Standing, error)
	// Say stores an announcement and returns its number.
	Say(ctx context.Context, room chat.Place, text string, at time.Time) (number int64, err error)
	// SayAnew changes an announcement and returns its version, which starts at 1.
	SayAnew(ctx context.Context, room chat.Place, number int64, text string) (version int64, err error)
	// Said returns an announcement, or "" if it was deleted.
	Said(ctx context.Context, room chat.Place, number int64) (text string, err error)
	// DropSaid deletes the announcements before a time.
	DropSaid(ctx context.Context, before time.Time) error
	// Call returns a sent call; ok is false if it is over.
	Call(ctx context.Context, number int64) (s chat.Ping, ok bool, err error)
}

// Standing holds the newest things in a room, newest first by kind.
type Standing struct{ Tables, Puzzles, Calls, Said []Thing }

// Thing is a table's board, a puzzle, a call or an announcement.
type Thing struct {
	// ID is its number, and Version grows with every change.
	ID, Version int64
	// Drawn is the version that its message shows where it was drawn, and Ref that message, "" for none yet.
	Drawn int64
	Ref   chat.Ref
	// At is when it was posted, asked or said.
	At time.Time
	// Going marks an unfinished table or an open puzzle.
	Going bool
}

// Room is the stored state of a room that people made. Its address is not stored.
type Room struct {
	// Number is unique among all rooms ever.
	Number int64
	// Print is the fingerprint of the address.
	Print string
	// Host may change the room, "" if there is none.
	Host chat.User
	// HostSeen is when the host was last there.
	HostSeen time.Time
	// Used is when the room was last visited.
	Used time.Time
	// Out holds the fingerprints of removed visitors.
	Out []string
}

const roomPrefix = "web:r-"

// ChatOf returns the chat of a room, which has one place of the same name.
func ChatOf(number int64) chat.Chat { return chat.Chat(roomPrefix + strconv.FormatInt(number, 10)) }

// NumberOf returns the number of the room of a place; ok is false for any other place.
func NumberOf(place chat.Place) (number int64, ok bool) {
	text, ok := strings.CutPrefix(string(place), roomPrefix)
	number, err := strconv.ParseInt(text, 10, 64)
	return number, ok && err == nil
}
