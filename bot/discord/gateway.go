package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"knobel/bot/chat"
)

// Gateway connections of shards, and the codes of closed connections after which the bot does not connect again.

// finalCodes lists close codes after which only a restart allows another try, with advice for the operator.
var finalCodes = map[int]string{
	tokenRefused: "the token is refused: take the present one from the Developer Portal",
	4010:         "the shard is refused: set KNOBEL_DISCORD_SHARDS to auto",
	4011:         "the bot is in too many servers for its connections: set KNOBEL_DISCORD_SHARDS to auto",
	4012:         "the version of the gateway is not spoken any more: a newer version of Knobel is needed",
	4013:         "the intents are not valid: a newer version of Knobel is needed",
	4014:         "the intents are not allowed: allow them to the bot in the Developer Portal",
}

// tokenRefused is the close code for an invalid token.
const tokenRefused = 4004

// unresumable holds the close codes after which a new session must start, since the old one cannot be resumed.
var unresumable = map[int]bool{4003: true, 4005: true, 4007: true, 4009: true}

var (
	// errStuck means that a new connection did not become ready in time.
	errStuck = errors.New("the gateway did not become ready")
	// errLost means that a connection has ended after it was ready.
	errLost = errors.New("the connection was lost")
)

// keepConnected connects shard, connects it again whenever its connection ends, and stores in f whether it is up. It
// returns when ctx is done, or with refused true if Discord no longer accepts the shard. Meanwhile no other
// goroutine stores the shard's state: so an old connection that ends late cannot change it.
func (d *Discord) keepConnected(ctx context.Context, s *run, f *shards, shard int) (refused bool) {
	pauses := chat.Pauses()
	atOnce := true
	logged := "" // the kind of trouble logged last
	d.setShardUp(f, shard, false)
	var l *conn
	for ctx.Err() == nil {
		if l == nil {
			l = d.newConn(s, f, shard)
		}
		resumes, begun := l.begun.Load(), func() {}
		if !resumes {
			var err error
			if begun, err = d.mayBegin(ctx, f, shard); err != nil {
				break
			}
		}
		began := time.Now()
		err := l.run(ctx, d.times, func() {
			begun()
			if _, changed, away := d.setShardUp(f, shard, true); changed && resumes {
				d.log.Info("discord connection resumed", "duration", away)
			}
		})
		begun()
		if ctx.Err() != nil {
			break
		}
		if wasUp, _, _ := d.setShardUp(f, shard, false); wasUp {
			logged = ""
		}
		if time.Since(began) > pauses.MaxInterval { // it lasted long: reconnect at once
			pauses.Reset()
			atOnce = true
		}
		wait := pauses.NextBackOff()
		if atOnce && errors.Is(err, errLost) {
			wait, atOnce = 0, false
		}
		code := 0
		if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
			code = closed.Code
		}
		if finalCodes[code] != "" {
			l.abandon()
			d.giveUp(code)
			return true
		}
		logged = d.logTrouble(logged, code, err, wait)
		if isSessionOver(code, err) {
			l.abandon()
			l = nil
		}
		_ = pause(ctx, wait)
	}
	if l != nil {
		l.close()
	}
	return false
}

// giveUp logs code, the close code after which the bot may not connect again, and stores the advice for the operator.
func (d *Discord) giveUp(code int) {
	d.log.Error("discord rejected the connection; restart required", "reason",
		finalCodes[code], "code", code)
	d.GiveUp(finalCodes[code])
}

// isSessionOver reports whether a session cannot be resumed after this close code (0: none) and this error.
func isSessionOver(code int, err error) bool {
	return unresumable[code] || errors.Is(err, errStuck) || errors.Is(err, discordgo.ErrWSShardBounds)
}

// logTrouble logs why there is no connection and returns the kind of that reason. lastKind is the kind logged before,
// "" if connected since; the same kind is logged again at debug level only. wait is the time until the next try.
func (d *Discord) logTrouble(lastKind string, code int, err error, wait time.Duration) string {
	kind, level, text := "ended", slog.LevelInfo, "discord connection ended; reconnecting"
	args := []any{"error", d.rest.redact(err), "retry_in", wait}
	switch {
	case isSessionOver(code, err):
		kind, level, text = "over", slog.LevelWarn, "discord session ended; starting another"
	case !errors.Is(err, errLost):
		kind, level, text = "away", slog.LevelWarn, "discord is unreachable; retrying"
	}
	if kind == lastKind {
		level = slog.LevelDebug
	}
	d.log.Log(context.Background(), level, text, args...)
	return kind
}

// conn is one session of a shard with the gateway. It may have several connections, one after another.
type conn struct {
	session *discordgo.Session
	dialer  chat.Dialer

	mu        sync.Mutex
	ready     chan struct{} // closed when the connection is ready; nil afterwards
	ended     chan struct{} // closed when the connection has ended; nil afterwards
	socket    net.Conn      // the library's connection
	abandoned bool          // it is abandoned: its events are dropped
	begun     atomic.Bool   // Discord has sent READY: the next connection resumes the session
}

