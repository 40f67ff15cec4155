package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/qr"
	"knobel/store"
)

// The rooms: the main one, and those that people make, which admit anyone with their address.

// rooms holds the rooms in memory, by place.
type rooms struct {
	mu      sync.Mutex
	byPlace map[chat.Place]*room
	changed sync.Map // by id prefix, the last *peopleChange of a visitor, for a minute
}

// get returns the room of a place, or nil if it is not in memory.
func (rs *rooms) get(place chat.Place) *room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.byPlace[place]
}

// openRoom returns the room with the number stored.ID, from memory or else a new one without messages, and updates its
// state from stored. address is the address at which the room was found, "" if it was found by its number.
func (w *Web) openRoom(stored storedRoom, address string) *room {
	name := roomChatOf(stored.ID)
	w.rooms.mu.Lock()
	defer w.rooms.mu.Unlock()
	r, ok := w.rooms.byPlace[chat.Place(name)]
	if !ok {
		r = w.newRoom(name)
		w.rooms.byPlace[r.place] = r
	}
	r.loadStored(stored, address)
	return r
}

// roomAt returns the room at place, from memory or the database. If there is none, the error wraps chat.ErrAway.
func (w *Web) roomAt(ctx context.Context, place chat.Place) (*room, error) {
	if r := w.rooms.get(place); r != nil {
		return r, nil
	}
	text, ok := strings.CutPrefix(string(place), roomPrefix)
	number, err := strconv.ParseInt(text, 10, 64)
	if !ok || err != nil {
		return nil, chat.ErrAway
	}
	kept, ok, err := w.storedRoomByNumber(ctx, number)
	if err != nil {
		return nil, fmt.Errorf("look up room: %w", err)
	}
	if !ok {
		return nil, chat.ErrAway
	}
	return w.openRoom(kept, ""), nil
}

// roomOf returns the room to which r was routed, else the main room.
func (w *Web) roomOf(r *http.Request) *room {
	if e, ok := r.Context().Value(routedRoomKey{}).(routedRoom); ok {
		return e.room
	}
	return w.room
}

// qr answers with an SVG, the QR code of the room's URL: the one from networkOrigin or, if that is "", the browser's.
func (w *Web) qr(rw http.ResponseWriter, r *http.Request) {
	code, err := qr.Encode(cmp.Or(w.networkOrigin(r), originOf(r)) + roomPagePath(roomBase(r)))
	if err != nil {
		http.Error(rw, "the address is too long", http.StatusBadRequest)
		return
	}
	rw.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprint(rw, code.SVG())
}

// networkOrigin returns the beginning of URLs for other devices in this network, "http://192.168.0.5:8080". It is "" if
// unknown. It is also "" if the browser uses no loopback name: then the browser's URL works on other devices, too.
func (w *Web) networkOrigin(r *http.Request) string {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if name, _ := checkLocal(r); !ok || w.config.Reach == nil || !name || !Loopback(r.RemoteAddr) {
		return ""
	}
	_, port, err := net.SplitHostPort(local.String()) // a tunnel may use another port
	if err != nil {
		return ""
	}
	for _, page := range w.config.Reach("http://" + net.JoinHostPort("localhost", port) + "/") {
		return strings.TrimSuffix(page, "/")
	}
	return ""
}

// routeToRoom returns a handler that finds the room at a request's address, and passes the request to inside with the
// path behind the address. It refuses removed people. Wrong addresses have a rate limit, right ones have none.
func (w *Web) routeToRoom(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		address := strings.ToUpper(r.PathValue("address"))
		ok := addresses.MatchString(address)
		var kept storedRoom
		var err error
		if ok {
			if kept, ok, err = w.storedRoomAt(r.Context(), address); err != nil {
				w.answerFailure(rw, r, "read room failed", err)
				return
			}
		}
		if !ok {
			w.atOldAddress(rw, r, address)
			return
		}
		room, rest := w.openRoom(kept, address), r.PathValue("rest")
		if v, found := w.visitorOf(r); rest == "out" && r.Method == http.MethodGet || found && room.roleOf(v).out {
			w.answerRemoved(rw, insideRoom(r, room, address, rest), v)
			return
		}
		w.ensureSynced(r.Context(), room)
		inside.ServeHTTP(rw, insideRoom(r, room, address, rest))
	})
}

