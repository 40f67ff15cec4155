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

// call is a notice beside the feed: for one person or, if it is about offered seats, for all.
type call struct {
	ref chat.Ref
	chat.Ping
	put    time.Time // when this replica showed it
	stored bool      // the database has it
}

// call shows s as a notice named ref, and returns that name; an empty ref draws a new one. It is a no-op if a notice
// with that name is shown. stored says that the database has the notice.
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

// calledElsewhere is how long a notice may be missing from the database before it is removed: it may not be stored yet.
const calledElsewhere = 10 * time.Second

// syncCalls compares the notices of the room with up, those in the database, at the time now: it removes the ones that
// the database has no longer, and returns lacking, the ones that the room does not show yet.
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

// announcement is news for all in a room: a sentence of the room itself, or a message.
type announcement struct {
	line
	Message *chat.Message `json:"message,omitempty"`
	Whose   [][]whose     `json:"whose,omitempty"` // the message's buttons
}

// whose holds the people of a button, which the JSON of chat.Button leaves out.
type whose struct {
	For chat.User   `json:"for,omitempty"`
	By  []chat.User `json:"by,omitempty"`
}

// announcementOf returns m as an announcement.
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

// readAnnouncement parses the stored JSON of an announcement; ok is false if text is empty, because it was deleted, or
// invalid.
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

// addAnnouncement shows s in the feed, as a new entry or in place of its older version, and reports whether it did. l
// holds the number and the version of s in the database; a version handled before is a no-op. known is false if s was
// deleted or cannot be read: then only the version is noted.
func (r *room) addAnnouncement(l store.WebThing, s announcement, known bool) (told bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.announcements[l.ID] >= l.Version {
		return false
	}
	r.announcements[l.ID] = l.Version
	if !known {
		return false
	}
	e := entry{ref: chat.Ref(fmt.Sprintf("web:s%d", l.ID)), sentence: s.line, number: l.ID}
	if s.Message != nil {
		e.message = *s.Message
	}
	if i := r.indexOf(e.ref); i >= 0 {
		r.redraw(i, e.message)
		return true
	}
	r.add(e)
	last := len(r.entries) - 1
	r.entries[last].at = time.UnixMilli(l.At)
	later := func(other entry) bool { return other.number > l.ID }
	if i := slices.IndexFunc(r.entries, later); i >= 0 { // another replica stored it earlier: all show one order
		e = r.entries[last]
		r.entries = slices.Insert(r.entries[:last], i, e)
	}
	return true
}

// Signs (short reactions such as applause), which are sent once to open pages and other replicas, and not stored.

// maxSigns is how many of the newest signs are kept for a slow page.
const maxSigns = 16

// shownSign is a sign that a person has shown, as pages receive it.
type shownSign struct {
	ID   string `json:"id"`             // the person's id as in present
	Seat *int   `json:"seat,omitempty"` // their seat, if any
	Sign string `json:"sign"`

	number uint64
}

// showSign queues the sign what of the person who, at the browser of v, for the open pages. It returns the sign for
// other replicas.
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

// queueSign queues a sign for the open pages; the caller holds r.mu.
func (r *room) queueSign(s shownSign) {
	r.signed++
	s.number = r.signed
	if len(r.signs) == maxSigns {
		r.signs = slices.Delete(r.signs, 0, 1)
	}
	r.signs = append(r.signs, s)
	r.wakeStreams()
}
