package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot/chat"
)

// Button presses and commands that a page sends, and the answers to them.

const (
	// maxBody is the most bytes of a request body, enough for 4000 characters of any kind.
	maxBody = 32 << 10
	// pressPath is the path of button presses, below a room's path.
	pressPath = "/press"
)

// act is a button press or a command that a page sends.
type act struct {
	// ID is drawn by the page for each press or command, so that a repeated request does nothing twice.
	ID string `json:"id"`
	// As is the number of the acting person among the people at the browser. The field who holds that person.
	As  int `json:"as"`
	who person
	// Press is the text of the pressed button, On the id of the message that holds it, "" for a private answer.
	Press string   `json:"press,omitempty"`
	On    chat.Ref `json:"on,omitempty"`
	// Text is a typed command.
	Text string `json:"text,omitempty"`
}

// answer is the answer to an act: the fields of chat.Reply that pages show.
type answer struct {
	Toast   string        `json:"toast,omitempty"`
	Refused bool          `json:"refused,omitempty"`
	Private *chat.Message `json:"private,omitempty"`
	Board   int64         `json:"board,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"`
}

// readJSON decodes the body of r, one JSON value of at most maxBytes, into the value that target points to, and reports
// whether it could. If not, it has sent the error answer.
func (p *pages) readJSON(rw http.ResponseWriter, r *http.Request, maxBytes int64, target any) bool {
	d := json.NewDecoder(http.MaxBytesReader(rw, r.Body, maxBytes))
	err := d.Decode(target)
	if err == nil {
		if _, end := d.Token(); errors.Is(end, io.EOF) {
			return true
		}
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		http.Error(rw, p.words(r)["too-long"], http.StatusRequestEntityTooLarge)
	} else {
		http.Error(rw, "that cannot be read", http.StatusBadRequest)
	}
	return false
}

// jsonHandler returns a handler that decodes a T from the JSON body of a page's request, and passes it to h with the
// visitor. It refuses requests without a visitor or a valid value.
func jsonHandler[T any](w *Web, h func(rw http.ResponseWriter, r *http.Request, v visitor, value T)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		v, ok := w.visitorOf(r)
		if !ok {
			w.refuseUnknown(rw, r)
			return
		}
		kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "application/json" {
			http.Error(rw, "JSON is expected", http.StatusUnsupportedMediaType)
			return
		}
		var asked T
		if w.pages.readJSON(rw, r, maxBody, &asked) {
			h(rw, r, v, asked)
		}
	}
}

// actHandler returns the handler of presses and commands. Those not about ownCommands go to refuse, unless it is nil.
func (w *Web) actHandler(refuse http.HandlerFunc) http.HandlerFunc {
	h := jsonHandler(w, func(rw http.ResponseWriter, r *http.Request, v visitor, a act) {
		odd := strings.ContainsFunc(a.ID+a.Press, func(r rune) bool { return r < ' ' || r > '~' })
		if odd || len(a.ID) > 64 || len(a.Press) > 64 || len(a.On) > 64 {
			http.Error(rw, "not a press of this page", http.StatusBadRequest)
			return
		}
		var ok bool
		if a.who, ok = v.person(a.As); !ok {
			a.who, ok = w.roomOf(r).removedPerson(v, a.As)
		}
		switch {
		case !ok:
			http.Error(rw, w.pages.words(r)["people-unknown"], http.StatusForbidden)
		case refuse != nil && !isOwnCommand(r, a):
			refuse(rw, r)
		default:
			w.handle(rw, r, v, a)
		}
	})
	return w.rateLimited(w.acts, func(rw http.ResponseWriter, r *http.Request) {
		if refuse == nil && r.URL.Path == pressPath && w.config.Answered != nil {
			defer func(began time.Time) { w.config.Answered(time.Since(began)) }(time.Now())
		}
		h(rw, r)
	})
}

