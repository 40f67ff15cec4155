package web

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"knobel/bot/chat"
	"knobel/games"
)

// Presence: visitors with an open page of a room, and seated people without one.

// silentFor is how long visitors on another replica count as present after the last hint (message) about them.
const silentFor = 10 * time.Second

// linger is how long a visitor stays present after their last page closed, so that a reload goes unnoticed.
const linger = 4 * time.Second

// maxOpened is how many private pages a room stores before it drops those of visitors without an open page.
const maxOpened = 4096

// company holds the visitors present in a room, and the private pages that they have opened on boards.
type company struct {
	embeds        bool                 // embedded pages show the room, which is a place of another platform
	here          map[string]*follower // present on this replica, by prefix of their ids
	elsewhere     map[string]follower  // present on other replicas, by "<replica> <prefix>"
	opened        map[pageKey]openedPage
	personalCount uint64 // changes so far that one visitor alone sees
	screens       int    // open pages for televisions on this replica; they make no person present
}

// follower is a visitor with an open page of the room. Its JSON is sent to other replicas.
type follower struct {
	Prefix string    `json:"p"` // prefix of the ids of their people
	People []person  `json:"n"`
	Fresh  bool      `json:"f,omitempty"` // their only name was proposed, and not confirmed
	Since  time.Time `json:"s"`           // when the first page was opened
	Sees   bool      `json:"v,omitempty"` // a page is visible

	sights      []string  // ids of visible pages on this replica
	pages       int       // open on this replica
	gone        time.Time // when the last page closed; only valid if pages is 0
	peopleCount uint64    // company.personalCount when People last changed
	heard       time.Time // of the last hint of another replica that named them
}

// pageKey identifies a private page on a board: by the id prefix of the visitor who has opened it, and by the table.
type pageKey struct {
	prefix string
	table  int64
}

// openedPage is a private page on a board, such as a menu of rules. count is company.personalCount when it was opened.
type openedPage struct {
	chat.Opened
	count uint64
}

// openBoardPage stores page, a private page that the visitor with that id prefix has opened on a board, and wakes the
// streams. elsewhere says that the page was opened on another replica: then it is a no-op if the visitor has no open
// page of the room on this one.
func (r *room) openBoardPage(prefix string, page chat.Opened, elsewhere bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if elsewhere && r.here[prefix] == nil {
		return
	}
	if len(r.opened) >= maxOpened {
		maps.DeleteFunc(r.opened, func(by pageKey, _ openedPage) bool { return r.here[by.prefix] == nil })
	}
	r.personalCount++
	r.opened[pageKey{prefix, page.Table}] = openedPage{page, r.personalCount}
	r.wakeStreams()
}

// setPeople stores the people of the visitor with that id prefix, sends them to other replicas, and has all boards
// drawn again for this visitor. fresh means that their only name was proposed, and not confirmed. It is a no-op if the
// visitor has no open page on this replica.
func (r *room) setPeople(prefix string, people []person, fresh bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.here[prefix]
	if f == nil {
		return
	}
	r.personalCount++
	f.People, f.Fresh, f.peopleCount = people, fresh, r.personalCount
	r.web.queueHint(hint{Room: r.place, Chat: r.embeddedChat(), Here: []follower{*f}})
	r.touch(-1)
}

// present is the JSON of one person who is present in a room, for pages.
type present struct {
	// ID identifies the person in this room and reveals nothing.
	ID     string `json:"id"`
	Name   string `json:"name"`
	You    bool   `json:"you,omitempty"`
	Number int    `json:"n,omitempty"` // the number among the visitor's own people, if it is one of them
	Host   bool   `json:"host,omitempty"`
	Away   bool   `json:"away,omitempty"`   // no page is open
	Seated bool   `json:"seated,omitempty"` // at a table that is not over
	Fresh  bool   `json:"fresh,omitempty"`  // the name was proposed, and not yet confirmed

	user  chat.User
	board string // their name on the board, "" if not seated
}

// openPage counts a page that v has opened at the time now. It is a no-op if v was removed from the room meanwhile.
func (r *room) openPage(v visitor, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isRemoved(v.Prefix) {
		return
	}
	r.used = now
	f := r.here[v.Prefix]
	if f == nil {
		f = &follower{Prefix: v.Prefix, Since: now}
		r.here[v.Prefix] = f
	}
	last, _ := r.web.rooms.changed.Load(v.Prefix)
	if made, ok := last.(*peopleChange); ok && slices.Equal(v.People, made.before) {
		v.People, v.Fresh = made.after, made.fresh
	}
	f.People, f.Fresh, f.pages = v.People, v.Fresh, f.pages+1
	r.web.queueHint(hint{Room: r.place, Chat: r.embeddedChat(), Here: []follower{*f}})
	if v.hasUser(r.state.host()) {
		r.state.Seen = now.UnixMilli()
	}
	r.touch(-1)
}

// closePage counts a page that v has closed at the time now. After the last page, v stays present for linger.
func (r *room) closePage(v visitor, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.here[v.Prefix]
	if f == nil {
		return // the visitor was removed
	}
	if v.hasUser(r.state.host()) {
		r.state.Seen, r.unsaved = now.UnixMilli(), true
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
			r.web.queueHint(hint{Room: r.place, Gone: []string{v.Prefix}})
			r.touch(-1)
		}
	})
}

// presentPeople returns the people present: those at browsers with an open page, first come first, then seated people
// without one. Equal names are made different by numbers.
func (r *room) presentPeople() []present {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presentLocked()
}

