package discordtest

import (
	"context"
	"sync"
	"time"
)

// Notepad holds an adapter's notes in memory, as a database does, for as long as a test lasts. The zero value is
// empty.
type Notepad struct {
	mu     sync.Mutex
	text   string
	oldest time.Time
}

// Change replaces the text by what is made of it, unless that fails.
func (n *Notepad) Change(_ context.Context, change func(string) (string, error)) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	text, err := change(n.text)
	if err == nil {
		n.text = text
	}
	return err
}

// Oldest returns when the board in play was changed that waits for the longest time; the zero time: none waits.
func (n *Notepad) Oldest(context.Context) (time.Time, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.oldest, nil
}

// Changed says when that board was changed.
func (n *Notepad) Changed(at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.oldest = at
}
