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

// policy is the Content-Security-Policy: the page's own files alone, and no inline scripts or styles.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; worker-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// armoured returns h with the security headers set in every answer.
func armoured(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		head := rw.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		if Loopback(r.Host) || secure(r) { // browsers ignore it on plain http, with a warning
			head.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		head.Set("Cache-Control", "no-store")
		h.ServeHTTP(rw, r)
	})
}

// known returns h, but refuses foreign host names and origins while there is no secret: a foreign page may have pointed
// its name at this address, or a proxy may lead here.
func (w *Web) known(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch name, origin := ofThisMachine(r); {
		case w.config.Secret != "":
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

// ofThisMachine makes two checks of r: name reports whether its host is a loopback name and no proxy passed it on, and
// origin whether no Origin header names another host. Signs of a proxy are its headers, even an empty one, which may
// hide another, and HTTP/1.0, which nginx uses by default and browsers do not. Sec-Fetch-Site is not enough: the
// browser sees the name before a proxy, not the one behind it.
func ofThisMachine(r *http.Request) (name, origin bool) {
	proxied := func(name string) bool { return len(r.Header.Values(name)) > 0 }
	foreign := func(origin string) bool {
		u, err := url.Parse(origin)
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	}
	name = r.ProtoAtLeast(1, 1) && Loopback(r.Host) && !slices.ContainsFunc(
		[]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"}, proxied)
	return name, !slices.ContainsFunc(r.Header.Values("Origin"), foreign)
}

// doors matches the paths of the pages that ask for the secret, if one is needed.
var doors = regexp.MustCompile(`^/$|^/(table|fair)$|^/r/[A-Za-z2-7]{26}(/fair)?$`)

// guard returns a handler that passes requests of visitors who have given the secret to inside, and answers 401 to
// others. The answer at a page's path is the form that asks for the secret. If the address holds the secret, the form
// submits itself: a strict cookie is not sent with a link from another site, but is sent with the form.
func (w *Web) guard(inside http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		v, found := w.visitorOf(r)
		admitted := w.config.Secret == "" || found && w.admitted(v)
		invited := r.Method == http.MethodGet && r.URL.Path == "/" && r.URL.Query().Has("secret")
		comesIn := r.Method == http.MethodGet && r.URL.RawQuery == hasSaid && doors.MatchString(r.URL.Path)
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
		case r.Method == http.MethodGet && doors.MatchString(r.URL.Path):
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

// hasSaid is the query of the address to which the form redirects: a request there without a cookie means that the
// browser stores none.
const hasSaid = "in"

// signIn handles the form: with the right secret it admits the visitor, sets their cookie and redirects them to the
// page they came from; else it shows the form again.
func (w *Web) signIn(rw http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(rw, r.Body, 4<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(rw, "the form cannot be read", http.StatusBadRequest)
		return
	}
	to := "/#in" // the front page resumes what was pressed there
	// A form on another site may name any address.
	if asked := r.PostForm.Get("to"); asked != "/" && doors.MatchString(asked) {
		to = asked + "?" + hasSaid
	}
	switch right, wait := w.knows(r, r.PostForm.Get("secret")); {
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
	w.renewLink(r.Context(), v) // else another browser would be asked for the secret again
	http.Redirect(rw, r, to, http.StatusSeeOther)
}

// MinSecret is the number of characters from which a secret cannot be guessed.
const MinSecret = 16

// Guessable reports whether a secret is short enough to be guessed.
func Guessable(secret string) bool { return utf8.RuneCountInString(secret) < MinSecret }

// knows checks secret, which came with r: right is whether it is accepted, and wait whether the sender must wait after
// too many wrong ones, which count by address. The right one is always accepted, unless it is Guessable: then it waits
// like others.
func (w *Web) knows(r *http.Request, secret string) (right, wait bool) {
	given, wanted := sha256.Sum256([]byte(secret)), sha256.Sum256([]byte(w.config.Secret))
	right = subtle.ConstantTimeCompare(given[:], wanted[:]) == 1 // in constant time
	if right && !Guessable(w.config.Secret) {
		return true, false
	}
	tries := w.knocks.of(w.address(r))
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

// orNowhere returns h, but answers page requests with the not-found page if no pattern of routes, except the catch-all
// "/", matches.
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

// paced returns h with the rate limit by for each client address: a request above it gets 429.
func (w *Web) paced(by *limits, h http.HandlerFunc) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if !by.of(w.address(r)).Allow() {
			rw.Header().Set("Retry-After", "1")
			http.Error(rw, w.pages.words(r)["slowly"], http.StatusTooManyRequests)
			return
		}
		h(rw, r)
	}
}

// limits holds rate limiters by address, for a bounded number of addresses.
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

// of returns the limiter of the client address from. If the table is full, it drops unused limiters; if all are in use,
// a new address gets one that allows nothing.
func (l *limits) of(from string) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.by[from]; ok {
		return one
	}
	if len(l.by) >= maxAddresses {
		maps.DeleteFunc(l.by, func(_ string, each *rate.Limiter) bool { return each.Tokens() >= float64(l.burst) })
	}
	if len(l.by) >= maxAddresses {
		return &rate.Limiter{}
	}
	l.by[from] = rate.NewLimiter(l.every, l.burst)
	return l.by[from]
}

// Recognition of visitors by their cookie.

// pass returns the text in a cookie that proves that its visitor has given the secret. It changes with the secret and
// the key.
func (w *Web) pass() string {
	return base64.RawURLEncoding.EncodeToString(sign(w.config.Key, "pass "+w.config.Secret)[:16])
}

// admitted reports whether the cookie of v proves that v has given the present secret.
func (w *Web) admitted(v visitor) bool { return hmac.Equal([]byte(v.Pass), []byte(w.pass())) }

// cookieAt returns the name of the visitor cookie for the port of r, because browsers share cookies among all ports of
// a host. Without a port it is visitorCookie.
func cookieAt(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return visitorCookie
	}
	return visitorCookie + "_" + port
}

// visitorOf returns the visitor in a cookie of r, and false if there is none: the cookie of this port, else of another
// port, else of an older version, which had one name for all ports.
func (w *Web) visitorOf(r *http.Request) (visitor, bool) {
	at := cookieAt(r)
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

// remember stores the visitor in the browser's cookie.
func (w *Web) remember(rw http.ResponseWriter, r *http.Request, v visitor) {
	setCookie(rw, r, cookieAt(r), sealVisitor(w.config.Key, v))
}

// setCookie sets a cookie for a year that no script can read and that no request from another site carries.
func setCookie(rw http.ResponseWriter, r *http.Request, name, value string) {
	http.SetCookie(rw, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: yearOfSeconds,
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: secure(r),
	})
}

// secure reports whether the browser uses https, to this server or to a proxy in front of it.
func secure(r *http.Request) bool {
	return r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https"
}
