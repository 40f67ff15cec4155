package web

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/store"
)

// evening returns a message beside the boards, with a picture and a button for Anna alone.
func evening(once, head string) chat.Message {
	m := chat.Message{Head: head, Accent: -1, Picture: &chat.Picture{Name: "a.png", PNG: []byte{1}, Alt: "Words."},
		Buttons: [][]chat.Button{{{Label: "I'm in", Press: "1:0:0:!in 7", By: []chat.User{"web:anna"}}}}}
	m.Once = once
	return m
}

// A message beside boards is the same on all replicas and after a restart: posted once, edited, and left without
// buttons in the end.
func TestNoticesStayForAll(t *testing.T) {
	c := withStore(t, Config{})
	replicas := []*Web{New(c), New(c)}
	is := func(want ...string) {
		t.Helper()
		for _, w := range append(replicas, New(c)) { // the last has just begun
			var s storedBot
			s.now = must(feedOf(t, w))
			if diff := cmp.Diff(want, s.syncedFeed(t, w)); diff != "" {
				t.Error(diff)
			}
			for _, e := range w.room.entries {
				buttons := slices.Concat(e.message.Buttons...)
				if e.message.Picture == nil || len(buttons) > 0 && buttons[0].By[0] != "web:anna" {
					t.Errorf("the message is %+v", e.message)
				}
			}
		}
	}
	one, other := replicas[0], replicas[1]
	ref, err := one.Post(t.Context(), roomPlace, evening("7", "In: Anna."))
	done(t, err)
	again, err := other.Post(t.Context(), roomPlace, evening("7", "In: Anna, Ben."))
	done(t, err)
	if ref != again {
		t.Errorf("it is %s, was %s", again, ref)
	}
	is("web:s1 In: Anna, Ben.")
	_, err = other.Post(t.Context(), roomPlace, evening("8", "Another."))
	done(t, err)
	done(t, one.Edit(t.Context(), roomPlace, ref, evening("7", "In: Ben.")))
	is("web:s1 In: Ben.", "web:s2 Another.")
	done(t, other.Retire(t.Context(), roomPlace, ref))
	is("web:s1 In: Ben.", "web:s2 Another.")
	if left := one.room.entries[0].message.Buttons; len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	if err := one.Edit(t.Context(), roomPlace, saidRef(99), evening("9", "x")); !errors.Is(err, chat.ErrGone) {
		t.Errorf("edit of none: %v", err)
	}
	done(t, one.Retire(t.Context(), roomPlace, saidRef(99)))
}

// feedOf returns what the database has of the main room.
func feedOf(t *testing.T, w *Web) (store.WebFeed, error) {
	feed, _, err := query(t.Context(), w, func(tx *store.Tx) (store.WebFeed, error) {
		return tx.Rooms.WebFeed(string(roomPlace))
	})
	return feed, err
}
