package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Hints between replicas, encrypted because they name people. All may be lost: what matters is in the database.

// hint is a message between replicas.
type hint struct {
	Room chat.Place `json:"room,omitempty"` // the room in question
	// Look says that something other than a table has changed.
	Look bool `json:"look,omitempty"`
	// Here are visitors who follow the room, and Gone the prefixes of those who have left it.
	Here []follower `json:"present,omitempty"`
	Gone []string   `json:"gone,omitempty"`
	// Sign is a sign just shown.
	Sign *shownSign `json:"sign,omitempty"`
	// Turned is a page that the visitor By has opened on a board there, and Plays who plays at their browser now.
	By     string       `json:"by,omitempty"`
	Turned *chat.Opened `json:"turned,omitempty"`
	Plays  []person     `json:"plays,omitempty"`
}

// sealedHint is a hint before encryption.
type sealedHint struct {
	From string `json:"from"` // the replica
	What hint   `json:"what"`
}

const (
	// hintPrefix marks the hints of the browser table in the database.
	hintPrefix = "rooms "
	// maxHints is the length of the queue of hints.
	maxHints = 1024
	// tellWithin is the timeout of sending a hint.
	tellWithin = 5 * time.Second
	// maxHere is how many bytes of visitors a hint holds at most: a database takes hints of 7900 bytes.
	maxHere = 4000
)

// hint queues a hint for other replicas, and drops it if the queue is full.
func (w *Web) hint(h hint) {
	if w.config.Alone == nil || w.config.Alone() {
		return
	}
	select {
	case w.hints <- h:
	default:
	}
}

// seal encrypts a hint.
func (w *Web) seal(h hint) string {
	raw := must(json.Marshal(sealedHint{w.name, h}))
	return hintPrefix + base64.RawStdEncoding.EncodeToString(w.box.Seal(nil, nil, raw, nil))
}

// receiveHint handles a hint, unless it is this replica's own or cannot be decrypted.
func (w *Web) receiveHint(text string) {
	sealed, ok := strings.CutPrefix(text, hintPrefix)
	if !ok {
		return
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err == nil {
		raw, err = w.box.Open(nil, nil, raw, nil)
	}
	var s sealedHint
	if err != nil || json.Unmarshal(raw, &s) != nil || s.From == w.name {
		return
	}
	h := s.What
	if room := w.rooms.at(h.Room); room != nil {
		room.receive(s.From, h, time.Now())
		if h.Look {
			w.syncSoon(room)
		}
		if h.Turned != nil {
			room.openBoardPage(prefixBy(h.By), *h.Turned, true)
		}
	}
	if len(h.Plays) > 0 {
		for _, room := range w.rooms.all() {
			room.setPeople(prefixBy(h.By), h.Plays, false)
		}
	}
}

// receive handles a hint of another replica about the room.
func (r *room) receive(from string, h hint, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := false
	for _, f := range h.Here {
		key := from + " " + f.Prefix
		known := r.elsewhere[key]
		changed = changed || known.Prefix == "" || known.Fresh != f.Fresh || !slices.Equal(known.People, f.People)
		f.heard = now
		r.elsewhere[key] = f
	}
	for _, prefix := range h.Gone {
		delete(r.elsewhere, from+" "+prefix)
		changed = true
	}
	if h.Sign != nil {
		r.queueSign(*h.Sign)
	}
	if changed {
		r.touch(-1)
	}
}

// Following the database for rooms that other replicas change: at a hint, and every two seconds while a page follows.

// maxSyncs is how many rooms are synced at once.
const maxSyncs = 8

// following follows the database for all rooms until ctx is done, sends the queued hints, and tells other replicas who
// is there.
func (w *Web) following(ctx context.Context) {
	if w.config.Alone == nil {
		return
	}
	defer w.config.Store.Hints(w.receiveHint)()
	var looking sync.WaitGroup
	defer looking.Wait()
	looking.Go(func() {
		for {
			select {
			case h := <-w.hints:
				within, cancel := context.WithTimeout(ctx, tellWithin)
				_, err := w.update(within, func(tx *store.Tx) error {
					tx.Hint(w.seal(h))
					return nil
				})
				cancel()
				chat.LogFailure(ctx, w.config.Log.Debug, "tell other replicas", err)
			case <-ctx.Done():
				return
			}
		}
	})
	for range maxSyncs {
		looking.Go(func() {
			for {
				select {
				case room := <-w.toSync:
					room.queued.Store(false)
					room.syncing.Lock()
					if room.synced {
						w.sync(ctx, room)
					}
					room.syncing.Unlock()
				case <-ctx.Done():
					return
				}
			}
		})
	}
	ticks := time.NewTicker(syncEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			for _, room := range w.rooms.all() {
				for _, part := range room.presenceHints(time.Now()) {
					w.syncSoon(room)
					w.hint(part)
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// syncSoon queues a room to be synced. A full queue drops it: followed rooms are synced at the next tick.
func (w *Web) syncSoon(room *room) {
	if w.config.Alone == nil || w.config.Alone() || room.queued.Swap(true) {
		return
	}
	select {
	case w.toSync <- room:
	default:
		room.queued.Store(false)
	}
}
