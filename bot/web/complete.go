package web

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"knobel/bot/chat"
)

// Suggestions while a command is typed, and the list of games.

// maxSuggestions is the length of a list that needs little scrolling.
const maxSuggestions = 12

// suggestion is one completion.
type suggestion struct {
	Text  string `json:"text"` // the whole line
	Label string `json:"label"`
	About string `json:"about,omitempty"`
}

// complete suggests how a half-typed command goes on.
func (w *Web) complete(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.visitorOf(r)
	if !ok {
		w.unknown(rw, r)
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
	for i := range commands { // as they describe themselves in this room
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

// opening is a game of which a page can open a table.
type opening struct {
	Command string `json:"command"` // with its slash
	Game    string `json:"game"`
	Stake   bool   `json:"stake"`  // it has a stake unless the rules say otherwise
	Listed  bool   `json:"listed"` // it has a button; /play lists the others
}

// games lists what tables can be opened, in the visitor's language.
func (w *Web) games(rw http.ResponseWriter, r *http.Request) {
	w.writeJSON(rw, w.openings(w.pages.lang(r)))
}

// openings returns the games of which tables can be opened.
func (w *Web) openings(lang string) []opening {
	list := []opening{}
	for _, c := range w.bot.Commands() {
		if c.Opens != nil {
			stake := slices.ContainsFunc(c.Options, func(o chat.CommandOption) bool { return o.Name == "stake" })
			list = append(list, opening{"/" + c.Name, said(c.Opens, lang), stake && !c.Stakeless,
				len(list) < chat.FirstGames})
		}
	}
	return list
}

// suggest returns completions of a text: commands for the first word, then options not yet given, and values behind
// "=". before is the text between the command and such an option.
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
				list = append(list, suggestion{"/" + c.Name + " ", "/" + c.Name, said(c.About, lang)})
			}
		}
		return list
	}
	name, _, _ := splitCommand(before)
	for _, c := range commands {
		if c.Name != name {
			continue
		}
		if before, option, typed, ok := valued(c, text); ok {
			_, given, _ := splitCommand(before)
			for _, v := range values(name, given, option, typed) {
				list = append(list, suggestion{before + option + "=" + v.Value + " ", v.Value, said(v.Label, lang)})
			}
			return list
		}
		for _, o := range c.Options {
			if o.Type == chat.TypeThread {
				continue // a room has no threads
			}
			if strings.HasPrefix(o.Name, strings.ToLower(last)) && !strings.Contains(before, " "+o.Name+"=") {
				list = append(list, suggestion{before + o.Name + "=", o.Name + "=", said(o.About, lang)})
			}
		}
	}
	return list
}

// valued finds the option whose value is being typed: the one named in the last word, or a text that is the command's
// last option, whose value is all that follows its name.
func valued(c chat.Command, text string) (before, option, typed string, ok bool) {
	at := strings.LastIndexByte(text, ' ') + 1
	if last := len(c.Options) - 1; last >= 0 && c.Options[last].Type == chat.TypeText {
		if i := strings.Index(text, " "+c.Options[last].Name+"=") + 1; 0 < i && i < at {
			at = i
		}
	}
	option, typed, ok = strings.Cut(text[at:], "=")
	return text[:at], option, typed, ok
}

// said returns a text in a language, or in English.
func said(by map[string]string, lang string) string { return cmp.Or(by[lang], by["en"]) }

// commandLine matches a line that begins with a command.
var commandLine = regexp.MustCompile(`(?s)^/([A-Za-z0-9-]{1,32})(?: (.*))?$`)

// splitCommand splits a line into a command's name and the rest. ok is false if the first word cannot be a command.
func splitCommand(text string) (name, rest string, ok bool) {
	m := commandLine.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return "", "", false
	}
	return strings.ToLower(m[1]), strings.TrimSpace(m[2]), true
}
