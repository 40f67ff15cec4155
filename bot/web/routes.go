package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// The routes of the browser table.

// handler returns the handler of all that the browser table serves for a bot until ctx is done.
func (w *Web) handler(ctx context.Context, b core) http.Handler {
	w.bot, w.closing = b, ctx.Done()
	below := w.below()
	inside := http.NewServeMux()
	inside.HandleFunc("GET /table", w.arrive)
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
		w.pages.serve("front")(rw, r) // public: guests find their rooms there
	})
	rooms := w.byAddress(w.orNowhere(below, below))
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
	root.HandleFunc("GET /healthz", w.health)
	root.HandleFunc("GET /readyz", w.ready)
	for pattern, h := range w.config.Operator {
		root.Handle(pattern, w.operator(h))
	}
	for pattern, h := range w.config.Also {
		root.Handle(pattern, h)
	}
	return armoured(root)
}

// below returns the routes of a room, below the prefix of its addresses.
func (w *Web) below() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", w.arrive)
	mux.HandleFunc("GET /fair", w.pages.serve("fair"))
	mux.HandleFunc("GET /qr.svg", w.paced(w.asks, w.qr))
	mux.HandleFunc("GET /me", w.paced(w.comers, w.me))
	mux.HandleFunc("POST /me", w.paced(w.comers, w.me))
	mux.Handle("GET /events", streamed(http.HandlerFunc(w.events)))
	mux.HandleFunc("GET /record", w.paced(w.asks, w.record))
	mux.HandleFunc("GET /games", w.paced(w.comers, w.games))
	mux.HandleFunc("GET /complete", w.paced(w.asks, w.complete))
	mux.HandleFunc("POST /people", w.paced(w.acts, w.people))
	mux.HandleFunc("POST /react", w.paced(w.reacts, w.react))
	mux.HandleFunc("POST /renew", w.paced(w.acts, w.renew))
	mux.HandleFunc("POST /host", w.paced(w.acts, w.handOn))
	mux.HandleFunc("POST /out", w.paced(w.acts, w.showOut))
	mux.HandleFunc("POST /way", w.paced(w.acts, w.signInLink))
	mux.HandleFunc("POST "+pressPath, w.act(nil))
	mux.HandleFunc("POST /command", w.act(nil))
	return mux
}

// The manifest and the service worker of the installable page, which caches the page's files and the offline page.
// Neither reveals anything of a room.

// manifest serves the web app manifest in the visitor's language.
func (p *pages) manifest(rw http.ResponseWriter, r *http.Request) {
	lang := p.lang(r)
	icon := func(name, sizes, kind, purpose string) map[string]string {
		return map[string]string{"src": must(p.statics.at(name)), "sizes": sizes, "type": kind, "purpose": purpose}
	}
	rw.Header().Set("Content-Type", "application/manifest+json")
	rw.Write(must(json.Marshal(map[string]any{
		"id": "/", "name": "Knobel", "short_name": "Knobel", "description": p.texts[lang]["title"], "lang": lang,
		"start_url": "/", "scope": "/", "display": "standalone",
		"background_color": "#1f6048", "theme_color": "#1f6048",
		"icons": []map[string]string{
			icon("icon-192.png", "192x192", "image/png", "any"), icon("icon-512.png", "512x512", "image/png", "any"),
			icon("icon-mask-512.png", "512x512", "image/png", "maskable"),
			icon("die.svg", "any", "image/svg+xml", "any"),
		},
	})))
}

// worker serves the service worker, which changes with the page's files. It has a fixed address at the root, because a
// worker controls only what lies below its address.
func (p *pages) worker(rw http.ResponseWriter, _ *http.Request) {
	kept := []string{"/offline", must(p.statics.at("page.css")), must(p.statics.at("js/offline.js"))}
	rw.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(rw, "const version = %s;\nconst kept = %s;\n%s", embeddable(strings.Trim(p.statics.below, "/")),
		embeddable(kept), p.workerCode)
}

// Compression of answers. Cookies are strict, so another site cannot learn from the length of a visitor's answers.

// compressed compresses the answers of a handler that are worth it.
var compressed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestCompression),
	gzhttp.ExceptContentTypes([]string{"image/png"})))

// streamed compresses each event by itself, because a stream's compressor would hold a megabyte.
var streamed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.StatelessCompression)))
