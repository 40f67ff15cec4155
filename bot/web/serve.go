package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"

	"knobel/bot/chat"
	"knobel/store"
)

// The HTTP server: its address, its timeouts and its health.

// shutdownWithin is how long a server that ends waits for the requests that it has accepted.
const shutdownWithin = 5 * time.Second

// Listen returns a listener on the TCP address addr. If the port is taken, the error says how to change it; setBy names
// the setting: "--listen or KNOBEL_LISTEN".
func Listen(ctx context.Context, addr, setBy string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program: choose another port with %s, for example "+
			"127.0.0.1:8081", addr, setBy)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}

// Serve serves HTTP on l by h until ctx is done. Then it finishes accepted requests, closes l and returns nil, or
// an error if they take longer than shutdownWithin. Slow clients time out.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownWithin)
	defer cancel()
	if err := srv.Shutdown(late); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", l.Addr(), err), srv.Close())
	}
	return nil
}

// health answers /healthz: "ok", or 503 if the database does not answer. With ?database=off it always says "ok",
// because a restart of this program does not repair the database.
func (w *Web) health(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	if r.URL.Query().Get("database") != "off" && errors.Join(w.config.Store.There(),
		w.config.Store.View(ctx, func(*store.Tx) error { return nil })) != nil {
		rw.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(rw, "the database does not answer")
		return
	}
	fmt.Fprintln(rw, "ok")
}

// pageURL returns the URL of the page on this machine for the listen address a.
func pageURL(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return "http://" + a.String() + "/"
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// operatorOnly returns h for the operator alone: for requests with the secret as a bearer token or, if there is no
// secret, from this machine by a loopback name. Others get 401 or, without a secret, 421 or 403.
func (w *Web) operatorOnly(h http.Handler) http.Handler {
	return w.onlyLocalNames(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !w.isOperator(r) {
			rw.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(rw, "the secret is needed", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(rw, r)
	}))
}

// isOperator reports whether r has the secret as a bearer token or, if there is no secret, comes from this machine by a
// loopback name. Wrong secrets count towards the rate limit of the sign-in form.
func (w *Web) isOperator(r *http.Request) bool {
	if w.secret() == "" {
		name, origin := checkLocal(r)
		return name && origin
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return false
	}
	right, _ := w.checkSecret(r, token)
	return right
}

// ready answers /readyz: 503 unless all that is configured works. With ?platforms=off the platforms do not count, so
// that a load balancer keeps its replicas while Discord is down. Details are for the operator alone.
func (w *Web) ready(rw http.ResponseWriter, r *http.Request) {
	if w.config.Ready == nil {
		w.health(rw, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	ready, why := w.config.Ready(ctx, r.URL.Query().Get("platforms") != "off")
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !ready {
		rw.WriteHeader(http.StatusServiceUnavailable)
	}
	switch {
	case w.isOperator(r):
		fmt.Fprint(rw, why)
	case ready:
		fmt.Fprintln(rw, "ready")
	default:
		fmt.Fprintln(rw, "not ready")
	}
}

// Local returns h, but requires a loopback name: another site may have pointed its host name at this address.
func Local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if name, origin := checkLocal(r); !name || !origin {
			http.Error(rw, "ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(rw, r)
	})
}

// The routes of the browser table.

// handler returns the handler of everything that the browser table serves. It uses core until ctx is done.
func (w *Web) handler(ctx context.Context, core chat.Core) http.Handler {
	w.bot, w.closing, w.serving = core, ctx.Done(), ctx
	below := w.roomRoutes()
	inside := http.NewServeMux()
	inside.HandleFunc("GET /table", w.roomPage)
	inside.HandleFunc("POST /rooms", w.makeRoom)
	inside.Handle("/", below)

	outside := http.NewServeMux()
	guarded := w.requireSecret(inside)
	outside.Handle("/", w.orNotFoundPage(guarded, inside, below))
	outside.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("secret") {
			guarded.ServeHTTP(rw, r)
			return
		}
		w.frontPage(rw, r)
	})
	rooms := w.routeToRoom(w.orNotFoundPage(below, below))
	if w.config.GuardRooms {
		rooms = w.requireSecret(rooms)
	}
	outside.Handle("/r/{address}", rooms)
	outside.Handle("/r/{address}/{rest...}", rooms)
	outside.HandleFunc("GET /static/", w.pages.statics.serve)
	outside.HandleFunc("GET /manifest.webmanifest", w.pages.manifest)
	outside.HandleFunc("GET /worker.js", w.pages.worker)
	outside.HandleFunc("GET /offline", w.pages.serve("offline"))
	outside.HandleFunc("POST /look", w.pages.setLook)
	outside.HandleFunc("GET /sign-in", w.pages.serve("sign-in"))
	outside.HandleFunc("POST /sign-in", w.signIn)
	outside.HandleFunc("GET /take", w.pages.serve("take"))
	outside.HandleFunc("POST /take", w.rateLimited(w.comers, w.followLink))

	root := http.NewServeMux()
	others := compressed(w.onlyLocalNames(http.NewCrossOriginProtection().Handler(outside)))
	root.Handle("/", others)
	w.handleEmbedded(root, others)
	root.HandleFunc("GET /healthz", w.health)
	root.HandleFunc("GET /readyz", w.ready)
	for pattern, h := range w.config.Operator {
		root.Handle(pattern, w.operatorOnly(h))
	}
	for pattern, h := range w.config.Also {
		root.Handle(pattern, h)
	}
	return withSecurityHeaders(root)
}