const (
	// dialWithin is the timeout for opening a connection.
	dialWithin = 10 * time.Second
	// closeWithin is the timeout for closing a connection: the library needs 1 s, but another replica may be waiting.
	closeWithin = 200 * time.Millisecond
)

// newConn returns a session of shard that is not connected yet. s runs the handlers of the session's events.
func (d *Discord) newConn(s *run, f *shards, shard int) *conn {
	// discordgo.New only stores the token; it never fails.
	session, _ := discordgo.New("Bot " + d.rest.token)
	session.Client = d.rest.http
	session.Identify.Intents = discordgo.IntentsGuilds
	session.ShardID, session.ShardCount = shard, f.count
	session.StateEnabled = false
	session.ShouldReconnectOnError = false
	session.LogLevel = -1     // the adapter logs instead
	session.SyncEvents = true // the handlers never block
	l := &conn{session: session, dialer: d.options.Dial}
	session.Dialer = &websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialWithin,
		NetDialContext: l.dial}
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		l.mu.Lock()
		left, ready := l.abandoned, e.Type == "READY" || e.Type == "RESUMED"
		if ready && !left {
			l.session.ShardID = shard
			l.begun.Store(true)
		}
		l.mu.Unlock()
		if left {
			return
		}
		if ready {
			l.closeOnce(&l.ready)
		}
		s.Go(func() { d.dispatch(s, e.Type, e.RawData) })
	})
	session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { l.closeOnce(&l.ended) })
	return l
}

// dial opens a network connection for the library, and stores it so that it can be closed even if the library hangs.
func (l *conn) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.dialer(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.abandoned {
		return nil, errors.Join(errors.New("discord: session was replaced"), conn.Close())
	}
	l.socket = conn
	return conn, nil
}

// closeOnce closes *channel and sets it to nil. If it is nil already, it does nothing.
func (l *conn) closeOnce(channel *chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *channel != nil {
		close(*channel)
		*channel = nil
	}
}

// closeSocket closes the network connection without notifying Discord.
func (l *conn) closeSocket() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.socket != nil {
		_ = l.socket.Close()
	}
}

// abandon closes the session for good and ignores its later events. It does not wait for goroutines of the library.
func (l *conn) abandon() {
	l.mu.Lock()
	l.abandoned = true
	l.mu.Unlock()
	l.closeSocket()
}

// close ends the session at Discord, waits up to closeWithin for the library, and then abandons the session.
func (l *conn) close() {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = l.session.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeWithin):
	}
	l.abandon()
}

// run connects, calls onReady when the connection is ready, and blocks until the connection has ended (errLost). If ctx
// is done earlier, run returns without closing a ready connection. If the connection is not ready in time, run returns
// errStuck: a session that is still opening cannot be used again, because the library would hang.
func (l *conn) run(ctx context.Context, times timing, onReady func()) error {
	ready, ended := make(chan struct{}), make(chan struct{})
	l.mu.Lock()
	l.ready, l.ended = ready, ended
	if l.begun.Load() {
		// If Discord ends a session as invalid, the library would start another at once, ignoring the limit of starts.
		// An invalid shard number makes it fail instead; the right number is set when a session resumes.
		l.session.ShardID = l.session.ShardCount
	}
	l.mu.Unlock()
	opened := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				opened <- fmt.Errorf("discord: library panicked: %v", p)
			}
		}()
		opened <- l.session.Open()
	}()
	late := time.NewTimer(times.patience)
	defer late.Stop()
	select {
	case err := <-opened:
		if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			// The library has reported the end of an earlier connection twice. The second report was taken for the end
			// of the connection that is still open, and which is closed here.
			return errors.Join(err, l.session.Close())
		}
		if err != nil {
			return err
		}
	case <-late.C:
		return errStuck
	case <-ctx.Done():
		l.abandon()
		return ctx.Err()
	}
	select {
	case <-ready:
		onReady()
	case <-ended:
		return errors.New("the connection ended before it was ready")
	case <-late.C:
		return errStuck
	case <-ctx.Done():
		return ctx.Err()
	}
	return l.awaitEnd(ctx, ended, times.silence)
}

// awaitEnd blocks until the connection has ended (errLost) or ctx is done. If Discord leaves heartbeats unanswered for
// the time silence, it closes the connection; the library would wait for minutes.
func (l *conn) awaitEnd(ctx context.Context, ended <-chan struct{}, silence time.Duration) error {
	ticker := time.NewTicker(silence / 4)
	defer ticker.Stop()
	for {
		select {
		case <-ended:
			return errLost
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		l.session.RLock()
		lastAck := l.session.LastHeartbeatAck
		l.session.RUnlock()
		if time.Since(lastAck) > silence {
			l.closeSocket()
		}
	}
}
