package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"knobel/bot/chat"
	"knobel/store"
)

// Visitors: browsers, their people, and the signed cookie.

const (
	visitorCookie = "knobel"
	maxPeople     = 10 // as many as a table seats
	maxName       = 32 // characters
	maxNameBytes  = 96
	yearOfSeconds = 365 * 24 * 60 * 60
)

// visitor is one browser and its people. It is stored only in the browser's signed cookie.
type visitor struct {
	ID       string   `json:"v"`
	Next     int      `json:"x"`            // the number of the next person
	People   []person `json:"p"`            // never empty
	Pass     string   `json:"in,omitempty"` // proves a given secret, see secretProof; "": none was given
	Fresh    bool     `json:"f,omitempty"`  // their only name was proposed, and not confirmed
	LinkCode string   `json:"w,omitempty"`  // code of their sign-in link, if made in this browser
	Prefix   string   `json:"-"`            // beginning of the ids of their people, derived from ID
	Lang     string   `json:"-"`            // of the page for which boards are drawn; not in the cookie
	Screen   bool     `json:"-"`            // the page is for a television, and no person's
}

// person is one of the people at a browser.
type person struct {
	Number int    `json:"n"`
	Name   string `json:"name"`
}

// peopleChange is a change of the people at a browser; fresh is visitor.Fresh after it. It is stored for a minute, for
// streams that were requested before the change, with the cookie from before, and open after it.
type peopleChange struct {
	before, after []person
	fresh         bool
}

// newVisitor returns a new visitor with one person. The name is a proposal until the person chooses or confirms one.
func newVisitor(name string) visitor {
	id := rand.Text()
	return visitor{ID: id, Next: 1, People: []person{{0, name}}, Fresh: true, Prefix: prefixOfID(id)}
}

// user returns the id of the person with that number at this browser. It reveals nothing of the cookie. A guest of an
// embedded page is one person, whose id is the prefix.
func (v visitor) user(number int) chat.User {
	if !strings.HasSuffix(v.Prefix, ":") {
		return chat.User(v.Prefix)
	}
	return chat.User(v.Prefix + strconv.Itoa(number))
}

// ofBrowser reports whether an id is one of the browser's own, not of a platform whose client embeds the page.
func ofBrowser[T ~string](id T) bool { return chat.PlatformOf(string(id)) == "web" }

// prefixOfID returns the beginning that the ids of all people of a visitor share; id is the visitor's. That of a guest
// is the person's.
func prefixOfID(id string) string {
	if strings.Contains(id, ":") {
		return id
	}
	return "web:" + shortHash("knobel visitor " + id)[:20] + ":"
}

// numberOf returns the number of the person u at this browser; ok is false if u belongs to another browser.
func (v visitor) numberOf(u chat.User) (number int, ok bool) {
	if !strings.HasSuffix(v.Prefix, ":") {
		return 0, string(u) == v.Prefix
	}
	rest, ok := strings.CutPrefix(string(u), v.Prefix)
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(rest)
	return number, err == nil
}

// Same reports whether two people play at one browser. It is the function for bot.Config.Same.
func Same(one, other chat.User) bool {
	prefix := prefixOf(one)
	return strings.HasPrefix(prefix, "web:") && prefix != "web:" && prefix == prefixOf(other)
}

// person returns the person with a number, and false if there is none.
func (v visitor) person(number int) (person, bool) {
	i := slices.IndexFunc(v.People, func(p person) bool { return p.Number == number })
	if i < 0 {
		return person{}, false
	}
	return v.People[i], true
}

// tidyName returns name as one line of at most maxName characters; each run of spaces and invisible characters becomes
// one space. It returns "" if nothing is left.
func tidyName(name string) string {
	hidden := func(r rune) bool { return unicode.IsSpace(r) || !chat.Shows(r) }
	runes := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(name, ""), hidden), " "))
	runes = runes[:min(len(runes), maxName)]
	for len(string(runes)) > maxNameBytes {
		runes = runes[:len(runes)-1]
	}
	return strings.Trim(string(runes), " \u200d") // without a joiner of emoji at an end
}

// sealVisitor returns v as a signed cookie value.
func sealVisitor(key []byte, v visitor) string {
	text := base64.RawURLEncoding.EncodeToString(must(json.Marshal(v)))
	return text + "." + base64.RawURLEncoding.EncodeToString(sign(key, "visitor "+text))
}

