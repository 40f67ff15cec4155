package web

import (
	"crypto/hmac"
	"encoding/base64"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

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
	rank := func(c *http.Cookie) int { return boolInt(c.Name != at) + boolInt(c.Name == visitorCookie) }
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

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
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
