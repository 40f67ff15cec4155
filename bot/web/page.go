package web

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"knobel/bot/chat"
	"knobel/bot/words"
)

// Pages: embedded templates, scripts and styles, and the data that fills them.

//go:generate sh page/bundle

// files holds the embedded files. Scripts and styles are bundled by esbuild: "go generate" writes page/dist from page
// and its folders, and page/dist is committed.
//
//go:embed page/*.html page/*.svg page/*.png page/dist page/worker
var files embed.FS

// lookCookie is the name of the cookie with the language and theme.
const lookCookie = "knobel_look"

// pages holds the templates, texts and files of pages, ready to serve.
type pages struct {
	langs []words.Language             // the default first
	texts map[string]map[string]string // by language and key
	views *template.Template
	// embeds holds the texts that a page's scripts use, as JSON, by page and language; all texts by "" and language.
	embeds  map[[2]string]template.JS
	statics statics
	// workerCode is the script of the service worker, without the lines that name the files to cache.
	workerCode string
	matcher    language.Matcher
}

// loadPages returns the embedded files, with the sentences in w whose keys begin with "web". It panics if a file cannot
// be read, which is a fault of the build.
func loadPages(w *words.Words) *pages {
	p := &pages{texts: map[string]map[string]string{}, embeds: map[[2]string]template.JS{}}
	var tags []language.Tag
	for _, lang := range w.Languages() {
		tags = append(tags, language.Make(lang))
		p.langs = append(p.langs, w.Language(lang))
		p.texts[lang] = w.Below(lang, "web")
	}
	p.matcher = language.NewMatcher(tags)
	p.views = template.Must(template.ParseFS(files, "page/*.html"))
	p.statics = newStatics(p.texts, must(fs.Sub(files, "page")), must(fs.Sub(files, "page/dist")))
	scripts := map[string]string{"room": p.roomScripts(), "embed": p.roomScripts() +
		string(p.statics.files[embedScript]), "front": string(p.statics.files[frontScript]),
		"screen": string(p.statics.files[screenScript])}
	for lang, text := range p.texts {
		p.embeds[[2]string{"", lang}] = embeddable(text)
		text[sorry] = w.Below(lang, "bot")[sorry]
		for page, script := range scripts {
			p.embeds[[2]string{page, lang}] = embeddable(usedIn(script, text))
		}
	}
	p.workerCode = string(must(files.ReadFile("page/worker/worker.js")))
	return p
}

// The names of the scripts of the front page, of the page for a television, and of a room's page and an embedded one.
const (
	frontScript  = "gallery/front.js"
	screenScript = "frame/screen.js"
	roomScript   = "frame/room.js"
	embedScript  = "frame/embedded.js"
)

// roomScripts returns the scripts of a room's page, including those that it loads later.
func (p *pages) roomScripts() string {
	var all strings.Builder
	others := []string{frontScript, screenScript, embedScript}
	for name, text := range p.statics.files {
		if path.Ext(name) == ".js" && path.Dir(name) != "js" && !slices.Contains(others, name) {
			all.Write(text)
		}
	}
	return all.String()
}

// keyBeginnings matches the constant beginnings of keys that scripts complete: `tile-${state}`.
var keyBeginnings = regexp.MustCompile("`([a-z-]+-)\\$\\{")

// usedIn returns the sentences of text whose keys are in script.
func usedIn(script string, text map[string]string) map[string]string {
	used := maps.Clone(text)
	begins := keyBeginnings.FindAllStringSubmatch(script, -1)
	maps.DeleteFunc(used, func(key, _ string) bool {
		return !strings.Contains(script, strconv.Quote(key)) && !slices.ContainsFunc(begins, func(found []string) bool {
			return strings.HasPrefix(key, found[1])
		})
	})
	return used
}

// pageData is the data of the page's templates.
type pageData struct {
	Lang, Theme string
	Langs       []words.Language
	Problem     string            // the sentence about an error, or ""
	Secret      string            // from the address, to fill in the form
	Base        string            // prefix of the room's paths
	Door        string            // the platform whose client embeds the page, or ""
	Frames      string            // the origins that may frame an embedded page, with spaces between them
	App         string            // the bot's id by which an embedded page names it to the client, or ""
	Here        string            // path of the page itself
	Origin      string            // beginning of URLs, as the browser knows it
	People      []person          // the visitor's people, who may request their stored data
	Reach       string            // beginning of URLs for others, "" if Origin works for them
	Opens       bool              // the visitor may open the page to the network
	Command     string            // how to start the program for that, "" if it is open or can be opened
	Words       template.JS       // the page's sentences, for its scripts
	words       map[string]string // the same sentences, by key
	statics     statics

	Begin template.JS // initial data of a room's scripts ("": they request it), or the games on the front page

	NeedsSecret bool // making a room needs the secret, which this visitor has not given

	Title, Script string // of a page with one block of text: the title's key, and the script's name
}

