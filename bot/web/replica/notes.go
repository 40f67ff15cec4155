package replica

import (
	"maps"
	"slices"
	"sync"

	"knobel/bot/chat"
)

// Pending work on rooms.

// Notes holds the rooms to be read soon, and those whose presence other replicas must be told.
type Notes struct {
	// Wake receives once there is a note.
	Wake chan struct{}

	mu     sync.Mutex
	rooms  map[chat.Place]bool
	people map[chat.Place]bool
}

// NewNotes returns empty notes.
func NewNotes() *Notes {
	return &Notes{Wake: make(chan struct{}, 1), rooms: map[chat.Place]bool{}, people: map[chat.Place]bool{}}
}

// Look notes a room to be read.
func (n *Notes) Look(room chat.Place) { n.note(n.rooms, room) }

// TellOf notes a room whose presence is to be told.
func (n *Notes) TellOf(room chat.Place) { n.note(n.people, room) }

func (n *Notes) note(in map[chat.Place]bool, room chat.Place) {
	n.mu.Lock()
	in[room] = true
	n.mu.Unlock()
	select {
	case n.Wake <- struct{}{}:
	default:
	}
}

// Take returns the notes and clears them.
func (n *Notes) Take() (look, tellOf []chat.Place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	look, tellOf = slices.Collect(maps.Keys(n.rooms)), slices.Collect(maps.Keys(n.people))
	clear(n.rooms)
	clear(n.people)
	return look, tellOf
}
