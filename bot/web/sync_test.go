package web

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/chat"
	"knobel/store"
)

// storedBot is a fake bot whose boards are those in the field now, a prepared state of the database.
type storedBot struct {
	fakeBot
	now store.WebFeed
}

// View returns the board of a prepared table.
func (s *storedBot) View(_ context.Context, table int64, _ chat.Viewer) (chat.Message, error) {
	for _, t := range s.now.Tables {
		if t.ID == table {
			m := board(table, fmt.Sprintf("%d.%d", t.ID, t.Version))
			m.Version, m.Turn, m.Live = t.Version, 1, t.Going
			return m, nil
		}
	}
	return s.fakeBot.View(context.Background(), table, chat.Viewer{})
}

// Puzzle returns the prepared puzzle.
func (s *storedBot) Puzzle(_ context.Context, puzzle int64, _ string) (chat.Message, error) {
	version := s.now.Puzzles[0].Version
	return chat.Message{State: chat.State{Puzzle: puzzle, Version: version}, Head: fmt.Sprint("?", version)}, nil
}

// syncedFeed syncs the room with the prepared state and returns its messages.
func (s *storedBot) syncedFeed(t *testing.T, w *Web) (feed []string) {
	t.Helper()
	w.room.syncing.Lock()
	defer w.room.syncing.Unlock()
	w.bot = s
	done(t, w.catchUp(t.Context(), w.room, s.now))
	for _, e := range w.room.entries {
		feed = append(feed, fmt.Sprint(e.ref, " ", e.message.Head, e.sentence.Key))
	}
	return feed
}

// A room shows its newest table, an open puzzle and the announcements, each once and in order, and follows their
// changes. A board that is posted again moves down. The sync does not redraw a board that this replica is drawing.
func TestARoomFollowsWhatStands(t *testing.T) {
	s := &storedBot{}
	w := New(withStore(t, Config{Alone: func() bool { return false },
		Call: func(_ context.Context, number int64) (chat.Ping, bool, error) {
			return chat.Ping{Name: "Ben"}, number == 1, nil
		}}))
	w.announce(t.Context(), w.newRoom(roomChat), announcement{line: line{"renewed", "Anna"}}) // announcement 1
	must(w.update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Rooms.SayAt(string(roomPlace), "", 1) // announcement 2, with its text deleted
		return err
	}))
	is := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.syncedFeed(t, w)); diff != "" {
			t.Error(diff)
		}
	}
	s.now.Tables = []store.WebThing{{ID: 5, Version: 3, Drawn: 3, Message: "web:old-7", At: 20, Going: true},
		{ID: 4, Version: 9}}
	s.now.Said = []store.WebThing{{ID: 2, Version: 1, At: 40}, {ID: 1, Version: 1, At: 10}}
	is("web:s1 renewed", "web:old-7 5.3")
	s.now.Puzzles = []store.WebThing{{ID: 8, Version: 1, At: 50, Going: true}}
	s.now.Calls = []store.WebThing{{ID: 1, Message: "web:x-call-1"}, {ID: 2, Message: "web:x-call-2"}}
	is("web:s1 renewed", "web:old-7 5.3", "web:p8 ?1")
	if calls := w.room.calls; len(calls) != 1 || calls[0].ref != "web:x-call-1" {
		t.Errorf("called are %v", calls)
	}
	s.now.Tables[0].Version, s.now.Tables[0].Message, s.now.Puzzles[0].Version, s.now.Calls = 4, "web:new-1", 2, nil
	is("web:s1 renewed", "web:p8 ?2", "web:new-1 5.4")
	if calls := w.room.calls; len(calls) > 0 {
		t.Errorf("called are still %v", calls)
	}

	m := board(5, "5.5 drawn here")
	m.Version, m.Turn = 5, 2
	if err := w.room.edit("web:new-1", m); err != nil {
		t.Error(err)
	}
	s.now.Tables[0].Version = 6 // this replica is about to draw it
	is("web:s1 renewed", "web:p8 ?2", "web:new-1 5.5 drawn here")
	s.now.Tables[0].Drawn = 6 // another replica has drawn it
	is("web:s1 renewed", "web:p8 ?2", "web:new-1 5.6")
	if err := w.room.edit("web:new-1", m); err != nil || s.syncedFeed(t, w)[2] != "web:new-1 5.6" {
		t.Errorf("what is older is drawn over what is newer: %v, %v", s.syncedFeed(t, w), err)
	}
}

