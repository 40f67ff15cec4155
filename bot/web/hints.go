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

// Hints: messages between replicas, encrypted because they name people. A hint may be lost: what must last is stored.

// hint is a message of one replica to all others about a change in a room or at a browser. Unused fields are zero.
type hint struct {
	Room chat.Place `json:"room,omitempty"`
	// Chat is the chat of an embedded room with people in Here.
	Chat chat.Chat `json:"chat,omitempty"`
	// Look asks to read the room from the database, where something other than a table has changed.
	Look bool `json:"look,omitempty"`
	// Here lists visitors with an open page of the room, Gone the id prefixes of visitors whose last page has closed.
	Here []follower `json:"present,omitempty"`
	Gone []string   `json:"gone,omitempty"`
	// Sign is a sign that a person in the room has just shown.
	Sign *shownSign `json:"sign,omitempty"`
	// By is the id of a visitor. Turned is a private page that this visitor has opened on a board, and Plays lists all
	// people who play at the visitor's browser from now on.
	By     string       `json:"by,omitempty"`
	Turned *chat.Opened `json:"turned,omitempty"`
	Plays  []person     `json:"plays,omitempty"`
}

// sealedHint is the JSON that is encrypted: a hint with its sender.
type sealedHint struct {
	From string `json:"from"` // name of the sending replica
	What hint   `json:"what"`
}

const (
	// hintPrefix begins the hints of this package, because other packages also send hints through the database.
	hintPrefix = "rooms "
	// maxHints is the capacity of two queues: hints to send, and rooms to read.
	maxHints = 1024
	// sendWithin is the timeout of sending a hint.
	sendWithin = 5 * time.Second
	// maxHere is the most bytes of the visitors in one hint, because the database takes hints of at most 7900 bytes.
	maxHere = 4000
)

// queueHint queues h to be sent to the other replicas. It drops h if there are no other replicas, or the queue is full.
func (w *Web) queueHint(h hint) {
	if w.config.Alone == nil || w.config.Alone() {
		return
	}
	select {
	case w.hints <- h:
	default:
	}
}

// encryptHint returns h encrypted, as it is sent through the database.
func (w *Web) encryptHint(h hint) string {
	raw := must(json.Marshal(sealedHint{w.name, h}))
	return hintPrefix + base64.RawStdEncoding.EncodeToString(w.hintCipher.Seal(nil, nil, raw, nil))
}

// receiveHint applies a hint from the database. It ignores hints that this replica has sent or cannot decrypt.
func (w *Web) receiveHint(text string) {
	sealed, ok := strings.CutPrefix(text, hintPrefix)
	if !ok {
		return
	}
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err == nil {
		raw, err = w.hintCipher.Open(nil, nil, raw, nil)
	}
	var s sealedHint
	if err != nil || json.Unmarshal(raw, &s) != nil || s.From == w.name {
		return
	}
	h := s.What
	if h.Chat != "" && len(w.Doors) > 0 {
		w.embeddedRoom(h.Chat, h.Room)
	}
	if room := w.rooms.get(h.Room); room != nil {
		room.applyHint(s.From, h, time.Now())
		if h.Look {
			w.queueSync(room)
		}
		if h.Turned != nil {
			room.openBoardPage(prefixOfID(h.By), *h.Turned, true)
		}
	}
	if len(h.Plays) > 0 {
		for _, room := range w.rooms.all() {
			room.setPeople(prefixOfID(h.By), h.Plays, false)
		}
	}
}

// applyHint updates who is present on replica, which sent h, and queues the sign in h, if any. now is when h arrived.
func (r *room) applyHint(replica string, h hint, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	changed := false
	for _, f := range h.Here {
		key := replica + " " + f.Prefix
		known := r.elsewhere[key]
		changed = changed || known.Prefix == "" || known.Fresh != f.Fresh || !slices.Equal(known.People, f.People)
		f.heard = now
		r.elsewhere[key] = f
	}
	for _, prefix := range h.Gone {
		delete(r.elsewhere, replica+" "+prefix)
		changed = true
	}
	if h.Sign != nil {
		r.queueSign(*h.Sign)
	}
	if changed {
		r.touch(-1)
	}
}

// Reading rooms from the database: after a hint, and every two seconds while a page is open.

// maxSyncs is how many rooms are read from the database at the same time.
const maxSyncs = 8

// runSync reads changed rooms from the database, sends the queued hints, and informs other replicas which visitors are
// present, until ctx is done. It returns at once if there is never another replica.
func (w *Web) runSync(ctx context.Context) {
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
				within, cancel := context.WithTimeout(ctx, sendWithin)
				_, err := w.update(within, func(tx *store.Tx) error {
					tx.Hint(w.encryptHint(h))
					return nil
				})
				cancel()
				chat.LogFailure(ctx, w.config.Log.Debug, "send hint failed", err)
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
					w.resync(ctx, room)
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
					w.queueSync(room)
					w.queueHint(part)
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

// queueSync queues room to be read from the database. It is a no-op if room is queued already, if there is no other
// replica, or if the queue is full: rooms with an open page are queued again every syncEvery.
func (w *Web) queueSync(room *room) {
	if w.config.Alone == nil || w.config.Alone() || room.queued.Swap(true) {
		return
	}
	select {
	case w.toSync <- room:
	default:
		room.queued.Store(false)
	}
}
