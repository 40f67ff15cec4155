package telegram

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"knobel/bot/chat"
)

// Polling for updates: Telegram answers a request when there is an update, or after a while.

// updateKinds returns the kinds of updates that Telegram sends to the bot me, in JSON.
func updateKinds(me person) string {
	kinds := []string{"message", "callback_query", "my_chat_member"}
	if me.Guests {
		kinds = append(kinds, "guest_message")
	}
	if me.Inlines {
		kinds = append(kinds, "inline_query")
	}
	return inJSON(kinds)
}

// maxConnections is how many updates Telegram may deliver to a webhook at the same time. It is the largest possible
// number, because one slow chat should not delay others.
const maxConnections = 100

// conflictPause is the shortest pause after a conflict: Telegram has seen another poll of this bot, which may soon
// stop.
const conflictPause = 3 * time.Second

// pollUpdates polls for updates and queues them until in.ctx is done. A poll acknowledges only handled updates: if the
// process dies, Telegram sends the others again. The core ignores updates that it has handled.
func (in *intake) pollUpdates() {
	l, ctx := in.listener, in.ctx
	pause := chat.Pauses()
	away := false
	takesOver := !l.options.Leases.Part("").Holds // a late poll of the replica before may end the first one
	defer in.endDoubt()
	for ctx.Err() == nil {
		doubted := in.resolveDoubt()
		offset, working := in.progress()
		batch, err := in.fetch(ctx, offset, away || working || doubted)
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			conflict := isRefusal(err, "terminated by other getUpdates")
			if in.isUnsure() && conflict {
				// Perhaps another replica has taken over, and its poll has ended this one. A new poll would end that
				// one in turn.
				l.log.Info("another replica polls telegram; standing by")
				in.dropDoubtedRequests()
				for in.isUnsure() && l.budget.wait(ctx, 500*time.Millisecond) == nil {
				}
				continue
			}
			if takesOver && conflict {
				takesOver = false
				continue
			}
			if !away {
				l.log.Warn("poll telegram failed; retrying", "error", err)
			}
			away = true
			l.Turn(false)
			if isRefusal(err, "while webhook is active") {
				if _, err := l.call(ctx, "deleteWebhook", nil); err != nil {
					l.log.Warn("delete webhook failed", "error", err)
				}
			}
			_ = l.budget.wait(ctx, max(pause.NextBackOff(), demandedWait(err)))
			continue
		}
		if _, gone := l.Turn(true); away {
			l.log.Info("telegram polling resumed", "duration", gone)
		}
		away, takesOver = false, false
		in.refuseDoubted(offset)
		if !in.accept(batch) && len(batch) > 0 && !working { // nothing new, or nothing that can be acknowledged
			_ = l.budget.wait(ctx, pause.NextBackOff())
			continue
		}
		pause.Reset()
		in.awaitProgress()
	}
}

// demandedWait returns how long to wait at least before the next poll after the error err of a poll; 0: no demand.
func demandedWait(err error) time.Duration {
	refused, ok := refusalOf(err)
	switch {
	case ok && refused.RetryAfter > 0:
		return time.Duration(refused.RetryAfter) * time.Second
	case ok && refused.Code == http.StatusConflict:
		return conflictPause
	}
	return 0
}

// hurriedEnd is how long a poll that does not wait for updates may still take at the end of the run.
const hurriedEnd = time.Second

// fetch makes one poll. It acknowledges all updates before offset and returns the following ones, nil for none. It
// waits up to pollTime for one; if hurried, it does not wait: so it notices at once that an outage is over. When ctx is
// done, a waiting poll is cancelled, but a hurried one may finish within in.hurriedEnd.
func (in *intake) fetch(ctx context.Context, offset int64, hurried bool) ([]json.RawMessage, error) {
	wait, after := pollTime, time.Duration(0)
	if hurried {
		wait, after = 0, in.hurriedEnd
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollTime+pollGrace)
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-time.After(after):
			cancel()
		case <-late.Done():
		}
	})()
	var begun, sent, answered atomic.Bool
	raw, err := in.call(httptrace.WithClientTrace(late, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { begun.Store(true) }, // the request may arrive from now on
		WroteRequest:         func(i httptrace.WroteRequestInfo) { sent.Store(sent.Load() || i.Err == nil) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}), pollMethod, tg.Params{
		"offset": strconv.FormatInt(offset, 10), "allowed_updates": updateKinds(in.me),
		"timeout": strconv.Itoa(int(wait.Seconds())),
	})
	if sent.Load() {
		in.sentOffset = max(in.sentOffset, offset)
	}
	if begun.Load() {
		in.pollOpen = !answered.Load() // a cancelled poll may stay open at the server for its full time
	}
	if err != nil {
		return nil, err
	}
	var batch []json.RawMessage
	return batch, json.Unmarshal(raw, &batch)
}

