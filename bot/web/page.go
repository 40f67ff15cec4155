package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"knobel/bot/chat"
	"knobel/bot/words"
)

// The page's own files, as they are embedded and served.

//go:generate sh page/bundle

// The scripts and styles are served as esbuild has bundled them: page/dist is what
// "go generate" makes of page/js and the style sheets, and is committed.
//
//go:embed page/*.html page/*.svg page/*.png page/dist page/worker
var files embed.FS

const lookCookie = "knobel_look"

// pages are the page's parts, ready to be served.
type pages struct {
	langs   []words.Language             // the default first
	texts   map[string]map[string]string // by language and key
	views   *template.Template
	embeds  map[string]template.JS // texts as pages carry them
	fronts  map[string]template.JS // those of them that the front page's script says
	statics statics
	// workerCode is the service worker without the lines that name its files.
	workerCode string
	matcher    language.Matcher
}

// loadPages reads the embedded files, and the page's sentences: those whose
// keys begin with "web". The files are part of the program: that one cannot be
// read is a fault of the build, found by every test.
func loadPages(said *words.Words) *pages {
	p := &pages{texts: map[string]map[string]string{}, embeds: map[string]template.JS{},
		fronts: map[string]template.JS{}}
	var tags []language.Tag
	for _, lang := range said.Languages() {
		tags = append(tags, language.Make(lang))
		p.langs = append(p.langs, said.Language(lang))
		p.texts[lang] = said.Below(lang, "web")
		p.embeds[lang] = embeddable(p.texts[lang])
	}
	p.matcher = language.NewMatcher(tags)
	p.views = template.Must(template.ParseFS(files, "page/*.html"))
	p.statics = newStatics(p.texts, must(fs.Sub(files, "page")), must(fs.Sub(files, "page/dist")))
	for lang, text := range p.texts {
		text[sorry] = said.Below(lang, "bot")[sorry]
		p.fronts[lang] = embeddable(saidBy(string(p.statics.files["js/front.js"].body), text))
	}
	p.workerCode = string(must(files.ReadFile("page/worker/worker.js")))
	return p
}

// saidBy are the sentences whose keys stand in a script.
func saidBy(script string, text map[string]string) map[string]string {
	said := maps.Clone(text)
	maps.DeleteFunc(said, func(key, _ string) bool { return !strings.Contains(script, strconv.Quote(key)) })
	return said
}

// shown is what the page's templates are filled with.
type shown struct {
	Lang, Theme string
	Langs       []words.Language
	Problem     string      // a sentence, or ""
	Secret      string      // that stands in the page's address
	Base        string      // what the addresses of the room begin with
	Here        string      // the path of the page itself
	Origin      string      // what absolute addresses begin with, as the browser knows them
	People      []person    // who may ask here for what is stored of them
	Reach       string      // what addresses begin with for others, where Origin works on this machine alone
	Words       template.JS // the page's sentences, for its scripts
	words       map[string]string
	statics     statics

	Begin template.JS // what a room begins with, for its scripts; "": they ask for it

	Title, Script string // of a sheet
}

// Sheet is what the top of a page is filled with that is one sheet: the key of its
// title, and the script that it runs.
func (s shown) Sheet(title, script string) shown {
	s.Title, s.Script = title, script
	return s
}

// Table is the address of the room's own page.
func (s shown) Table() string {
	return pageBelow(s.Base)
}

// Preview is the key of what a link to the page is called where it is passed on. It tells nothing of
// what is inside.
func (s shown) Preview() string {
	if s.Base != "" {
		return "preview-room"
	}
	return "title"
}

// W is the sentence of a key.
func (s shown) W(key string) string { return s.words[key] }

// Static is the address of one of the page's files.
func (s shown) Static(name string) (string, error) { return s.statics.at(name) }

// Drawing is an address that holds one of the page's small drawings itself, so that a page need not ask for it.
func (s shown) Drawing(name string) (template.URL, error) {
	if _, err := s.statics.at(name); err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml," + url.PathEscape(string(s.statics.files[name].body))), nil
}

// serve serves a page as it is.
func (p *pages) serve(name string) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) { p.write(rw, r, http.StatusOK, name, "") }
}

// write answers with a page in the visitor's language; problem is the key of
// a sentence that it says besides.
func (p *pages) write(rw http.ResponseWriter, r *http.Request, status int, name, problem string) {
	s := p.shownTo(r)
	if name == "front" {
		s.Words = p.fronts[s.Lang]
	}
	if problem != "" {
		s.Problem = s.words[problem]
	}
	p.render(rw, status, name, s)
}

// say answers with a page that says one sentence and leads to the front page.
func (p *pages) say(rw http.ResponseWriter, r *http.Request, status int, sentence string) {
	p.render(rw, status, "nowhere", p.shownTo(r).Sheet(sentence, "look"))
}

// shownTo is what a page is filled with for who asks.
func (p *pages) shownTo(r *http.Request) shown {
	lang, here := p.lang(r), r.URL.Path
	_, theme := p.chosen(r)
	if to := r.PostForm.Get("to"); doors.MatchString(to) {
		here = to // the form was not right the first time
	}
	return shown{Lang: lang, Theme: theme, Langs: p.langs, Secret: r.URL.Query().Get("secret"),
		Base: baseOf(r), Here: here, Origin: originOf(r), Words: p.embeds[lang], words: p.texts[lang],
		statics: p.statics}
}