// openVisitor returns the visitor in a cookie value, and false if key has not signed the value.
func openVisitor(key []byte, value string) (visitor, bool) {
	text, mac, ok := strings.Cut(value, ".")
	if !ok {
		return visitor{}, false
	}
	signature, err := base64.RawURLEncoding.DecodeString(mac)
	if err != nil || !hmac.Equal(signature, sign(key, "visitor "+text)) {
		return visitor{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	var v visitor
	if err != nil || json.Unmarshal(raw, &v) != nil || v.ID == "" || len(v.People) == 0 {
		return visitor{}, false
	}
	v.Prefix = prefixOfID(v.ID)
	return v, true
}

// sign returns the HMAC-SHA256 of text with key.
func sign(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// self is the JSON with a page's own visitor.
type self struct {
	People []person `json:"people"`
	Full   bool     `json:"full"`            // no more people can be added
	Fresh  bool     `json:"fresh,omitempty"` // the proposed name was neither changed nor confirmed
	Toast  string   `json:"toast,omitempty"`
}

// change is a request to change the people at a browser. Exactly one field is set.
type change struct {
	Add    string  `json:"add,omitempty"`
	Rename *person `json:"rename,omitempty"`
	Remove *int    `json:"remove,omitempty"`
	// Nameless means that a new person chooses no name, and keeps the proposed one.
	Nameless bool `json:"nameless,omitempty"`
}

// me answers with the page's visitor, and makes one for a new browser. Pages use POST, which no other site can send.
// GET is for programs: it makes no visitor if another site may have led a browser here.
func (w *Web) me(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	// If another site has led a browser here, the strict cookie is missing: the visitor may be a known one.
	site := r.Header.Get("Sec-Fetch-Site")
	led := r.Header.Get("Sec-Fetch-Mode") == "navigate" || site != "" && site != "same-origin" || wantsPage(r)
	switch {
	case ok && r.Method == http.MethodPost:
		w.setVisitor(rw, r, v)
	case ok:
	case r.Method != http.MethodPost && led:
		http.Error(rw, "no visitor: open the page first", http.StatusForbidden)
		return
	default:
		v = newVisitor(w.guestName(r))
		w.setVisitor(rw, r, v)
	}
	w.writeJSON(rw, selfOf(v))
}

// refuseUnknown answers 428 to a request without a visitor: the browser has opened no page yet, or stores no cookies.
func (w *Web) refuseUnknown(rw http.ResponseWriter, r *http.Request) {
	http.Error(rw, w.pages.words(r)["no-cookies"], http.StatusPreconditionRequired)
}

// selfOf returns the JSON for a page of v, without a toast.
func selfOf(v visitor) self {
	return self{People: v.People, Full: len(v.People) >= maxPeople, Fresh: v.Fresh}
}

// changePeople makes the change c to the people at the browser of v. It answers with all people, and any refusal.
func (w *Web) changePeople(rw http.ResponseWriter, r *http.Request, v visitor, c change) {
	before := v.People
	problem := v.apply(c)
	if problem == "" {
		w.setVisitor(rw, r, v)
		made := &peopleChange{before, v.People, v.Fresh}
		w.rooms.changed.Store(v.Prefix, made)
		time.AfterFunc(time.Minute, func() { w.rooms.changed.CompareAndDelete(v.Prefix, made) })
		for _, room := range w.rooms.all() {
			room.setPeople(v.Prefix, v.People, v.Fresh)
		}
		w.queueHint(hint{By: v.ID, Plays: v.People})
		w.renewLink(r.Context(), v)
	}
	if problem == "" && c.Rename != nil {
		who, _ := v.person(c.Rename.Number)
		ev := w.event(r, v, act{who: who})
		ev.Renamed = true
		w.bot.Handle(r.Context(), ev)
	}
	s := selfOf(v)
	s.Toast = w.pages.words(r)[problem]
	w.writeJSON(rw, s)
}

// apply makes the change c to the people of v, and returns "". If c is refused, v stays unchanged, and problem is the
// key of the sentence with the reason.
func (v *visitor) apply(c change) (problem string) {
	people := slices.Clone(v.People)
	index := func(number int) int {
		return slices.IndexFunc(people, func(p person) bool { return p.Number == number })
	}
	switch {
	case c.Rename != nil:
		name, i := tidyName(c.Rename.Name), index(c.Rename.Number)
		if name == "" {
			return "people-no-name"
		}
		if i < 0 {
			return "people-unknown"
		}
		people[i].Name, v.Fresh = name, false
	case c.Remove != nil: // the removed person keeps their seats
		i := index(*c.Remove)
		if i < 0 {
			return "people-unknown"
		}
		if len(people) == 1 {
			return "people-last"
		}
		people = slices.Delete(people, i, i+1)
	case c.Nameless:
		v.Fresh = false
	default:
		name := tidyName(c.Add)
		if name == "" {
			return "people-no-name"
		}
		if len(people) >= maxPeople {
			return "people-full"
		}
		people = append(people, person{v.Next, name})
		v.Next++
	}
	v.People = people
	return ""
}

// guestName returns a name for a new visitor. No one in the room, on its boards or on its leaderboard has this name.
func (w *Web) guestName(r *http.Request) string {
	room := w.roomOf(r)
	taken := map[string]bool{}
	known, _, err := query(r.Context(), w, func(tx *store.Tx) ([]store.Standing, error) {
		return tx.Scores.Standings(store.Wanted{Chat: string(room.chat)})
	})
	chat.LogFailure(r.Context(), w.config.Log.Error, "read names in room failed", err)
	for _, s := range known {
		taken[s.Name] = true
	}
	for _, p := range room.presentPeople() {
		taken[p.Name] = true
	}
	room.mu.Lock()
	for _, e := range room.entries {
		for _, p := range e.message.People {
			taken[p.Name] = true
		}
	}
	room.mu.Unlock()
	return proposeName(w.pages.words(r)["guest"], taken)
}

// proposeName returns a name that is not taken: word and a random number of two digits, or more if these are taken.
func proposeName(word string, taken map[string]bool) (name string) {
	for least, tries := 10, 0; name == "" || taken[name]; tries++ {
		if tries == 64 {
			least, tries = least*10, 0
		}
		name = fmt.Sprintf("%s %d", word, least+mathrand.IntN(9*least))
	}
	return name
}