// insideRoom returns a copy of r for the room at address: its path is rest, without the address.
func insideRoom(r *http.Request, room *room, address, rest string) *http.Request {
	inside := r.Clone(context.WithValue(r.Context(), routedRoomKey{}, routedRoom{room, roomPathPrefix + address}))
	inside.URL.Path, inside.URL.RawPath = "/"+rest, ""
	return inside
}

// answerRemoved answers a request of v, who was removed from the room: it carries out ownCommands, shows the page about
// the removal, and refuses everything else.
func (w *Web) answerRemoved(rw http.ResponseWriter, r *http.Request, v visitor) {
	refuse := func(rw http.ResponseWriter, r *http.Request) {
		http.Error(rw, w.pages.words(r)["out-text"], http.StatusForbidden)
	}
	switch {
	case r.Method == http.MethodGet && slices.Contains([]string{"/", "/out", "/fair"}, r.URL.Path):
		s := w.pages.dataFor(r)
		s.Base, s.People = "", v.People
		w.pages.render(rw, http.StatusForbidden, "shown-out", s)
	case isPressOrCommand(r):
		w.actHandler(refuse)(rw, r)
	default:
		refuse(rw, r)
	}
}

// noRoom answers a request for a room that does not exist, and counts it towards the limit of wrong addresses.
func (w *Web) noRoom(rw http.ResponseWriter, r *http.Request) {
	if !w.guesses.limiter(w.clientKey(r)).Allow() {
		rw.Header().Set("Retry-After", "5")
		if wantsPage(r) {
			w.pages.writeSentence(rw, r, http.StatusTooManyRequests, "sign-in-slowly")
			return
		}
		http.Error(rw, w.pages.words(r)["sign-in-slowly"], http.StatusTooManyRequests)
		return
	}
	w.noRoomPage(rw, r)
}

// noRoomPage answers with the page about a missing room, which offers ownCommands to known visitors. What a page sends
// is answered with its sentence.
func (w *Web) noRoomPage(rw http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		http.Error(rw, w.pages.words(r)["no-room"], http.StatusNotFound)
		return
	}
	s := w.pages.dataFor(r)
	if v, found := w.visitorOf(r); found {
		s.People = v.People
	}
	w.pages.render(rw, http.StatusNotFound, "no-room", s)
}

// makeRoom makes a room whose host is the visitor, and answers with its path. A new visitor gets a cookie first and the
// room at the next try: without cookies they could not enter it.
func (w *Web) makeRoom(rw http.ResponseWriter, r *http.Request) {
	v, found := w.visitorOf(r)
	if !found {
		w.rateLimited(w.comers, func(rw http.ResponseWriter, r *http.Request) {
			w.setVisitor(rw, r, newVisitor(w.guestName(r)))
			w.refuseUnknown(rw, r)
		})(rw, r)
		return
	}
	if !w.makers.limiter(w.clientKey(r)).Allow() {
		rw.Header().Set("Retry-After", "60")
		http.Error(rw, w.pages.words(r)["rooms-slowly"], http.StatusTooManyRequests)
		return
	}
	address := rand.Text()
	now := time.Now().UnixMilli()
	kept := store.WebRoom{Print: addressHash(address), Host: string(v.user(v.People[0].Number)), Made: now, Used: now,
		Seen: now}
	_, err := w.update(r.Context(), func(tx *store.Tx) error {
		_, err := tx.Rooms.MakeWebRoom(kept, func(number int64) string { return string(roomChatOf(number)) })
		return err
	})
	if err != nil {
		w.answerFailure(rw, r, "create room failed", err)
		return
	}
	w.writeJSON(rw, roomPath{roomPathPrefix + address})
}

