package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// readiness reports whether all that is configured works: the database takes changes, and every
// platform is connected.
type readiness struct {
	store     *store.Store
	platforms []chat.Platform

	mu     sync.Mutex
	probed time.Time // when the database was last tried
	err    error     // what came of it
}

// probeEvery is the shortest time between two writes for readiness, however often it is asked.
const probeEvery = 2 * time.Second

// probeWithin is the timeout of a probe.
const probeWithin = 2 * time.Second

// ready reports whether all works, with the state of everything line by line: the database, and where it is asked for
// them the platforms.
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

// probe writes to the database, unless it did so just now.
func (r *readiness) probe(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.probed) < probeEvery {
		return r.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeWithin) // others hear of it, too
	defer cancel()
	r.err = r.store.Probe(ctx)
	r.probed = time.Now()
	return r.err
}
