package main

// What is answered at --listen before the database is open: a replica may have to wait while another brings the schema
// up to date, or until a process has ended that works with the database alone.

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"knobel/bot/web"
	"knobel/store"
)

// opening says that the database is not open yet, while somebody waits for that.
type opening struct {
	log    *slog.Logger
	listen string // where, "": nowhere
	once   sync.Once
	stop   context.CancelFunc
	served sync.WaitGroup
}

// waits is told what opening the database waits for.
func (o *opening) waits(what string) {
	if what == "" {
		return
	}
	o.log.Info("the database is not open yet", "because", what)
	if o.listen == "" {
		return
	}
	o.once.Do(func() {
		var ctx context.Context
		ctx, o.stop = context.WithCancel(context.Background())
		o.served.Go(func() {
			// Where the address is taken, the page says so as soon as it is to be served.
			if err := web.Serve(ctx, o.listen, "--listen or KNOBEL_LISTEN", notOpen(), nil); err != nil {
				o.log.Warn("that the database is not open yet is not told by /readyz", "error", err)
			}
		})
	})
}

// end ends that: the address is free for the page.
func (o *opening) end() {
	if o.stop != nil {
		o.stop()
	}
	o.served.Wait()
}

// notOpen answers that the process is well, and not ready. Whoever wants more is to try again, at another replica where
// there is one.
func notOpen() http.Handler {
	answers := http.NewServeMux()
	answers.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "2")
		http.Error(w, "Knobel is not ready yet: try again in a moment", http.StatusServiceUnavailable)
	})
	answers.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	answers.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "WRONG  database: it is not open yet: its schema is being brought up to date, or another "+
			"process has it for itself")
	})
	return answers
}

// thereEvery is how often a replica looks whether the database is still its own to work with.
const thereEvery = time.Second

// watchThere ends the replica once somebody has had the database alone while it was cut off: begun anew, it knows what
// has changed.
func watchThere(ctx context.Context, st *store.Store, stop context.CancelCauseFunc) {
	ticks := time.NewTicker(thereEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			if err := st.There(); err != nil {
				stop(err)
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
