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

// Keeping a shard connected, and the close codes that end that for good.

// Close codes after which the same token and intents would be refused again, with what an operator has to do. Discord
// wants no further try; only a restart of the program makes one.
var hopeless = map[int]string{
	tokenRefused: "the token is refused: take the present one from the Developer Portal",
	4010:         "the shard is refused: set KNOBEL_DISCORD_SHARDS to auto",
	4011:         "the bot is in too many servers for its connections: set KNOBEL_DISCORD_SHARDS to auto",
	4012:         "the version of the gateway is not spoken any more: a newer version of Knobel is needed",
	4013:         "the intents are not valid: a newer version of Knobel is needed",
	4014:         "the intents are not allowed: allow them to the bot in the Developer Portal",
}

// tokenRefused closes the connection of a wrong or replaced token.
const tokenRefused = 4004

// Close codes after which a session cannot be resumed.
var over = map[int]bool{4003: true, 4005: true, 4007: true, 4009: true}

var (
	// errStuck: a connection was not ready in time.
	errStuck = errors.New("the gateway does not say that it is ready")
	// errLost: a ready connection has ended.
	errLost = errors.New("the connection was lost")
)

// keepConnected keeps a shard connected until ctx is done or Discord refuses it for good, which it reports. Only it
// reports the shard's state until then, so that no ended connection does.
func (d *Discord) keepConnected(ctx context.Context, s *run, f *shards, shard int) (refused bool) {
	pauses := chat.Pauses()
	atOnce := true
	told := "" // the logged trouble
	d.turn(f, shard, false)
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
			if _, changed, away := d.turn(f, shard, true); changed && resumes {
				d.log.Info("gateway resumed", "away", away)
			}
		})
		begun()
		if ctx.Err() != nil {
			break
		}
		if was, _, _ := d.turn(f, shard, false); was {
			told = ""
		}
		if time.Since(began) > pauses.MaxInterval { // it lasted long: reconnect without a pause
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
		if hopeless[code] != "" {
			l.abandon()
			d.giveUp(code)
			return true
		}
		told = d.logTrouble(told, code, err, wait)
		if isOver(code, err) {
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

// giveUp logs the close code of a final refusal.
func (d *Discord) giveUp(code int) {
	d.log.Error("discord rejected the connection; restart required", "why",
		hopeless[code], "code", code)
	d.GiveUp(hopeless[code])
}

// isOver reports whether a session has ended with its connection.
func isOver(code int, err error) bool {
	return over[code] || errors.Is(err, errStuck) || errors.Is(err, discordgo.ErrWSShardBounds)
}

// logTrouble logs why there is no connection, once for each kind of trouble until there is one again. told is the
// trouble logged last; it returns the new one.
func (d *Discord) logTrouble(told string, code int, err error, wait time.Duration) string {
	kind, level, text := "ended", slog.LevelInfo, "the connection to Discord has ended"
	args := []any{"error", d.rest.redact(err), "again", wait}
	switch {
	case isOver(code, err):
		kind, level, text = "over", slog.LevelWarn, "the session with Discord is over; beginning another"
	case !errors.Is(err, errLost):
		kind, level, text = "away", slog.LevelWarn, "discord is unreachable; retrying"
	}
	if kind == told {
		level = slog.LevelDebug
	}
	d.log.Log(context.Background(), level, text, args...)
	return kind
}

// conn is one gateway session over successive connections.
type conn struct {
	session *discordgo.Session
	dialer  chat.Dialer

	mu     sync.Mutex
	ready  chan struct{} // closed when the connection is ready
	ended  chan struct{} // closed when the connection has ended
	socket net.Conn      // the library's connection
	left   bool          // abandoned: its events are dropped
	begun  atomic.Bool   // Discord has sent READY: the next connection resumes it
}

// dialWithin bounds making a connection, closeWithin ending it: another replica may wait for that, and the library
// waits a second after its goodbye.
const (
	dialWithin  = 10 * time.Second
	closeWithin = 200 * time.Millisecond
)

// newConn returns a session of a shard that has not connected yet.
func (d *Discord) newConn(s *run, f *shards, shard int) *conn {
	// New returns no error: it only keeps the token.
	session, _ := discordgo.New("Bot " + d.rest.token)
	session.Client = d.rest.http
	session.Identify.Intents = discordgo.IntentsGuilds
	session.ShardID, session.ShardCount = shard, f.count
	session.StateEnabled = false
	session.ShouldReconnectOnError = false
	session.LogLevel = -1     // logged here instead
	session.SyncEvents = true // the handlers block on nothing
	l := &conn{session: session, dialer: d.options.Dial}
	session.Dialer = &websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialWithin,
		NetDialContext: l.dial}
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		l.mu.Lock()
		left, ready := l.left, e.Type == "READY" || e.Type == "RESUMED"
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

// dial makes the library's connection, so that it can be cut whatever the library waits for.
func (l *conn) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.dialer(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left {
		return nil, errors.Join(errors.New("discord: a session that was left behind"), conn.Close())
	}
	l.socket = conn
	return conn, nil
}

// closeOnce closes a channel once.
func (l *conn) closeOnce(which *chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *which != nil {
		close(*which)
		*which = nil
	}
}

// closeSocket closes the connection without a goodbye.
func (l *conn) closeSocket() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.socket != nil {
		_ = l.socket.Close()
	}
}

// abandon closes the connection for good. Hanging goroutines of the session are abandoned, and events that it still
// receives are dropped.
func (l *conn) abandon() {
	l.mu.Lock()
	l.left = true
	l.mu.Unlock()
	l.closeSocket()
}

// close says goodbye, for which the library has closeWithin, and abandons the connection.
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

// run connects, calls useful when the connection is ready, and returns when it has ended or when ctx is done; then
// it is still open. It gives up on a connection that is not ready in time: the library hangs if it is told to
// reconnect while it opens.
func (l *conn) run(ctx context.Context, times timing, useful func()) error {
	ready, ended := make(chan struct{}), make(chan struct{})
	l.mu.Lock()
	l.ready, l.ended = ready, ended
	if l.begun.Load() {
		// After an invalid session the library would begin another at once, past the start limit. It refuses to for
		// an invalid shard number, which is set right when the session resumes.
		l.session.ShardID = l.session.ShardCount
	}
	l.mu.Unlock()
	opened := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				opened <- fmt.Errorf("discord: the library panics: %v", p)
			}
		}()
		opened <- l.session.Open()
	}()
	late := time.NewTimer(times.patience)
	defer late.Stop()
	select {
	case err := <-opened:
		if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			// It reported its end twice, the second time for the new connection.
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
		useful()
	case <-ended:
		return errors.New("the connection ended before it was of use")
	case <-late.C:
		return errStuck
	case <-ctx.Done():
		return ctx.Err()
	}
	return l.awaitEnd(ctx, ended, times.silence)
}

// awaitEnd waits for the connection's end. One without a heartbeat's answer for long is dead; the library would wait
// for minutes.
func (l *conn) awaitEnd(ctx context.Context, ended <-chan struct{}, silence time.Duration) error {
	look := time.NewTicker(silence / 4)
	defer look.Stop()
	for {
		select {
		case <-ended:
			return errLost
		case <-ctx.Done():
			return ctx.Err()
		case <-look.C:
		}
		l.session.RLock()
		heard := l.session.LastHeartbeatAck
		l.session.RUnlock()
		if time.Since(heard) > silence {
			l.closeSocket()
		}
	}
}
