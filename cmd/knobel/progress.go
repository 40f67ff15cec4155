package main

// Progress of long work, and its end by Ctrl-C.

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// How often progress is shown: on a terminal, and elsewhere.
const (
	drawnEvery   = time.Second
	writtenEvery = time.Minute
)

// progress counts how far some work has come.
type progress struct {
	what      string
	began     time.Time
	done, all atomic.Int64 // all 0: it is not known how much there is
}

// progress shows how far work has come until end: on a terminal in a line that changes, elsewhere in one a minute.
// Until its tell is called, from any goroutine, the time so far is shown.
func (w world) progress(what string) (p *progress, end func()) {
	p = &progress{what: what, began: time.Now()}
	pause, show, clear := writtenEvery, func() { fmt.Fprintln(w.err, p.line()) }, func() {}
	if w.bar != nil {
		pause, show = drawnEvery, func() { fmt.Fprintf(w.bar, "\r%s\x1b[K", p.line()) }
		clear = func() { fmt.Fprint(w.bar, "\r\x1b[K") }
		show()
	}
	ctx, stop := context.WithCancel(context.Background())
	var shows sync.WaitGroup
	shows.Go(func() { every(ctx, pause, show) })
	return p, sync.OnceFunc(func() {
		stop()
		shows.Wait()
		clear()
	})
}

// tell notes how far the work has come.
func (p *progress) tell(done, all int64) {
	p.done.Store(done)
	p.all.Store(all)
}

// reached returns how far the work has come: "after 20 of 100".
func (p *progress) reached() string {
	if all := p.all.Load(); all > 0 {
		return fmt.Sprintf("after %d of %d", p.done.Load(), all)
	}
	return fmt.Sprintf("after %d", p.done.Load())
}

// line returns the progress with the time left.
func (p *progress) line() string {
	done, all, took := p.done.Load(), p.all.Load(), time.Since(p.began)
	switch {
	case done > 0 && all > 0:
		left := time.Duration(float64(took) / float64(done) * float64(all-done)).Round(time.Second)
		return fmt.Sprintf("%s: %d of %d, %d %%, %v left", p.what, done, all, done*100/all, left)
	case done > 0:
		return fmt.Sprintf("%s: %d after %v", p.what, done, took.Round(time.Second))
	}
	return fmt.Sprintf("%s: for %v", p.what, took.Round(time.Second))
}

// gate lets results through until the work is stopped.
type gate struct {
	mu   sync.Mutex
	shut bool
}

// pass runs do, unless the work is stopped. Nothing else passes meanwhile.
func (g *gate) pass(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		do()
	}
}

// stoppable runs work and returns its error or, at once when ctx is done, that of ctx: the work then goes on unseen
// while the process ends, and nothing passes its gate any longer.
func stoppable(ctx context.Context, work func(g *gate) error) error {
	g, done := &gate{}, make(chan error, 1)
	go func() { done <- work(g) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		g.mu.Lock()
		g.shut = true
		g.mu.Unlock()
		return ctx.Err()
	}
}

// reading reads the records of some files and prints their faults.
type reading struct {
	world
	what      string // the command
	tells     io.Writer
	games     []games.Game
	solutions record.Solutions
	faults    int
}

// fault prints a fault in a line of a file, in line 0 of the whole file.
func (r *reading) fault(name string, line int, what string) {
	r.faults++
	if line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	fmt.Fprintf(r.tells, "%s: %s\n", name, what)
}

// file reads one file, "-" the standard input, and returns the number of its records. It calls good with each that has
// no fault; once ctx is done nothing passes the gate.
func (r *reading) file(ctx context.Context, name string, good func(g *gate, line int, rec record.Record)) (
	records int, err error,
) {
	in := &metered{in: r.in}
	about := r.what
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.what, err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.all = info.Size()
		}
		in.in, about = f, r.what+" "+name
	}
	p, end := r.progress(about)
	defer end()
	in.told = p.tell
	err = stoppable(ctx, func(g *gate) error {
		all, err := record.ReadLines(in, r.games, &r.solutions,
			func(line int, rec record.Record) { good(g, line, rec) },
			func(line int, f record.Fault) { g.pass(func() { r.fault(name, line, f.Said(english)) }) })
		g.pass(func() { records = all })
		return err
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %s: %w", r.what, name, err)
	}
	return records, err
}

// metered reports how many bytes are read.
type metered struct {
	in        io.Reader
	told      store.Progress
	done, all int64
}

func (c *metered) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.told(c.done, c.all) // what was read before is worked through
	c.done += int64(n)
	return n, err
}
