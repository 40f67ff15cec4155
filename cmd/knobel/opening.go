package main

// What is answered at --listen before the database is open: a replica may have to wait while another brings the schema
// up to date, or until a process has ended that works with the database alone.

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
	"knobel/store"
)

// opening says that the database is not open yet, while somebody waits for that.
type opening struct {
	log    *slog.Logger
	listen string      // where, "": nowhere
	lost   atomic.Bool // the server of the database cannot be reached
	once   sync.Once
	stop   context.CancelFunc
	served sync.WaitGroup
	taken  net.Listener // nil: nothing listens
}

// waits is told what opening the database waits for.
func (o *opening) waits(what string) {
	if what == "" {
		return
	}
	o.lost.Store(false)
	o.log.Info("waiting for database", "because", what)
	o.serve()
}

// unreached is told that the server of the database cannot be reached.
func (o *opening) unreached() {
	o.lost.Store(true)
	o.serve()
}

// serve begins to answer, the first time.
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

// end ends that, and returns what has listened, for the page: whoever comes meanwhile waits. nil: nothing has.
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

// lent is a listener that goes on listening once it is closed, for somebody else.
type lent struct{ net.Listener }

// Close has Accept return.
func (l lent) Close() error {
	if tcp, ok := l.Listener.(*net.TCPListener); ok {
		return tcp.SetDeadline(time.Unix(1, 0))
	}
	return l.Listener.Close()
}

// answers answers that the process is well, and not ready. Whoever wants more is to try again, at another replica where
// there is one.
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

// thereEvery is how often a replica looks whether the database is still its own to work with.
const thereEvery = time.Second

// watchThere ends the replica once somebody has had the database alone while it was cut off: begun anew, it knows what
// has changed.
func watchThere(ctx context.Context, st *store.Store, stop context.CancelCauseFunc) {
	every(ctx, thereEvery, func() {
		if err := st.There(); err != nil {
			stop(err)
		}
	})
}
