package web

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/games"
)

// Who is here: the visitors who follow a room, and those who sit there without a page.

// linger is how long somebody is still here after the last of their pages has gone: a page that is
// loaded anew is no news.
const linger = 4 * time.Second

// follower is a visitor who follows a room.
type follower struct {
	visitor
	pages int       // that are open
	since time.Time // the first was opened
	gone  time.Time // when the last one went, where none is open
}

// present is one person as a page is told of them.
type present struct {
	// ID names the person in this room: it tells nothing of them.
	ID     string `json:"id"`
	Name   string `json:"name"`
	You    bool   `json:"you,omitempty"`
	Number int    `json:"n,omitempty"` // of the visitor's people, where it is one of them
	Host   bool   `json:"host,omitempty"`
	Away   bool   `json:"away,omitempty"`   // they have no page open
	Seated bool   `json:"seated,omitempty"` // they sit at a table that is not over
	Fresh  bool   `json:"fresh,omitempty"`  // the name is one that was proposed, and they have not answered yet

	user  chat.User
	seat  int
	board string // how the board calls them, "" where they have no seat
}

// comes counts a page that a visitor has opened; not one that was asked for just before they were shown out.
func (r *room) comes(v visitor, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isOutLocked(v) {
		return
	}
	r.used = now
	f := r.here[v.Prefix]
	if f == nil {
		f = &follower{since: now}
		r.here[v.Prefix] = f
	}
	f.visitor, f.pages = v, f.pages+1
	r.tellsHere()
	if v.is(r.kept.Host) {
		r.kept.HostSeen = now
	}
	r.touch(-1)
}

// goes counts a page that a visitor has left. They are gone once they do not come back for a moment.
func (r *room) goes(v visitor, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.here[v.Prefix]
	if f == nil {
		return // they were shown out
	}
	if v.is(r.kept.Host) {
		r.kept.HostSeen, r.unsaved = now, true
	}
	if f.pages--; f.pages > 0 {
		return
	}
	f.gone = now
	time.AfterFunc(linger, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if still := r.here[v.Prefix]; still == f && f.pages == 0 && f.gone.Equal(now) {
			delete(r.here, v.Prefix)
			r.tellsHere()
			r.touch(-1)
		}
	})
}

// renames tells those who are here how the people of a visitor are called now.
func (r *room) renames(v visitor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.here[v.Prefix]; f != nil {
		f.visitor = v
		r.tellsHere()
		r.touch(-1)
	}
}

// presents are those who are here, whoever has come first in front, and then those who sit there
// without a page.
func (r *room) presents() []present {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presentsLocked()
}

// presentsLocked is presents while the lock is held.
func (r *room) presentsLocked() []present {
	seated := r.seated()
	attending := r.attending(time.Now())
	var all []present
	known := map[chat.User]bool{}
	for _, f := range attending {
		for _, p := range f.People {
			user := f.User(p.Number)
			at := slices.IndexFunc(seated, func(s chat.Person) bool { return s.User == user })
			one := present{ID: r.idOf(user), Name: p.Name, Host: user == r.kept.Host, Seated: at >= 0, Fresh: f.Fresh,
				user: user, seat: -1}
			if at >= 0 {
				one.seat, one.board = seated[at].Seat, seated[at].Name
			}
			known[user] = true
			all = append(all, one)
		}
	}
	for _, s := range seated {
		if s.User == "" || known[s.User] {
			continue
		}
		known[s.User] = true
		// They may have left the screen of somebody who is here.
		shown := slices.ContainsFunc(attending, func(a replica.Attendant) bool { return a.Prefix == prefixOf(s.User) })
		all = append(all, present{ID: r.idOf(s.User), Name: s.Name, Host: s.User == r.kept.Host, Away: !shown,
			Seated: true, user: s.User, seat: s.Seat, board: s.Name})
	}
	tellApart(all)
	return all
}

