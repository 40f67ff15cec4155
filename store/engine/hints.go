package engine

// Hints: short texts by which processes learn early of each other's changes. Nothing relies on them. A server sends
// them by NOTIFY after the commit of their change, in a separate transaction with all queued hints: with NOTIFY the
// server commits one transaction at a time, each with its wait for the disk. 16 concurrent changes make 4,000 commits a
// second, but 400 with a NOTIFY in each.

import (
	"context"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// maxHint is the largest length of a hint, in bytes.
const maxHint = 7000

// isHint reports whether text can be a hint: 1 to maxHint bytes of UTF-8 without zero bytes.
func isHint(text string) bool {
	return text != "" && len(text) <= maxHint && utf8.ValidString(text) && strings.IndexByte(text, 0) < 0
}

// listeners holds the functions that get the hints in this process. It is safe for concurrent use.
type listeners struct{ all sync.Map }

// add registers the function hear for all hints until stop is called. A call that has begun may still run after that.
func (l *listeners) add(hear func(text string)) (stop func()) {
	key := new(int)
	l.all.Store(key, hear)
	return func() { l.all.Delete(key) }
}

// callAll calls all listeners with each of texts.
func (l *listeners) callAll(texts ...string) {
	for _, text := range texts {
		for _, hear := range l.all.Range {
			hear.(func(string))(text)
		}
	}
}

const (
	// maxQueuedHints is the largest number of hints waiting to be sent; more are dropped.
	maxQueuedHints = 1000
	// channel is the SQL for the name of the notification channel of a schema. Each database has its own channels.
	channel = `'knobel_' || md5(current_schema())`
	// sendHints sends the hints $2 to the channel, each behind $1, the sender's mark. It does not wait for the disk.
	sendHints = `
		SELECT pg_notify(` + channel + `, $1 || ' ' || text), set_config('synchronous_commit', 'off', TRUE)
		FROM unnest($2::TEXT[]) text`
	// listenAgain and maxListenPause are the first and longest pause before listening again after a failure.
	listenAgain, maxListenPause = 100 * time.Millisecond, 5 * time.Second
	// sendPause is the pause between two sends, so that hints can be sent together.
	sendPause = 5 * time.Millisecond
	// silence is how long no hint arrives before the server is pinged.
	silence = 30 * time.Second
)

// hints holds the state of sending and receiving hints through a server.
type hints struct {
	listeners
	mark          string        // precedes this process's hints, so that it ignores them
	silence       time.Duration // how long nothing arrives before the connection is pinged
	queue         chan string   // hints to be sent; nil: the database is not shared
	sending       sync.WaitGroup
	once          sync.Once          // starts listening at the first call of Hints
	stopListening context.CancelFunc // ends listening; nil: not listening
	listening     sync.WaitGroup     // the goroutine that listens
}

// Hints calls hear with the hints of this process and of all that share the database, until stop is called. The first
// call opens a connection that listens for hints.
func (d *Server) Hints(hear func(text string)) (stop func()) {
	stop = d.hints.add(hear)
	if !d.options.Shared || !d.work.Begin() {
		return stop // no other process sends hints, or the database is closed
	}
	defer d.work.Done()
	d.hints.once.Do(func() {
		var ctx context.Context
		ctx, d.hints.stopListening = context.WithCancel(context.Background())
		d.hints.listening.Go(func() { d.listen(ctx) })
	})
	return stop
}

// hint calls this process's listeners with texts and queues texts for others. If the queue is full, it drops them.
func (d *Server) hint(texts []string) {
	d.hints.callAll(texts...)
	for _, text := range texts {
		select {
		case d.hints.queue <- text:
		default: // the queue is full, or there is none
		}
	}
}

// sendQueued sends the queued hints until the queue is closed, always all that are queued in one statement.
func (d *Server) sendQueued() {
	for text := range d.hints.queue {
		texts := []string{text}
		for len(d.hints.queue) > 0 {
			texts = append(texts, <-d.hints.queue)
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
		_, _ = d.exec(ctx, sendHints, d.hints.mark, texts) // an error is ignored: others also read regularly
		cancel()
		time.Sleep(sendPause)
	}
}

// listen receives the hints of other processes until ctx is done, and connects again after failures. It returns at once
// if the connection is a pooler's, through which no hints arrive.
func (d *Server) listen(ctx context.Context) {
	pause := listenAgain
	for {
		began := time.Now()
		if pooled := d.receiveHints(ctx); pooled || ctx.Err() != nil {
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
		pause = min(2*pause, maxListenPause)
	}
}
