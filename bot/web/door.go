package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
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

// Which requests are refused before they come to a room.

// policy lets the page use its own files and nothing else; nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// armoured says with every answer what a browser must not do with it.
func armoured(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		head := rw.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		if secure(r) || loopbackName(r.Host) { // browsers take it from no other origin, and complain there
			head.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		head.Set("Cache-Control", "no-store")
		h.ServeHTTP(rw, r)
	})
}

// known refuses names that are not this machine's own, and requests of others,
// while no secret keeps strangers out: a foreign page may have pointed its name at
// this address, or a proxy lead here.
func (w *Web) known(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case w.config.Secret != "":
		case !nameOfOurs(r):
			http.Error(rw, "open this page as localhost, or set KNOBEL_WEB_SECRET", http.StatusMisdirectedRequest)
			return
		case !originOfOurs(r):
			http.Error(rw, "another site asks", http.StatusForbidden)
			return
		}
		h.ServeHTTP(rw, r)
	})
}

// ofThisMachine reports whether a request is one of this machine to itself, as far
// as that shows.
func ofThisMachine(r *http.Request) bool { return nameOfOurs(r) && originOfOurs(r) }

// nameOfOurs reports whether a request calls this machine by one of its own names
// for itself, and shows no sign of a proxy.
func nameOfOurs(r *http.Request) bool { return !passedOn(r) && loopbackName(r.Host) }

// originOfOurs reports whether a request comes from no page of another name,
// whatever a browser says of their sites: it sees the name before a proxy, not
// the one behind it.
func originOfOurs(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
			return false
		}
	}
	return true
}

// loopbackName reports whether a host, with or without a port, is a name of this
// machine for itself.
func loopbackName(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return localHost(host) || localHost(strings.Trim(host, "[]"))
}

// doors are the paths of the pages that ask for the secret, where one is needed, and that lead on once it is
// known.
var doors = regexp.MustCompile(`^/$|^/(table|fair)$|^/r/[A-Za-z2-7]{26}(/fair)?$`)

// guard lets those in who have shown the secret, and answers 401 to others
// whatever they ask for. To a page's address it adds the form that asks; to one
// with the secret in it a form that sends itself: a link may stand on any site,
// and a strict cookie does not travel with it, but does with the form.
func (w *Web) guard(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		v, found := w.visitorOf(r)
		admitted := found && w.admitted(v) || w.config.Secret == ""
		invited := r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("secret")
		comesIn := r.Method == http.MethodGet && r.URL.RawQuery == hasSaid && doors.MatchString(r.URL.Path)
		elsewhere := r.Header.Get("Sec-Fetch-Site") == "cross-site"
		switch {
		case comesIn && admitted:
			http.Redirect(rw, r, r.URL.Path, http.StatusSeeOther)
		case comesIn && !found && !elsewhere:
			w.pages.write(rw, r, http.StatusUnauthorized, "sign-in", "no-cookies")
		case admitted && invited:
			http.Redirect(rw, r, "/", http.StatusSeeOther) // so that no secret stays in the address
		case admitted:
			inside.ServeHTTP(rw, r)
		case invited:
			w.pages.write(rw, r, http.StatusUnauthorized, "knock", "")
		case r.Method == http.MethodGet && doors.MatchString(r.URL.Path):
			page := "sign-in"
			if !found && elsewhere {
				page = "enter" // a strict cookie does not travel with a foreign link, but with the next request
			}
			w.pages.write(rw, r, http.StatusUnauthorized, page, "")
		default:
			http.Error(rw, "the secret is needed", http.StatusUnauthorized)
		}
	})
}

// hasSaid stands behind the address of a page to which the form at the door leads: whoever comes there without a
// cookie has a browser that keeps none.
const hasSaid = "in"

// signedIn is the front page for whoever has just said the secret: it goes on with what they had pressed there.
const signedIn = "/#in"

// signIn takes the secret from the form.
func (w *Web) signIn(rw http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(rw, r.Body, 4<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(rw, "the form cannot be read", http.StatusBadRequest)
		return
	}
	to := r.PostForm.Get("to")
	if !doors.MatchString(to) {
		to = "/" // wherever a foreign form wants to lead
	}
	if to == "/" {
		to = signedIn
	} else {
		to += "?" + hasSaid
	}
	w.knock(rw, r, r.PostForm.Get("secret"), to)
}

// MinSecret is the number of characters from which a secret cannot be found by trying.
const MinSecret = 16

// Guessable reports whether a secret is short enough to be found by trying.
func Guessable(secret string) bool { return utf8.RuneCountInString(secret) < MinSecret }

// knows reports whether a request has the secret, and whether its sender has to wait. Wrong secrets
// are counted by address. The right one is accepted even from an address with wrong ones, unless it
// is Guessable: then it waits like others.
func (w *Web) knows(r *http.Request, secret string) (right, wait bool) {
	given, wanted := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(w.config.Secret))
	right = subtle.ConstantTimeCompare(given[:], wanted[:]) == 1 // in a time that tells nothing of the secret
	if right && !Guessable(w.config.Secret) {
		return true, false
	}
	from := w.address(r)
	if right {
		wait = !w.knocks.rests(from)
		return !wait, wait
	}
	return false, !w.knocks.allow(from)
}

