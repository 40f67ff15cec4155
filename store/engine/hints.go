package engine

// Hints: short texts by which processes learn early of each other's changes. Nothing relies on them. On a server they
// are sent by NOTIFY after the commit of their change, all queued hints in one transaction. NOTIFY inside the change
// would be slow: the server commits such transactions one at a time, each with a flush of the disk. 16 concurrent
// changes would make 400 commits a second instead of 4,000.

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

// listeners holds the functions of this process that are called with each hint. It is safe for concurrent use.
type listeners struct{ all sync.Map }

// add registers the function hear to be called with each hint until stop is called. A call may still be running then.
func (l *listeners) add(hear func(text string)) (stop func()) {
	key := new(int)
	l.all.Store(key, hear)
	return func() { l.all.Delete(key) }
}

// callAll calls each listener with each of the texts.
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
	// channel is the SQL for the name of the channel of NOTIFY, which is different for each schema.
	channel = `'knobel_' || md5(current_schema())`
	// sendHints sends the hints in $2 to the channel, each after $1, this process's mark, and does not wait for the
	// disk.
	sendHints = `
		SELECT pg_notify(` + channel + `, $1 || ' ' || text), set_config('synchronous_commit', 'off', TRUE)
		FROM unnest($2::TEXT[]) text`
	// After a failure, listenAgain is the first pause before listening again, and maxListenPause the longest.
	listenAgain, maxListenPause = 100 * time.Millisecond, 5 * time.Second
	// sendPause is the pause after sending hints, so that those queued meanwhile are sent together.
	sendPause = 5 * time.Millisecond
	// silence is the time without a hint after which the server is pinged.
	silence = 30 * time.Second
)

// hints holds the state of sending and receiving hints (short messages between replicas) through a database server.
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

// Hints calls hear with the hints of this process and of all other processes that share the database, until stop is
// called. If the database is shared, the first call opens a connection that listens for hints.
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

// hint passes texts to this process's listeners and queues them for others. If the queue is full, hint drops them.
func (d *Server) hint(texts []string) {
	d.hints.callAll(texts...)
	for _, text := range texts {
		select {
		case d.hints.queue <- text:
		default: // the queue is full, or there is none
		}
	}
}

// sendQueued sends queued hints until the queue is closed, each time all hints in the queue by one statement.
func (d *Server) sendQueued() {
	for text := range d.hints.queue {
		texts := []string{text}
		for len(d.hints.queue) > 0 {
			texts = append(texts, <-d.hints.queue)
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
		_, _ = d.exec(ctx, sendHints, d.hints.mark, texts) // an error is ignored: nothing relies on hints
		cancel()
		time.Sleep(sendPause)
	}
}

// listen receives the hints of other processes until ctx is done, and connects again after failures. It returns at once
// if the connection leads to a pooler, through which no hints arrive.
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
