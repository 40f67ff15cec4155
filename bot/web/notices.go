package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Notices for one person, and announcements to all in a room.

// call is a notice for one person, or about offered seats for all, shown beside the feed.
type call struct {
	ref chat.Ref
	chat.Ping
	put    time.Time // when it was shown here
	stored bool      // it was seen in the database
}

// call shows a notice unless one of that name is shown; "" draws a new name. stored says that another replica has
// stored it.
func (r *room) call(s chat.Ping, ref chat.Ref, stored bool) chat.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	if slices.ContainsFunc(r.calls, func(c call) bool { return c.ref == ref }) {
		return ref
	}
	if ref == "" {
		r.posted++
		ref = chat.Ref(fmt.Sprintf("web:%s-call-%d", r.boot, r.posted))
	}
	r.calls = append(r.calls, call{ref: ref, Ping: s, put: time.Now(), stored: stored})
	r.touch(-1)
	return ref
}

// calledElsewhere is how long a notice may be missing from the database before it is removed.
const calledElsewhere = 10 * time.Second

// syncCalls removes notices that the database no longer has, and returns those missing here.
func (r *room) syncCalls(up []store.WebThing, now time.Time) (lacking []store.WebThing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := func(ref chat.Ref) func(store.WebThing) bool {
		return func(t store.WebThing) bool { return t.Message == string(ref) }
	}
	n := len(r.calls)
	r.calls = slices.DeleteFunc(r.calls, func(c call) bool {
		return !slices.ContainsFunc(up, is(c.ref)) && (c.stored || now.Sub(c.put) > calledElsewhere)
	})
	if len(r.calls) < n {
		r.touch(-1)
	}
	for _, t := range up {
		if i := slices.IndexFunc(r.calls, func(c call) bool { return string(c.ref) == t.Message }); i >= 0 {
			r.calls[i].stored = true
		} else {
			lacking = append(lacking, t)
		}
	}
	return lacking
}

// announcement is something that all in a room read: a sentence of the room itself, or a message.
type announcement struct {
	line
	Message *chat.Message `json:"message,omitempty"`
	Whose   [][]whose     `json:"whose,omitempty"` // the message's buttons
}

// whose says for whom a button is.
type whose struct {
	For chat.User   `json:"for,omitempty"`
	By  []chat.User `json:"by,omitempty"`
}

// announcementOf returns the announcement of a message.
func announcementOf(m chat.Message) announcement {
	s := announcement{Message: &m}
	for _, row := range m.Buttons {
		var all []whose
		for _, b := range row {
			all = append(all, whose{b.For, b.By})
		}
		s.Whose = append(s.Whose, all)
	}
	return s
}

// readAnnouncement reads the stored form; ok is false if it was deleted.
func readAnnouncement(text string) (s announcement, ok bool) {
	if text == "" || json.Unmarshal([]byte(text), &s) != nil {
		return announcement{}, false
	}
	if s.Message != nil {
		for i, row := range s.Message.Buttons {
			for k := range row {
				if i < len(s.Whose) && k < len(s.Whose[i]) {
					row[k].For, row[k].By = s.Whose[i][k].For, s.Whose[i][k].By
				}
			}
		}
	}
	return s, true
}

// addAnnouncement adds an announcement to the feed unless it is there or no longer known; told reports whether it was
// added.
func (r *room) addAnnouncement(l store.WebThing, s announcement, known bool) (told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.said[l.ID] >= l.Version {
		return false
	}
	r.said[l.ID] = l.Version
	if !known {
		return false
	}
	e := entry{ref: chat.Ref(fmt.Sprintf("web:s%d", l.ID)), said: s.line, number: l.ID}
	if s.Message != nil {
		e.message = *s.Message
	}
	if i := r.index(e.ref); i >= 0 {
		r.redraw(i, e.message)
		return true
	}
	r.add(e)
	last := len(r.entries) - 1
	r.entries[last].at = time.UnixMilli(l.At)
	later := func(other entry) bool { return other.number > l.ID }
	if i := slices.IndexFunc(r.entries, later); i >= 0 { // another replica said it before: all see one order
		e = r.entries[last]
		r.entries = slices.Insert(r.entries[:last], i, e)
	}
	return true
}

// Signs, which are sent once to open pages and other replicas, and not stored.

// maxSigns is how many signs are kept for a slow page.
const maxSigns = 16

// shownSign is a sign that was shown.
type shownSign struct {
	ID   string `json:"id"`             // the person's id as in present
	Seat *int   `json:"seat,omitempty"` // their seat, if any
	Sign string `json:"sign"`

	number uint64
}

// showSign queues a person's sign for the open pages.
func (r *room) showSign(v visitor, who person, what string) *shownSign {
	r.mu.Lock()
	defer r.mu.Unlock()
	user := v.user(who.Number)
	s := shownSign{ID: r.idOf(user), Sign: what}
	for _, p := range r.seated() {
		if p.User == user {
			s.Seat = &p.Seat
		}
	}
	r.queueSign(s)
	return &s
}

// queueSign queues a sign for the open pages; the lock is held.
func (r *room) queueSign(s shownSign) {
	r.signed++
	s.number = r.signed
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wake()
}
