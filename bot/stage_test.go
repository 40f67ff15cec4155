package bot_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
)

// stage is a platform that remembers what it was asked to do, and fails when
// a test wants it to.
type stage struct {
	chat.Basics
	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something happens
	done    []string      // "post P1 head", "edit …", "retire …"
	shown   map[chat.Ref]chat.Message
	boards  map[int64]chat.Message // the newest of each table
	refs    int
	unnoted chat.Ref // what Posted finds
	looks   int      // how often it was asked

	ready func(ctx context.Context, place chat.Place) error
	fail  func(what string, place chat.Place) error
	run   func(ctx context.Context) error
}

func newStage() *stage {
	return &stage{changed: make(chan struct{}), shown: map[chat.Ref]chat.Message{}, boards: map[int64]chat.Message{}}
}

func (s *stage) Name() string { return "test" }

func (s *stage) Run(ctx context.Context, _ chat.Core) error {
	if s.run != nil {
		return s.run(ctx)
	}
	<-ctx.Done()
	return nil
}

func (s *stage) Ready(ctx context.Context, place chat.Place, _ chat.Need) error {
	if s.ready != nil {
		return s.ready(ctx, place)
	}
	return ctx.Err()
}

func (s *stage) note(what string, place chat.Place, ref chat.Ref) error {
	var err error
	if s.fail != nil {
		err = s.fail(what, place)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	said := fmt.Sprint(what, " ", ref)
	if err != nil {
		said += " failed"
	}
	s.done = append(s.done, said)
	close(s.changed)
	s.changed = make(chan struct{})
	return err
}

func (s *stage) Post(_ context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	s.mu.Lock()
	s.refs++
	ref := chat.Ref(fmt.Sprint("test:m", s.refs))
	s.shown[ref], s.boards[m.Table] = m, m
	s.mu.Unlock()
	return ref, s.note("post", place, ref)
}

func (s *stage) Posted(_ context.Context, _ chat.Place, _ int64, below chat.Ref) (chat.Ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looks++
	if below == s.unnoted {
		return "", nil
	}
	return s.unnoted, nil
}

func (s *stage) Edit(_ context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	s.mu.Lock()
	s.shown[ref], s.boards[m.Table] = m, m
	s.mu.Unlock()
	return s.note("edit", place, ref)
}

func (s *stage) Retire(_ context.Context, place chat.Place, ref chat.Ref) error {
	return s.note("retire", place, ref)
}

// until waits until what was done satisfies a condition. It looks whenever
// something was done, and now and then, for conditions on what is stored.
func (s *stage) until(t testing.TB, what string, met func(done []string) bool) []string {
	t.Helper()
	deadline := time.After(fakes.Patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		s.mu.Lock()
		done, changed := slices.Clone(s.done), s.changed
		s.mu.Unlock()
		if met(done) {
			return done
		}
		select {
		case <-changed:
		case <-tick.C:
		case <-deadline:
			t.Fatalf("never came: %s; done: %q", what, done)
		}
	}
}

// wantDone waits until exactly this was done.
func (s *stage) wantDone(t testing.TB, want ...string) {
	t.Helper()
	s.until(t, fmt.Sprintf("%q", want), func(done []string) bool { return slices.Equal(done, want) })
}

// message is what stands in a message now.
func (s *stage) message(ref chat.Ref) chat.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown[ref]
}

// onStage runs a bot on a stage until the test ends.
func (h *house) onStage(all ...chat.Platform) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.bot.Run(ctx, all...)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	h.t.Cleanup(stop)
	return stop
}
