package fakes

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

// Journal keeps what is written to it, such as a log or what a program says, for tests that read it
// meanwhile. The zero value is empty.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
	news News
}

// Write adds to the journal.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.news.Tell()
	return j.text.Write(p)
}

// String is what was written so far.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// Log is a log of everything that is kept here.
func (j *Journal) Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// WaitFor waits until something was written so many times, and reports whether it was.
func (j *Journal) WaitFor(ctx context.Context, part string, times int) bool {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	return j.news.Wait(ctx, func() bool { return strings.Count(j.String(), part) >= times }) == nil
}
