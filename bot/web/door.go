package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"maps"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/time/rate"
)

// Checks that refuse requests before they reach a room.

// policy is the Content-Security-Policy: pages load only files of this server, and have no inline scripts or styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// withSecurityHeaders returns h with the security headers set in every answer.
func withSecurityHeaders(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		head := rw.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		if Loopback(r.Host) || isHTTPS(r) { // on plain http, browsers ignore this header and warn
			head.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		head.Set("Cache-Control", "no-store")
		h.ServeHTTP(rw, r)
	})
}

// onlyLocalNames returns a handler that passes requests to h. Without a secret, it refuses foreign host names and
// origins: another site may have pointed its host name at this address, or a proxy may pass on requests of strangers.
func (w *Web) onlyLocalNames(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch name, origin := checkLocal(r); {
		case w.secret() != "":
		case !name:
			http.Error(rw, "open this page as localhost, or set KNOBEL_WEB_SECRET", http.StatusMisdirectedRequest)
			return
		case !origin:
			http.Error(rw, "another site asks", http.StatusForbidden)
			return
		}
		h.ServeHTTP(rw, r)
	})
}

// checkLocal makes two checks of r. localName: the host is a loopback name, and r came through no proxy, which would
// show by its headers, even empty ones, or by HTTP/1.0, nginx's default. sameOrigin: no Origin header names another
// host. Sec-Fetch-Site cannot replace this check: it refers to the host name in the browser, which a proxy may change.
func checkLocal(r *http.Request) (localName, sameOrigin bool) {
	proxied := func(name string) bool { return len(r.Header.Values(name)) > 0 }
	foreign := func(origin string) bool {
		u, err := url.Parse(origin)
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	}
	localName = r.ProtoAtLeast(1, 1) && Loopback(r.Host) && !slices.ContainsFunc(
		[]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"}, proxied)
	return localName, !slices.ContainsFunc(r.Header.Values("Origin"), foreign)
}

// signInPaths matches the paths of the pages that ask for the secret, if one is needed.
var signInPaths = regexp.MustCompile(`^/$|^/(table|fair)$|^/r/[A-Za-z2-7]{26}(/fair)?$|` +
	`^/(table|r/[A-Za-z2-7]{26})\?` + screenView + `$`)

// requireSecret returns a handler that passes requests of visitors who have given the secret to inside. It answers
// others with 401 and, at the path of a page, a form that asks for the secret. If the address holds the secret, the
// form submits itself: browsers send the SameSite=Strict cookie with the form, but not after a link on another site.
func (w *Web) requireSecret(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		v, found := w.visitorOf(r)
		admitted := w.secret() == "" || found && w.isAdmitted(v)
		invited := r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("secret")
		comesIn := r.Method == http.MethodGet && r.URL.RawQuery == cookieCheck && signInPaths.MatchString(r.URL.Path)
		elsewhere := r.Header.Get("Sec-Fetch-Site") == "cross-site"
		switch {
		case comesIn && admitted:
			http.Redirect(rw, r, r.URL.Path, http.StatusSeeOther)
		case comesIn && !found && !elsewhere:
			w.pages.write(rw, r, http.StatusUnauthorized, "sign-in", "no-cookies")
		case admitted && invited:
			http.Redirect(rw, r, "/", http.StatusSeeOther) // keeps the secret out of the address
		case admitted:
			inside.ServeHTTP(rw, r)
		case invited:
			w.pages.write(rw, r, http.StatusUnauthorized, "knock", "")
		case r.Method == http.MethodGet && signInPaths.MatchString(r.URL.Path):
			page := "sign-in"
			if !found && elsewhere {
				page = "enter" // the page requests itself again, then with the strict cookie
			}
			w.pages.write(rw, r, http.StatusUnauthorized, page, "")
		default:
			http.Error(rw, "the secret is needed", http.StatusUnauthorized)
		}
	})
}

// cookieCheck is the query to which the form redirects: if a request there has no cookie, the browser stores none.
const cookieCheck = "in"

// signIn handles the sign-in form. With the right secret it admits the visitor, sets the visitor's cookie and redirects
// to the page that asked for the secret; else it shows the form again.
func (w *Web) signIn(rw http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(rw, r.Body, 4<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(rw, "the form cannot be read", http.StatusBadRequest)
		return
	}
	to := "/#in" // the front page then repeats the press that needed the secret
	// A form on another site may name any address as "to".
	if asked := r.PostForm.Get("to"); asked != "/" && signInPaths.MatchString(asked) {
		if to = asked; !strings.Contains(asked, "?") {
			to += "?" + cookieCheck
		}
	}
	switch right, wait := w.checkSecret(r, r.PostForm.Get("secret")); {
	case wait:
		w.pages.write(rw, r, http.StatusTooManyRequests, "sign-in", "sign-in-slowly")
		return
	case !right:
		w.pages.write(rw, r, http.StatusUnauthorized, "sign-in", "sign-in-wrong")
		return
	}
	v, found := w.visitorOf(r)
	if !found {
		v = newVisitor(w.guestName(r))
	}
	v.Pass = w.secretProof()
	w.setVisitor(rw, r, v)
	w.renewLink(r.Context(), v) // a browser that opens the sign-in link then needs no secret
	http.Redirect(rw, r, to, http.StatusSeeOther)
}

