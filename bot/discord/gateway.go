package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/cenkalti/backoff/v5"
	"github.com/gorilla/websocket"
)

// Close codes after which the same token and intents are refused again, by
// what an operator has to do. They are tried again, but seldom.
var hopeless = map[int]string{
	4004: "the token is refused: take the present one from the Developer Portal",
	4010: "the shard is refused",
	4011: "the bot is in too many servers for one connection",
	4012: "the version of the gateway is not spoken any more",
	4013: "the intents are not valid",
	4014: "the intents are not allowed",
}

// Close codes after which a session cannot be resumed.
var over = map[int]bool{4003: true, 4005: true, 4007: true, 4009: true}

// How long to wait between connections: after trouble, and after a refusal
// that an operator has to mend.
const (
	firstPause    = time.Second
	longestPause  = time.Minute
	hopelessPause = 10 * time.Minute
)

// errStuck is a connection that has said nothing of use in time.
var errStuck = errors.New("discord: the gateway does not say that it is ready")

// stay keeps a connection to the gateway until ctx is done. Interactions are
// handled in work, which outlives ctx.
func (d *Discord) stay(ctx, work context.Context, core core) {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = firstPause, longestPause
	var l *line
	for ctx.Err() == nil {
		if l == nil {
			l = d.newLine(work, core)
		}
		began := time.Now()
		err := l.hold(ctx, d.patience)
		if ctx.Err() != nil {
			break
		}
		if time.Since(began) > longestPause {
			pause.Reset()
		}
		wait := pause.NextBackOff()
		code := closeCode(err)
		switch {
		case hopeless[code] != "":
			wait = hopelessPause
			d.log.Error("Discord refuses the connection", "why", hopeless[code], "code", code, "again", wait)
			l = nil
		case errors.Is(err, errStuck) || over[code]:
			d.log.Warn("the session with Discord is over; beginning another", "error", d.rest.redact(err))
			l = nil // whatever hangs in the old one stays there
		default:
			d.log.Info("the connection to Discord has ended", "error", d.rest.redact(err), "again", wait)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
		}
	}
}

func closeCode(err error) int {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return 0
}

// line is one session with the gateway, over one connection after another.
type line struct {
	session *discordgo.Session

	mu    sync.Mutex
	ready chan struct{} // closed when the connection is of use
	ended chan struct{} // closed when the connection has ended
}

// newLine makes a session that has not connected yet.
func (d *Discord) newLine(work context.Context, core core) *line {
	// New returns no error: it only keeps the token.
	s, _ := discordgo.New("Bot " + d.rest.token)
	s.Client = d.rest.http
	s.Identify.Intents = discordgo.IntentsGuilds
	s.StateEnabled = false
	s.ShouldReconnectOnError = false
	s.LogLevel = -1 // what matters is logged here, once
	l := &line{session: s}
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) { d.hear(work, core, l, e.Type, e.RawData) })
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { l.mark(&l.ended) })
	return l
}

// mark closes a channel, once.
func (l *line) mark(which *chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if *which != nil {
		close(*which)
		*which = nil
	}
}

// hold connects, and returns when the connection has ended or ctx is done. The
// library may hang when it is told to reconnect while it opens: then hold
// leaves it behind.
func (l *line) hold(ctx context.Context, patience time.Duration) error {
	ready, ended := make(chan struct{}), make(chan struct{})
	l.mu.Lock()
	l.ready, l.ended = ready, ended
	l.mu.Unlock()
	opened := make(chan error, 1)
	go func() { opened <- dial(l.session) }()
	late := time.NewTimer(patience)
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
		return ctx.Err()
	}
	select {
	case <-ready:
	case <-ended:
		return errors.New("discord: the connection ended before it was of use")
	case <-late.C:
		go func() { _ = l.session.Close() }()
		return errStuck
	case <-ctx.Done():
		return l.session.Close()
	}
	select {
	case <-ended:
		return errors.New("discord: the connection was lost")
	case <-ctx.Done():
		return l.session.Close()
	}
}

// dial opens the session; a panic of the library is an error.
func dial(s *discordgo.Session) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("discord: the library panics: %v", p)
		}
	}()
	return s.Open()
}

// hear takes one event of the gateway.
func (d *Discord) hear(work context.Context, core core, l *line, kind string, raw json.RawMessage) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("an event broke the adapter", "kind", kind, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	switch kind {
	case "READY":
		l.mark(&l.ready)
		d.welcome(work, core, raw)
	case "RESUMED":
		l.mark(&l.ready)
	case "INTERACTION_CREATE":
		in, ok := readInteraction(raw)
		if !ok {
			d.log.Warn("an interaction that cannot be read")
			return
		}
		d.working.Add(1)
		defer d.working.Done()
		d.serve(work, core, in)
	}
}

// welcome learns who the bot is and sees to its commands.
func (d *Discord) welcome(ctx context.Context, core core, raw json.RawMessage) {
	var ready struct {
		User struct {
			ID       string `json:"id"`
			Username string `json:"username"`
		} `json:"user"`
		Application struct {
			ID string `json:"id"`
		} `json:"application"`
	}
	if err := json.Unmarshal(raw, &ready); err != nil {
		d.log.Error("the gateway's welcome cannot be read", "error", err)
		return
	}
	d.log.Info("listening", "bot", ready.User.Username)
	application := ready.Application.ID
	if application == "" {
		application = ready.User.ID // they are the same for bots of today
	}
	again := backoff.NewExponentialBackOff()
	again.InitialInterval, again.MaxInterval = firstPause, longestPause
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		return struct{}{}, d.register(ctx, application, core.Commands())
	}, backoff.WithBackOff(again), backoff.WithMaxElapsedTime(time.Hour))
	if err != nil && ctx.Err() == nil {
		d.log.Error("the commands could not be written", "error", err)
	}
}
