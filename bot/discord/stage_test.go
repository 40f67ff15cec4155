package discord

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"knobel/bot/discord/discordtest"
	"knobel/bot/fakes"
)

// stage is a Discord of a test's own, with an adapter before it.
type stage struct {
	*testing.T
	server  *discordtest.Server
	discord *Discord
	guild   *discordtest.Guild
	hall    *discordtest.Channel
	log     *loud
	ctx     context.Context
	stop    func() // ends the adapter and waits for its end
}

// loud is a log that tests can read.
type loud struct {
	mu      sync.Mutex
	b       bytes.Buffer
	written chan struct{} // closed and replaced by every line
}

// logger is a log of everything.
func (l *loud) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// waitFor waits until something was logged so many times.
func (l *loud) waitFor(ctx context.Context, part string, times int) bool {
	ctx, cancel := context.WithTimeout(ctx, fakes.Patience)
	defer cancel()
	for {
		l.mu.Lock()
		if l.written == nil {
			l.written = make(chan struct{})
		}
		found, written := strings.Count(l.b.String(), part) >= times, l.written
		l.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-written:
		case <-ctx.Done():
			return false
		}
	}
}

func (l *loud) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written != nil {
		close(l.written)
		l.written = nil
	}
	return l.b.Write(p)
}

func (l *loud) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// unhurried are the times of a bot on a stage, whose Discord waits longer than
// the real one: what is played there does not turn on how busy the machine is.
// What happens when an answer takes too long is tried on scenes.
var unhurried = timing{
	answer: fakes.Patience, putOff: fakes.Patience, try: fakes.Patience,
	patience: fakes.Patience, silence: usual.silence, linger: fakes.Patience,
}

// disconnected waits until no connection is left. It may be called when a test
// has failed already, and does not end it.
func (s *stage) disconnected() {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), fakes.Patience)
	defer cancel()
	if err := s.server.Wait(ctx, func() bool { return s.server.Sockets() == 0 }); err != nil {
		s.Errorf("%d connections are left: %v", s.server.Sockets(), err)
	}
}

// secret checks that no token stands in the log.
func (s *stage) secret() {
	s.Helper()
	for _, token := range []string{s.server.Token(), discordtest.TokenMark} {
		if strings.Contains(s.log.String(), token) {
			s.Errorf("a token stands in the log:\n%s", s.log)
		}
	}
}

// until waits for something to hold.
func (s *stage) until(what string, holds func() bool) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, fakes.Patience)
	defer cancel()
	if err := s.server.Wait(ctx, holds); err != nil {
		for _, m := range s.hall.Messages() {
			s.Logf("message %s: %s\n%v", m.ID, m.Text(), labels(m))
		}
		s.Fatalf("%s: %v\n%s", what, err, s.log)
	}
}

// answer waits for the answer to an interaction.
func (s *stage) answer(i *discordtest.Interaction) discordtest.Answer {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, fakes.Patience)
	defer cancel()
	a, err := i.Answer(ctx)
	if err != nil {
		s.Fatalf("no answer: %v\n%s", err, s.log)
	}
	return a
}

// board is the newest message in the hall.
func (s *stage) board() discordtest.Message {
	s.Helper()
	m, ok := s.hall.Last()
	if !ok {
		s.Fatalf("no board\n%s", s.log)
	}
	return m
}

func labels(m discordtest.Message) []string {
	var all []string
	for _, b := range m.Buttons() {
		all = append(all, b.Label)
	}
	return all
}

// private reports whether an answer is for the person alone and holds a text.
func private(a discordtest.Answer, part string) bool {
	return a.Type == 4 && a.Message.Private() && strings.Contains(a.Message.Text(), part)
}
