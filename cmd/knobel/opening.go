package main

// Answers at --listen before the database is open: a replica may have to wait while another migrates the schema, or
// until a process ends that uses the database alone.

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"knobel/bot/web"
)

// opening answers requests while the database is being opened.
type opening struct {
	log    *slog.Logger
	listen string      // where, "": nowhere
	lost   atomic.Bool // the server of the database cannot be reached
	once   sync.Once
	stop   context.CancelFunc
	served sync.WaitGroup
	taken  net.Listener // nil: nothing listens
}

// waits is called with what opening the database waits for.
func (o *opening) waits(what string) {
	if what == "" {
		return
	}
	o.lost.Store(false)
	o.log.Info("waiting for database", "because", what)
	o.serve()
}

// unreached is called when the server of the database cannot be reached.
func (o *opening) unreached() {
	o.lost.Store(true)
	o.serve()
}

// serve begins to answer, once.
func (o *opening) serve() {
	if o.listen == "" {
		return
	}
	o.once.Do(func() {
		var err error
		if o.taken, err = web.Listen(context.Background(), o.listen, "--listen or KNOBEL_LISTEN"); err != nil {
			// Where the address is taken, the page says so as soon as it is to be served.
			o.log.Warn("serve /readyz while opening failed", "error", err)
			return
		}
		var ctx context.Context
		ctx, o.stop = context.WithCancel(context.Background())
		o.served.Go(func() {
			if err := web.ServeOn(ctx, lent{o.taken}, o.answers()); err != nil {
				o.log.Warn("serve /readyz while opening failed", "error", err)
			}
		})
	})
}

// end stops answering and returns the listener for the page, or nil. Connections that arrive meanwhile wait.
func (o *opening) end() net.Listener {
	if o.stop == nil {
		return nil
	}
	o.stop()
	o.served.Wait()
	if l, ok := o.taken.(*net.TCPListener); ok {
		_ = l.SetDeadline(time.Time{}) // where it fails, so does serving the page, which says so
	}
	return o.taken
}

// lent is a listener that keeps its socket when it is closed.
type lent struct{ net.Listener }

// Close makes Accept return.
func (l lent) Close() error {
	if tcp, ok := l.Listener.(*net.TCPListener); ok {
		return tcp.SetDeadline(time.Unix(1, 0))
	}
	return l.Listener.Close()
}

// answers returns a handler that reports the process alive, and not ready. All else gets 503, to be sent again or to
// another replica.
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

// thereEvery is the pause between checks that the replica may still use the database.
const thereEvery = time.Second
