package web

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Notices for one person, announcements to all in a room, and signs.

// call is a notice that asks a player to come to their game. If it is about offered seats, it is for all in the room.
type call struct {
	ref chat.Ref
	chat.Ping
	put    time.Time // when this replica showed it
	stored bool      // the database has it
}

// showCall shows ping as a notice and returns the id of the notice: ref or, if ref is "", a new one. It is a no-op if
// the room shows a notice with this id. stored says that the database has the notice.
func (r *room) showCall(ping chat.Ping, ref chat.Ref, stored bool) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.calls, func(c call) bool { return c.ref == ref }) {
		return ref
	}
	if ref == "" {
		r.posted++
		ref = chat.Ref(fmt.Sprintf("web:%s-call-%d", r.boot, r.posted))
	}
	r.calls = append(r.calls, call{ref: ref, Ping: ping, put: time.Now(), stored: stored})
	r.touch(-1)
	return ref
}

// storeCallWithin is how long a notice may be shown without being stored: after that it is removed.
const storeCallWithin = 10 * time.Second

// syncCalls compares the room's notices with stored, those in the database. It removes a notice that is no longer
// stored, and returns those in stored that the room does not show yet.
func (r *room) syncCalls(stored []store.WebThing, now time.Time) (missing []store.WebThing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := func(ref chat.Ref) func(store.WebThing) bool {
		return func(t store.WebThing) bool { return t.Message == string(ref) }
	}
	n := len(r.calls)
	r.calls = slices.DeleteFunc(r.calls, func(c call) bool {
		return !slices.ContainsFunc(stored, is(c.ref)) && (c.stored || now.Sub(c.put) > storeCallWithin)
	})
	if len(r.calls) < n {
		r.touch(-1)
	}
	for _, t := range stored {
		if i := slices.IndexFunc(r.calls, func(c call) bool { return string(c.ref) == t.Message }); i >= 0 {
			r.calls[i].stored = true
		} else {
			missing = append(missing, t)
		}
	}
	return missing
}

// announcement is content for all in a room: a sentence of the room itself, or a message.
type announcement struct {
	line
	Message *chat.Message   `json:"message,omitempty"`
	Whose   [][]buttonUsers `json:"whose,omitempty"` // who may press the message's buttons, row by row
	Once    string          `json:"once,omitempty"`  // the message's Once
}

// buttonUsers holds the people who may press a button, which the JSON of chat.Button leaves out.
type buttonUsers struct {
	For chat.User   `json:"for,omitempty"`
	By  []chat.User `json:"by,omitempty"`
}

// announcementOf returns the message m as an announcement.
func announcementOf(m chat.Message) announcement {
	content := announcement{Message: &m, Once: m.Once}
	for _, row := range m.Buttons {
		var all []buttonUsers
		for _, b := range row {
			all = append(all, buttonUsers{b.For, b.By})
		}
		content.Whose = append(content.Whose, all)
	}
	return content
}

// readAnnouncement parses the stored JSON of an announcement. ok is false if text is invalid, or "" after a deletion.
func readAnnouncement(text string) (content announcement, ok bool) {
	if text == "" || json.Unmarshal([]byte(text), &content) != nil {
		return announcement{}, false
	}
	if content.Message != nil {
		for i, row := range content.Message.Buttons {
			for k := range row {
				if i < len(content.Whose) && k < len(content.Whose[i]) {
					row[k].For, row[k].By = content.Whose[i][k].For, content.Whose[i][k].By
				}
			}
		}
	}
	return content, true
}