// MinSecret is the fewest characters of a secret that is too long to be guessed.
const MinSecret = 16

// Guessable reports whether a secret is short enough to be guessed.
func Guessable(secret string) bool { return utf8.RuneCountInString(secret) < MinSecret }

// checkSecret checks secret, which came with r. right: it is accepted. wait: the sender must wait after too many wrong
// secrets from their address. Then the right secret is still accepted, unless it is Guessable.
func (w *Web) checkSecret(r *http.Request, secret string) (right, wait bool) {
	given, wanted := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(w.secret()))
	right = subtle.ConstantTimeCompare(given[:], wanted[:]) == 1 // in constant time
	if right && !Guessable(w.secret()) {
		return true, false
	}
	tries := w.knocks.limiter(w.clientKey(r))
	if right {
		wait = tries.Tokens() < 1
		return !wait, wait
	}
	return false, !tries.Allow()
}

// wantsPage reports whether a request opens a page in a browser.
func wantsPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/html")
}

// orNotFoundPage returns h, but a page request that no pattern of routes except "/" matches gets the not-found page.
func (w *Web) orNotFoundPage(h http.Handler, routes ...*http.ServeMux) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		leads := func(routes *http.ServeMux) bool {
			_, pattern := routes.Handler(r)
			return pattern != "" && pattern != "/"
		}
		if wantsPage(r) && !slices.ContainsFunc(routes, leads) {
			w.pages.writeSentence(rw, r, http.StatusNotFound, "nowhere")
			return
		}
		h.ServeHTTP(rw, r)
	})
}

// rateLimited returns h with the rate limit of l for each client address: requests above the limit get 429.
func (w *Web) rateLimited(l *limits, h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if !l.limiter(w.clientKey(r)).Allow() {
			rw.Header().Set("Retry-After", "1")
			http.Error(rw, w.pages.words(r)["slowly"], http.StatusTooManyRequests)
			return
		}
		h(rw, r)
	}
}

// limits holds one rate limiter for each client address, for at most maxAddresses.
type limits struct {
	mu        sync.Mutex
	every     rate.Limit
	burst     int
	byAddress map[string]*rate.Limiter
}

const maxAddresses = 4096

// newLimits returns limits that allow each client address perSecond requests a second, and burst requests at once.
func newLimits(perSecond rate.Limit, burst int) *limits {
	return &limits{every: perSecond, burst: burst, byAddress: map[string]*rate.Limiter{}}
}

// limiter returns the limiter of a client address. If there are too many limiters, it drops unused ones; if all are in
// use, a new address gets one that allows nothing.
func (l *limits) limiter(address string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.byAddress[address]; ok {
		return one
	}
	if len(l.byAddress) >= maxAddresses {
		maps.DeleteFunc(l.byAddress, func(_ string, one *rate.Limiter) bool { return one.Tokens() >= float64(l.burst) })
	}
	if len(l.byAddress) >= maxAddresses {
		return &rate.Limiter{}
	}
	l.byAddress[address] = rate.NewLimiter(l.every, l.burst)
	return l.byAddress[address]
}

// Recognition of visitors by their cookie.

// secretProof returns the text in a cookie that proves that its visitor has given the present secret.
func (w *Web) secretProof() string {
	return base64.RawURLEncoding.EncodeToString(sign(w.config.Key, "pass "+w.secret())[:16])
}

// isAdmitted reports whether the cookie of v proves that v has given the present secret.
func (w *Web) isAdmitted(v visitor) bool { return hmac.Equal([]byte(v.Pass), []byte(w.secretProof())) }

// visitorCookieName returns the name of the visitor cookie for the port of r, because browsers share cookies among all
// ports of a host. Without a port it is visitorCookie.
func visitorCookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return visitorCookie
	}
	return visitorCookie + "_" + port
}

// visitorOf returns the visitor in a cookie of r, and false if there is none. It prefers the cookie for this port, then
// those for other ports, then the cookie of an older version, which had one name for all ports.
func (w *Web) visitorOf(r *http.Request) (visitor, bool) {
	if w.roomOf(r).embeds { // where no cookie counts
		g, ok := guestOf(r)
		return g.visitor(), ok
	}
	at := visitorCookieName(r)
	for _, ours := range []func(name string) bool{
		func(name string) bool { return name == at },
		func(name string) bool { return strings.HasPrefix(name, visitorCookie+"_") },
		func(name string) bool { return name == visitorCookie },
	} {
		for _, c := range r.Cookies() {
			if !ours(c.Name) {
				continue
			}
			if v, ok := openVisitor(w.config.Key, c.Value); ok {
				return v, true
			}
		}
	}
	return visitor{}, false
}

// setVisitor stores v in the browser's cookie.
func (w *Web) setVisitor(rw http.ResponseWriter, r *http.Request, v visitor) {
	setCookie(rw, r, visitorCookieName(r), sealVisitor(w.config.Key, v))
}

// setCookie sets a cookie for a year. No script can read it, and no request from another site carries it.
func setCookie(rw http.ResponseWriter, r *http.Request, name, value string) {
	http.SetCookie(rw, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: yearOfSeconds,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: isHTTPS(r),
	})
}

// isHTTPS reports whether the browser uses https, to this server or to a proxy in front of it.
func isHTTPS(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}
