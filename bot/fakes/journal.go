package fakes

import (
	"bytes"
	"sync"
)

// Journal keeps what is written to it, such as a log or what a program says, for tests that read it
// meanwhile. The zero value is empty.
type Journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to the journal.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// String is what was written so far.
func (j *Journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}
