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

// Long polling for updates.

// updateKinds are the kinds of updates that Telegram sends to this bot, in JSON.
const updateKinds = `["message","callback_query","my_chat_member"]`

// maxConnections is how many updates Telegram delivers to a webhook at a time. It is Telegram's maximum, so that a slow
// chat leaves room for others.
const maxConnections = 100

// conflictPause is the shortest pause after a conflict with another poller of this bot, which needs time to stop.
const conflictPause = 3 * time.Second

// pollUpdates fetches and queues updates until in.ctx is done. A poll acknowledges only updates that were handled, so
// none is lost if the process dies. The core ignores repeated ones by their event ids.
func (in *intake) pollUpdates() {
	l, ctx := in.listener, in.ctx
	pause := chat.Pauses()
	away := false
	defer in.endDoubt()
	for ctx.Err() == nil {
		doubted := in.resolveDoubt()
		offset, working := in.progress()
		batch, err := in.fetch(ctx, offset, away || working || doubted)
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			if in.isUnsure() && isRefusal(err, "terminated by other getUpdates") {
				// Another replica may have taken over and ended this poll; another poll from here would end its poll.
				l.log.Info("another replica polls telegram; standing by")
				in.dropDoubtedRequests()
				for in.isUnsure() && l.budget.wait(ctx, 500*time.Millisecond) == nil {
				}
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
		away = false
		in.refuseDoubted(offset)
		if !in.accept(batch) && len(batch) > 0 && !working { // nothing new, or nothing that can be acknowledged
			_ = l.budget.wait(ctx, pause.NextBackOff())
			continue
		}
		pause.Reset()
		in.awaitProgress()
	}
}

// demandedWait returns how long err, the error of a poll, demands to wait at least; 0: it demands nothing.
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

// hurriedEnd is how long a poll with timeout 0 may still take once the run ends.
const hurriedEnd = time.Second

// fetch makes one poll. It acknowledges all updates before offset and returns those from offset on, nil for none. It
// waits up to pollTime for updates; if hurried, it does not wait, so that the end of an outage shows at once. When ctx
// is done, a waiting poll is cancelled. A hurried poll gets in.hurriedEnd to finish, since no other may begin before.
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
		"offset": strconv.FormatInt(offset, 10), "allowed_updates": updateKinds,
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

// handleSafely calls handle with u and logs a panic. If the bot died, Telegram would deliver u again for ever.
func (l listener) handleSafely(ctx context.Context, u update, answers *sync.WaitGroup) {
	defer chat.LogPanic(l.log, nil, "update handler panicked", "update", u.ID)
	l.handle(ctx, u, answers)
}

// pollingLease is the name of the lease that the polling replica holds.
const pollingLease = "telegram polling"

const (
	// handOver is the longest time between the loss of the lease and the first poll of another replica. Slower updates
	// are finished here meanwhile; if the other gets them, too, they are no-ops.
	handOver = 800 * time.Millisecond
	// handOverPoll is how much of handOver a pending poll may take.
	handOverPoll = 300 * time.Millisecond
	// reachEvery is how often a replica that does not poll checks that Telegram can be reached.
	reachEvery = 20 * time.Second
)

// pollWithLease fetches and handles updates, until ctx is done, while this replica has the polling lease. work is the
// context for handling. Before it waits for the lease again, it finishes all accepted updates: otherwise they would
// come twice and out of order.
func (l listener) pollWithLease(ctx, work context.Context) {
	for ctx.Err() == nil {
		// While another replica polls, check that Telegram can be reached.
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
			defer done(0) // also if it panics: the run begins again then
			in.pollUpdates()
			in.finish(grace)
		}()
		stop()
		in.busy.Wait()
	}
}

// watchConnection checks at intervals until ctx is done whether Telegram can be reached, and sets the state of Link.
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

// finish waits up to grace for the updates in progress, then acknowledges the handled ones by a last poll. It makes
// none while an earlier poll may be open at the server: Telegram would end that. Updates without acknowledgement are
// delivered again; if they were handled, that is a no-op.
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
		in.log.Debug("acknowledge updates failed", "error", err)
	}
}