// Announcements are in the order in which they were stored, even on a page of another replica that gets one late.
func TestWhatIsSaidFirstStandsFirst(t *testing.T) {
	s := &storedBot{}
	w := New(withStore(t, Config{}))
	said := func(number int64) store.WebThing { return store.WebThing{ID: number, Version: 1, At: number} }
	for _, number := range []int64{3, 5, 1, 4} {
		if !w.room.addAnnouncement(said(number), announcement{line: line{Key: "renewed"}}, true) {
			t.Errorf("%d is not told", number)
		}
	}
	want := []string{"web:s1 renewed", "web:s3 renewed", "web:s4 renewed", "web:s5 renewed"}
	if diff := cmp.Diff(want, s.syncedFeed(t, w)); diff != "" {
		t.Error(diff)
	}
}

// A replica that takes over drawing replaces a board under whatever id the room knows it, and can post it again.
func TestWhoDrawsForAllTakesOver(t *testing.T) {
	s := &storedBot{}
	w := New(withStore(t, Config{}))
	s.now.Tables = []store.WebThing{{ID: 5, Version: 1, Going: true}}
	s.syncedFeed(t, w)
	m := board(5, "drawn")
	m.Version, m.Turn, m.Live = 1, 1, true
	first := w.room.post(m) // the database has no message yet
	if got := s.syncedFeed(t, w); first != "web:t5" || len(got) != 1 || got[0] != "web:t5 drawn" {
		t.Errorf("%s is posted: %v", first, got)
	}
	m.Silent = true
	anew := w.room.post(m)
	w.room.retire(first)
	s.now.Tables[0].Message = string(anew)
	if got := s.syncedFeed(t, w); anew == first || len(got) != 1 || got[0] != string(anew)+" drawn" {
		t.Errorf("posted anew is %v", got)
	}
	m.Silent, m.Version = false, 2
	m.Head = "of a dead process"
	if err := w.room.edit("web:dead-3", m); err != nil || len(s.syncedFeed(t, w)) != 1 {
		t.Errorf("drawn over by another name: %v, %v", s.syncedFeed(t, w), err)
	}
	other := board(6, "unknown")
	other.Version, other.Turn = 1, 1
	if err := w.room.edit("web:dead-4", other); err != nil || len(w.room.entries) != 2 {
		t.Errorf("what is not there is drawn: %v, %d", err, len(w.room.entries))
	}
	done(t, w.room.edit("web:dead-4", chat.Message{Head: "An answer."})) // an answer to a press, without a version
	if got := headsOf(w.room); got[1] != "An answer. (bare)" {
		t.Errorf("an answer in place of a board is not shown: %v", got)
	}
}

// unreadableBot is a fake bot that cannot read its boards.
type unreadableBot struct {
	fakeBot
	err error
}

func (a *unreadableBot) View(context.Context, int64, chat.Viewer) (chat.Message, error) {
	return chat.Message{}, a.err
}

// A room that is opened while its boards cannot be read shows them at the next sync.
func TestARoomThatWasOpenedInAnOutageShowsItsBoards(t *testing.T) {
	s := &storedBot{}
	s.now.Tables = []store.WebThing{{ID: 5, Version: 3, Drawn: 3, Message: "web:old-7", At: 20}}
	w := New(withStore(t, Config{}))
	fails := w.config.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		return tx.Tables.Finish(5, 1, 0, []store.Result{{Place: 1}}) // there is no such table
	})
	w.bot = &unreadableBot{err: fails}
	if err := w.catchUp(t.Context(), w.room, s.now); !store.OfDatabase(err) {
		t.Fatalf("the room is opened: %v", err)
	}
	if feed := s.syncedFeed(t, w); len(feed) != 1 {
		t.Errorf("it shows %v", feed)
	}
}

// Hints to other replicas list all present visitors, split into several if needed. They are encrypted with the key.
func TestHintsAreSealedAndShort(t *testing.T) {
	key, other := make([]byte, 32), func() bool { return false }
	w, same := New(Config{Key: key, Alone: other}), New(Config{Key: key, Alone: other})
	stranger := New(Config{Key: []byte(strings.Repeat("x", 32)), Alone: other})
	for range 300 {
		v := newVisitor(strings.Repeat("ö", maxName))
		for len(v.People) < maxPeople {
			v.apply(change{Add: strings.Repeat("ü", maxName)})
		}
		w.room.openPage(v, time.Now())
	}
	parts := w.room.presenceHints(time.Now())
	for _, part := range parts {
		text := w.encryptHint(part)
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
	if n := len(stranger.room.presentPeople()); n > 0 {
		t.Errorf("with another key %d people are told of", n)
	}
}

// An announced message comes back from the database unchanged, with the people who may press its buttons.
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
