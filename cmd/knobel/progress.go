package main

// How far long work has come, and what Ctrl-C does to it.

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"knobel/store"
)

// How often progress is shown: on a terminal, and elsewhere.
const (
	drawnEvery   = time.Second
	writtenEvery = time.Minute
)

// progress is how far some work has come.
type progress struct {
	what      string
	began     time.Time
	done, all atomic.Int64 // all 0: it is not known how much there is
}

// progress shows how far work has come until end: on a terminal in a line that changes, elsewhere in one a minute. told
// may be called from any goroutine; where it never is, the time so far is shown.
func (w world) progress(what string) (told store.Progress, end func()) {
	p, end := w.begin(what)
	return p.tell, end
}

// begin is progress where what is stopped says how far it came.
func (w world) begin(what string) (p *progress, end func()) {
	p = &progress{what: what, began: time.Now()}
	every, show, clear := writtenEvery, func() { fmt.Fprintln(w.err, p.line()) }, func() {}
	if w.bar != nil {
		every, show = drawnEvery, func() { fmt.Fprintf(w.bar, "\r%s\x1b[K", p.line()) }
		clear = func() { fmt.Fprint(w.bar, "\r\x1b[K") }
		show()
	}
	stop := make(chan struct{})
	var shows sync.WaitGroup
	shows.Go(func() {
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				show()
			case <-stop:
				return
			}
		}
	})
	return p, sync.OnceFunc(func() {
		close(stop)
		shows.Wait()
		clear()
	})
}

// tell notes how far the work has come.
func (p *progress) tell(done, all int64) {
	p.done.Store(done)
	p.all.Store(all)
}

// reached says how far the work has come, for what is stopped: "after 20 of 100".
func (p *progress) reached() string {
	if all := p.all.Load(); all > 0 {
		return fmt.Sprintf("after %d of %d", p.done.Load(), all)
	}
	return fmt.Sprintf("after %d", p.done.Load())
}

// line says how far the work has come.
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

// gate lets what work has found through until the work is stopped.
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

// records opens a file of records, "-" the standard input, and shows how much of it is read until end.
func (w world) records(what, name string) (in io.Reader, end func(), err error) {
	if name == "-" {
		told, end := w.progress(what)
		return &metered{in: w.in, told: told}, end, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", what, err)
	}
	size := int64(0)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	told, shown := w.progress(what + " " + name)
	return &metered{in: f, told: told, all: size}, func() { shown(); f.Close() }, nil
}

// metered tells how many bytes are read.
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
