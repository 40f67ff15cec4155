package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// The routes of the browser table.

// handler is everything that the browser table serves until ctx is done.
func (w *Web) handler(ctx context.Context, b core) http.Handler {
	below := w.below(ctx, b)
	inside := http.NewServeMux()
	inside.HandleFunc("GET /table", func(rw http.ResponseWriter, r *http.Request) { w.arrive(ctx, b, rw, r) })
	inside.HandleFunc("POST /rooms", w.makeRoom)
	inside.Handle("/", below)

	outside := http.NewServeMux()
	guarded := w.guard(inside)
	outside.Handle("/", w.orNowhere(guarded, inside, below))
	outside.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("secret") {
			guarded.ServeHTTP(rw, r)
			return
		}
		w.pages.serve("front")(rw, r) // it holds nothing of this server's, and guests find their rooms there
	})
	rooms := w.byAddress(b, w.orNowhere(below, below))
	if w.config.GuardRooms {
		rooms = w.guard(rooms)
	}
	outside.Handle("/r/{address}", rooms)
	outside.Handle("/r/{address}/{rest...}", rooms)
	outside.HandleFunc("GET /static/", w.pages.statics.serve)
	outside.HandleFunc("GET /manifest.webmanifest", w.pages.manifest)
	outside.HandleFunc("GET /worker.js", w.pages.worker)
	outside.HandleFunc("GET /offline", w.pages.serve("offline"))
	outside.HandleFunc("POST /look", w.pages.look)
	outside.HandleFunc("GET /sign-in", w.pages.serve("sign-in"))
	outside.HandleFunc("POST /sign-in", w.signIn)
	outside.HandleFunc("GET /take", w.pages.serve("take"))
	outside.HandleFunc("POST /take", w.paced(w.comers, w.take))

	root := http.NewServeMux()
	root.Handle("/", compressed(w.known(http.NewCrossOriginProtection().Handler(outside))))
	root.Handle("GET /healthz", health(w.config.Alive))
	root.HandleFunc("GET /readyz", w.ready)
	for pattern, h := range w.config.Operator {
		root.Handle(pattern, w.operator(h))
	}
	for pattern, h := range w.config.Also {
		root.Handle(pattern, h)
	}
	return armoured(root)
}

// below is what every room has, below what its addresses begin with.
func (w *Web) below(ctx context.Context, b core) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) { w.arrive(ctx, b, rw, r) })
	mux.HandleFunc("GET /fair", w.pages.serve("fair"))
	mux.HandleFunc("GET /qr.svg", w.paced(w.looks, w.qr))
	mux.HandleFunc("GET /me", w.paced(w.comers, w.me))
	mux.HandleFunc("POST /me", w.paced(w.comers, w.me))
	mux.Handle("GET /events", streamed(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.events(ctx, b, rw, r)
	})))
	mux.HandleFunc("GET /record", w.paced(w.looks, w.record))
	mux.HandleFunc("GET /games", w.paced(w.comers, func(rw http.ResponseWriter, r *http.Request) {
		w.games(b, rw, r)
	}))
	mux.HandleFunc("GET /complete", w.paced(w.looks, func(rw http.ResponseWriter, r *http.Request) {
		w.complete(b, rw, r)
	}))
	mux.HandleFunc("POST /people", w.paced(w.acts, func(rw http.ResponseWriter, r *http.Request) {
		w.people(b, rw, r)
	}))
	mux.HandleFunc("POST /react", w.paced(w.reacts, w.react))
	mux.HandleFunc("POST /renew", w.paced(w.acts, w.renew))
	mux.HandleFunc("POST /host", w.paced(w.acts, w.handOn))
	mux.HandleFunc("POST /out", w.paced(w.acts, func(rw http.ResponseWriter, r *http.Request) {
		w.showOut(b, rw, r)
	}))
	mux.HandleFunc("POST /way", w.paced(w.acts, w.way))
	mux.HandleFunc("POST /press", w.paced(w.acts, w.timed(func(rw http.ResponseWriter, r *http.Request) {
		w.press(b, rw, r)
	})))
	mux.HandleFunc("POST /command", w.paced(w.acts, func(rw http.ResponseWriter, r *http.Request) {
		w.command(b, rw, r)
	}))
	return mux
}

// What makes the page one that can be installed: its manifest, and the service worker, which keeps the
// page's own files and one page for when there is no connection. Neither tells anything of a room.

// manifest is what systems want to know of a page that people install.
type manifest struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Short       string `json:"short_name"`
	Description string `json:"description"`
	Lang        string `json:"lang"`
	Start       string `json:"start_url"`
	Scope       string `json:"scope"`
	Display     string `json:"display"`
	Ground      string `json:"background_color"`
	Theme       string `json:"theme_color"`
	Icons       []icon `json:"icons"`
}

// icon is a picture of the manifest.
type icon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose,omitempty"`
}

// manifest serves the manifest in the visitor's language.
func (p *pages) manifest(rw http.ResponseWriter, r *http.Request) {
	lang := p.lang(r)
	at := func(name string) string { return must(p.statics.at(name)) }
	raw := must(json.Marshal(manifest{
		ID: "/", Name: "Knobel", Short: "Knobel", Description: p.texts[lang]["title"], Lang: lang, Start: "/",
		Scope: "/", Display: "standalone", Ground: "#1f6048", Theme: "#1f6048",
		Icons: []icon{
			{Source: at("icon-192.png"), Sizes: "192x192", Type: "image/png"},
			{Source: at("icon-512.png"), Sizes: "512x512", Type: "image/png"},
			{Source: at("icon-mask-512.png"), Sizes: "512x512", Type: "image/png", Purpose: "maskable"},
			{Source: at("die.svg"), Sizes: "any", Type: "image/svg+xml"},
		},
	}))
	rw.Header().Set("Content-Type", "application/manifest+json")
	rw.Write(raw)
}

// worker serves the service worker of these files: with other files it is another one. It is no file of the page's
// at an address of its own, since one may only serve what lies below its address.
func (p *pages) worker(rw http.ResponseWriter, _ *http.Request) {
	kept := []string{"/offline", must(p.statics.at("page.css")), must(p.statics.at("js/offline.js"))}
	rw.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(rw, "const version = %s;\nconst kept = %s;\n%s", embeddable(strings.Trim(p.statics.below, "/")),
		embeddable(kept), p.workerCode)
}
