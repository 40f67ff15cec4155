package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"knobel/bot/chat"
	"knobel/bot/web"
	"knobel/store"
)

// Command health, profiles, and answers to health checks before and after the database is open.

// healthCommand returns the command that asks the running program whether it works.
func healthCommand(w world, s *settings) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "health",
		Short: "Check whether the running Knobel is healthy",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !all {
				err := checkHealth(c.Context(), s.listen())
				if err == nil {
					fmt.Fprintln(w.out, "well")
				}
				return err
			}
			status, said, err := get(c.Context(), s.listen(), "/readyz", s.webSecret())
			fmt.Fprint(w.out, said)
			if err == nil && status != http.StatusOK {
				err = errFound
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "ready", false, "also check the database and all platforms")
	return c
}

// checkHealth returns an error unless GET /healthz at the address listen answers 200.
func checkHealth(ctx context.Context, listen string) error {
	status, _, err := get(ctx, listen, "/healthz", "")
	if err == nil && status != http.StatusOK {
		return fmt.Errorf("not healthy: %d %s", status, http.StatusText(status))
	}
	return err
}

// checkPublic returns an error unless a Knobel answers the health check at the public URL at.
func checkPublic(ctx context.Context, at string) error {
	status, body, err := getURL(ctx, at+"/healthz", "")
	if err == nil && (status != http.StatusOK || strings.TrimSpace(body) != "ok") {
		err = fmt.Errorf("it answers %d %s", status, http.StatusText(status))
	}
	return err
}

// get sends a GET request for path to the address listen, and returns the status and the body of the answer. If secret
// is not "", it is sent as the password.
func get(ctx context.Context, listen, path, secret string) (status int, body string, err error) {
	if listen == "" {
		return 0, "", errors.New("no address to check: set KNOBEL_LISTEN to that of the running Knobel")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return 0, "", fmt.Errorf("listen address %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // listening everywhere includes this machine
	}
	return getURL(ctx, "http://"+net.JoinHostPort(host, port)+path, secret)
}

// getURL is get for a URL.
func getURL(ctx context.Context, at, secret string) (status int, body string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return 0, "", err
	}
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", fmt.Errorf("no answer: %w", err)
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return 0, "", fmt.Errorf("no answer: %w", err)
	}
	return resp.StatusCode, string(content), nil
}

// readiness checks whether the database is writable and every configured platform is connected.
type readiness struct {
	store     *store.Store
	platforms []chat.Platform

	mu     sync.Mutex
	probed time.Time // time of the latest probe of the database
	err    error     // result of that probe
}

// ready reports whether the database works and, if platforms is true, every platform. The text has a line for each.
func (r *readiness) ready(ctx context.Context, platforms bool) (bool, string) {
	all, others := true, r.platforms
	if !platforms {
		others = nil
	}
	var lines strings.Builder
	say := func(well bool, format string, args ...any) {
		mark := "ok     "
		if !well {
			mark, all = "FAIL   ", false
		}
		fmt.Fprintf(&lines, mark+format+"\n", args...)
	}
	if err := r.probe(ctx); err != nil {
		say(false, "database: not writable: %v", err)
	} else {
		say(true, "database: writable")
	}
	for _, p := range others {
		link := p.Link()
		since := link.Since.UTC().Format(time.RFC3339)
		switch {
		case link.Lasting():
		case link.Up:
			say(true, "%s: connected since %s", p.Name(), since)
		case link.Since.IsZero():
			say(false, "%s: not connected yet", p.Name())
		case link.Why != "":
			say(false, "%s: not connected since %s; restart required: %s", p.Name(),
				since, link.Why)
		default:
			say(false, "%s: not connected since %s; retrying", p.Name(), since)
		}
	}
	return all, lines.String()
}

// probe tries to write to the database and returns the error. Within two seconds after a try it returns the same error.
func (r *readiness) probe(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.probed) < 2*time.Second {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // not cancelled with this request
	defer cancel()
	r.err = r.store.Probe(ctx)
	r.probed = time.Now()
	return r.err
}

// serveProfiles serves profiles of the program (pprof) at listen until ctx is done. They contain its memory, so the
// settings allow only loopback addresses, and even a password gives no access from elsewhere.
func serveProfiles(ctx context.Context, listen string, log *slog.Logger) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	l, err := web.Listen(ctx, listen, "--profile or KNOBEL_PROFILE")
	if err != nil {
		return err
	}
	log.Info("serving profiles", "url", fmt.Sprintf("http://%s/debug/pprof/", l.Addr()))
	return web.Serve(ctx, l, web.Local(mux))
}

// Answers at --listen before the database is open. Opening can take long, while another replica migrates the schema or
// another process has exclusive access.

// startupServer answers requests while the database is being opened.
type startupServer struct {
	log         *slog.Logger
	listen      string      // listen address, "" for none
	unreachable atomic.Bool // the database server is unreachable
	once        sync.Once   // starts serving at the first call of serve
	stop        context.CancelFunc
	served      sync.WaitGroup
	listener    net.Listener // nil while it does not listen
}

// wait logs the reason why opening the database waits, and starts to answer requests. If reason is "", it does nothing.
func (o *startupServer) wait(reason string) {
	if reason == "" {
		return
	}
	o.unreachable.Store(false)
	o.log.Info("waiting for database", "reason", reason)
	o.serve()
}

// serve starts to answer requests at o.listen, unless that is "". Only the first call has an effect.
func (o *startupServer) serve() {
	if o.listen == "" {
		return
	}
	o.once.Do(func() {
		var err error
		if o.listener, err = web.Listen(context.Background(), o.listen, "--listen or KNOBEL_LISTEN"); err != nil {
			// If the address is in use, starting the browser page later returns an error that says so.
			o.log.Warn("listen for requests during startup failed", "error", err)
			return
		}
		var ctx context.Context
		ctx, o.stop = context.WithCancel(context.Background())
		o.served.Go(func() {
			if err := web.Serve(ctx, borrowedListener{o.listener}, o.handler()); err != nil {
				o.log.Warn("answer requests during startup failed", "error", err)
			}
		})
	})
}

// stopServing stops answering and returns the listener, or nil if there is none. New connections wait for the page.
func (o *startupServer) stopServing() net.Listener {
	if o.stop == nil {
		return nil
	}
	o.stop()
	o.served.Wait()
	if l, ok := o.listener.(*net.TCPListener); ok {
		_ = l.SetDeadline(time.Time{}) // if this fails, serving the page fails with a message
	}
	return o.listener
}

// borrowedListener is a listener whose socket stays open after Close, so that the browser page can use it then.
type borrowedListener struct{ net.Listener }

// Close makes Accept return an error. A TCP socket stays open.
func (l borrowedListener) Close() error {
	if tcp, ok := l.Listener.(*net.TCPListener); ok {
		return tcp.SetDeadline(time.Unix(1, 0))
	}
	return l.Listener.Close()
}

// handler returns a handler that reports that the process is alive (/healthz) but not ready (/readyz). It answers other
// requests with 503, so that they are retried or sent to another replica.
func (o *startupServer) handler() http.Handler {
	answers := http.NewServeMux()
	answers.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "Knobel is starting; try again in a moment", http.StatusServiceUnavailable)
	})
	answers.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if o.unreachable.Load() && r.URL.Query().Get("database") != "off" {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	answers.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		why := "it is being migrated, or another process has locked it"
		if o.unreachable.Load() {
			why = "it is unreachable; retrying"
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "FAIL   database: not open yet: "+why)
	})
	return answers
}