// roomRoutes returns the routes inside a room, without the prefix of the room's paths.
func (w *Web) roomRoutes() *http.ServeMux {
	mux := w.sharedRoutes()
	mux.HandleFunc("GET /{$}", w.roomPage)
	mux.HandleFunc("GET /fair", w.pages.serve("fair"))
	mux.HandleFunc("GET /qr.svg", w.rateLimited(w.asks, w.qr))
	mux.HandleFunc("GET /me", w.rateLimited(w.comers, w.me))
	mux.HandleFunc("POST /me", w.rateLimited(w.comers, w.me))
	mux.Handle("GET /events", streamed(http.HandlerFunc(w.events)))
	mux.HandleFunc("GET /now", w.rateLimited(w.asks, w.now))
	mux.HandleFunc("POST /people", w.rateLimited(w.acts, jsonHandler(w, w.changePeople)))
	mux.HandleFunc("POST /say", w.rateLimited(w.acts, jsonHandler(w, w.sayLine)))
	mux.HandleFunc("POST /unsay", w.rateLimited(w.acts, jsonHandler(w, w.removeLine)))
	mux.HandleFunc("POST /open", w.rateLimited(w.acts, jsonHandler(w, w.open)))
	mux.HandleFunc("POST /renew", w.hostOnly(w.renewAddress))
	mux.HandleFunc("POST /host", w.hostOnly(w.handOver))
	mux.HandleFunc("POST /out", w.hostOnly(w.removePerson))
	w.pushRoutes(mux)
	mux.HandleFunc("POST /way", w.rateLimited(w.acts, jsonHandler(w, w.signInLink)))
	return mux
}

// sharedRoutes returns the routes of rooms that embedded pages have, too.
func (w *Web) sharedRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /games", w.rateLimited(w.comers, w.games))
	mux.HandleFunc("GET /record", w.rateLimited(w.asks, w.record))
	mux.HandleFunc("GET /complete", w.rateLimited(w.asks, w.complete))
	for name, page := range w.config.Pages {
		mux.HandleFunc("GET /"+name, w.dataHandler(name, page))
	}
	mux.HandleFunc("POST /react", w.rateLimited(w.reacts, jsonHandler(w, w.react)))
	mux.HandleFunc("POST "+pressPath, w.actHandler(nil))
	mux.HandleFunc("POST /command", w.actHandler(nil))
	return mux
}

