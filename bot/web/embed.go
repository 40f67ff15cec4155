package web

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games"
	"knobel/store"
)

// Pages of tables inside the clients of other platforms: signing in, and requests with a bearer instead of a cookie.

// Embedding configures embedded pages.
type Embedding struct {
	// Origin is the beginning of the pages' public URLs, such as "https://dice.example.org".
	Origin string
	// Doors are the platforms whose clients embed the page.
	Doors []chat.Door
	// Refused counts a refusal of a door, "" if it is unknown, by its word.
	Refused func(door, why string)
}

// embedding is the state of embedded pages.
type embedding struct {
	Embedding
	entries *limits         // for signing in
	serving context.Context // done when serving ends; set by the method handler
}

// Embed makes w serve embedded pages, too. Call it before Run.
func (w *Web) Embed(e Embedding) {
	w.embedding = embedding{Embedding: e, entries: newLimits(rate.Limit(4), 20)}
}

const (
	// embedPath begins the paths of embedded pages and of their requests.
	embedPath = "/embed"
	// maxLaunch is the most bytes that a page may send to sign in.
	maxLaunch = 4 << 10
	// sessionLasts and ticketLasts are how long a bearer and a ticket can be used.
	sessionLasts = 12 * time.Hour
	ticketLasts  = 30 * time.Second
	// enterWithin is the timeout of asking a platform about a person.
	enterWithin = 5 * time.Second
	// slowly is the word for too many tries to sign in.
	slowly = "slowly"
)

// statuses maps the words of refusals to statuses.
var statuses = map[chat.Barred]int{chat.Forged: http.StatusUnauthorized, chat.Aged: http.StatusUnauthorized,
	chat.Replayed: http.StatusUnauthorized, chat.Stranger: http.StatusForbidden,
	chat.Busy: http.StatusServiceUnavailable, slowly: http.StatusTooManyRequests}

// handleEmbedded adds the routes of embedded pages to root, if there are any doors. others handles all other requests.
func (w *Web) handleEmbedded(root *http.ServeMux, others http.Handler) {
	if len(w.Doors) == 0 {
		return
	}
	pages, inside := http.NewServeMux(), http.NewServeMux()
	for _, door := range w.Doors {
		pages.HandleFunc("GET "+embedPath+"/"+door.Name(), w.embeddedPage(door))
		inside.HandleFunc("POST "+embedPath+"/"+door.Name(), w.enter(door))
	}
	inside.HandleFunc("POST "+embedPath+"/ticket", w.withBearer(w.makeTicket))
	inside.HandleFunc("GET "+embedPath+"/events", w.embeddedEvents)
	below := http.StripPrefix(embedPath, w.sharedRoutes())
	inside.HandleFunc(embedPath+"/", w.withBearer(below.ServeHTTP))
	pages.HandleFunc(embedPath+"/", func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case !w.isCrossSite(r):
			inside.ServeHTTP(rw, r)
		case w.mayTurnOutOwn(r.Header.Get("Origin")):
			w.refuse(rw, r, nil, "", chat.Busy)
		default:
			http.Error(rw, "another site asks", http.StatusForbidden)
		}
	})
	served := compressed(pages)
	root.Handle(embedPath+"/", served)
	root.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) {
		for _, door := range w.Doors {
			opening := door.Client().Opening
			if !slices.ContainsFunc(opening, func(name string) bool { return r.URL.Query().Get(name) == "" }) &&
				len(opening) > 0 {
				r = r.Clone(r.Context())
				r.URL.Path = embedPath + "/" + door.Name()
				served.ServeHTTP(rw, r)
				return
			}
		}
		others.ServeHTTP(rw, r)
	})
	root.Handle("GET "+embedPath+"/events", pages)
}

// mayTurnOutOwn reports whether an origin may be the one under which the proxy of a door's clients serves the page,
// which is not wholly known yet.
func (w *Web) mayTurnOutOwn(origin string) bool {
	return origin != "" && slices.ContainsFunc(w.Doors, func(d chat.Door) bool {
		may, _ := path.Match(d.Client().Origin, origin) // its pattern is valid
		return may
	})
}

// isCrossSite reports whether a page of another site has made the browser send r. A page that a client's proxy serves
// is the program's own.
func (w *Web) isCrossSite(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" && slices.ContainsFunc(w.Doors, func(d chat.Door) bool { return d.Client().Origin == origin }) {
		return false
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site != "same-origin" && site != "none"
	}
	at, err := url.Parse(origin)
	return origin != "" && origin != w.Origin && (err != nil || !strings.EqualFold(at.Host, r.Host))
}

