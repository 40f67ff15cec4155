package engine

// Hints by which processes learn early of each other's changes, and which nothing relies on. A server sends them by
// NOTIFY after the commit of their change, in a separate transaction with all waiting hints: NOTIFY makes the server
// commit one transaction at a time, each with its wait for the disk, and a press should not wait for that. Where 16
// concurrent changes make 4,000 commits a second, they make 400 with a NOTIFY in each.

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxHint is the largest length of a hint, in bytes.
const maxHint = 7000

// isHint reports whether a text can be a hint: it is UTF-8 without zero bytes, of at most 7,000 bytes.
func isHint(text string) bool {
	return text != "" && len(text) <= maxHint && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// listeners are called with the hints of this process. The zero value is ready; it is safe for concurrent use.
type listeners struct{ all sync.Map }

// hear calls hear with each hint until stop is called; a call that has begun may still run.
func (l *listeners) hear(hear func(text string)) (stop func()) {
	key := new(int)
	l.all.Store(key, hear)
	return func() { l.all.Delete(key) }
}

// tell calls all listeners.
func (l *listeners) tell(texts ...string) {
	for _, text := range texts {
		for _, hear := range l.all.Range {
			hear.(func(string))(text)
		}
	}
}

const (
	// maxUntold is the largest number of hints waiting to be sent; more are dropped.
	maxUntold = 1000
	// channel is the name of the channel, one for each schema. The server keeps those of databases apart.
	channel = `'knobel_' || md5(current_schema())`
	// sendHints does not wait for the disk.
	sendHints = `
		SELECT pg_notify(` + channel + `, $1 || ' ' || text), set_config('synchronous_commit', 'off', TRUE)
		FROM unnest($2::TEXT[]) text`
	// listenAgain is the first pause before listening is tried again, and maxPause the longest.
	listenAgain, maxPause = 100 * time.Millisecond, 5 * time.Second
	// gather is the pause between two sends, in which hints collect.
	gather = 5 * time.Millisecond
	// silence is how long nothing arrives before the connection is checked.
	silence = 30 * time.Second
)

// hints are the hints that this process receives and sends.
type hints struct {
	listeners
	self    string        // marks this process's own hints
	silence time.Duration // how long nothing arrives before the connection is checked
	untold  chan string   // nil: the database is not shared
	sends   sync.WaitGroup
	once    sync.Once          // begins to listen
	listens context.CancelFunc // nil: not listening
	all     sync.WaitGroup     // of listening
}

// Hints implements DB.
func (d *Server) Hints(hear func(text string)) (stop func()) {
	stop = d.hints.hear(hear)
	if !d.options.Shared || !d.work.Begin() {
		return stop // a view has no other processes to hear
	}
	defer d.work.Done()
	d.hints.once.Do(func() {
		var ctx context.Context
		ctx, d.hints.listens = context.WithCancel(context.Background())
		d.hints.all.Go(func() { d.listen(ctx) })
	})
	return stop
}

// hint calls the listeners in this process and queues the hints for the others.
func (d *Server) hint(texts []string) {
	d.hints.tell(texts...)
	for _, text := range texts {
		select {
		case d.hints.untold <- text:
		default: // too many wait
		}
	}
}

// send sends the queued hints, all that wait at once, until the database is closed.
func (d *Server) send() {
	for text := range d.hints.untold {
		texts := []string{text}
		for len(d.hints.untold) > 0 {
			texts = append(texts, <-d.hints.untold)
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
		_, _ = d.tell(ctx, sendHints, d.hints.self, texts) // a lost hint is made up for by regular reads
		cancel()
		time.Sleep(gather)
	}
}

// listen receives the hints of other processes until ctx is done. Behind a pooler nothing would arrive.
func (d *Server) listen(ctx context.Context) {
	pause := listenAgain
	for {
		began := time.Now()
		if pooled := d.hear(ctx); pooled || ctx.Err() != nil {
			return
		}
		if time.Since(began) > d.hints.silence {
			pause = listenAgain
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, maxPause)
	}
}
