package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"knobel/bot/chat"
	"knobel/games"
)

// Presses and commands that a page sends, and the answers to them.

// maxBody is enough for 4000 characters of any kind.
const maxBody = 32 << 10

// act is a press or a command that a page sends.
type act struct {
	// ID is drawn by the page for each press, so that a repeated request does nothing twice.
	ID string `json:"id"`
	// As is the number of the acting person.
	As  int `json:"as"`
	who person
	// Press is a button, and On its message: "" for a private one.
	Press string   `json:"press,omitempty"`
	On    chat.Ref `json:"on,omitempty"`
	// Text is a typed command.
	Text string `json:"text,omitempty"`
}

// answer is the answer to an act.
type answer struct {
	Toast   string        `json:"toast,omitempty"`
	Refused bool          `json:"refused,omitempty"`
	Private *chat.Message `json:"private,omitempty"`
	Board   int64         `json:"board,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"`
}

// readJSON reads exactly one JSON value.
func readJSON(r io.Reader, into any) error {
	d := json.NewDecoder(r)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("read JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read JSON: more than one value")
	}
	return nil
}

// handle hands a press or a command to the bot.
func (w *Web) handle(rw http.ResponseWriter, r *http.Request, v visitor, a act) {
	ev, room := w.event(r, v, a), w.roomOf(r)
	switch pressed := r.URL.Path == "/press"; {
	case pressed && a.Press == "":
		http.Error(rw, "nothing was pressed", http.StatusBadRequest)
		return
	case pressed:
		w.ensureSynced(r.Context(), room)
		ev.Press, ev.On = a.Press, a.On
	default:
		name, rest, ok := splitCommand(a.Text)
		if !ok {
			w.reply(rw, r, v, chat.Reply{Toast: w.pages.words(r)["not-a-command"], Refused: true}, a)
			return
		}
		ev.Command, ev.Text = name, rest
	}
	reply := w.bot.Handle(r.Context(), ev)
	w.syncSoon(room)
	switch {
	case ev.Press == "":
	case reply.Page != nil && w.replaced(r.Context(), room, a, *reply.Page):
		reply.Private, reply.Page = nil, nil
	case reply.Instead && reply.Public && w.replaced(r.Context(), room, a, *reply.Private):
		reply.Private = nil
	}
	w.reply(rw, r, v, reply, a)
}

// receive reads a page's request and answers an invalid one.
func (w *Web) receive(rw http.ResponseWriter, r *http.Request, into any) (visitor, bool) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.unknown(rw, r)
		return visitor{}, false
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(rw, "JSON is expected", http.StatusUnsupportedMediaType)
		return visitor{}, false
	}
	if err := readJSON(http.MaxBytesReader(rw, r.Body, maxBody), into); err != nil {
		w.pages.refuseBody(rw, r, err)
		return visitor{}, false
	}
	return v, true
}

// receiveAct reads an act and its sender, and answers an invalid one.
func (w *Web) receiveAct(rw http.ResponseWriter, r *http.Request) (visitor, act, bool) {
	var a act
	v, ok := w.receive(rw, r, &a)
	if !ok {
		return visitor{}, act{}, false
	}
	odd := strings.ContainsFunc(a.ID+a.Press, func(r rune) bool { return r < ' ' || r > '~' })
	if odd || len(a.ID) > 64 || len(a.Press) > 64 || len(a.On) > 64 {
		http.Error(rw, "not a press of this page", http.StatusBadRequest)
		return visitor{}, act{}, false
	}
	if a.who, ok = w.roomOf(r).acting(v, a.As); !ok {
		http.Error(rw, w.pages.words(r)["people-unknown"], http.StatusForbidden)
		return visitor{}, act{}, false
	}
	return v, a, true
}

// mine returns the visitor's people by seat of a board.
func (v visitor) mine(m chat.Message) map[int]int {
	mine := map[int]int{}
	for _, p := range m.People {
		if number, ok := v.owns(p.User); ok {
			mine[p.Seat] = number
		}
	}
	return mine
}

// whose returns which of the visitor's people each press is for, seated ones first. A missing press is for the mover,
// or for all.
func (v visitor) whose(m chat.Message) map[string][]int {
	whose := map[string][]int{}
	adds := func(press string, users ...chat.User) {
		for _, user := range users {
			if number, own := v.owns(user); own && !slices.Contains(whose[press], number) {
				whose[press] = append(whose[press], number)
			}
		}
	}
	ends := v.mayEnd(m)
	if m.Ends != "" {
		adds(m.Ends, ends...)
	}
	for _, b := range slices.Concat(m.Buttons...) {
		if p, _ := chat.ParsePress(b.Press); p.What == "!end" || strings.HasPrefix(p.What, "!end ") {
			adds(b.Press, ends...)
		} else {
			adds(b.Press, append([]chat.User{b.For}, b.By...)...)
		}
	}
	return whose
}