// tellApart numbers those who are called alike: who sits, as the board does, and then whoever came later.
func tellApart(all []present) {
	taken := map[string]bool{}
	take := func(one *present, name string) {
		free := name
		for number := 2; taken[chat.Skeleton(free)]; number++ {
			free = fmt.Sprint(name, " ", number)
		}
		one.Name, taken[chat.Skeleton(free)] = free, true
	}
	for i, one := range all {
		name := chat.Isolate(one.Name)
		number, numbered := strings.CutPrefix(one.board, name+" ")
		_, err := strconv.Atoi(number)
		switch {
		case one.board == name:
			take(&all[i], one.Name)
		case numbered && err == nil:
			take(&all[i], one.Name+" "+number)
		default:
			all[i].board = "" // none, or one of before
		}
	}
	for i, one := range all {
		if one.board == "" {
			take(&all[i], one.Name)
		}
	}
}

// is reports whether a user is one of the visitor's people.
func (v visitor) is(u chat.User) bool {
	_, own := v.owns(u)
	return own
}

// prefixOf is what the ids of all people of a user's visitor begin with.
func prefixOf(u chat.User) string { return string(u[:strings.LastIndexByte(string(u), ':')+1]) }

// idOf is a user's id in this room for pages, telling nothing of them: for this run, or the same on all replicas.
func (r *room) idOf(u chat.User) string {
	sum := sha256.Sum256([]byte("knobel here " + r.salt() + " " + string(u)))
	return hex.EncodeToString(sum[:8])
}

// seated are the people at the tables of the feed that are not over. The lock is held.
func (r *room) seated() (all []chat.Person) {
	seen := map[int64]bool{}
	for _, e := range slices.Backward(r.entries) {
		m := e.message
		if m.Table == 0 || seen[m.Table] {
			continue
		}
		seen[m.Table] = true
		if m.Record != 0 {
			continue
		}
		for _, p := range m.People {
			if p.User != "" && p.State != games.Out && p.State != games.Won {
				all = append(all, p)
			}
		}
	}
	return all
}

// shownOutSaid is the key of the sentence by which all are told that somebody was shown out.
const shownOutSaid = "shown-out-said"

// followed reports whether anybody has a page of the room open, or had one a moment ago.
func (r *room) followed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.here) > 0
}

// attendants are the visitors who follow the room here. The lock is held.
func (r *room) attendants() (all []replica.Attendant) {
	for _, f := range r.here {
		a := replica.Attendant{Prefix: f.Prefix, Fresh: f.Fresh, Since: f.since}
		for _, p := range f.People {
			a.People = append(a.People, replica.Person(p))
		}
		all = append(all, a)
	}
	return all
}

// attending are all who follow the room, on whatever replica, whoever has come first in front. The lock is held.
func (r *room) attending(now time.Time) (all []replica.Attendant) {
	all = r.attendants()
	if r.shared != nil {
		all = r.shared.elsewhere.Join(all, now, func(prefix string) bool {
			return len(r.kept.Out) > 0 && slices.Contains(r.kept.Out, r.outPrint(prefix))
		})
	}
	slices.SortFunc(all, func(a, b replica.Attendant) int {
		if c := a.Since.Compare(b.Since); c != 0 {
			return c
		}
		return strings.Compare(a.Prefix, b.Prefix)
	})
	return all
}

// plays tells who plays at a browser of which a page hangs here, as another replica knows it.
func (r *room) plays(visitor string, people []person) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.here {
		if f.ID == visitor {
			f.People, f.Fresh = people, false
			r.tellsHere()
			r.touch(-1)
		}
	}
}

// tellsHere tells other replicas who is here. The lock is held.
func (r *room) tellsHere() {
	if r.shared != nil {
		r.shared.tells()
	}
}

// presences is who is here, in parts that other replicas can be told.
func (r *room) presences(mark int64) []replica.Presence {
	r.mu.Lock()
	defer r.mu.Unlock()
	return replica.Presences(r.place, mark, r.attendants())
}

// isTold takes over who is here on another replica.
func (r *room) isTold(from string, p replica.Presence, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared.elsewhere.Told(from, p, now) {
		r.touch(-1)
	}
}

// forgetsSilent forgets who is here on replicas that have said nothing for long.
func (r *room) forgetsSilent(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared.elsewhere.Forget(now) {
		r.touch(-1)
	}
}

// isOutLocked reports whether a visitor was shown out, while the lock is held.
func (r *room) isOutLocked(v visitor) bool {
	return len(r.kept.Out) > 0 && slices.Contains(r.kept.Out, r.outPrint(v.Prefix))
}
