package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
)

// What is kept of rooms that people make, and what follows from it.

// Rooms keep which rooms there are.
type Rooms interface {
	// Make keeps a new room and returns its number.
	Make(ctx context.Context, r replica.Room) (number int64, err error)
	// Find returns the room whose address has a fingerprint; ok is false where there is none.
	Find(ctx context.Context, print string) (r replica.Room, ok bool, err error)
	// Room returns the room of a number; ok is false where there is none.
	Room(ctx context.Context, number int64) (r replica.Room, ok bool, err error)
	// Seen keeps when anybody was last in a room and, where this is its host, when the host was; the later moment
	// stays.
	Seen(ctx context.Context, number int64, host chat.User, seen, used time.Time) error
	// Hand makes somebody host in another one's place at a moment; ok is false where somebody else is by now.
	Hand(ctx context.Context, number int64, from, to chat.User, at time.Time) (ok bool, err error)
	// Move gives the room of a number the address of another fingerprint, and keeps what the one before leads
	// to: sealed, and of so many of the last alone. ok is false where the room has the one before no longer.
	Move(ctx context.Context, number int64, from, to, sealed string, last int) (ok bool, err error)
	// Moved returns what the address of a fingerprint leads to that a room had before; ok is false where none had.
	Moved(ctx context.Context, print string) (sealed string, ok bool, err error)
	// ShowOut keeps the fingerprint of one more visitor who was shown out.
	ShowOut(ctx context.Context, number int64, who string) error
	// DropIdle forgets rooms in which nobody has been since before and no game has begun.
	DropIdle(ctx context.Context, before time.Time) error
}

// maxMoves is how many addresses of before are known of a room.
const maxMoves = 4

// roomsBelow is what the addresses of made rooms begin with.
const roomsBelow = "/r/"

// addresses are what the last part of a room's address looks like.
var addresses = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// addressOf returns the address of a room as it is spelt, however somebody has typed it; ok is
// false for what cannot be one.
func addressOf(typed string) (address string, ok bool) {
	if len(typed) > 64 {
		return "", false
	}
	address = strings.ToUpper(typed)
	return address, addresses.MatchString(address)
}

// printOf is the fingerprint of a room's address. The address has 130 random bits: nobody finds it
// by trying.
func printOf(address string) string {
	sum := sha256.Sum256([]byte("knobel room " + address))
	return hex.EncodeToString(sum[:])
}

// reads takes over what is kept of the room.
func (r *room) reads(kept replica.Room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used = time.Now()
	if r.kept.HostSeen.After(kept.HostSeen) && r.kept.Host == kept.Host {
		kept.HostSeen = r.kept.HostSeen
	}
	if len(r.kept.Out) > len(kept.Out) {
		kept.Out = r.kept.Out // what was found may be older
	}
	other := kept.Host != r.kept.Host || len(kept.Out) > len(r.kept.Out)
	if r.kept = kept; other {
		r.touch(-1)
	}
}

// isOut reports whether a visitor was shown out of the room.
func (r *room) isOut(v visitor) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.isOutLocked(v)
}

// outPrint is the fingerprint of a visitor that is kept when they are shown out: other in each room.
func (r *room) outPrint(prefix string) string {
	return imprint("knobel out " + string(r.chat) + " " + prefix)
}

// hosted reports whether a visitor is the room's host.
func (r *room) hosted(v visitor) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return v.is(r.kept.Host)
}

// imprint is a fingerprint of a text.
func imprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
