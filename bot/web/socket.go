package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"knobel/bot/chat"
	"knobel/store"
)

// The event stream of embedded pages: as server-sent events, or each as a message of a WebSocket.

// embeddedEvents streams the messages of the room of a ticket's guest.
func (w *Web) embeddedEvents(rw http.ResponseWriter, r *http.Request) {
	s, print := store.Session{}, fingerprint(r.URL.Query().Get("ticket"))
	_, ok, err := query(r.Context(), w, func(tx *store.Tx) (int64, error) { // for an invented one nothing is written
		return tx.Rooms.Ticket(print, time.Now().UnixMilli())
	})
	if ok {
		ok, err = w.update(r.Context(), func(tx *store.Tx) (err error) {
			s, err = tx.Rooms.UseTicket(print, time.Now().UnixMilli())
			return err
		})
	}
	events := streamed(http.HandlerFunc(w.events)).ServeHTTP
	if websocket.IsWebSocketUpgrade(r) {
		events = w.socketEvents
	}
	w.asGuest(rw, r, s, ok, err, events)
}

// socketMessage is the JSON of an event in a WebSocket.
type socketMessage struct {
	ID    string          `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// socketEvents streams the events of a room by a WebSocket.
func (w *Web) socketEvents(rw http.ResponseWriter, r *http.Request) {
	v, _ := w.visitorOf(r)
	slot := w.streams.acquire(w.claimsOf(r, v), false)
	if slot == nil {
		w.tooManyStreams(rw, r)
		return
	}
	defer slot.release()
	upgrader := websocket.Upgrader{EnableCompression: true,
		CheckOrigin: func(r *http.Request) bool { return !w.isCrossSite(r) }}
	socket, err := upgrader.Upgrade(rw, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer socket.Close()
	ctx, cancel := context.WithCancel(r.Context())
	go func() { // until the page closes it; pages send nothing
		defer cancel()
		socket.SetReadLimit(maxLaunch)
		for err := error(nil); err == nil; {
			_, _, err = socket.NextReader()
		}
	}()
	w.follow(rw, socket, r.WithContext(ctx), v, slot)
}

// sendBySocket sends the server-sent events in text, each as a message, and a comment as a ping.
func sendBySocket(socket *websocket.Conn, text string) error {
	deadline := time.Now().Add(pulse)
	err := socket.SetWriteDeadline(deadline)
	for block := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		var m socketMessage
		for line := range strings.Lines(block) {
			field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			switch field {
			case "id":
				m.ID = value
			case "event":
				m.Event = value
			case "data":
				m.Data = json.RawMessage(value)
			}
		}
		if m.Event == "" {
			err = errors.Join(err, socket.WriteControl(websocket.PingMessage, nil, deadline))
		} else {
			err = errors.Join(err, socket.WriteJSON(m))
		}
	}
	return err
}

// endOfVisit returns the last event of the stream of r if its guest may not look any more, else "". leaves says that
// the stream ends.
func (w *Web) endOfVisit(r *http.Request) (last string, leaves bool) {
	g, ok := guestOf(r)
	if !ok {
		return "", false
	}
	switch err := w.stillIn(r.Context(), g); {
	case errors.Is(err, chat.Stranger):
		said := must(json.Marshal(map[string]string{"say": w.sayBarred(r, g.door.Name(), chat.Stranger)}))
		return "event: out\ndata: " + string(said) + "\n\n", true
	case errors.Is(err, chat.Aged):
		return "", true // the page signs in anew
	}
	w.ensureSynced(r.Context(), w.roomOf(r))
	return "", false
}
