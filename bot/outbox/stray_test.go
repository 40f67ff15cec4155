package outbox_test

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// losesAtPost is a stage on which the database is lost when the first board has just been posted.
func losesAtPost(proxy *postgrestest.Proxy) *bare.Stage {
	s := bare.NewStage()
	var once sync.Once
	s.Fail = func(what string, _ chat.Place) error {
		if what == "post" {
			once.Do(proxy.Off)
		}
		return nil
	}
	return s
}

// TestABoardThatCouldNotBeRememberedIsTakenAway loses the database when a board has just been posted: once it is back
// people see one board, and the bot knows which.
func TestABoardThatCouldNotBeRememberedIsTakenAway(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	s := losesAtPost(proxy)
	defer h.OnStage(s)()
	h.Person("Anna").Writes("/coin 10")
	said := func(part string) bool { return strings.Contains(h.Log.String(), part) }
	if !h.Clock.Pass(time.Second, func() bool { return said("board not drawn") }) {
		t.Fatalf("the database is not missed:\n%s", h.Log)
	}
	proxy.On()
	did := func() []string {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		return slices.Clone(s.Done)
	}
	h.Clock.Pass(time.Second, func() bool {
		return slices.Contains(did(), "retire test:m1") && said("drawing resumed")
	})
	if board, want := h.TableOf(1).Board.Message, []string{"post test:m1", "post test:m2"}; board != "test:m2" ||
		!slices.Contains(did(), "retire test:m1") || !slices.Equal(slices.DeleteFunc(did(), func(what string) bool {
		return strings.HasPrefix(what, "retire")
	}), want) {
		t.Errorf("the board is %s, after %q", board, did())
	}
}

// TestBoardsAreDrawnSoonAfterAnOutage keeps the database away for long: what it held up is tried every two seconds,
// however often that has failed.
func TestBoardsAreDrawnSoonAfterAnOutage(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	h.Level = slog.LevelDebug
	h.RestartBot()
	s := losesAtPost(proxy)
	defer h.OnStage(s)()
	h.Person("Anna").Writes("/coin 10")
	if !h.Clock.Pass(time.Second, func() bool { return strings.Count(h.Log.String(), "board not drawn") > 12 }) {
		t.Fatalf("it is not tried any more:\n%s", h.Log)
	}
	proxy.On()
	if !h.Clock.Pass(time.Second, func() bool { return strings.Contains(h.Log.String(), "drawing resumed") }) {
		t.Fatalf("it is not drawn:\n%s", h.Log)
	}
	var longest time.Duration
	for line := range strings.Lines(h.Log.String()) {
		if _, pause, found := strings.Cut(line, " again="); found {
			d, err := time.ParseDuration(strings.Fields(pause)[0])
			if err != nil {
				t.Fatal(err)
			}
			longest = max(longest, d)
		}
	}
	if longest != 2*time.Second {
		t.Errorf("the longest pause is %v", longest)
	}
}