// knock admits who knows the secret and leads on.
func (w *Web) knock(rw http.ResponseWriter, r *http.Request, secret, to string) {
	switch right, wait := w.knows(r, secret); {
	case wait:
		w.pages.write(rw, r, http.StatusTooManyRequests, "sign-in", "sign-in-slowly")
		return
	case !right:
		w.pages.write(rw, r, http.StatusUnauthorized, "sign-in", "sign-in-wrong")
		return
	}
	v, found := w.visitorOf(r)
	if !found {
		v = newVisitor(w.guest(r))
	}
	v.Pass = w.pass()
	w.remember(rw, r, v)
	w.renewWay(r.Context(), v) // else another browser would be asked for the secret that this one has said
	http.Redirect(rw, r, to, http.StatusSeeOther)
}

// wantsPage reports whether a request is that of somebody who opens a page in a browser.
func wantsPage(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/html")
}

// orNowhere is a handler that answers whoever opens a page that there is none, where none of some routes, but one for
// all the rest, leads anywhere.
func (w *Web) orNowhere(h http.Handler, routes ...*http.ServeMux) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		leads := func(routes *http.ServeMux) bool {
			_, pattern := routes.Handler(r)
			return pattern != "" && pattern != "/"
		}
		if wantsPage(r) && !slices.ContainsFunc(routes, leads) {
			w.pages.say(rw, r, http.StatusNotFound, "nowhere")
			return
		}
		h.ServeHTTP(rw, r)
	})
}

// paced refuses an address that sends faster than its people can press, or type, in the words of whoever asks.
func (w *Web) paced(by *limits, h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if !by.allow(w.address(r)) {
			rw.Header().Set("Retry-After", "1")
			http.Error(rw, w.pages.words(r)["slowly"], http.StatusTooManyRequests)
			return
		}
		h(rw, r)
	}
}

// limits count by address, for a bounded number of addresses.
type limits struct {
	mu    sync.Mutex
	every rate.Limit
	burst int
	by    map[string]*rate.Limiter
}

const maxAddresses = 4096

func newLimits(every rate.Limit, burst int) *limits {
	return &limits{every: every, burst: burst, by: map[string]*rate.Limiter{}}
}

// allow counts one more from an address and reports whether it may. Where too
// many addresses are known, those that have rested are forgotten; are there
// none, strangers wait.
func (l *limits) allow(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of(from)
	return one != nil && one.Allow()
}

// rests reports whether an address has room for one more, and counts nothing.
func (l *limits) rests(from string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.of(from)
	return one != nil && one.Tokens() >= 1
}

// of is the count of an address, nil: too many are known. The lock is held.
func (l *limits) of(from string) *rate.Limiter {
	one, ok := l.by[from]
	if !ok {
		if len(l.by) >= maxAddresses {
			for other, each := range l.by {
				if each.Tokens() >= float64(l.burst) {
					delete(l.by, other)
				}
			}
			if len(l.by) >= maxAddresses {
				return nil
			}
		}
		one = rate.NewLimiter(l.every, l.burst)
		l.by[from] = one
	}
	return one
}

// How visitors are known again: by the cookie of their browser.

// pass proves that a visitor has known the secret; it is worthless under
// another secret or key.
func (w *Web) pass() string {
	return base64.RawURLEncoding.EncodeToString(sign(w.config.Key, "pass "+w.config.Secret)[:16])
}

// admitted reports whether a visitor may see the room.
func (w *Web) admitted(v visitor) bool {
	return w.config.Secret == "" || hmac.Equal([]byte(v.Pass), []byte(w.pass()))
}

// cookieAt is the name of the cookie at the port to which a request goes: a browser
// shares cookies among all ports of a machine, and the one of another installation must
// not take its place. Without a port it is what it was always called.
func cookieAt(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return visitorCookie
	}
	return visitorCookie + "_" + port
}

// visitorOf returns the visitor whose browser sent a request: by the cookie of this
// port, or else by one of another, as where it was changed, or of a version before.
func (w *Web) visitorOf(r *http.Request) (visitor, bool) {
	at := cookieAt(r)
	rank := func(c *http.Cookie) int {
		switch c.Name {
		case at:
			return 0
		case visitorCookie:
			return 2
		}
		return 1
	}
	all := slices.DeleteFunc(r.Cookies(), func(c *http.Cookie) bool {
		return c.Name != visitorCookie && !strings.HasPrefix(c.Name, visitorCookie+"_")
	})
	slices.SortStableFunc(all, func(a, b *http.Cookie) int { return rank(a) - rank(b) })
	for _, c := range all {
		if v, ok := openVisitor(w.config.Key, c.Value); ok {
			return v, true
		}
	}
	return visitor{}, false
}

// remember gives a visitor to the browser to keep.
func (w *Web) remember(rw http.ResponseWriter, r *http.Request, v visitor) {
	setCookie(rw, r, cookieAt(r), sealVisitor(w.config.Key, v))
}

// setCookie sets a cookie that no script and no other site can use.
func setCookie(rw http.ResponseWriter, r *http.Request, name, value string) {
	http.SetCookie(rw, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: yearOfSeconds,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: secure(r),
	})
}

// secure reports whether a browser asks over https, as far as a proxy tells.
func secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}
