package replica

import (
	"maps"
	"slices"
	"sync"

	"knobel/bot/chat"
)

// What is to be done soon.

// Notes are the rooms that are to be looked into soon, and those of which others are to be told who is there.
type Notes struct {
	// Wake gets something once there is a note.
	Wake chan struct{}

	mu     sync.Mutex
	rooms  map[chat.Place]bool
	people map[chat.Place]bool
}

// NewNotes returns notes of nothing.
func NewNotes() *Notes {
	return &Notes{Wake: make(chan struct{}, 1), rooms: map[chat.Place]bool{}, people: map[chat.Place]bool{}}
}

// Look notes a room to be looked into.
func (n *Notes) Look(room chat.Place) { n.note(n.rooms, room) }

// TellOf notes a room of which others are to be told who is there.
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

// Take takes the notes.
func (n *Notes) Take() (look, tellOf []chat.Place) {
	n.mu.Lock()
	defer n.mu.Unlock()
	look, tellOf = slices.Collect(maps.Keys(n.rooms)), slices.Collect(maps.Keys(n.people))
	clear(n.rooms)
	clear(n.people)
	return look, tellOf
}
