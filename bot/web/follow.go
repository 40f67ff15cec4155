package web

import (
	"context"
	"sync"
	"time"
)

// Following the database for rooms that other replicas change: at a hint, and every two seconds while a page follows.

// maxLooks is how many rooms are read at once.
const maxLooks = 8

// following follows the database for all rooms until ctx is done.
func (w *Web) following(ctx context.Context, b core) {
	if w.config.Alone == nil {
		return
	}
	defer w.config.Store.Hints(w.hears)()
	var looking sync.WaitGroup
	defer looking.Wait()
	looking.Go(func() { w.sendHints(ctx) })
	for range maxLooks {
		looking.Go(func() {
			for {
				select {
				case room := <-w.looks:
					room.queued.Store(false)
					w.lookAt(ctx, b, room)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			w.lookAround(time.Now())
		case <-ctx.Done():
			return
		}
	}
}

// lookSoon has a room read. A full queue drops it: followed rooms are read at the next tick.
func (w *Web) lookSoon(room *room) {
	if w.alone() || room.queued.Swap(true) {
		return
	}
	select {
	case w.looks <- room:
	default:
		room.queued.Store(false)
	}
}

// lookAround has the followed rooms read, and tells other replicas who is there.
func (w *Web) lookAround(now time.Time) {
	for _, room := range w.rooms.all() {
		room.forgetsSilent(now)
		if room.followed() && !w.alone() {
			w.lookSoon(room)
			room.tellsAll()
		}
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