// addAnnouncement shows content as a new message, or in place of its older version, and reports whether it did. item is
// its number and version in the database; a known version is a no-op. readable is false if content was deleted or is
// invalid: then the room only remembers the version.
func (r *room) addAnnouncement(item store.WebThing, content announcement, readable bool) (shown bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.announcements[item.ID] >= item.Version {
		return false
	}
	r.announcements[item.ID] = item.Version
	if !readable {
		return false
	}
	e := entry{ref: saidRef(item.ID), sentence: content.line, number: item.ID}
	if content.Message != nil {
		e.message = *content.Message
	}
	if i := r.indexOf(e.ref); i >= 0 {
		r.redraw(i, e.message)
		return true
	}
	r.add(e)
	last := len(r.entries) - 1
	r.entries[last].at = time.UnixMilli(item.At)
	later := func(other entry) bool { return other.number > item.ID }
	if i := slices.IndexFunc(r.entries, later); i >= 0 { // a later one is shown already: keep the stored order
		e = r.entries[last]
		r.entries = slices.Insert(r.entries[:last], i, e)
	}
	return true
}

// Messages beside boards, posted by the bot. They are announcements, which a restart and other replicas keep.

// saidPrefix and a number in the database are the id of an announcement.
const saidPrefix = "web:s"

// saidRef returns the id of the announcement with a number.
func saidRef(number int64) chat.Ref { return chat.Ref(fmt.Sprint(saidPrefix, number)) }

// saidNumber returns the number of the announcement ref, 0 if ref is another message.
func saidNumber(ref chat.Ref) int64 {
	text, ok := strings.CutPrefix(string(ref), saidPrefix)
	number, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil {
		return 0
	}
	return number
}

// postNotice shows m in room as an announcement and returns its id. It replaces one with the same m.Once.
func (w *Web) postNotice(ctx context.Context, room *room, m chat.Message) (chat.Ref, error) {
	number, _, err := query(ctx, w, func(tx *store.Tx) (int64, error) {
		feed, err := tx.Rooms.WebFeed(string(room.place))
		for _, said := range feed.Said {
			text, err := tx.Rooms.SaidAt(string(room.place), said.ID)
			if content, ok := readAnnouncement(text); err != nil || ok && m.Once != "" && content.Once == m.Once {
				return said.ID, err
			}
		}
		return 0, err
	})
	if err != nil {
		return "", err
	}
	number, _, err = w.putAnnouncement(ctx, room, number, announcementOf(m))
	return saidRef(number), err
}

// editNotice replaces the announcement with this number in room by m, nil: by itself without buttons. The error is
// chat.ErrGone if there is no such announcement.
func (w *Web) editNotice(ctx context.Context, room *room, number int64, m *chat.Message) error {
	if m == nil {
		text, _, err := query(ctx, w, func(tx *store.Tx) (string, error) {
			return tx.Rooms.SaidAt(string(room.place), number)
		})
		content, ok := readAnnouncement(text)
		if err != nil || !ok || content.Message == nil {
			return err
		}
		m, content.Message.Buttons, content.Message.Once = content.Message, nil, content.Once
	}
	_, ok, err := w.putAnnouncement(ctx, room, number, announcementOf(*m))
	if err == nil && !ok {
		err = chat.ErrGone
	}
	return err
}

// Signs (short reactions such as applause), sent once to open pages and other replicas, and not stored.

// maxSigns is how many of the newest signs are queued for a slow page.
const maxSigns = 16

// shownSign is the JSON of a sign that a person has shown, for pages and other replicas.
type shownSign struct {
	ID   string `json:"id"`             // the person's public id, as in present
	Seat *int   `json:"seat,omitempty"` // their seat, if any
	Sign string `json:"sign"`

	number uint64 // room.signed when it was shown
}

// showSign shows sign, one of reactions, on open pages: it comes from actor, a person at the browser of v. It returns
// the sign as other replicas need it.
func (r *room) showSign(v visitor, actor person, sign string) *shownSign {
	r.mu.Lock()
	defer r.mu.Unlock()
	user := v.user(actor.Number)
	s := shownSign{ID: r.publicID(user), Sign: sign}
	for _, p := range r.seatedPeople() {
		if p.User == user {
			s.Seat = &p.Seat
		}
	}
	r.queueSign(s)
	return &s
}

// queueSign queues a sign for the open pages. The caller holds r.mu.
func (r *room) queueSign(s shownSign) {
	r.signed++
	s.number = r.signed
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wakeStreams()
}
