package wiring_test

import (
	"errors"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/cmd/wiring"
	"knobel/store"
	"knobel/store/storetest"
)

// What is said in a room on one replica is read by all of them, as often as it changes, until it is old.
func TestFeedsTellWhatIsSaid(t *testing.T) {
	st := storetest.Open(t)
	f := wiring.Feeds{Store: st}
	at := time.UnixMilli(1_000_000)
	number, err := f.Say(t.Context(), "web:r-1", "one", at)
	if err != nil {
		t.Fatal(err)
	}
	is := func(want string, version int64) {
		t.Helper()
		text, err1 := f.Said(t.Context(), "web:r-1", number)
		s, err2 := f.Look(t.Context(), "web:r-1")
		if text != want || errors.Join(err1, err2) != nil {
			t.Errorf("said is %q: %v", text, errors.Join(err1, err2))
		}
		if thing := (replica.Thing{ID: number, Version: version, At: at, Going: true}); version > 0 &&
			(len(s.Said) != 1 || s.Said[0] != thing) {
			t.Errorf("there stands %+v", s.Said)
		}
	}
	is("one", 1)
	if version, err := f.SayAnew(t.Context(), "web:r-1", number, "two"); version != 2 || err != nil {
		t.Errorf("version %d: %v", version, err)
	}
	is("two", 2)
	if err := f.DropSaid(t.Context(), at.Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	is("", 0)
}

// A room is handed on once, though two replicas want to, and also after its host was forgotten.
func TestARoomIsHandedOnOnce(t *testing.T) {
	st := storetest.Open(t)
	kept := wiring.Rooms{Store: st}
	now := time.UnixMilli(1_000_000)
	number, err := kept.Make(t.Context(), replica.Room{Print: "p", Host: "web:ab:0", HostSeen: now, Used: now})
	if err != nil {
		t.Fatal(err)
	}
	err = st.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		if err := tx.Chats.SavePlayer(store.Player{ID: "web:ab:0", Name: "Anna"}); err != nil {
			return err
		}
		_, err := tx.Upkeep.Forget("web:ab:0")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		from, to chat.User
		ok       bool
	}{{"web:ab:0", "web:x:0", false}, {"", "web:b:0", true}, {"", "web:c:0", false}, {"web:b:0", "web:c:0", true}} {
		if ok, err := kept.Hand(t.Context(), number, c.from, c.to, now); ok != c.ok || err != nil {
			t.Errorf("%d: %v, %v", i, ok, err)
		}
	}
	later := now.Add(time.Hour)
	if err := kept.Seen(t.Context(), number, "web:c:0", later, later); err != nil {
		t.Fatal(err)
	}
	if r, _, err := kept.Room(t.Context(), number); err != nil || r.Host != "web:c:0" || !r.HostSeen.Equal(later) ||
		!r.Used.Equal(later) {
		t.Errorf("the room is %+v: %v", r, err)
	}
}
