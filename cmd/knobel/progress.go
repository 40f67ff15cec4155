package main

// Progress of long commands, and stopping them by Ctrl-C.

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

// The intervals at which progress is printed: on a terminal, and elsewhere.
const (
	drawnEvery   = time.Second
	writtenEvery = time.Minute
)

// progress holds the state of a long task.
type progress struct {
	what      string
	began     time.Time
	done, all atomic.Int64 // units of work; all is 0 if the total is unknown
}

// progress prints the progress of a task until end is called: in a changing line on a terminal, else once a minute.
// Until p.tell is called, which any goroutine may do, it prints the elapsed time.
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

// tell stores the state of the task: done of all units.
func (p *progress) tell(done, all int64) {
	p.done.Store(done)
	p.all.Store(all)
}

// reached returns the state of the task for messages: "after 20 of 100", or "after 20" if the total is unknown.
func (p *progress) reached() string {
	if all := p.all.Load(); all > 0 {
		return fmt.Sprintf("after %d of %d", p.done.Load(), all)
	}
	return fmt.Sprintf("after %d", p.done.Load())
}

// line returns the progress as text, with the estimated time left.
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

// gate runs functions until stoppable shuts it. The zero value is open.
type gate struct {
	mu   sync.Mutex
	shut bool
}

// pass runs do unless the gate is shut. It runs one function at a time.
func (g *gate) pass(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		do()
	}
}

// stoppable runs work and returns its error. Once ctx is done it returns the error of ctx at once: work continues in
// the background until the process ends, but its gate is shut, so it has no visible effect.
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

// reading reads records from files and prints their faults.
type reading struct {
	world
	what      string // name of the command
	tells     io.Writer
	games     []games.Game
	solutions record.Solutions
	faults    int
}

// fault prints and counts a fault in a line of a file. Line 0 means the whole file.
func (r *reading) fault(name string, line int, what string) {
	r.faults++
	if line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	fmt.Fprintf(r.tells, "%s: %s\n", name, what)
}

// file reads one file, "-" for standard input, and returns the number of its records. It calls good with each record
// that has no fault. After ctx is done, the gate g is shut.
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

// metered is a reader that calls told with the number of bytes that were processed.
type metered struct {
	in        io.Reader
	told      store.Progress
	done, all int64
}

func (c *metered) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.told(c.done, c.all) // the bytes of this call are not processed yet
	c.done += int64(n)
	return n, err
}
