package main

// Progress of long commands, stopping such commands by Ctrl-C, and reading files of records.

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

// The intervals at which progress is printed.
const (
	drawnEvery   = time.Second // on a terminal
	writtenEvery = time.Minute // elsewhere
)

// progress holds how much of a long task is done.
type progress struct {
	name      string // of the task, as it is printed
	began     time.Time
	done, all atomic.Int64 // units of work; all is 0 if the total is unknown
}

// progress prints how much of a task is done until end is called: on a terminal in one changing line, elsewhere a line
// per minute. It prints the elapsed time until p.set is called, which any goroutine may do.
func (w world) progress(task string) (p *progress, end func()) {
	p = &progress{name: task, began: time.Now()}
	pause, show, clear := writtenEvery, func() { fmt.Fprintln(w.err, p.line()) }, func() {}
	if w.bar != nil {
		pause, show = drawnEvery, func() { fmt.Fprintf(w.bar, "\r%s\x1b[K", p.line()) }
		clear = func() { fmt.Fprint(w.bar, "\r\x1b[K") }
		show()
	}
	ctx, stop := context.WithCancel(context.Background())
	var shows sync.WaitGroup
	shows.Go(func() { runEvery(ctx, pause, show) })
	return p, sync.OnceFunc(func() {
		stop()
		shows.Wait()
		clear()
	})
}

// set stores that done of total units of work are finished. total is 0 if it is unknown.
func (p *progress) set(done, total int64) {
	p.done.Store(done)
	p.all.Store(total)
}

// stateText returns how much is done, for messages: "after 20 of 100", or "after 20" if the total is unknown.
func (p *progress) stateText() string {
	if all := p.all.Load(); all > 0 {
		return fmt.Sprintf("after %d of %d", p.done.Load(), all)
	}
	return fmt.Sprintf("after %d", p.done.Load())
}

// line returns the line that is printed, with the estimated time left if the total is known.
func (p *progress) line() string {
	done, all, took := p.done.Load(), p.all.Load(), time.Since(p.began)
	switch {
	case done > 0 && all > 0:
		left := time.Duration(float64(took) / float64(done) * float64(all-done)).Round(time.Second)
		return fmt.Sprintf("%s: %d of %d, %d %%, %v left", p.name, done, all, done*100/all, left)
	case done > 0:
		return fmt.Sprintf("%s: %d after %v", p.name, done, took.Round(time.Second))
	}
	return fmt.Sprintf("%s: for %v", p.name, took.Round(time.Second))
}

// gate runs functions until it is shut; stoppable shuts it when its task is stopped. The zero value is open.
type gate struct {
	mu   sync.Mutex
	shut bool
}

// pass calls run, unless the gate is shut. Only one function runs at a time.
func (g *gate) pass(run func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		run()
	}
}

// stoppable calls work and returns its error. Once ctx is done it returns the error of ctx at once. Then work continues
// in the background until the process ends, but g is shut, so that work has no visible effect.
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

// recordReader reads records from files and prints and counts their faults.
type recordReader struct {
	world
	name      string    // name of the command
	faultOut  io.Writer // receives the faults
	games     []games.Game
	solutions record.Solutions
	faults    int
}

// printFault prints and counts a fault, described by text, in a line of a file. If line is 0, the whole file is meant.
func (r *recordReader) printFault(file string, line int, text string) {
	r.faults++
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	fmt.Fprintf(r.faultOut, "%s: %s\n", file, text)
}

// readFile reads a file, "-" for standard input, and returns the number of its records. It calls handle with each
// record without faults, and prints the faults of the others. Once ctx is done, g is shut: it runs nothing any longer.
func (r *recordReader) readFile(ctx context.Context, file string, handle func(g *gate, line int, rec record.Record)) (
	records int, err error,
) {
	in := &meteredReader{in: r.in}
	about := r.name
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.name, err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			in.all = info.Size()
		}
		in.in, about = f, r.name+" "+file
	}
	p, end := r.progress(about)
	defer end()
	in.onProgress = p.set
	err = stoppable(ctx, func(g *gate) error {
		all, err := record.ReadLines(in, r.games, &r.solutions,
			func(line int, rec record.Record) { handle(g, line, rec) },
			func(line int, f record.Fault) { g.pass(func() { r.printFault(file, line, f.Said(englishText)) }) })
		g.pass(func() { records = all })
		return err
	})
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %s: %w", r.name, file, err)
	}
	return records, err
}

// meteredReader is a reader that calls onProgress with the number of processed bytes and the size of the file.
type meteredReader struct {
	in         io.Reader
	onProgress store.Progress
	done, all  int64
}

func (c *meteredReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.onProgress(c.done, c.all) // the bytes of this call are not processed yet
	c.done += int64(n)
	return n, err
}
