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

// wanted are the kinds of updates that this bot understands.
const wanted = `["message","callback_query","my_chat_member"]`

// atOnce is how many updates Telegram delivers to a webhook at the same time: the maximum, so that a slow chat leaves
// room for others.
const atOnce = 100

// conflictPause is the least pause after a conflict with another poller of the same bot, so that it can stop.
const conflictPause = 3 * time.Second

// poll fetches and queues updates until the intake's context is done. The offset only moves past handled ones, so
// nothing is lost when this process dies; the core recognizes repeated ones by their number.
func (in *intake) poll() {
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
			if in.unsure() && says(err, "terminated by other getUpdates") {
				// Another replica may have taken over and ended this poll; our next poll would end its poll.
				l.log.Info("another replica polls telegram; standing by")
				in.dropDoubtedRequests()
				for in.unsure() && l.budget.wait(ctx, 500*time.Millisecond) == nil {
				}
				continue
			}
			if !away {
				l.log.Warn("poll telegram failed; retrying", "error", err)
			}
			away = true
			l.Turn(false)
			if says(err, "while webhook is active") {
				if _, err := l.call(ctx, "deleteWebhook", nil); err != nil {
					l.log.Warn("a webhook blocks polling", "error", err)
				}
			}
			_ = l.budget.wait(ctx, max(pause.NextBackOff(), atLeast(err)))
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

// atLeast returns the least wait that err, the error of a poll, demands; 0: none.
func atLeast(err error) time.Duration {
	refused, ok := refusalOf(err)
	switch {
	case ok && refused.RetryAfter > 0:
		return time.Duration(refused.RetryAfter) * time.Second
	case ok && refused.Code == http.StatusConflict:
		return conflictPause
	}
	return 0
}

// hurriedEnd is how long a poll that does not wait for updates may take at the end of the run.
const hurriedEnd = time.Second

// fetch makes one poll, which acknowledges all updates before offset, and returns those from offset on; nil: none. It
// waits up to pollTime for updates; if hurried, it does not wait, so that the end of an outage shows at once. When ctx
// is done, a waiting poll is cancelled; a hurried one gets hurriedEnd to finish, since no other poll may begin before.
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
		GotConn:              func(httptrace.GotConnInfo) { begun.Store(true) }, // from now on it may arrive
		WroteRequest:         func(i httptrace.WroteRequestInfo) { sent.Store(sent.Load() || i.Err == nil) },
		GotFirstResponseByte: func() { answered.Store(true) },
	}), polls, tg.Params{
		"offset": strconv.FormatInt(offset, 10), "allowed_updates": wanted,
		"timeout": strconv.Itoa(int(wait.Seconds())),
	})
	if sent.Load() {
		in.sentOffset = max(in.sentOffset, offset)
	}
	if begun.Load() {
		in.open = !answered.Load() // a cancelled poll may stay open at the server for its full time
	}
	if err != nil {
		return nil, err
	}
	var batch []json.RawMessage
	return batch, json.Unmarshal(raw, &batch)
}

// handleSafely handles update u and logs a panic instead of dying: Telegram would deliver u for ever otherwise.
func (l listener) handleSafely(ctx context.Context, u update, answers *sync.WaitGroup) {
	defer chat.LogPanic(l.log, nil, "update handler panicked", "update", u.ID)
	l.handle(ctx, u, answers)
}

// pollingLease is the lease of the one replica that polls.
const pollingLease = "telegram polling"

const (
	// handOver is how long the end of polling may take until another replica polls. Slower updates are finished here
	// meanwhile; repeats of them are no-ops.
	handOver = 800 * time.Millisecond
	// handOverPoll is the part of handOver for a pending poll.
	handOverPoll = 300 * time.Millisecond
	// reachEvery is how often a replica that does not poll checks that Telegram can be reached.
	reachEvery = 20 * time.Second
)

// poll fetches and handles updates whenever this replica has the lease, until ctx is done. It waits for the lease again
// only after all accepted updates are handled: they would come twice and out of order otherwise. work is the context
// for handling them.
func (l listener) poll(ctx, work context.Context) {
	for ctx.Err() == nil {
		// While another replica polls, check that Telegram can be reached.
		waiting, end := context.WithCancel(ctx)
		var watching sync.WaitGroup
		watching.Go(func() { l.watch(waiting) })
		held, done, err := l.options.Leases.Hold(ctx, pollingLease, 1, 0)
		end()
		watching.Wait()
		if err != nil {
			return
		}
		l.log.Info("polling telegram")
		in := &intake{listener: l, ctx: held, work: work, last: work, hurriedEnd: hurriedEnd, done: map[int64]bool{},
			queues: map[int64][]update{}, idle: make(chan struct{})}
		close(in.idle)
		grace, stop := lingering, func() {}
		if !l.options.Leases.Part("").Holds { // another replica may be waiting for the lease
			grace, in.hurriedEnd = handOver/2, handOverPoll
			in.last, stop = linger(held, handOver)
		}
		func() {
			defer done(0) // also if it panics: the run begins again then
			in.poll()
			in.leave(grace)
		}()
		stop()
		in.busy.Wait()
	}
}

// watch checks at intervals whether Telegram can be reached and sets the platform's state, until ctx is done.
func (l listener) watch(ctx context.Context) {
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

// leave waits up to grace for the updates in progress, then acknowledges the handled ones by a last poll. It makes none
// while an earlier poll may be open at the server: a second would be refused and end the first. Updates that are not
// acknowledged are delivered again; if they were handled, that is a no-op.
func (in *intake) leave(grace time.Duration) {
	idle := make(chan struct{})
	go func() {
		in.busy.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(grace):
	case <-in.last.Done():
	}
	offset, _ := in.progress()
	if in.open || offset <= in.sentOffset {
		return
	}
	ctx, cancel := context.WithTimeout(in.last, 2*time.Second)
	defer cancel()
	_, err := in.call(ctx, polls, tg.Params{
		"offset": strconv.FormatInt(offset, 10), "limit": "1", "timeout": "0",
	})
	if err != nil {
		in.log.Debug("acknowledge updates failed", "error", err)
	}
}
