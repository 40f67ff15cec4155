package web

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/words/wordstest"
	"knobel/cmd/wiring"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store/storetest"
)

// replica has a bot with a browser table of its own serve, on a database that it shares with others. draws: it draws
// boards for all; the others show what stands in the database.
func (s *requests) replica(draws bool) (url string) {
	log := slog.New(slog.NewTextHandler(testLog{s.T}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	c := Config{Listen: "127.0.0.1:0", Key: make([]byte, 32), Log: log, Words: wordstest.Of(s.T, shutbox.Game{}),
		Alone: func() bool { return false }}
	if c.Store = storetest.Open(s.T); s.w != nil {
		c.Store = s.w.config.Store
	}
	b := wiring.New(bot.Config{Store: c.Store, Games: []games.Game{shutbox.Game{}}, Words: c.Words, Log: log,
		Clock: &fakes.Restless{}, Same: Same, Rand: rand.NewChaCha8([32]byte{1})})
	at := make(chan string, 1)
	c.Call, c.Listening = b.Calls.Sent, func(url string) { at <- url }
	s.w = New(c)
	ctx, stop := context.WithCancel(s.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if draws {
			b.Run(ctx, s.w)
		} else if err := s.w.Run(ctx, b.Core); err != nil {
			s.Error(err)
		}
	})
	s.Cleanup(func() {
		stop()
		running.Wait()
	})
	return strings.TrimSuffix(<-at, "/")
}

// Who is here fits into hints, however many they are, and only who has the key reads them.
func TestHintsAreSealedAndShort(t *testing.T) {
	key, other := make([]byte, 32), func() bool { return false }
	w, same := New(Config{Key: key, Alone: other}), New(Config{Key: key, Alone: other})
	stranger := New(Config{Key: []byte(strings.Repeat("x", 32)), Alone: other})
	for range 300 {
		v := newVisitor(strings.Repeat("ö", maxName))
		for len(v.People) < maxPeople {
			v.change(change{Add: strings.Repeat("ü", maxName)})
		}
		w.room.openPage(v, time.Now())
	}
	parts := w.room.presenceHints(time.Now())
	for _, part := range parts {
		text := w.seal(part)
		if len(text) > 7900 || strings.Contains(text, "öö") {
			t.Errorf("a hint has %d bytes: %.100s", len(text), text)
		}
		for _, one := range []*Web{w, same, stranger} {
			one.receiveHint(text)
		}
	}
	same.room.mu.Lock()
	n := len(same.room.followers(time.Now()))
	if gone := len(same.room.followers(time.Now().Add(silentFor))); n != 300 || len(parts) < 2 || gone > 0 {
		t.Errorf("in %d hints %d visitors are told of, and %d are there after a silence", len(parts), n, gone)
	}
	same.room.mu.Unlock()
	if n := len(stranger.room.presents()); n > 0 {
		t.Errorf("with another key %d people are told of", n)
	}
}

// A message that all are told comes back from the database as it was, with those who may press its buttons.
func TestWhatAllAreToldIsReadAsItWasSaid(t *testing.T) {
	m := chat.Message{Lang: "en", Head: "Paid?", Lines: []string{"1"}, Accent: -1, Buttons: [][]chat.Button{
		{{Label: "a", Press: "1", For: "web:x:0"}, {Label: "b", Press: "2", By: []chat.User{"web:y:0"}}}, {}}}
	got, ok := readAnnouncement(announcementOf(m).text())
	if !ok || got.Message.Head != m.Head || got.Message.Buttons[0][0].For != "web:x:0" ||
		!slices.Equal(got.Message.Buttons[0][1].By, m.Buttons[0][1].By) {
		t.Errorf("read is %+v", got)
	}
	if _, ok := readAnnouncement(""); ok {
		t.Error("what was forgotten is told")
	}
}