// handleSafely calls handle with u and logs a panic, which would otherwise end the bot at each new delivery of u.
func (l listener) handleSafely(ctx context.Context, u update, tasks *sync.WaitGroup) {
	defer chat.LogPanic(l.log, nil, "update handler panicked", "update", u.ID)
	l.handle(ctx, u, tasks)
}

// pollingLease is the name of the lease that a replica must hold to poll.
const pollingLease = "telegram polling"

const (
	// handOver is the longest time from the loss of the lease until another replica polls. Updates that take longer are
	// finished here; if the other replica receives them again, the core ignores them.
	handOver = 800 * time.Millisecond
	// handOverPoll is how much of handOver an unfinished poll may take.
	handOverPoll = 300 * time.Millisecond
	// reachEvery is how often a replica that does not poll checks whether Telegram can be reached.
	reachEvery = 20 * time.Second
)

// pollWithLease polls for updates and handles them while this replica holds the lease, until ctx is done. work is the
// context for handling updates. After the lease is lost, it finishes all received updates before it waits for the lease
// again: otherwise they would come a second time and out of order.
func (l listener) pollWithLease(ctx, work context.Context) {
	for ctx.Err() == nil {
		// While this replica does not poll, it checks whether Telegram can be reached.
		waiting, end := context.WithCancel(ctx)
		var watching sync.WaitGroup
		watching.Go(func() { l.watchConnection(waiting) })
		held, done, err := l.options.Leases.Hold(ctx, pollingLease, 1, 0)
		end()
		watching.Wait()
		if err != nil {
			return
		}
		l.log.Info("polling telegram")
		in := &intake{listener: l, ctx: held, work: work, lastCtx: work, hurriedEnd: hurriedEnd, done: map[int64]bool{},
			queues: map[int64][]update{}, idle: make(chan struct{})}
		close(in.idle)
		grace, stop := lingering, func() {}
		if !l.options.Leases.Part("").Holds { // another replica may be waiting for the lease
			grace, in.hurriedEnd = handOver/2, handOverPoll
			in.lastCtx, stop = linger(held, handOver)
		}
		func() {
			defer done(0) // after a panic, too, as Run is then called again
			in.pollUpdates()
			in.finish(grace)
		}()
		stop()
		in.busy.Wait()
	}
}

// watchConnection checks at intervals, until ctx is done, if Telegram can be reached, and stores the result for Link.
func (l listener) watchConnection(ctx context.Context) {
	pause := chat.Pauses()
	for {
		wait := reachEvery
		if l.Link().Up {
			pause.Reset()
		} else {
			wait = min(wait, pause.NextBackOff())
		}
		if l.budget.wait(ctx, wait) != nil {
			return
		}
		_, err := l.Telegram.me(ctx)
		if ctx.Err() != nil {
			return
		}
		if changed, before := l.Turn(err == nil); changed && err != nil {
			l.log.Warn("telegram is unreachable; retrying", "error", err)
		} else if changed {
			l.log.Info("telegram is reachable again", "duration", before)
		}
	}
}

// finish waits up to grace until the received updates are handled. Then a last poll acknowledges the handled ones,
// except while Telegram may still hold an earlier poll, which the last one would end. Updates that are not acknowledged
// come again; the core ignores those that were handled.
func (in *intake) finish(grace time.Duration) {
	idle := make(chan struct{})
	go func() {
		in.busy.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(grace):
	case <-in.lastCtx.Done():
	}
	offset, _ := in.progress()
	if in.pollOpen || offset <= in.sentOffset {
		return
	}
	ctx, cancel := context.WithTimeout(in.lastCtx, 2*time.Second)
	defer cancel()
	_, err := in.call(ctx, pollMethod, tg.Params{
		"offset": strconv.FormatInt(offset, 10), "limit": "1", "timeout": "0",
	})
	if err != nil {
		in.log.Debug("acknowledge telegram updates failed", "error", err)
	}
}
