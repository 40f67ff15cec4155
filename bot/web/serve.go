package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"knobel/store"
)

// The HTTP server: its address, its timeouts and its health.

// closing is how long a server waits for accepted requests.
const closing = 5 * time.Second

// Listen listens on an address. Its error says how to change the address, which setBy names: "--listen or
// KNOBEL_LISTEN".
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

// Serve serves HTTP on a listener until ctx is done, then finishes accepted requests, closes the listener and returns
// nil. Slow clients time out.
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
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if err := srv.Shutdown(late); err != nil {
		return errors.Join(fmt.Errorf("close %s: %w", l.Addr(), err), srv.Close())
	}
	return nil
}

// health answers "ok", or 503 if the database does not answer. With ?database=off it is always ok: a restart does not
// repair the database.
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

// Loopback reports whether a host, with or without a port, is a loopback name: reachable from this machine alone.
func Loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// pageURL returns the URL of the page on this machine.
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
		name, origin := ofThisMachine(r)
		return name && origin
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
		if name, origin := ofThisMachine(r); !name || !origin {
			http.Error(rw, "ask for localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(rw, r)
	})
}
