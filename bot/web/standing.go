package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// How a room finds what it lacks of the database, and shows it.

// reading is the state of reading a room.
type reading struct {
	queued  atomic.Bool // it is about to be read
	drawing sync.Mutex
	isDrawn bool      // the newest board, if any, is in the feed
	looked  time.Time // guarded by drawing
}

// versions holds what a room knows of the stored state beside its entries.
type versions struct {
	newest  int64           // the newest table shown
	said    map[int64]int64 // versions of the announcements, by number
	puzzles map[int64]int64 // versions of puzzles not to be shown
}

// nextRef returns the name of a new message: for a table or a puzzle the same on all replicas, unless it is posted
// again. The lock is held.
func (r *room) nextRef(m chat.Message) chat.Ref {
	if m.Version > 0 && !m.Silent {
		ref := chat.Ref(fmt.Sprintf("web:t%d", m.Table))
		if m.Puzzle != 0 {
			ref = chat.Ref(fmt.Sprintf("web:p%d", m.Puzzle))
		}
		if r.index(ref) < 0 {
			return ref
		}
	}
	return r.ownRef()
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

// goesBy gives an entry its name in the database. The lock is held.
func (r *room) goesBy(i int, ref chat.Ref) {
	if e := &r.entries[i]; e.ref != ref && !e.past && r.index(ref) < 0 {
		e.ref = ref
		r.touch(i)
	}
}

// lack is a thing that a room does not show in its stored version.
type lack struct {
	store.WebThing
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
func (r *room) lacks(s store.WebFeed, first bool, now time.Time) (all []lack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if first && len(s.Tables) > 1 {
		r.newest = max(r.newest, s.Tables[1].ID) // of older ones, the last finished are shown
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
		if r.said[t.ID] < t.Version {
			all = append(all, lack{t, aSaying, false})
		}
	}
	maps.DeleteFunc(r.said, func(id, _ int64) bool { return id < newest && !listed[id] })
	slices.SortStableFunc(all, func(a, b lack) int { return cmp.Compare(a.At, b.At) })
	return all
}

// lagsTable reports whether a table's board is outdated, and whether it was posted again. A board that this process is
// about to draw is left alone for leftFor. The lock is held.
func (r *room) lagsTable(t store.WebThing, now time.Time) (moved, lags bool) {
	i := r.last(chat.Message{Table: t.ID})
	if i < 0 {
		return false, t.Going || t.ID > r.newest
	}
	e := &r.entries[i]
	switch {
	case t.Message == "" || r.index(chat.Ref(t.Message)) >= 0:
	case e.stored && !e.past:
		return true, true
	default:
		r.goesBy(i, chat.Ref(t.Message))
	}
	e.stored = e.stored || t.Message != ""
	if t.Version <= e.message.Version {
		return false, false
	}
	if !e.here || t.Drawn == t.Version {
		return false, true
	}
	if e.lag != t.Version {
		e.lag, e.since = t.Version, now
		time.AfterFunc(leftFor, func() { r.web.lookSoon(r) })
	}
	return false, now.Sub(e.since) >= leftFor
}

// lagsPuzzle reports whether a puzzle is outdated; one closed before the room was opened is not shown. The lock is
// held.
func (r *room) lagsPuzzle(p store.WebThing, first bool) bool {
	if i := r.last(chat.Message{State: chat.State{Puzzle: p.ID}}); i >= 0 {
		return p.Version > r.entries[i].message.Version
	}
	if first && !p.Going {
		r.puzzles[p.ID] = p.Version
	}
	return p.Version > r.puzzles[p.ID]
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
	i, stored := r.last(m), l.Message != ""
	if i < 0 {
		r.puts(entry{ref: cmp.Or(chat.Ref(l.Message), r.nextRef(m)), message: m, stored: stored})
		return
	}
	r.entries[i].here, r.entries[i].stored = false, r.entries[i].stored || stored
	if m.Version > r.entries[i].message.Version {
		r.redraw(i, m)
	}
}
