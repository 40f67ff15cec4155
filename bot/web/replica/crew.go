package replica

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
)

// Presence on other replicas.

// Person is one of the people at a browser.
type Person struct {
	Number int    `json:"n"`
	Name   string `json:"name"`
}

// Attendant is a visitor who follows a room on any replica.
type Attendant struct {
	Prefix string    `json:"p"` // of the ids of their people
	People []Person  `json:"n"`
	Fresh  bool      `json:"f,omitempty"` // the only name is a proposed one
	Since  time.Time `json:"s"`
}

// User returns the id of one of their people.
func (a Attendant) User(number int) chat.User { return chat.User(a.Prefix + strconv.Itoa(number)) }

// alike reports whether pages show two attendants alike.
func alike(a, b Attendant) bool {
	return a.Prefix == b.Prefix && a.Fresh == b.Fresh && slices.Equal(a.People, b.People)
}

// SilentFor is how long the presence on a silent replica counts.
const SilentFor = 10 * time.Second

// Presence is who is in a room on one replica, or a part of it: more parts follow.
type Presence struct {
	Room chat.Place  `json:"room"`
	Mark int64       `json:"mark"` // of the telling: later ones have higher marks
	All  []Attendant `json:"all,omitempty"`
	More bool        `json:"more,omitempty"`
}

// maxNames is how many bytes of names a part of a telling has at most: sealed and spelled it is below what a database
// takes for a hint.
const maxNames = 4000

// Presences returns the presence in a room, in parts that fit a hint.
func Presences(room chat.Place, mark int64, all []Attendant) (parts []Presence) {
	slices.SortFunc(all, func(a, b Attendant) int { return strings.Compare(a.Prefix, b.Prefix) })
	now, size := Presence{Room: room, Mark: mark}, 0
	for _, a := range all {
		takes := 128
		for _, p := range a.People {
			takes += 24 + 2*len(p.Name)
		}
		if size += takes; size > maxNames && len(now.All) > 0 {
			now.More = true
			parts = append(parts, now)
			now, size = Presence{Room: room, Mark: mark}, takes
		}
		now.All = append(now.All, a)
	}
	return append(parts, now)
}

// Crews holds the followers of a room on other replicas, by replica. It is not safe for concurrent use.
type Crews map[string]crew

// crew holds the followers on one replica.
type crew struct {
	at   time.Time // when they were told of
	mark int64
	all  []Attendant
	next []Attendant // of a telling of which some is still to come
}

// Told stores the presence on a replica, and reports whether pages change.
func (c Crews) Told(from string, p Presence, now time.Time) (changed bool) {
	of := c[from]
	if p.Mark < of.mark {
		return false
	}
	if p.Mark > of.mark {
		of.mark, of.next = p.Mark, nil
	}
	of.at, of.next = now, append(of.next, p.All...)
	if !p.More {
		changed = !slices.EqualFunc(of.all, of.next, alike)
		of.all, of.next = of.next, nil
	}
	c[from] = of
	return changed
}

// Forget drops replicas that have been silent for long, and reports whether anyone was there.
func (c Crews) Forget(now time.Time) (some bool) {
	for from, of := range c {
		if now.Sub(of.at) >= SilentFor {
			some = some || len(of.all) > 0
			delete(c, from)
		}
	}
	return some
}

// Join adds the attendants of other replicas to those of this one, each once, except those not let in.
func (c Crews) Join(all []Attendant, now time.Time, out func(prefix string) bool) []Attendant {
	for _, of := range c {
		if now.Sub(of.at) >= SilentFor {
			continue
		}
		for _, a := range of.all {
			i := slices.IndexFunc(all, func(b Attendant) bool { return b.Prefix == a.Prefix })
			switch {
			case out(a.Prefix):
			case i < 0:
				all = append(all, a)
			case a.Since.Before(all[i].Since):
				all[i].Since = a.Since
			}
		}
	}
	return all
}