// mayEnd returns the people who may end a board's table: seated ones who are not out, then the others in Concerns.
func (v visitor) mayEnd(m chat.Message) (ends []chat.User) {
	var out []chat.User
	for _, seat := range m.People {
		switch {
		case seat.State == games.Out:
			out = append(out, seat.User)
		case !seat.Reserved:
			ends = append(ends, seat.User)
		}
	}
	for _, user := range m.Concerns {
		if !slices.Contains(out, user) {
			ends = append(ends, user)
		}
	}
	return ends
}

// acting returns the visitor's person of a number, or one removed from the browser who is still seated in the room.
func (r *room) acting(v visitor, number int) (person, bool) {
	if p, ok := v.person(number); ok {
		return p, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range slices.Backward(r.entries) {
		for _, seat := range e.message.People {
			if seat.User == v.user(number) {
				return person{number, seat.Name}, true
			}
		}
	}
	return person{}, false
}

// event returns the bot's event for an act.
func (w *Web) event(r *http.Request, v visitor, a act) chat.Event {
	room := w.roomOf(r)
	ev := chat.Event{
		Chat: room.chat, Place: room.place,
		User: v.user(a.who.Number), Name: a.who.Name, Locale: w.pages.lang(r),
		Admin:  func(context.Context) bool { return room == w.room || room.hosted(v) },
		Traits: chat.Traits{Pages: true, Equals: room == w.room, Hosted: room != w.room},
	}
	if a.ID != "" {
		ev.ID = "web:" + imprint("knobel press "+v.ID+" "+a.ID) // stored for a day, even of deleted people
	}
	return ev
}

// reply sends the bot's answer to the page. News for all becomes a message of the room.
func (w *Web) reply(rw http.ResponseWriter, r *http.Request, v visitor, reply chat.Reply, a act) {
	if reply.Opened != nil {
		w.roomOf(r).openBoardPage(v.Prefix, *reply.Opened, false)
		w.hint(hint{Room: w.roomOf(r).place, By: v.ID, Turned: reply.Opened})
	}
	if reply.Public && reply.Private != nil {
		w.announce(r.Context(), w.roomOf(r), announcementOf(*reply.Private))
		reply.Private = nil
	}
	if reply.Page != nil {
		reply.Private = reply.Page
	}
	if reply.Private != nil {
		alone := pressable(*reply.Private, func(user chat.User) bool { return user == v.user(a.As) })
		reply.Private = &alone
	}
	if reply.Private != nil && reply.Private.File != nil {
		reply.Toast = "" // the file itself is sent
	}
	w.writeJSON(rw, answer{
		Toast: reply.Toast, Refused: reply.Refused, Private: reply.Private,
		Board: reply.Board, Fresh: reply.Fresh,
	})
}

func (w *Web) writeJSON(rw http.ResponseWriter, value any) {
	rw.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(rw).Encode(value); err != nil {
		w.config.Log.Debug("write page answer failed", "error", err) // the page is closed
	}
}

// record serves the record of a finished table of the room.
func (w *Web) record(rw http.ResponseWriter, r *http.Request) {
	table, err := strconv.ParseInt(r.URL.Query().Get("table"), 10, 64)
	if err != nil || table < 1 {
		http.Error(rw, "which table?", http.StatusBadRequest)
		return
	}
	var line []byte
	if w.config.Record != nil {
		line, err = w.config.Record(r.Context(), w.roomOf(r).chat, table)
	}
	switch {
	case err != nil:
		w.config.Log.Error("read record failed", "table", table, "error", err)
		http.Error(rw, "the record cannot be read", http.StatusInternalServerError)
	case line == nil:
		http.Error(rw, "no finished table has this number", http.StatusNotFound)
	default:
		rw.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
		rw.Write(line)
	}
}

// Reactions: short-lived signs, shown to all in a room and not stored.

// reactions are the signs.
var reactions = []string{"clap", "laugh", "wow", "cry", "fire", "dice"}

// react shows a person's sign to all.
func (w *Web) react(rw http.ResponseWriter, r *http.Request) {
	var a struct {
		As   int
		Sign string
	}
	v, ok := w.receive(rw, r, &a)
	if !ok {
		return
	}
	who, ok := v.person(a.As)
	if !ok {
		http.Error(rw, w.pages.words(r)["people-unknown"], http.StatusForbidden)
		return
	}
	if !slices.Contains(reactions, a.Sign) {
		http.Error(rw, "no such sign", http.StatusBadRequest)
		return
	}
	room := w.roomOf(r)
	w.hint(hint{Room: room.place, Sign: room.showSign(v, who, a.Sign)})
	w.writeJSON(rw, struct{}{})
}