// presentLocked is presentPeople for callers that hold r.mu.
func (r *room) presentLocked() (people []present) {
	attending, seated, host := r.followers(time.Now()), r.seatedPeople(), r.state.host()
	adds := func(one present) {
		one.ID, one.Host = r.publicID(one.user), one.user == host
		people = append(people, one)
	}
	for _, f := range attending {
		for _, p := range f.People {
			one := present{Name: p.Name, Fresh: f.Fresh, user: visitor{Prefix: f.Prefix}.user(p.Number)}
			at := slices.IndexFunc(seated, func(s chat.Person) bool { return s.User == one.user })
			if at >= 0 {
				one.Seated, one.board = true, seated[at].Name
			}
			adds(one)
		}
	}
	for _, s := range seated {
		if slices.ContainsFunc(people, func(p present) bool { return p.user == s.User }) {
			continue
		}
		// A person removed from the list of a browser keeps the seat, and is present while that browser is.
		shown := slices.ContainsFunc(attending, func(f follower) bool { return f.Prefix == prefixOf(s.User) })
		adds(present{Name: s.Name, Away: !shown, Seated: true, user: s.User, board: s.Name})
	}
	// Seated people have the name on the board, with its number; then equal names of the others get numbers by arrival.
	var taken chat.TakenNames
	for i, one := range people {
		number, same := strings.CutPrefix(one.board, chat.Isolate(chat.OneLine(one.Name, chat.MaxName)))
		if same && boardNumber.MatchString(number) {
			people[i].Name = taken.Unlike(one.board)
		} else {
			people[i].board = "" // not seated, or renamed since the board was drawn
		}
	}
	for i, one := range people {
		if one.board == "" {
			people[i].Name = taken.Unlike(one.Name)
		}
	}
	return people
}

// boardNumber matches what boards add to a name that others have, too.
var boardNumber = regexp.MustCompile(`^(?: \d+)?$`)

// hasUser reports whether u is one of the people at this browser.
func (v visitor) hasUser(u chat.User) bool {
	_, own := v.numberOf(u)
	return own
}

// prefixOf returns the beginning, up to the last colon, that the ids of all people at the browser of u share.
func prefixOf(u chat.User) string {
	if !ofBrowser(u) {
		return string(u)
	}
	return string(u[:strings.LastIndexByte(string(u), ':')+1])
}

// publicID returns the id of u for pages in this room. It reveals nothing, and is the same on all replicas.
func (r *room) publicID(u chat.User) string {
	return shortHash("knobel here " + r.salt + " " + string(u))[:16]
}

// seatedPeople returns the people at unfinished tables of the room. The caller holds r.mu.
func (r *room) seatedPeople() (people []chat.Person) {
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
				people = append(people, p)
			}
		}
	}
	return people
}

// removedKey is the key of the sentence that announces a removed person.
const removedKey = "shown-out-said"

// followers returns the visitors who are present on any replica at the time now, first come first. The caller holds
// r.mu.
func (r *room) followers(now time.Time) (all []follower) {
	for _, f := range r.here {
		all = append(all, *f)
	}
	for _, other := range r.elsewhere {
		i := slices.IndexFunc(all, func(f follower) bool { return f.Prefix == other.Prefix })
		switch {
		case now.Sub(other.heard) >= silentFor || r.isRemoved(other.Prefix):
		case i < 0:
			all = append(all, other)
		case other.Since.Before(all[i].Since):
			all[i].Since = other.Since
		}
	}
	slices.SortFunc(all, func(a, b follower) int {
		return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.Prefix, b.Prefix))
	})
	return all
}

// presenceHints returns hints (messages to other replicas) that list all visitors present on this replica, none if
// there is no other replica. It also drops the visitors on replicas that have sent nothing for silentFor.
func (r *room) presenceHints(now time.Time) (parts []hint) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.elsewhere)
	maps.DeleteFunc(r.elsewhere, func(_ string, other follower) bool { return now.Sub(other.heard) >= silentFor })
	if len(r.elsewhere) < n {
		r.touch(-1)
	}
	if r.web.config.Alone == nil || r.web.config.Alone() {
		return nil // there is no other replica
	}
	size := maxHere
	for _, f := range r.here {
		takes := len(must(json.Marshal(f)))
		if size += takes; size > maxHere {
			parts, size = append(parts, hint{Room: r.place, Chat: r.embeddedChat()}), takes
		}
		last := &parts[len(parts)-1]
		last.Here = append(last.Here, *f)
	}
	if parts == nil && r.screens > 0 { // the room is read although no person is present
		parts = []hint{{Room: r.place}}
	}
	return parts
}

// isRemoved reports whether the visitor with that id prefix was removed from the room. The caller holds r.mu.
func (r *room) isRemoved(prefix string) bool {
	return len(r.state.Out) > 0 && slices.Contains(r.state.Out, r.removalHash(prefix))
}

// role is the role of a visitor in a room.
type role struct {
	host       bool // is the room's host
	privileged bool // is host or seated: may know a new address, and has reserved streams
	out        bool // was removed from the room
}

// roleOf returns the role of v in the room: host, seated or removed.
func (r *room) roleOf(v visitor) role {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.roleLocked(v)
}

// roleLocked is roleOf for callers that hold r.mu.
func (r *room) roleLocked(v visitor) role {
	host, sits := v.hasUser(r.state.host()), func(p chat.Person) bool { return v.hasUser(p.User) }
	return role{host, host || slices.ContainsFunc(r.seatedPeople(), sits), r.isRemoved(v.Prefix)}
}
