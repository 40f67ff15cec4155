package web

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
)

// How a room shared by replicas finds what it lacks of the database, and shows it.

// shared is the state of a room shared by replicas.
type shared struct {
	salt      string
	newest    int64           // the newest table shown
	said      map[int64]int64 // versions of the announcements, by number
	puzzles   map[int64]int64 // versions of puzzles not to be shown
	looked    time.Time       // guarded by drawing
	address   string          // by which it was found, "" for the main room
	elsewhere replica.Crews   // presence on other replicas
	tells     func()          // has the presence here sent to others
	looks     func()          // has the room read
}

// origin is the source of an entry in a shared room.
type origin struct {
	posted bool      // under this name in the database
	here   bool      // this process draws it for all, or did so last
	number int64     // of an announcement
	lag    int64     // the version last seen not yet drawn here ...
	since  time.Time // ... and when that was
}

// salt returns the salt of people's ids.
func (r *room) salt() string {
	if r.shared != nil {
		return r.shared.salt
	}
	return r.boot
}

// nextRef returns the name of a new message: for a table or a puzzle the same on all replicas, unless it is posted
// again. The lock is held.
func (r *room) nextRef(m chat.Message) chat.Ref {
	if r.shared != nil && m.Version > 0 && !m.Silent {
		if ref := commonRef(m); r.index(ref) < 0 {
			return ref
		}
	}
	return r.ownRef()
}

// commonRef returns the first name of a table's board or of a puzzle.
func commonRef(m chat.Message) chat.Ref {
	if m.Puzzle != 0 {
		return chat.Ref(fmt.Sprintf("web:p%d", m.Puzzle))
	}
	return chat.Ref(fmt.Sprintf("web:t%d", m.Table))
}

// last returns the index of the last message of the same table or puzzle, or -1. The lock is held.
func (r *room) last(m chat.Message) int {
	for i, e := range slices.Backward(r.entries) {
		same := m.Puzzle != 0 && e.message.Puzzle == m.Puzzle ||
			m.Puzzle == 0 && m.Table != 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		if same && e.number == 0 {
			return i
		}
	}
	return -1
}

// overdraws draws a message over the one that another replica has shown; done is false if it must be posted. The lock
// is held.
func (r *room) overdraws(m chat.Message) (ref chat.Ref, done bool) {
	if r.shared == nil || m.Version == 0 {
		return "", false
	}
	i := r.last(m)
	if i < 0 || m.Silent && m.Puzzle == 0 && r.entries[i].posted {
		return "", false
	}
	e := &r.entries[i]
	e.posted, e.here = true, true
	ref = e.ref
	if m.Version >= e.message.Version {
		r.redraw(i, m)
	}
	return ref, true
}

// adopts returns the index of the message to edit under a name given by another process, starting at the index of that
// name or -1. It returns -1 if nothing may be drawn over: a missing message is posted under that name, a newer one
// stays. The lock is held.
func (r *room) adopts(i int, ref chat.Ref, m chat.Message) int {
	if i < 0 {
		i = r.last(m)
	}
	if i < 0 {
		r.puts(m, ref)
		r.drawsHere(ref)
		return -1
	}
	e := &r.entries[i]
	e.posted, e.here = true, true
	r.goesBy(i, ref)
	if e.message.Version > m.Version {
		return -1
	}
	return i
}

// drawsHere notes that this process draws a message. The lock is held.
func (r *room) drawsHere(ref chat.Ref) {
	if i := r.index(ref); i >= 0 {
		r.entries[i].posted, r.entries[i].here = true, true
	}
}

// goesBy gives an entry its name in the database. The lock is held.
func (r *room) goesBy(i int, ref chat.Ref) {
	if e := &r.entries[i]; e.ref != ref && !e.past && r.index(ref) < 0 {
		e.ref = ref
		r.touch(i)
	}
}

// lack is a thing that a room does not show in its stored version.
type lack struct {
	replica.Thing
	kind  kind
	moved bool // posted again
}

// kind is the kind of a lack.
type kind int

const (
	aTable kind = iota
	aPuzzle
	aSaying
)

// leftFor is how long a changed board is left to this process to draw for all, if the change was made here.
const leftFor = 150 * time.Millisecond

// lacks returns what a room does not show as stored, oldest first. first marks the first look.
func (r *room) lacks(s replica.Standing, first bool, now time.Time) (all []lack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first && len(s.Tables) > 1 {
		r.shared.newest = max(r.shared.newest, s.Tables[1].ID) // of older ones, the last finished are shown
	}
	for _, t := range slices.Backward(s.Tables) {
		if moved, lags := r.lagsTable(t, now); moved || lags {
			all = append(all, lack{t, aTable, moved})
		}
	}
	for _, p := range slices.Backward(s.Puzzles) {
		if r.lagsPuzzle(p, first) {
			all = append(all, lack{p, aPuzzle, false})
		}
	}
	newest, listed := int64(0), map[int64]bool{}
	for _, t := range slices.Backward(s.Said) {
		newest, listed[t.ID] = t.ID, true
		if r.shared.said[t.ID] < t.Version {
			all = append(all, lack{t, aSaying, false})
		}
	}
	maps.DeleteFunc(r.shared.said, func(id, _ int64) bool { return id < newest && !listed[id] })
	slices.SortStableFunc(all, func(a, b lack) int { return a.At.Compare(b.At) })
	return all
}

// lagsTable reports whether a table's board is outdated, and whether it was posted again. A board that this process is
// about to draw is left alone for leftFor. The lock is held.
func (r *room) lagsTable(t replica.Thing, now time.Time) (moved, lags bool) {
	i := r.last(chat.Message{Table: t.ID})
	if i < 0 {
		return false, t.Going || t.ID > r.shared.newest
	}
	e := &r.entries[i]
	switch {
	case t.Ref == "" || r.index(t.Ref) >= 0:
	case e.posted && !e.past:
		return true, true
	default:
		r.goesBy(i, t.Ref)
	}
	e.posted = e.posted || t.Ref != ""
	if t.Version <= e.message.Version {
		return false, false
	}
	if !e.here || t.Drawn == t.Version {
		return false, true
	}
	if e.lag != t.Version {
		e.lag, e.since = t.Version, now
		time.AfterFunc(leftFor, r.shared.looks)
	}
	return false, now.Sub(e.since) >= leftFor
}

// lagsPuzzle reports whether a puzzle is outdated; one closed before the room was opened is not shown. The lock is
// held.
func (r *room) lagsPuzzle(p replica.Thing, first bool) bool {
	if i := r.last(chat.Message{State: chat.State{Puzzle: p.ID}}); i >= 0 {
		return p.Version > r.entries[i].message.Version
	}
	if first && !p.Going {
		r.shared.puzzles[p.ID] = p.Version
	}
	return p.Version > r.shared.puzzles[p.ID]
}

// stands shows a board or a puzzle in its stored version.
func (r *room) stands(l lack, m chat.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.moved {
		r.entries = slices.DeleteFunc(r.entries, func(e entry) bool {
			return e.number == 0 && e.message.Puzzle == 0 && e.message.Table == m.Table
		})
	}
	i := r.last(m)
	switch {
	case i < 0 && l.Ref != "":
		r.puts(m, l.Ref)
	case i < 0:
		r.puts(m, r.nextRef(m))
	case m.Version > r.entries[i].message.Version:
		r.redraw(i, m)
	}
	if i = r.last(m); i >= 0 {
		r.entries[i].here = false
		r.entries[i].posted = r.entries[i].posted || l.Ref != ""
	}
}
