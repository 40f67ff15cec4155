package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// operator admits requests of the operator: with the secret as a bearer token or, if there is no
// secret, from this machine by its own name.
func (w *Web) operator(h http.Handler) http.Handler {
	return w.known(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !w.isOperator(r) {
			rw.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(rw, "the secret is needed", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(rw, r)
	}))
}

// isOperator reports whether a request shows the secret or, where there is none,
// comes from this machine and asks for it by its own name. Secrets are
// judged and counted as those that are shown at the door.
func (w *Web) isOperator(r *http.Request) bool {
	if w.config.Secret == "" {
		return ofThisMachine(r)
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return false
	}
	right, _ := w.knows(r, token)
	return right
}

// ready answers whether everything works that is configured, with ?platforms=off but for the platforms: whoever leads
// people to one of several replicas is to leave out none because Discord is away. What does not work, and since when,
// is the operator's to know.
func (w *Web) ready(rw http.ResponseWriter, r *http.Request) {
	if w.config.Ready == nil {
		health(w.config.Alive).ServeHTTP(rw, r)
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

// timed tells how long a press took.
func (w *Web) timed(h http.HandlerFunc) http.HandlerFunc {
	if w.config.Answered == nil {
		return h
	}
	return func(rw http.ResponseWriter, r *http.Request) {
		began := time.Now()
		h(rw, r)
		w.config.Answered(time.Since(began))
	}
}

// Local refuses requests that do not call this machine by one of its own names
// for itself: a foreign page may have pointed its name here.
func Local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !ofThisMachine(r) {
			http.Error(rw, "ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(rw, r)
	})
}
