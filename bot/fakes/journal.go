package fakes

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
)

// Journal stores what is written to it, such as a log, for concurrent reading. The zero value is empty.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
	news News
}

// Write appends to the journal.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.news.Tell()
	return j.text.Write(p)
}

// String returns everything written so far.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// Log returns a logger that writes to the journal.
func (j *Journal) Log() *slog.Logger {
	return slog.New(slog.NewTextHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// WaitFor waits until part was written that often, and reports whether it was.
func (j *Journal) WaitFor(ctx context.Context, part string, times int) bool {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	return j.news.Wait(ctx, func() bool { return strings.Count(j.String(), part) >= times }) == nil
}