// handle passes a, a press or command of v, to the bot, and answers. An answer for all becomes a message of the room.
func (w *Web) handle(rw http.ResponseWriter, r *http.Request, v visitor, a act) {
	ev, room := w.event(r, v, a), w.roomOf(r)
	switch pressed := r.URL.Path == pressPath; {
	case pressed && a.Press == "":
		http.Error(rw, "nothing was pressed", http.StatusBadRequest)
		return
	case pressed:
		w.ensureSynced(r.Context(), room)
		ev.Press, ev.On = a.Press, a.On
	default:
		name, rest, ok := splitCommand(a.Text)
		if !ok {
			w.writeJSON(rw, answer{Toast: w.pages.words(r)["not-a-command"], Refused: true})
			return
		}
		ev.Command, ev.Text = name, rest
	}
	reply := w.bot.Handle(r.Context(), ev)
	w.queueSync(room)
	if isForgetting(r, a) {
		w.rereadLines(r.Context())
	}
	switch {
	case ev.Press == "" || room.embeds:
	case reply.Page != nil && w.replacePressed(r.Context(), room, a, *reply.Page):
		reply.Private, reply.Page = nil, nil
	case reply.Instead && reply.Public && w.replacePressed(r.Context(), room, a, *reply.Private):
		reply.Private = nil
	}
	if reply.Opened != nil {
		room.openBoardPage(v.Prefix, *reply.Opened, false)
		w.queueHint(hint{Room: room.place, By: v.ID, Turned: reply.Opened})
	}
	if room.embeds {
		g, _ := guestOf(r)
		g.tell(&reply)
	} else if reply.Public && reply.Private != nil {
		w.announce(r.Context(), room, announcementOf(*reply.Private))
		reply.Private = nil
	}
	if reply.Page != nil {
		reply.Private = reply.Page
	}
	if reply.Private != nil {
		alone := withoutOthersButtons(*reply.Private, func(user chat.User) bool { return user == ev.User })
		reply.Private = &alone
		if alone.File != nil {
			reply.Toast = "" // the answer holds the file; the toast is for adapters that send it to another chat
		}
	}
	w.writeJSON(rw, answer{reply.Toast, reply.Refused, reply.Private, reply.Board, reply.Fresh})
}

// removedPerson returns the person with that number who was removed from the browser of v, but is still on a board of
// the room; false if there is none.
func (r *room) removedPerson(v visitor, number int) (person, bool) {
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

// event returns an event for the bot, sent by a.who, a person of v. The caller adds the press or command.
func (w *Web) event(r *http.Request, v visitor, a act) chat.Event {
	room := w.roomOf(r)
	if room.embeds {
		g, _ := guestOf(r)
		ev := g.door.Act(g.Guest)
		ev.Invite, ev.Install = "", "" // these links would lead out of the client's frame
		if a.ID != "" {
			ev.ID = g.door.Name() + ":" + shortHash("knobel press "+v.ID+" "+a.ID)
		}
		return ev
	}
	ev := chat.Event{
		Chat: room.chat, Place: room.place,
		User: v.user(a.who.Number), Name: a.who.Name, Locale: w.pages.lang(r),
		Functions: chat.Functions{Admin: func(context.Context) bool { return room == w.room || room.roleOf(v).host }},
		Traits:    chat.Traits{Pages: true, Equals: room == w.room, Hosted: room != w.room},
	}
	if a.ID != "" {
		ev.ID = "web:" + shortHash("knobel press "+v.ID+" "+a.ID) // hashed: stored for a day, even for deleted people
	}
	return ev
}

// writeJSON answers with value as JSON.
func (w *Web) writeJSON(rw http.ResponseWriter, value any) {
	rw.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(rw).Encode(value); err != nil {
		w.config.Log.Debug("write http response failed", "error", err) // the page is closed
	}
}

// record answers with the record (the moves) of a finished table of the room; ?table= is its number.
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
		w.config.Log.Error("read table record failed", "table", table, "error", err)
		http.Error(rw, "the record cannot be read", http.StatusInternalServerError)
	case line == nil:
		http.Error(rw, "no finished table has this number", http.StatusNotFound)
	default:
		rw.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
		rw.Write(line)
	}
}

// Reactions: short-lived signs, shown to all in a room and not stored.

// reactions are the names of the signs that people can show.
var reactions = []string{"clap", "laugh", "wow", "cry", "fire", "dice"}

// reaction is a request to show a sign of the person with the number As.
type reaction struct {
	As   int
	Sign string
}

// react shows a, a sign (short reaction) of a person at the browser of v, on all open pages of the room.
func (w *Web) react(rw http.ResponseWriter, r *http.Request, v visitor, a reaction) {
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
	w.queueHint(hint{Room: room.place, Sign: room.showSign(v, who, a.Sign)})
	w.writeJSON(rw, struct{}{})
}