// Sheet returns s for a page with one block of text: title is the key of its title, and script the name of its script,
// such as "js/look".
func (s pageData) Sheet(title, script string) pageData {
	s.Title, s.Script = title, script
	return s
}

// Table returns the path of the room's page.
func (s pageData) Table() string { return roomPagePath(s.Base) }

// Entry returns the name of the script of a room's page.
func (s pageData) Entry() string {
	if s.Door != "" {
		return embedScript
	}
	return roomScript
}

// W returns the sentence with that key in the page's language.
func (s pageData) W(key string) string { return s.words[key] }

// Static returns the address of one of the page's files, or an error if there is no such file.
func (s pageData) Static(name string) (string, error) { return s.statics.path(name) }

// Drawing returns a data URL of one of the page's small drawings, or an error if there is no such file.
func (s pageData) Drawing(name string) (template.URL, error) {
	_, err := s.statics.path(name)
	return template.URL("data:image/svg+xml," + url.PathEscape(string(s.statics.files[name]))), err
}

// serve returns a handler that answers with the page called name and status 200.
func (p *pages) serve(name string) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) { p.write(rw, r, http.StatusOK, name, "") }
}

// write answers with the page called name in the visitor's language; problem is the key of an extra sentence, or "".
func (p *pages) write(rw http.ResponseWriter, r *http.Request, status int, name, problem string) {
	s := p.dataFor(r)
	if problem != "" {
		s.Problem = s.words[problem]
	}
	p.render(rw, status, name, s)
}

// writeSentence answers with a page that shows the sentence with that key, and links to the front page.
func (p *pages) writeSentence(rw http.ResponseWriter, r *http.Request, status int, key string) {
	p.render(rw, status, "nowhere", p.dataFor(r).Sheet(key, "js/look"))
}

// dataFor returns the template data for a page that answers r.
func (p *pages) dataFor(r *http.Request) pageData {
	lang, here := p.lang(r), r.URL.Path
	if isForScreen(r) {
		here += "?" + screenView
	}
	_, theme := p.chosenLook(r)
	if to := r.PostForm.Get("to"); signInPaths.MatchString(to) {
		here = to // after a wrong secret, the form still leads to the page asked for
	}
	return pageData{Lang: lang, Theme: theme, Langs: p.langs, Secret: r.URL.Query().Get("secret"),
		Base: roomBase(r), Here: here, Origin: originOf(r), words: p.texts[lang], statics: p.statics}
}

