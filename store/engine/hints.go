package engine

// Hints: short texts by which processes learn early of each other's changes. Nothing relies on them. A server sends
// them by NOTIFY after the commit of their change, in a separate transaction with all queued hints: NOTIFY makes the
// server commit one transaction at a time, each with its wait for the disk, and a press should not wait for that. Where
// 16 concurrent changes make 4,000 commits a second, they make 400 with a NOTIFY in each.

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxHint is the largest length of a hint, in bytes.
const maxHint = 7000

// isHint reports whether text can be a hint: it is not empty, is UTF-8 without zero bytes, and has at most maxHint
// bytes.
func isHint(text string) bool {
	return text != "" && len(text) <= maxHint && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// listeners holds the functions that get the hints in this process. The zero value is empty. It is safe for concurrent
// use.
type listeners struct{ all sync.Map }

// hear registers the function hear for all hints until stop is called; a call that has begun may still run.
func (l *listeners) hear(hear func(text string)) (stop func()) {
	key := new(int)
	l.all.Store(key, hear)
	return func() { l.all.Delete(key) }
}

// tell calls all listeners with each of texts.
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
	// channel is the SQL for the name of the notification channel of a schema. The server keeps those of databases
	// apart.
	channel = `'knobel_' || md5(current_schema())`
	// sendHints sends the hints $2 to the channel, each behind $1, the sender's mark. Its commit does not wait for the
	// disk.
	sendHints = `
		SELECT pg_notify(` + channel + `, $1 || ' ' || text), set_config('synchronous_commit', 'off', TRUE)
		FROM unnest($2::TEXT[]) text`
	// listenAgain is the first pause before a lost connection for hints is opened again, and maxPause the longest.
	listenAgain, maxPause = 100 * time.Millisecond, 5 * time.Second
	// gather is the pause between two sends, so that hints can be sent together.
	gather = 5 * time.Millisecond
	// silence is how long no hint arrives before the connection is pinged.
	silence = 30 * time.Second
)

// hints holds the state of sending and receiving hints through a server.
type hints struct {
	listeners
	self    string        // the mark that precedes this process's hints, so that it ignores them
	silence time.Duration // how long nothing arrives before the connection is pinged
	untold  chan string   // hints to be sent; nil: the database is not shared
	sends   sync.WaitGroup
	once    sync.Once          // starts listening at the first call of Hints
	listens context.CancelFunc // ends listening; nil: not listening
	all     sync.WaitGroup     // the goroutine that listens
}

// Hints calls hear with the hints of this process and of all that share the database, until stop is called. The first
// call opens a connection that listens for hints.
func (d *Server) Hints(hear func(text string)) (stop func()) {
	stop = d.hints.hear(hear)
	if !d.options.Shared || !d.work.Begin() {
		return stop // no other process has hints, or the database is closed
	}
	defer d.work.Done()
	d.hints.once.Do(func() {
		var ctx context.Context
		ctx, d.hints.listens = context.WithCancel(context.Background())
		d.hints.all.Go(func() { d.listen(ctx) })
	})
	return stop
}

// hint calls the listeners of this process with texts and queues texts for the other processes; it drops those that do
// not fit.
func (d *Server) hint(texts []string) {
	d.hints.tell(texts...)
	for _, text := range texts {
		select {
		case d.hints.untold <- text:
		default: // the queue is full, or there is none
		}
	}
}

// send sends the queued hints, all that wait at once, until the queue is closed.
func (d *Server) send() {
	for text := range d.hints.untold {
		texts := []string{text}
		for len(d.hints.untold) > 0 {
			texts = append(texts, <-d.hints.untold)
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
		_, _ = d.tell(ctx, sendHints, d.hints.self, texts) // other processes also read regularly, and so miss nothing
		cancel()
		time.Sleep(gather)
	}
}

// listen receives the hints of other processes until ctx is done, and connects again after failures. It returns at once
// if the connection is a pooler's, through which no hints arrive.
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