// The manifest and the service worker make the page installable. The worker caches the page's files and the offline
// page. Neither reveals anything of a room.

// manifest serves the web app manifest in the visitor's language.
func (p *pages) manifest(rw http.ResponseWriter, r *http.Request) {
	lang := p.lang(r)
	icon := func(name, sizes, kind, purpose string) map[string]string {
		return map[string]string{"src": must(p.statics.path(name)), "sizes": sizes, "type": kind, "purpose": purpose}
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

// worker serves the service worker, which changes with the page's files. Its address is at the root, because a worker
// serves only pages below its own address.
func (p *pages) worker(rw http.ResponseWriter, _ *http.Request) {
	kept := []string{"/offline", must(p.statics.path("page.css")), must(p.statics.path("js/offline.js"))}
	rw.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(rw, "const version = %s;\nconst kept = %s;\nconst icon = %s;\n%s",
		embeddable(strings.Trim(p.statics.prefix, "/")), embeddable(kept),
		embeddable(must(p.statics.path("icon-192.png"))), p.workerCode)
}

// Compression of answers. Cookies are strict, so another site cannot learn from the length of a visitor's answers.

// compressed wraps a handler and compresses its answers, except small ones and PNG files.
var compressed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestCompression),
	gzhttp.ExceptContentTypes([]string{"image/png"})))

// streamed wraps a handler and compresses each event by itself: a compressor of the whole stream would hold a megabyte.
var streamed = must(gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.StatelessCompression)))

// The page's own files, served at addresses with a hash of them all, so that browsers cache them for good.

// statics holds the page's files, served below an address that changes with any of them.
type statics struct {
	prefix string            // "/static/<hash>/"
	files  map[string][]byte // by name, such as "frame/room.js"
}

// newStatics reads the page's files from folders and adds texts, the sentences by language and key, as JSON files.
func newStatics(texts map[string]map[string]string, folders ...fs.FS) statics {
	s := statics{files: map[string][]byte{}}
	for _, from := range folders {
		for _, pattern := range []string{"*.css", "*.svg", "*.png", "*/*.css", "*/*.js"} {
			for _, name := range must(fs.Glob(from, pattern)) {
				if folder := path.Dir(name); folder != "dist" && folder != "worker" {
					s.files[name] = must(fs.ReadFile(from, name))
				}
			}
		}
	}
	for lang, text := range texts {
		s.files["words/"+lang+".json"] = must(json.Marshal(text))
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.files)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(s.files[name]), s.files[name])
	}
	s.prefix = "/static/" + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:12]) + "/"
	return s
}

// mediaTypes holds media types by file extension.
var mediaTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml; charset=utf-8", ".json": "application/json; charset=utf-8", ".png": "image/png",
}

// path returns the path at which the file name is served, or an error if there is no such file, a fault of the build.
func (s statics) path(name string) (string, error) {
	if _, ok := s.files[name]; !ok {
		return "", fmt.Errorf("page has no file %q", name)
	}
	return s.prefix + name, nil
}

// serve answers with one of the page's files, or 404 if the file is missing or the hash in the path is outdated.
func (s statics) serve(rw http.ResponseWriter, r *http.Request) {
	name, current := strings.CutPrefix(r.URL.Path, s.prefix)
	body, ok := s.files[name]
	if !ok || !current {
		http.NotFound(rw, r)
		return
	}
	head := rw.Header()
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Content-Type", mediaTypes[path.Ext(name)])
	rw.Write(body)
}

// embeddable returns value as JSON that is safe inside a script element.
func embeddable(value any) template.JS {
	return template.JS(must(json.Marshal(value))) // Marshal escapes "<", so no text ends the element
}

// must returns the value, and panics on an error, which is a fault of the build.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