// render answers with the page called name, filled with data.
func (p *pages) render(rw http.ResponseWriter, status int, name string, data pageData) {
	var body bytes.Buffer
	uses := name
	if data.Door != "" {
		uses = "embed"
	}
	data.Words = cmp.Or(p.embeds[[2]string{uses, data.Lang}], p.embeds[[2]string{"", data.Lang}])
	if err := p.views.ExecuteTemplate(&body, name+".html", data); err != nil {
		http.Error(rw, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	if name == "sign-in" || name == "knock" {
		// Without this header, a form would have the origin "null", which is refused. No other site gets to see the
		// address, which may hold the secret.
		rw.Header().Set("Referrer-Policy", "strict-origin")
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Language", data.Lang)
	rw.WriteHeader(status)
	rw.Write(body.Bytes())
}

// beginning is the JSON with the initial data of a room's page, so that the page need not request it.
type beginning struct {
	Games []opening `json:"games"` // without their cards
	// Self is the visitor, and Feed the first boards. A request without a cookie gets neither: a link preview must
	// reveal nothing, and a page whose strict cookie was not sent requests both again, now with it.
	Self *self        `json:"self,omitempty"`
	Feed *firstBoards `json:"feed,omitempty"`
}

// firstBoards holds the boards that a page shows before its event stream opens.
type firstBoards struct {
	All     []chat.Ref    `json:"all"`
	Entries []pageMessage `json:"entries"`
	At      string        `json:"at"` // where the stream continues: "boot.count", see stateOfPage
}

// roomPage answers with the page of a room. If the client is above its rate limit, the page lacks the initial data.
func (w *Web) roomPage(rw http.ResponseWriter, r *http.Request) {
	s := w.pages.dataFor(r)
	s.Reach = w.networkOrigin(r)
	if isForScreen(r) {
		w.pages.render(rw, http.StatusOK, "screen", s)
		return
	}
	if v, _ := w.visitorOf(r); s.Reach == "" && w.secret() == "" {
		s.Opens = w.mayOpen(r, v)
	}
	if w.config.Open == nil {
		s.Command = w.config.Command
	}
	if w.comers.limiter(w.clientKey(r)).Allow() {
		s.Begin = embeddable(w.beginning(r))
	}
	w.pages.render(rw, http.StatusOK, "room", s)
}

// beginning returns the initial data of a room's page for the visitor of r.
func (w *Web) beginning(r *http.Request) beginning {
	lang, room := w.pages.lang(r), w.roomOf(r)
	w.ensureSynced(r.Context(), room)
	begins := beginning{Games: commandsOnly(w.startableGames(lang))}
	v, known := w.visitorOf(r)
	if !known {
		return begins
	}
	me := selfOf(v)
	begins.Self = &me
	sight := room.snapshot(v, pageState{})
	if played := boardsInPlay(sight.changed); len(played) > 0 {
		v.Lang = lang
		drawn, _ := room.drawAll(r.Context(), v, played, true)
		begins.Feed = &firstBoards{Entries: drawn, At: fmt.Sprintf("%s.%d", room.boot, sight.now.count)}
		for _, e := range drawn {
			begins.Feed.All = append(begins.Feed.All, e.Ref)
		}
	}
	return begins
}

// boardsInPlay returns the boards of the newest table and of running games, at most maxFirstBoards, oldest first.
func boardsInPlay(entries []entry) (inPlay []entry) {
	newest := true
	for _, e := range slices.Backward(entries) {
		m := e.message
		if m.Table == 0 || e.past {
			continue
		}
		if newest || m.Live || len(m.Buttons) > 0 && m.Record == 0 {
			inPlay = append(inPlay, e)
		}
		newest = false
	}
	slices.Reverse(inPlay)
	return inPlay[max(len(inPlay)-maxFirstBoards, 0):]
}

// maxFirstBoards is the most boards sent with a page.
const maxFirstBoards = 3

// originOf returns the beginning of URLs as the browser of r knows it, such as "https://dice.test".
func originOf(r *http.Request) string {
	if isHTTPS(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// words returns the page's sentences in the visitor's language.
func (p *pages) words(r *http.Request) map[string]string { return p.texts[p.lang(r)] }

// lang returns the language that the visitor has chosen or, if there is none, the browser's.
func (p *pages) lang(r *http.Request) string {
	if lang, _ := p.chosenLook(r); lang != "" {
		return lang
	}
	tags, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return p.langs[0].Code
	}
	_, i, _ := p.matcher.Match(tags...)
	return p.langs[i].Code
}

// chosenLook returns the language and the theme in the cookie of r, "" for each that is not chosen or unknown.
func (p *pages) chosenLook(r *http.Request) (lang, theme string) {
	if strings.HasPrefix(r.URL.Path, embedPath) {
		if lang = r.URL.Query().Get("lang"); p.texts[lang] == nil {
			lang = ""
		}
		return lang, ""
	}
	c, err := r.Cookie(lookCookie)
	if err != nil {
		return "", ""
	}
	lang, theme, _ = strings.Cut(c.Value, ".")
	if p.texts[lang] == nil {
		lang = ""
	}
	if theme != "light" && theme != "dark" {
		theme = ""
	}
	return lang, theme
}

// setLook stores the requested language and theme in a cookie. One that the request leaves out keeps its value.
func (p *pages) setLook(rw http.ResponseWriter, r *http.Request) {
	var asked struct {
		Lang  string  `json:"lang"`
		Theme *string `json:"theme"`
	}
	if !p.readJSON(rw, r, 1<<10, &asked) {
		return
	}
	lang, theme := p.chosenLook(r)
	if p.texts[asked.Lang] != nil {
		lang = asked.Lang
	}
	if asked.Theme != nil {
		theme = *asked.Theme // chosenLook checks it
	}
	setCookie(rw, r, lookCookie, lang+"."+theme)
	rw.WriteHeader(http.StatusNoContent)
}
