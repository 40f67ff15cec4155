package engine

// How replicas tell each other in haste of what they have changed: by NOTIFY, which nothing relies on. A hint is sent
// after the commit of the change that it is of, in a transaction of its own with all that wait: NOTIFY has the server
// commit one transaction at a time, with its wait for the disk, and a press is not to stand in that line. Where 16
// changes at once make 4,000 commits a second they make 400 with a NOTIFY in each, and 4,000 with it behind.

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

const (
	// maxUntold is how many hints wait to be sent at most; more are not told.
	maxUntold = 1000
	// channel is the name of the channel, which is that of the schema. The server keeps those of databases apart.
	channel = `'knobel_' || md5(current_schema())`
	// sendHints has nobody wait for the disk.
	sendHints = `
		SELECT pg_notify(` + channel + `, $1 || ' ' || text), set_config('synchronous_commit', 'off', TRUE)
		FROM unnest($2::TEXT[]) text`
	// listenAgain is how long the first pause is before it is tried to listen again, and maxPause the longest.
	listenAgain, maxPause = 100 * time.Millisecond, 5 * time.Second
	// gather is how long those that come meanwhile wait after some were sent.
	gather = 5 * time.Millisecond
	// silence is how long nothing comes before it is asked whether the connection is still there.
	silence = 30 * time.Second
)

// hints are those that this process hears and tells.
type hints struct {
	Hints
	self    string        // tells its own from those of others
	silence time.Duration // nothing comes for so long before it is asked whether the connection is still there
	mu      sync.Mutex
	untold  []string
	sending bool
	listens context.CancelFunc // nil: it does not
	all     sync.WaitGroup
}

// Hints is as of DB.
func (d *Server) Hints(hear func(text string)) (stop func()) {
	stop = d.hints.Hear(hear)
	if !d.options.Shared || !d.enter(nil) {
		return stop // there are no others
	}
	defer d.leave()
	d.hints.mu.Lock()
	defer d.hints.mu.Unlock()
	if d.hints.listens == nil {
		var ctx context.Context
		ctx, d.hints.listens = context.WithCancel(context.Background())
		d.hints.all.Go(func() { d.listen(ctx) })
	}
	return stop
}

// hint tells those who listen in this process, and has the others be told soon.
func (d *Server) hint(texts []string) {
	d.hints.Tell(texts...)
	if len(texts) == 0 || !d.options.Shared {
		return
	}
	d.hints.mu.Lock()
	defer d.hints.mu.Unlock()
	if len(d.hints.untold)+len(texts) <= maxUntold {
		d.hints.untold = append(d.hints.untold, texts...)
	}
	if !d.hints.sending {
		d.hints.sending = true
		d.hints.all.Go(d.send)
	}
}

// send sends hints until none waits.
func (d *Server) send() {
	for {
		d.hints.mu.Lock()
		texts := d.hints.untold
		d.hints.untold = nil
		d.hints.sending = len(texts) > 0
		d.hints.mu.Unlock()
		if len(texts) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
		_, _ = d.tell(ctx, sendHints, d.hints.self, texts) // what does not come is found by who looks
		cancel()
		time.Sleep(gather)
	}
}

// listen hears what others tell until ctx is done. With a pooler in between nothing would come.
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

// newSelf returns what this process calls itself in hints.
func newSelf() string { return rand.Text()[:10] }
