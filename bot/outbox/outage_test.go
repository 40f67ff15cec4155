package outbox_test

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// losesAt is a stage on which the database is lost when a board has just been posted or edited for the first time.
func losesAt(deed string, proxy *postgrestest.Proxy) *bare.Stage {
	s := bare.NewStage()
	var once sync.Once
	s.Fail = func(what string, _ chat.Place) error {
		if what == deed {
			once.Do(proxy.Off)
		}
		return nil
	}
	return s
}

// TestANewBoardIsRememberedLater loses the database when a board has just been posted: once it is back the bot knows
// where its board is, and has posted no other.
func TestANewBoardIsRememberedLater(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	s := losesAt("post", proxy)
	defer h.OnStage(s)()
	h.Person("Anna").Writes("/coin 10")
	s.Until(t, "the database is missed", func([]string) bool {
		return strings.Contains(h.Log.String(), "remember board failed")
	})
	proxy.On()
	var is store.Table
	h.Clock.Pass(time.Second, func() bool {
		err := h.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			is, err = tx.Tables.Table(1)
			return err
		})
		return err == nil && is.Board.Drawn == is.Version
	})
	s.WantDone(t, "post test:m1")
	if is.Board.Message != "test:m1" {
		t.Errorf("the board is %+v", is.Board)
	}
}

// TestBoardsAreDrawnSoonAfterAnOutage keeps the database away for long: what it held up is tried every two seconds,
// however often that has failed.
func TestBoardsAreDrawnSoonAfterAnOutage(t *testing.T) {
	proxy := postgrestest.Need(t).Proxy(t)
	h := bare.NewIn(t, proxy.Address(storetest.OnServer(t)))
	h.Level = slog.LevelDebug
	h.RestartBot()
	s := losesAt("edit", proxy)
	defer h.OnStage(s)()
	anna := h.Person("Anna")
	anna.Writes("/coin 10")
	s.WantDone(t, "post test:m1")
	h.Settled(s)
	anna.Sends("1:1:0:!stake more")
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
