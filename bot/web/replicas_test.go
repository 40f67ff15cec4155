package web

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
)

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
	got, ok := readAnnouncement(string(must(json.Marshal(announcementOf(m)))))
	if !ok || got.Message.Head != m.Head || got.Message.Buttons[0][0].For != "web:x:0" ||
		!slices.Equal(got.Message.Buttons[0][1].By, m.Buttons[0][1].By) {
		t.Errorf("read is %+v", got)
	}
	if _, ok := readAnnouncement(""); ok {
		t.Error("what was forgotten is told")
	}
}