// maxMoves is how many former addresses of a room are stored.
const maxMoves = 4

// moveKey and an old address together are the key that encrypts the next address.
const moveKey = "knobel move "

// movedRoom returns the stored room that had the address before, and next, its address now; ok is false if none had it.
func (w *Web) movedRoom(ctx context.Context, address string) (stored storedRoom, next string, ok bool, err error) {
	next = address
	for range maxMoves {
		sealed, ok, err := query(ctx, w,
			func(tx *store.Tx) (string, error) { return tx.Rooms.WebMove(addressHash(next)) })
		if err != nil || !ok {
			return storedRoom{}, "", false, err
		}
		if next, err = decryptText(moveKey+next, sealed); err != nil {
			return storedRoom{}, "", false, fmt.Errorf("read new address of room: %w", err)
		}
		if stored, ok, err = w.storedRoomAt(ctx, next); err != nil || ok {
			return stored, next, ok, err
		}
	}
	return storedRoom{}, "", false, nil
}

// atOldAddress answers a request at an address that no room has now. If a room had this address before, the host and
// seated people of that room are redirected to its new address.
func (w *Web) atOldAddress(rw http.ResponseWriter, r *http.Request, address string) {
	v, found := w.visitorOf(r)
	if !found || address == "" || r.Method != http.MethodGet && r.Method != http.MethodPost {
		w.noRoom(rw, r)
		return
	}
	kept, now, ok, err := w.movedRoom(r.Context(), address)
	if err != nil {
		w.answerFailure(rw, r, "read new room address failed", err)
		return
	}
	room, rest := w.room, r.PathValue("rest") // the main room carries out ownCommands for a deleted one
	if ok {
		room = w.openRoom(kept, now)
		w.ensureSynced(r.Context(), room)
	}
	stands := room.roleOf(v)
	switch own := insideRoom(r, room, address, rest); {
	case isPressOrCommand(own):
		w.actHandler(w.noRoom)(rw, own)
		return
	case !ok || r.Method != http.MethodGet:
		w.noRoom(rw, r)
		return
	case !stands.privileged || stands.out:
		w.noRoomPage(rw, r)
		return
	}
	to := url.URL{Path: roomPathPrefix + now, RawQuery: r.URL.RawQuery}
	switch rest {
	case "":
		to.Fragment = "was=" + address // the page replaces it in its list of rooms
	case "events": // a page that missed the move follows it
		rw.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(rw, movedTo(to.Path))
		return
	default:
		to.Path += "/" + strings.TrimPrefix(rest, "/")
	}
	http.Redirect(rw, r, to.String(), http.StatusSeeOther)
}

// ownCommands are the commands that concern the sender's stored data alone.
var ownCommands = []string{"mydata", "forget"}

// isPressOrCommand reports whether r, with a path inside a room, sends a press or command, which may be one of
// ownCommands. Requests such as POST /me do not: they are refused and, at an old address, count as requests at
// a wrong address.
func isPressOrCommand(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/command" || r.URL.Path == pressPath)
}

// isForgetting reports whether a, sent by r, is the command /forget or a press of a button of it.
func isForgetting(r *http.Request, a act) bool { return commandOf(r, a) == "forget" }

// isOwnCommand reports whether a, sent by r, is one of ownCommands, or a press of a button of theirs.
func isOwnCommand(r *http.Request, a act) bool { return slices.Contains(ownCommands, commandOf(r, a)) }

// commandOf returns the name of the command that a, sent by r, gives or that its button gives; "" for none.
func commandOf(r *http.Request, a act) string {
	typed := a.Text
	if r.URL.Path == pressPath {
		p, _ := chat.ParsePress(a.Press)
		typed = p.What
	}
	name, _, _ := splitCommand(typed)
	return name
}