// embeddedPage returns the handler of the page for clients of a door.
func (w *Web) embeddedPage(door chat.Door) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		s, client := w.pages.dataFor(r), door.Client()
		s.Base, s.Door, s.Frames, s.App = embedPath, door.Name(), strings.Join(client.Frames, " "), client.App
		s.Begin = embeddable(beginning{Games: commandsOnly(w.startableGames(s.Lang))})
		rw.Header().Set("Content-Security-Policy",
			strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors "+s.Frames, 1))
		w.pages.render(rw, http.StatusOK, "room", s)
	}
}

// guest is a person with an embedded page, as a request's bearer or ticket proves.
type guest struct {
	chat.Guest
	door    chat.Door
	session store.Session
}

// guestKey is the key of a guest in a request's context.
type guestKey struct{}

// guestOf returns the guest that has sent r; ok is false if it came from another page.
func guestOf(r *http.Request) (g guest, ok bool) {
	g, ok = r.Context().Value(guestKey{}).(guest)
	return g, ok
}

// visitor returns the guest as a visitor with one person.
func (g guest) visitor() visitor {
	return visitor{ID: string(g.User), Prefix: string(g.User), People: []person{{0, g.Name}}}
}

// tell shows in the chat what reply says to all people there.
func (g guest) tell(reply *chat.Reply) {
	if reply.All != "" {
		g.door.Tell(g.Guest, chat.Message{Head: reply.All, Accent: -1})
	}
	if reply.Public && reply.Private != nil {
		g.door.Tell(g.Guest, *reply.Private)
	}
}

// embeddedChat returns the chat of an embedded room, "" of another.
func (r *room) embeddedChat() chat.Chat {
	if !r.embeds {
		return ""
	}
	return r.chat
}

// embeddedRoom returns the room at a place of a chat on another platform, from memory or else a new one.
func (w *Web) embeddedRoom(of chat.Chat, place chat.Place) *room {
	w.rooms.mu.Lock()
	defer w.rooms.mu.Unlock()
	r := w.rooms.byPlace[place]
	if r == nil || r.chat != of { // the chat has got another id
		r = w.newRoomAt(of, place)
		w.rooms.byPlace[place] = r
	}
	return r
}

// guestIn returns the guest of a session.
func (w *Web) guestIn(s store.Session) (g guest, err error) {
	if err := json.Unmarshal([]byte(s.Said), &g.Guest); err != nil {
		return g, err
	}
	g.session, g.Chat, g.Place = s, chat.Chat(s.Chat), chat.Place(s.Place)
	for _, door := range w.Doors {
		if door.Name() == chat.PlatformOf(s.Place) {
			g.door = door
			return g, nil
		}
	}
	return g, chat.Aged // the door was closed
}

// stillIn returns nil if the session of g has not ended and g may look, else a chat.Barred or an error of the database.
func (w *Web) stillIn(ctx context.Context, g guest) error {
	ctx, cancel := context.WithTimeout(ctx, enterWithin)
	defer cancel()
	_, ok, err := query(ctx, w, func(tx *store.Tx) (store.Session, error) {
		return tx.Rooms.Session(g.session.Print, time.Now().UnixMilli())
	})
	if err == nil && !ok {
		err = chat.Aged
	}
	return cmp.Or(err, g.door.Admit(ctx, g.Guest))
}

// withBearer returns a handler that passes requests of guests to h, inside the room that they may see. It refuses
// requests without a valid bearer, and of people who may not look any more.
func (w *Web) withBearer(h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			w.refuse(rw, r, nil, "", chat.Forged)
			return
		}
		s, ok, err := query(r.Context(), w, func(tx *store.Tx) (store.Session, error) {
			return tx.Rooms.Session(fingerprint(bearer), time.Now().UnixMilli())
		})
		w.asGuest(rw, r, s, ok, err, h)
	}
}

