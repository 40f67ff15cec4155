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

// Presence: the visitors who follow a room, and seated people without a page.

// linger is how long a visitor stays present after their last page closed, so that a reload is not announced.
const linger = 4 * time.Second

// follower is a visitor who follows a room.
type follower struct {
	visitor
	pages int       // open ones
	since time.Time // the first was opened
	gone  time.Time // when the last one closed, if none is open
}

// present is one person as pages know them.
type present struct {
	// ID names the person in this room and reveals nothing.
	ID     string `json:"id"`
	Name   string `json:"name"`
	You    bool   `json:"you,omitempty"`
	Number int    `json:"n,omitempty"` // the number among the visitor's own people, if it is one of them
	Host   bool   `json:"host,omitempty"`
	Away   bool   `json:"away,omitempty"`   // no page is open
	Seated bool   `json:"seated,omitempty"` // at a table that is not over
	Fresh  bool   `json:"fresh,omitempty"`  // the name was proposed, and not yet confirmed

	user  chat.User
	seat  int
	board string // their name on the board, "" without a seat
}

// comes counts a page that a visitor has opened, unless they were removed meanwhile.
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

// goes counts a closed page. The visitor is gone after linger.
func (r *room) goes(v visitor, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.here[v.Prefix]
	if f == nil {
		return // removed
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

// renames announces the current names of a visitor's people.
func (r *room) renames(v visitor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.here[v.Prefix]; f != nil {
		f.visitor = v
		r.tellsHere()
		r.touch(-1)
	}
}

// presents returns the visitors present, first come first, then seated people without a page.
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
		// They may have left the browser of a visitor who is present.
		shown := slices.ContainsFunc(attending, func(a replica.Attendant) bool { return a.Prefix == prefixOf(s.User) })
		all = append(all, present{ID: r.idOf(s.User), Name: s.Name, Host: s.User == r.kept.Host, Away: !shown,
			Seated: true, user: s.User, seat: s.Seat, board: s.Name})
	}
	tellApart(all)
	return all
}

// tellApart numbers namesakes: seated ones as the board does, then the others by arrival.
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
			all[i].board = "" // none, or of an older board
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

// prefixOf returns the prefix of the ids of a user's visitor.
func prefixOf(u chat.User) string { return string(u[:strings.LastIndexByte(string(u), ':')+1]) }

// idOf returns a user's id for pages in this room, which reveals nothing: for this run, or the same on all replicas.
func (r *room) idOf(u chat.User) string {
	sum := sha256.Sum256([]byte("knobel here " + r.salt() + " " + string(u)))
	return hex.EncodeToString(sum[:8])
}

// seated returns the people at unfinished tables of the feed. The lock is held.
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

// shownOutSaid is the key of the announcement that a person was removed.
const shownOutSaid = "shown-out-said"

// followed reports whether a page of the room is open, or was a moment ago.
func (r *room) followed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.here) > 0
}

// attendants returns the visitors who follow the room here. The lock is held.
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

// attending returns the followers on all replicas, first come first. The lock is held.
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

// plays stores the people of a browser with a page here, as another replica knows them.
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

// tellsHere marks the presence here to be sent to other replicas. The lock is held.
func (r *room) tellsHere() {
	if r.shared != nil {
		r.shared.tells()
	}
}

// presences returns the presence here in parts for messages to other replicas.
func (r *room) presences(mark int64) []replica.Presence {
	r.mu.Lock()
	defer r.mu.Unlock()
	return replica.Presences(r.place, mark, r.attendants())
}

// isTold stores the presence on another replica.
func (r *room) isTold(from string, p replica.Presence, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.shared.elsewhere.Told(from, p, now) {
		r.touch(-1)
	}
}

// forgetsSilent drops the presence of replicas that have been silent for long.
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
