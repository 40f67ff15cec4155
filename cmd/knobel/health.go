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

// Command health, and the health checks that the program answers before and after its database is open.

func healthCommand(w world, s *settings) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "health",
		Short: "Ask the running Knobel whether it is well; exit 1 when it is not",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !all {
				err := healthy(c.Context(), s.listen())
				if err == nil {
					fmt.Fprintln(w.out, "well")
				}
				return err
			}
			status, said, err := ask(c.Context(), s.listen(), "/readyz", s.webSecret())
			fmt.Fprint(w.out, said)
			if err == nil && status != http.StatusOK {
				err = errFound
			}
			return err
		},
	}
	c.Flags().BoolVar(&all, "ready", false, "ask whether everything works that is configured, the platforms too")
	return c
}

// healthy returns an error unless GET /healthz at listen answers 200.
func healthy(ctx context.Context, listen string) error {
	status, _, err := ask(ctx, listen, "/healthz", "")
	if err == nil && status != http.StatusOK {
		return fmt.Errorf("not well: %d %s", status, http.StatusText(status))
	}
	return err
}

// ask sends GET to path at listen, with secret unless that is "", and returns the status and the body.
func ask(ctx context.Context, listen, path, secret string) (status int, said string, err error) {
	if listen == "" {
		return 0, "", errors.New("nothing listens: set KNOBEL_LISTEN to where the health check is")
	}
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return 0, "", fmt.Errorf("listen address %q: %w", listen, err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // listening everywhere includes this machine
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
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
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return 0, "", fmt.Errorf("no answer: %w", err)
	}
	return resp.StatusCode, string(body), nil
}

// readiness checks that everything configured works: the database is writable and every platform is connected.
type readiness struct {
	store     *store.Store
	platforms []chat.Platform

	mu     sync.Mutex
	probed time.Time // time of the latest probe of the database
	err    error     // result of that probe
}

// ready reports whether everything works, with one line of text for each part: the database and, if platforms is set,
// every platform.
func (r *readiness) ready(ctx context.Context, platforms bool) (bool, string) {
	all, others := true, r.platforms
	if !platforms {
		others = nil
	}
	var lines strings.Builder
	say := func(well bool, format string, args ...any) {
		mark := "ok     "
		if !well {
			mark, all = "WRONG  ", false
		}
		fmt.Fprintf(&lines, mark+format+"\n", args...)
	}
	if err := r.probe(ctx); err != nil {
		say(false, "database: nothing can be written: %v", err)
	} else {
		say(true, "database: can be written")
	}
	for _, p := range others {
		link := p.Link()
		since := link.Since.UTC().Format(time.RFC3339)
		switch {
		case link.Lasting():
		case link.Up:
			say(true, "%s: connected since %s", p.Name(), since)
		case link.Since.IsZero():
			say(false, "%s: not tried yet", p.Name())
		case link.Why != "":
			say(false, "%s: not connected since %s, and not tried again until Knobel is started anew: %s", p.Name(),
				since, link.Why)
		default:
			say(false, "%s: not connected since %s, and tried again", p.Name(), since)
		}
	}
	return all, lines.String()
}

// probe tries to write to the database and returns the error. It reuses a result of the last two seconds.
func (r *readiness) probe(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.probed) < 2*time.Second {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second) // other requests get the result, too
	defer cancel()
	r.err = r.store.Probe(ctx)
	r.probed = time.Now()
	return r.err
}

// profiling serves profiles at listen until ctx is done. They contain the program's memory, so the settings allow only
// loopback addresses, and no password admits others.
func profiling(ctx context.Context, listen string, log *slog.Logger) error {
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

// Answers at --listen before the database is open. That can take long: another replica migrates the schema, or another
// process uses the database alone.

// opening answers requests while the database is being opened.
type opening struct {
	log    *slog.Logger
	listen string      // listen address, "" for none
	lost   atomic.Bool // the database server is unreachable
	once   sync.Once
	stop   context.CancelFunc
	served sync.WaitGroup
	taken  net.Listener // nil while it does not listen
}

// waits logs why the database cannot be opened yet, and starts to answer requests. If what is "", it is a no-op.
func (o *opening) waits(what string) {
	if what == "" {
		return
	}
	o.lost.Store(false)
	o.log.Info("waiting for database", "reason", what)
	o.serve()
}

// serve starts to answer requests. Further calls are no-ops.
func (o *opening) serve() {
	if o.listen == "" {
		return
	}
	o.once.Do(func() {
		var err error
		if o.taken, err = web.Listen(context.Background(), o.listen, "--listen or KNOBEL_LISTEN"); err != nil {
			// The page reports an address in use when it is served.
			o.log.Warn("serve /readyz during startup failed", "error", err)
			return
		}
		var ctx context.Context
		ctx, o.stop = context.WithCancel(context.Background())
		o.served.Go(func() {
			if err := web.Serve(ctx, lent{o.taken}, o.answers()); err != nil {
				o.log.Warn("serve /readyz during startup failed", "error", err)
			}
		})
	})
}

// end stops the answers and returns the listener for the page, or nil. New connections wait for the page.
func (o *opening) end() net.Listener {
	if o.stop == nil {
		return nil
	}
	o.stop()
	o.served.Wait()
	if l, ok := o.taken.(*net.TCPListener); ok {
		_ = l.SetDeadline(time.Time{}) // if this fails, serving the page fails with a message
	}
	return o.taken
}

// lent is a listener whose socket stays open after Close, so that the page can use it.
type lent struct{ net.Listener }

// Close makes Accept return an error.
func (l lent) Close() error {
	if tcp, ok := l.Listener.(*net.TCPListener); ok {
		return tcp.SetDeadline(time.Unix(1, 0))
	}
	return l.Listener.Close()
}

// answers returns a handler that reports the process alive (/healthz) but not ready (/readyz). Other requests get 503
// and may be retried or sent to another replica.
func (o *opening) answers() http.Handler {
	answers := http.NewServeMux()
	answers.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "Knobel is not ready yet: try again in a moment", http.StatusServiceUnavailable)
	})
	answers.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if o.lost.Load() && r.URL.Query().Get("database") != "off" {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	answers.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		why := "its schema is being brought up to date, or another process has it for itself"
		if o.lost.Load() {
			why = "it cannot be reached, and is waited for"
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "WRONG  database: it is not open yet: "+why)
	})
	return answers
}
