package discord

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// conn is one session with the gateway, over one connection after another.
type conn struct {
	session *discordgo.Session
	dialer  Dialer

	mu     sync.Mutex
	ready  chan struct{} // closed when the connection is of use
	ended  chan struct{} // closed when the connection has ended
	socket net.Conn      // what the library speaks over
	left   bool          // left behind: nothing of it is heard any more
	begun  bool          // Discord has welcomed it: the next connection resumes it
}

// dialWithin is how long making a connection may take, and closeWithin how long ending it: another replica may wait for
// that, and the library waits a second once it has said goodbye.
const (
	dialWithin  = 10 * time.Second
	closeWithin = 200 * time.Millisecond
)

// newConn makes a session of a shard that has not connected yet.
func (d *Discord) newConn(s *run, f *shards, shard int) *conn {
	// New returns no error: it only keeps the token.
	session, _ := discordgo.New("Bot " + d.rest.token)
	session.Client = d.rest.http
	session.Identify.Intents = discordgo.IntentsGuilds
	session.ShardID, session.ShardCount = shard, f.count
	session.StateEnabled = false
	session.ShouldReconnectOnError = false
	session.LogLevel = -1     // what matters is logged here, once
	session.SyncEvents = true // what hears of them waits for nothing
	l := &conn{session: session, dialer: d.dialer}
	session.Dialer = &websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialWithin,
		NetDialContext: l.dial}
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if l.isLeft() {
			return
		}
		if e.Type == "READY" || e.Type == "RESUMED" {
			l.welcomed(shard)
		}
		go d.dispatch(s, e.Type, e.RawData)
	})
	session.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { l.mark(&l.ended) })
	return l
}

// dial makes the connection under the library's, so that it can be cut
// whatever the library is waiting for.
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

// mark closes a channel, once.
func (l *conn) mark(which *chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *which != nil {
		close(*which)
		*which = nil
	}
}

// welcomed notes that a shard's connection is of use.
func (l *conn) welcomed(shard int) {
	l.mu.Lock()
	l.begun, l.session.ShardID = true, shard
	l.mu.Unlock()
	l.mark(&l.ready)
}

// resumes reports whether the next connection goes on with the session.
func (l *conn) resumes() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.begun
}

func (l *conn) isLeft() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left
}

// cut ends the connection without a word.
func (l *conn) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.socket != nil {
		_ = l.socket.Close()
	}
}

// leave closes the connection for good. Goroutines of the session that hang stay behind, and events
// that it still receives are dropped.
func (l *conn) leave() {
	l.mu.Lock()
	l.left = true
	l.mu.Unlock()
	l.cut()
}

// close says goodbye, for which the library has a moment, and leaves.
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
	l.leave()
}

// hold connects, says when the connection is of use, and returns when it has ended
// or ctx is done; then it is still open. It gives up on a connection that is not of use in
// time: the library hangs, for one, when it is told to reconnect while it
// opens.
func (l *conn) hold(ctx context.Context, times timing, useful func()) error {
	ready, ended := make(chan struct{}), make(chan struct{})
	l.mu.Lock()
	l.ready, l.ended = ready, ended
	if l.begun {
		// Where Discord does not take the session back, the library would begin
		// another at once, whoever else does. It refuses to for a shard that is
		// none; the number is right again when the session goes on.
		l.session.ShardID = l.session.ShardCount
	}
	l.mu.Unlock()
	opened := make(chan error, 1)
	go func() { opened <- connect(l.session) }()
	late := time.NewTimer(times.patience)
	defer late.Stop()
	select {
	case err := <-opened:
		if errors.Is(err, discordgo.ErrWSAlreadyOpen) {
			// It told of its end twice, and the second time was the new one's.
			return errors.Join(err, l.session.Close())
		}
		if err != nil {
			return err
		}
	case <-late.C:
		return errStuck
	case <-ctx.Done():
		l.leave()
		return ctx.Err()
	}
	select {
	case <-ready:
		useful()
	case <-ended:
		return errUseless
	case <-late.C:
		return errStuck
	case <-ctx.Done():
		return ctx.Err()
	}
	return l.listen(ctx, ended, times.silence)
}

// listen waits for the connection's end. One on which no heartbeat was
// answered for long is dead; the library would wait for minutes.
func (l *conn) listen(ctx context.Context, ended <-chan struct{}, silence time.Duration) error {
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
			l.cut()
		}
	}
}

// connect opens the session; a panic of the library is an error.
func connect(s *discordgo.Session) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("discord: the library panics: %v", p)
		}
	}()
	return s.Open()
}
