package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"knobel/bot/words"
)

// The page's own files, as they are embedded and served.

//go:embed page
var files embed.FS

const lookCookie = "knobel_look"

// pages are the page's parts, ready to be served.
type pages struct {
	langs   []words.Language             // the default first
	texts   map[string]map[string]string // by language and key
	views   *template.Template
	statics map[string]static
	matcher language.Matcher
}

// static is one file of the page.
type static struct {
	kind, tag string
	body      []byte
}

// loadPages reads the embedded files, and the page's sentences: those whose
// keys begin with "web". The files are part of the program: that one cannot be
// read is a fault of the build, found by every test.
func loadPages(said *words.Words) *pages {
	p := &pages{texts: map[string]map[string]string{}, statics: map[string]static{}}
	var tags []language.Tag
	for _, lang := range said.Languages() {
		tags = append(tags, language.Make(lang))
		p.langs = append(p.langs, said.Language(lang))
		p.texts[lang] = said.Below(lang, "web")
	}
	p.matcher = language.NewMatcher(tags)
	p.views = template.Must(template.ParseFS(files, "page/*.html"))
	p.statics["words.json"] = newStatic(".json", must(json.Marshal(p.texts)))
	for _, pattern := range []string{"page/*.css", "page/*.svg", "page/js/*.js"} {
		for _, name := range must(fs.Glob(files, pattern)) {
			p.statics[strings.TrimPrefix(name, "page/")] = newStatic(path.Ext(name), must(files.ReadFile(name)))
		}
	}
	return p
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newStatic(ext string, body []byte) static {
	kind := map[string]string{
		".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".json": "application/json",
	}[ext]
	sum := sha256.Sum256(body)
	return static{
		kind: mime.FormatMediaType(kind, map[string]string{"charset": "utf-8"}),
		tag:  `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
		body: body,
	}
}

// assets serves the page's own files, and nothing that is not one of them.
func (p *pages) assets() http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		f, ok := p.statics[strings.TrimPrefix(r.URL.Path, "/static/")]
		if !ok {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Cache-Control", "no-cache")
		rw.Header().Set("ETag", f.tag)
		if r.Header.Get("If-None-Match") == f.tag {
			rw.WriteHeader(http.StatusNotModified)
			return
		}
		rw.Header().Set("Content-Type", f.kind)
		rw.Write(f.body)
	})
}

// shown is what the page's templates are filled with.
type shown struct {
	Lang, Theme string
	Langs       []words.Language
	Problem     string // a sentence, or ""
	Secret      string // that stands in the page's address
	words       map[string]string

	Title, Script string // of a sheet
}

// Sheet is what the top of a page is filled with that is one sheet: the key of its
// title, and the script that it runs.
func (s shown) Sheet(title, script string) shown {
	s.Title, s.Script = title, script
	return s
}

// W is the sentence of a key.
func (s shown) W(key string) string { return s.words[key] }

// serve serves a page as it is.
func (p *pages) serve(name string) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) { p.write(rw, r, http.StatusOK, name, "") }
}

// write answers with a page in the visitor's language; problem is the key of
// a sentence that it says besides.
func (p *pages) write(rw http.ResponseWriter, r *http.Request, status int, name, problem string) {
	lang, theme := p.lang(r), p.theme(r)
	s := shown{Lang: lang, Theme: theme, Langs: p.langs, Secret: r.URL.Query().Get("secret"), words: p.texts[lang]}
	if problem != "" {
		s.Problem = s.words[problem]
	}
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
	rw.Header().Set("Content-Language", lang)
	rw.WriteHeader(status)
	rw.Write(body.Bytes())
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

// theme is "light" or "dark" where a visitor has chosen one, else "".
func (p *pages) theme(r *http.Request) string {
	_, theme := p.chosen(r)
	return theme
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
		refuseBody(rw, err)
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