// asGuest passes r to h as a request of the guest of the session s. It refuses it if there is none (ok is false), after
// the error err of reading it, and if the guest may not look any more.
func (w *Web) asGuest(rw http.ResponseWriter, r *http.Request, s store.Session, ok bool, err error,
	h http.HandlerFunc) {
	g := guest{}
	if err == nil && !ok {
		err = chat.Aged
	}
	if err == nil {
		g, err = w.guestIn(s)
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), enterWithin)
		defer cancel()
		err = g.door.Admit(ctx, g.Guest)
	}
	if err != nil {
		w.refuse(rw, r, g.door, g.Locale, w.barred(err))
		return
	}
	room := w.embeddedRoom(g.Chat, g.Place)
	ctx := context.WithValue(context.WithValue(r.Context(), guestKey{}, g), routedRoomKey{},
		routedRoom{room, embedPath})
	w.ensureSynced(ctx, room)
	askIn(r, g.Locale)
	r = r.WithContext(ctx)
	r.RemoteAddr = string(g.User) // limits count people: a client's proxy has the same address for all
	h(rw, r)
}

// refuse answers with the status, the word and the sentence of why, and counts it. locale is the person's language, "":
// that of the browser.
func (w *Web) refuse(rw http.ResponseWriter, r *http.Request, door chat.Door, locale string, why chat.Barred) {
	w.writeRefusal(rw, r, door, locale, why, statuses[why])
}

// writeRefusal is refuse with another status.
func (w *Web) writeRefusal(rw http.ResponseWriter, r *http.Request, door chat.Door, locale string, why chat.Barred,
	status int) {
	name := ""
	if door != nil {
		name = door.Name()
	}
	if w.Refused != nil {
		w.Refused(name, string(why))
	}
	askIn(r, locale)
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(map[string]string{"refused": string(why), "say": w.sayBarred(r, name, why)})
}

// askIn makes r ask for the language of a person's client instead of that of the browser, unless it is unknown ("").
func askIn(r *http.Request, locale string) {
	if locale != "" {
		r.Header.Set("Accept-Language", locale)
	}
}

// sayBarred returns the sentence of why for people of a door, in the language of r.
func (w *Web) sayBarred(r *http.Request, door string, why chat.Barred) string {
	key := "web.embed-" + string(why)
	if own := key + "-" + door; w.config.Words.Has(own) {
		key = own
	}
	return w.config.Words.Say(w.pages.lang(r), games.Say(key, nil), words.Context{})
}

// makeTicket answers with a ticket for one stream.
func (w *Web) makeTicket(rw http.ResponseWriter, r *http.Request) {
	g, _ := guestOf(r)
	ticket := drawToken()
	_, err := w.update(r.Context(), func(tx *store.Tx) error {
		return tx.Rooms.AddTicket(fingerprint(ticket), g.session.ID, time.Now().Add(ticketLasts).UnixMilli())
	})
	if err != nil {
		w.refuse(rw, r, g.door, g.Locale, w.barred(err))
		return
	}
	w.writeJSON(rw, map[string]string{"ticket": ticket})
}

// dropEnded deletes the sessions, tickets and signed data that have ended.
func (w *Web) dropEnded(ctx context.Context, now time.Time) error {
	if len(w.Doors) == 0 {
		return nil
	}
	_, err := w.update(ctx, func(tx *store.Tx) error { return tx.Rooms.DropEnded(now.UnixMilli()) })
	return err
}

// Changed shows the board of a table at a place, which has changed, on the embedded pages of that place, on all
// replicas.
func (w *Web) Changed(place chat.Place) {
	if len(w.Doors) == 0 || ofBrowser(place) {
		return
	}
	w.queueHint(hint{Room: place, Look: true})
	if room := w.rooms.get(place); room != nil && !room.queued.Swap(true) {
		go func() {
			room.queued.Store(false)
			w.resync(w.serving, room)
		}()
	}
}

// Follows reports whether a person has an embedded page of a place open.
func (w *Web) Follows(place chat.Place, user chat.User) bool {
	room := w.rooms.get(place)
	if room == nil || ofBrowser(place) {
		return false
	}
	room.mu.Lock()
	defer room.mu.Unlock()
	for _, f := range room.followers(time.Now()) {
		if f.Prefix == string(user) {
			return true
		}
	}
	return false
}

// Embedded returns the number of open embedded pages by the name of their door.
func (w *Web) Embedded() map[string]int {
	open := map[string]int{}
	for _, door := range w.Doors {
		open[door.Name()] = 0
	}
	for _, room := range w.rooms.all() {
		if room.embeds {
			room.mu.Lock()
			for _, f := range room.here {
				open[chat.PlatformOf(string(room.place))] += f.pages
			}
			room.mu.Unlock()
		}
	}
	return open
}
