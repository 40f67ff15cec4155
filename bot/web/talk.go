package web

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"knobel/bot/chat"
	"knobel/store"
)

// Lines that people in a room write to each other.

// maxLine is the most characters of a line.
const maxLine = 280

// talk holds the lines of a room, oldest first, without the removed ones.
type talk struct {
	lines  []shownLine
	talked uint64 // changes of lines so far, from 1: a page that has received 0 gets all lines, even if there are none
}

// shownLine is a line of a room; change is talk.talked after it was added.
type shownLine struct {
	store.WebLine
	change uint64
}

// pageLine is the JSON of a line for pages.
type pageLine struct {
	Number int64  `json:"number"`
	ID     string `json:"id"` // the person's public id, as in present
	Name   string `json:"name"`
	Text   string `json:"text"`
	At     int64  `json:"at"`             // in Unix seconds
	Mine   bool   `json:"mine,omitempty"` // one of the visitor's people has written it
	Seat   *int   `json:"seat,omitempty"` // the person's seat at the newest table, if any
}

// pageLines is the JSON of a stream event about lines: the numbers of all lines of the room, oldest first, and the
// lines that are new to the page.
type pageLines struct {
	All   []int64    `json:"all"`
	Lines []pageLine `json:"lines"`
}

// sayLine stores a line of a person at the browser of v, and shows it to all in the room.
func (w *Web) sayLine(rw http.ResponseWriter, r *http.Request, v visitor, asked struct {
	As   int
	Text string
}) {
	who, ok := v.person(asked.As)
	if !ok {
		http.Error(rw, w.pages.words(r)["people-unknown"], http.StatusForbidden)
		return
	}
	text := chat.OneLine(asked.Text, math.MaxInt)
	switch {
	case text == "":
		http.Error(rw, "nothing was said", http.StatusBadRequest)
		return
	case utf8.RuneCountInString(text) > maxLine:
		http.Error(rw, w.pages.words(r)["too-long"], http.StatusRequestEntityTooLarge)
		return
	}
	room := w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	line := store.WebLine{Player: string(v.user(who.Number)), Name: who.Name, Text: text, At: time.Now().UnixMilli()}
	_, err := w.update(r.Context(), func(tx *store.Tx) (err error) {
		line.ID, err = tx.Rooms.AddLine(string(room.place), line)
		return err
	})
	if err != nil {
		w.answerFailure(rw, r, "store room line failed", err)
		return
	}
	room.addLines(line)
	w.queueHint(hint{Room: room.place, Look: true})
	w.writeJSON(rw, struct{}{})
}

// removeLine removes a line from the room: one of the visitor's people has written it, or the visitor is the host. In
// the main room, which has no host, everyone may remove every line.
func (w *Web) removeLine(rw http.ResponseWriter, r *http.Request, v visitor, asked struct{ Number int64 }) {
	room := w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	if room != w.room && !room.roleOf(v).host && !room.hasWritten(v, asked.Number) {
		http.Error(rw, w.pages.words(r)["only-host"], http.StatusForbidden)
		return
	}
	ok, err := w.update(r.Context(), func(tx *store.Tx) error {
		return tx.Rooms.RemoveLine(string(room.place), asked.Number)
	})
	if err != nil {
		w.answerFailure(rw, r, "remove room line failed", err)
		return
	}
	room.dropLines(func(l shownLine) bool { return l.ID == asked.Number })
	if ok { // else it was removed before
		w.queueHint(hint{Room: room.place, Look: true})
	}
	w.writeJSON(rw, struct{}{})
}

// rereadLines reads the lines of all rooms in memory again, because those of a person may have been deleted.
func (w *Web) rereadLines(ctx context.Context) {
	for _, room := range w.rooms.all() {
		w.resync(context.WithoutCancel(ctx), room)
	}
}

// syncLines compares the lines of room with stored, those in the database, and reads the missing ones. The caller holds
// room.syncing.
func (w *Web) syncLines(ctx context.Context, room *room, stored []store.WebThing) error {
	after, missing := room.compareLines(stored)
	if !missing {
		return nil
	}
	lines, _, err := query(ctx, w, func(tx *store.Tx) ([]store.WebLine, error) {
		return tx.Rooms.Lines(string(room.place), after)
	})
	room.addLines(lines...)
	return err
}

// compareLines drops the lines of the room that are not in stored, newest first, unless they are newer than all of
// stored. missing: the room lacks lines of stored, all with numbers above after.
func (r *room) compareLines(stored []store.WebThing) (after int64, missing bool) {
	var newest int64
	going := map[int64]bool{}
	for _, t := range stored {
		newest = max(newest, t.ID)
		going[t.ID] = t.Going
	}
	r.dropLines(func(l shownLine) bool { return l.ID <= newest && !going[l.ID] })
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range stored {
		if t.Going && !slices.ContainsFunc(r.lines, func(l shownLine) bool { return l.ID == t.ID }) {
			after, missing = t.ID-1, true
		}
	}
	return after, missing
}

// addLines shows lines on all pages, at most store.MaxLines in all, in the order of their numbers. It skips removed and
// known ones.
func (r *room) addLines(lines ...store.WebLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range lines {
		i, known := slices.BinarySearchFunc(r.lines, l.ID, func(l shownLine, id int64) int { return int(l.ID - id) })
		if known || l.Text == "" {
			continue
		}
		r.talked++
		r.lines = slices.Insert(r.lines, i, shownLine{l, r.talked})
	}
	r.lines = slices.Delete(r.lines, 0, max(len(r.lines)-store.MaxLines, 0))
	r.used = time.Now()
	r.wakeStreams()
}

// dropLines removes the lines for which match returns true from all pages.
func (r *room) dropLines(match func(shownLine) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.lines)
	if r.lines = slices.DeleteFunc(r.lines, match); len(r.lines) < n {
		r.talked++
		r.wakeStreams()
	}
}

// hasWritten reports whether one of the people of v has written the line with that number.
func (r *room) hasWritten(v visitor, number int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.lines, func(l shownLine) bool {
		return l.ID == number && v.hasUser(chat.User(l.Player))
	})
}

// linesEvent returns the stream event with the lines added after the change known, "" if there was no change since. The
// caller holds r.mu.
func (r *room) linesEvent(v visitor, known uint64) string {
	if r.talked <= known {
		return ""
	}
	news := pageLines{All: []int64{}, Lines: []pageLine{}}
	people := r.newestPeople()
	for _, l := range r.lines {
		news.All = append(news.All, l.ID)
		if l.change <= known {
			continue
		}
		user := chat.User(l.Player)
		one := pageLine{l.ID, r.publicID(user), l.Name, l.Text, l.At / 1000, v.hasUser(user), nil}
		if i := slices.IndexFunc(people, func(p chat.Person) bool { return p.User == user }); i >= 0 {
			one.Seat = &people[i].Seat
		}
		news.Lines = append(news.Lines, one)
	}
	return "event: said\ndata: " + string(must(json.Marshal(news))) + "\n\n"
}

// newestPeople returns the seats of the newest table of the room. The caller holds r.mu.
func (r *room) newestPeople() []chat.Person {
	for _, e := range slices.Backward(r.entries) {
		if e.message.Table != 0 {
			return e.message.People
		}
	}
	return nil
}