// render answers with a page.
func (p *pages) render(rw http.ResponseWriter, status int, name string, s shown) {
	var body bytes.Buffer
	if err := p.views.ExecuteTemplate(&body, name+".html", s); err != nil {
		http.Error(rw, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	if name == "sign-in" || name == "knock" {
		// Without this a form has the origin "null", which is refused; the address, which may hold
		// the secret, is sent to no other site either way.
		rw.Header().Set("Referrer-Policy", "strict-origin")
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Language", s.Lang)
	rw.WriteHeader(status)
	rw.Write(body.Bytes())
}

// beginning is what a room's page comes with, so that it need not ask before it shows the board that is played on.
type beginning struct {
	Games []opening `json:"games"`
	// Self and Feed are the visitor and what they see first. Whoever shows no cookie gets neither: a page that is
	// looked at for a preview of its link tells nothing of what is inside, and a visitor whose cookie did not travel
	// with a link asks with it.
	Self *self       `json:"self,omitempty"`
	Feed *firstSight `json:"feed,omitempty"`
}

// firstSight are the boards of a feed that a page shows at once.
type firstSight struct {
	All     []chat.Ref `json:"all"`
	Entries []posted   `json:"entries"`
	At      string     `json:"at"` // the mark from which the stream goes on
}

// arrive answers with the page of a room. Whoever opens pages faster than people do gets one that asks for the
// rest itself.
func (w *Web) arrive(ctx context.Context, b core, rw http.ResponseWriter, r *http.Request) {
	s := w.pages.shownTo(r)
	s.Reach = w.reach(r)
	if w.comers.allow(w.address(r)) {
		s.Begin = embeddable(w.beginning(ctx, b, r))
	}
	w.pages.render(rw, http.StatusOK, "room", s)
}

// beginning is what the page of a room begins with for who asks.
func (w *Web) beginning(ctx context.Context, b core, r *http.Request) beginning {
	lang, room := w.pages.lang(r), w.roomOf(r)
	w.drawn(r.Context(), b, room)
	begins := beginning{Games: openings(b, lang)}
	v, known := w.visitorOf(r)
	if !known {
		return begins
	}
	me := selfOf(v)
	begins.Self = &me
	_, entries, now, _ := room.since(0)
	if played := playedOn(entries); len(played) > 0 {
		drawn, _ := w.draw(ctx, b, reader{v, lang}, played)
		dropSteps(drawn)
		begins.Feed = &firstSight{Entries: drawn, At: room.mark(now)}
		for _, e := range drawn {
			begins.Feed.All = append(begins.Feed.All, e.Ref)
		}
	}
	return begins
}

// playedOn are the boards of the newest table and of others that go on.
func playedOn(entries []entry) (played []entry) {
	newest := true
	for _, e := range slices.Backward(entries) {
		m := e.message
		if m.Table == 0 || e.past {
			continue
		}
		if newest || m.Live || len(m.Buttons) > 0 && m.Record == 0 {
			played = append(played, e)
		}
		newest = false
	}
	slices.Reverse(played)
	return played[max(len(played)-maxPlayedOn, 0):]
}

// maxPlayedOn is how many boards a page comes with at most.
const maxPlayedOn = 3

// originOf is what absolute addresses of this server begin with, as the browser knows them.
func originOf(r *http.Request) string {
	if secure(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// refuseBody answers a request whose body cannot be read.
func (p *pages) refuseBody(rw http.ResponseWriter, r *http.Request, err error) {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		http.Error(rw, p.words(r)["too-long"], http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(rw, "that cannot be read", http.StatusBadRequest)
}

// words are the page's sentences in the visitor's language.
func (p *pages) words(r *http.Request) map[string]string { return p.texts[p.lang(r)] }

// lang is the language that a visitor has chosen, or else the browser's.
func (p *pages) lang(r *http.Request) string {
	if lang, _ := p.chosen(r); lang != "" {
		return lang
	}
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return p.langs[0].Code
	}
	_, i, _ := p.matcher.Match(tags...)
	return p.langs[i].Code
}

// chosen reads what the visitor has chosen of language and theme.
func (p *pages) chosen(r *http.Request) (lang, theme string) {
	c, err := r.Cookie(lookCookie)
	if err != nil {
		return "", ""
	}
	lang, theme, _ = strings.Cut(c.Value, ".")
	return p.spoken(lang), oneOf(theme, "light", "dark")
}

// spoken is a language if the page speaks it, else "".
func (p *pages) spoken(lang string) string {
	if p.texts[lang] == nil {
		return ""
	}
	return lang
}

func oneOf(value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return value
	}
	return ""
}

// look remembers a visitor's language and theme. What is not given stays.
func (p *pages) look(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		Lang  string  `json:"lang"`
		Theme *string `json:"theme"`
	}
	if err := readJSON(http.MaxBytesReader(rw, r.Body, 1<<10), &asked); err != nil {
		p.refuseBody(rw, r, err)
		return
	}
	lang, theme := p.chosen(r)
	if l := p.spoken(asked.Lang); l != "" {
		lang = l
	}
	if asked.Theme != nil {
		theme = oneOf(*asked.Theme, "light", "dark")
	}
	setCookie(rw, r, lookCookie, lang+"."+theme)
	rw.WriteHeader(http.StatusNoContent)
}
