package web

import (
	"context"
	"sync"
	"time"
)

// Following the database for rooms shared by replicas: at a hint, and every two seconds while a page follows.

// maxLooks is how many rooms are read at once.
const maxLooks = 8

// following follows the database for all rooms until ctx is done.
func (w *Web) following(ctx context.Context, b core) {
	r := w.config.Replicas
	if r == nil {
		return
	}
	if r.Hear != nil {
		defer r.Hear(w.hears)()
	}
	var looking sync.WaitGroup
	defer looking.Wait()
	looking.Go(func() { w.line.Run(ctx) })
	looks := make(chan *room)
	for range maxLooks {
		looking.Go(func() {
			for room := range looks {
				w.lookAt(ctx, b, room)
			}
		})
	}
	defer close(looks)
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		var rooms []*room
		select {
		case <-w.notes.Wake:
			rooms = w.noted()
		case <-ticks.C:
			rooms = w.timely(time.Now())
		case <-ctx.Done():
			return
		}
		for _, room := range rooms {
			select {
			case looks <- room:
			case <-ctx.Done():
				return
			}
		}
	}
}

// noted returns the rooms marked for reading, and tells other replicas who is in the marked ones.
func (w *Web) noted() (rooms []*room) {
	places, here := w.notes.Take()
	for _, place := range places {
		if room := w.rooms.known(place); room != nil && !w.config.Replicas.Lonely() {
			rooms = append(rooms, room)
		}
	}
	for _, place := range here {
		if room := w.rooms.known(place); room != nil {
			w.tellHere(room)
		}
	}
	return rooms
}

// timely returns the rooms that are followed and whose presence other replicas must be told.
func (w *Web) timely(now time.Time) (rooms []*room) {
	for _, room := range w.rooms.all() {
		room.forgetsSilent(now)
		if !room.followed() || w.config.Replicas.Lonely() {
			continue
		}
		rooms = append(rooms, room)
		w.tellHere(room)
	}
	return rooms
}

// tellHere tells other replicas who is in a room.
func (w *Web) tellHere(room *room) {
	for _, part := range room.presences(time.Now().UnixNano()) {
		w.line.Tell(hint{Here: &part})
	}
}

// lookAt reads a room from the database.
func (w *Web) lookAt(ctx context.Context, b core, room *room) {
	room.drawing.Lock()
	defer room.drawing.Unlock()
	if room.isDrawn {
		w.looked(ctx, b, room)
	}
}

// hears handles a message of another replica.
func (w *Web) hears(text string) {
	var h hint
	from, ok := w.line.Open(text, &h)
	if !ok {
		return
	}
	if h.Here != nil {
		if room := w.rooms.known(h.Here.Room); room != nil {
			room.isTold(from, *h.Here, time.Now())
		}
	}
	if room := w.rooms.known(h.Room); room != nil && h.Sign != nil {
		room.mu.Lock()
		room.keeps(*h.Sign)
		room.wake()
		room.mu.Unlock()
	}
	if h.Look {
		w.notes.Look(h.Room)
	}
	if h.Turned != nil {
		w.opened.turn(h.By, *h.Turned, true)
	}
	if len(h.Plays) > 0 {
		w.opened.plays(h.By, h.Plays)
		if room := w.rooms.known(h.Room); room != nil {
			room.plays(h.By, h.Plays)
		}
	}
}
