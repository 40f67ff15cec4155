package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// operator admits the operator alone: by the secret as a bearer token or, if there is no secret, from this machine by
// its own name.
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

// isOperator reports whether a request shows the secret or, if there is none, comes from this machine by its own name.
// Wrong secrets count as at the door.
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

// ready answers whether all that is configured works; ?platforms=off leaves out the platforms, so that a load balancer
// keeps its replicas when Discord is away. Details are for the operator alone.
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

// Local refuses requests that do not use a loopback name: a foreign page may have pointed its name here.
func Local(h http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !ofThisMachine(r) {
			http.Error(rw, "ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(rw, r)
	})
}