// Suggestions while a command is typed, and the list of games.

// maxSuggestions is the most completions that a page gets: a list that needs little scrolling.
const maxSuggestions = 12

// suggestion is one completion of a command that is being typed.
type suggestion struct {
	Text  string `json:"text"` // the whole line after the completion
	Label string `json:"label"`
	About string `json:"about,omitempty"`
}

// complete answers with completions of ?text=, a command that is being typed.
func (w *Web) complete(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.refuseUnknown(rw, r)
		return
	}
	text := r.URL.Query().Get("text")
	if len(text) > 1000 {
		http.Error(rw, "that is too long", http.StatusRequestEntityTooLarge)
		return
	}
	ev := w.event(r, v, act{who: v.People[0]})
	values := func(command, before, option, typed string) []chat.CommandChoice {
		ev.Command, ev.Text = command, before
		return w.bot.Complete(r.Context(), ev, option, typed)
	}
	commands := w.bot.Commands()
	for i := range commands { // use the descriptions for this kind of room
		switch c := &commands[i]; {
		case ev.Hosted && c.Hosted != nil:
			c.About = c.Hosted
		case ev.Equals && c.Equals != nil:
			c.About = c.Equals
		}
	}
	list := suggest(commands, w.pages.lang(r), text, values)
	w.writeJSON(rw, list[:min(len(list), maxSuggestions)])
}

// suggest returns completions of text in the language lang: commands for the first word, then options not typed yet
// or, behind "=", values of an option. The function values returns an option's values that begin with typed; before is
// the text between the command's name and the option.
func suggest(commands []chat.Command, lang, text string,
	values func(command, before, option, typed string) []chat.CommandChoice) []suggestion {
	list := []suggestion{}
	before, last := "", text
	if i := strings.LastIndexByte(text, ' '); i >= 0 {
		before, last = text[:i+1], text[i+1:]
	}
	if strings.TrimSpace(before) == "" {
		typed := strings.ToLower(strings.TrimPrefix(last, "/"))
		for _, c := range commands {
			if strings.HasPrefix(c.Name, typed) {
				list = append(list, suggestion{"/" + c.Name + " ", "/" + c.Name, textIn(c.About, lang)})
			}
		}
		return list
	}
	name, _, _ := splitCommand(before)
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		if before, option, typed, ok := typedOption(c, text); ok {
			_, given, _ := splitCommand(before)
			for _, v := range values(name, given, option, typed) {
				list = append(list, suggestion{before + option + "=" + v.Value + " ", v.Value, textIn(v.Label, lang)})
			}
			return list
		}
		for _, o := range c.Options {
			if o.Type == chat.TypeThread {
				continue // a room has no threads
			}
			if strings.HasPrefix(o.Name, strings.ToLower(last)) && !strings.Contains(before, " "+o.Name+"=") {
				list = append(list, suggestion{before + o.Name + "=", o.Name + "=", textIn(o.About, lang)})
			}
		}
	}
	return list
}

// typedOption returns the option of c whose value is being typed at the end of text, the text before that option, and
// the value typed so far. It is the option in the last word. But if the last option of c is a text and was typed, all
// words behind its name are its value. ok is false if no value is being typed.
func typedOption(c chat.Command, text string) (before, option, typed string, ok bool) {
	at := strings.LastIndexByte(text, ' ') + 1
	if last := len(c.Options) - 1; last >= 0 && c.Options[last].Type == chat.TypeText {
		if i := strings.Index(text, " "+c.Options[last].Name+"=") + 1; 0 < i && i < at {
			at = i
		}
	}
	option, typed, ok = strings.Cut(text[at:], "=")
	return text[:at], option, typed, ok
}

// textIn returns the text for the language lang, or else the English one. The keys of texts are languages.
func textIn(texts map[string]string, lang string) string { return cmp.Or(texts[lang], texts["en"]) }

// commandLine matches a line that begins with a command.
var commandLine = regexp.MustCompile(`(?s)^/([A-Za-z0-9-]{1,32})(?: (.*))?$`)

// splitCommand splits a line, "/Help x", into the command's name in lower case, "help", and the rest, "x". ok is false
// if the first word cannot be a command.
func splitCommand(text string) (name, rest string, ok bool) {
	m := commandLine.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(m[1]), strings.TrimSpace(m[2]), true
}
