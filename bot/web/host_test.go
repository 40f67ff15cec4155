package web

import (
	"context"
	"crypto/rand"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// Who was shown out is not here, also with a page that was asked for the moment before, and becomes no host.
func TestWhoWasShownOutIsNotHere(t *testing.T) {
	r, ben := New(Config{}).newRoom("web:r-1"), newVisitor("Ben")
	r.openPage(ben, time.Now())
	left := r.removeVisitor(ben.user(0), r.outPrint(ben.Prefix))
	r.openPage(ben, time.Now())
	next, _ := r.checkHost(time.Now().Add(2*hostAway), time.Now().Add(-2*hostAway))
	if all := r.presents(); len(all) > 0 || len(left) != 1 || left[0] != ben.user(0) || next.user != "" {
		t.Errorf("here are %v, next is %v, %v have left", all, next, left)
	}
}

// Only the newest signs are kept for a slow page.
func TestSignsAreForgotten(t *testing.T) {
	r, ben := New(Config{}).newRoom("web:r-1"), newVisitor("Ben")
	for range 40 {
		r.showSign(ben, ben.People[0], "fire")
	}
	if len(r.signs) != maxSigns || r.signs[maxSigns-1].number != 40 {
		t.Errorf("kept are %+v", r.signs)
	}
}

// A visitor is gone a moment after closing their last page.
func TestWhoHasNoPageIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(Config{}).newRoom("web:r-1")
		v := newVisitor("Anna")
		began := time.Now()
		r.openPage(v, began)
		r.openPage(v, began)
		r.closePage(v, began)
		if all := r.presents(); len(all) != 1 {
			t.Errorf("with a page open: %v", all)
		}
		r.closePage(v, began)
		if all := r.presents(); len(all) != 1 {
			t.Errorf("a moment after: %v", all)
		}
		_, _, _, next := r.since(0)
		<-next
		if all := r.presents(); len(all) != 0 || time.Since(began) != linger {
			t.Errorf("%v after: %v", time.Since(began), all)
		}
	})
}

// A host away for a day is replaced by the person who has been present longest.
func TestAHostWhoStaysAwayIsHostNoMore(t *testing.T) {
	w := New(kept(t, Config{}))
	w.began = time.Now().Add(-48 * time.Hour)
	ctx, anna, ben, clara := t.Context(), newVisitor("Anna"), newVisitor("Ben"), newVisitor("Clara")
	now := time.Now().Truncate(time.Millisecond) // as it is stored
	address := keepsRoom(t, w, anna.user(0), now)
	kept, _, _ := w.roomAtAddress(ctx, address)
	room := w.open(kept, address)
	room.openPage(ben, now)
	room.openPage(clara, now.Add(time.Second))
	host := func() chat.User {
		kept, _, _ := w.roomAtAddress(context.Background(), address)
		return chat.User(kept.Host)
	}
	if err := w.keep(ctx, now.Add(hostAway)); err != nil || host() != anna.user(0) {
		t.Errorf("after a day: %v, %v", host(), err)
	}
	if err := w.keep(ctx, now.Add(hostAway+time.Minute)); err != nil || host() != ben.user(0) {
		t.Errorf("after more than a day: %v, %v", host(), err)
	}
	_, entries, _, _ := room.since(0)
	drawn, _ := room.draw(ctx, visitor{Lang: "en"}, entries, true)
	const said = "The host was away for a day: Ben is the host of this room now."
	if len(drawn) != 1 || drawn[0].Message.Head != said {
		t.Errorf("all are told %+v", drawn)
	}
}

// An unused room leaves memory, and comes back with the next visitor.
func TestRoomsLeaveMemory(t *testing.T) {
	t.Parallel() // it waits until a page that has gone counts as gone
	w, _, url, c, v := enters(t, Config{})
	at := url + makes(t, c, url)
	do(t, c, "GET", at, "")
	room := w.rooms.at("web:r-1")
	room.openPage(v, time.Now())
	later := func(after time.Duration) {
		t.Helper()
		done(t, w.keep(t.Context(), time.Now().Add(after)))
	}
	later(2 * unusedIn)
	if w.rooms.at("web:r-1") != room {
		t.Fatal("a room that is followed leaves memory")
	}
	room.closePage(v, time.Now())
	for len(room.presents()) > 0 {
		_, _, _, next := room.since(0)
		if len(room.presents()) > 0 {
			<-next
		}
	}
	later(3 * unusedIn)
	if w.rooms.by["web:r-1"] != nil {
		t.Fatal("a room that nobody follows stays in memory")
	}
	if _, err := w.Post(t.Context(), "web:r-1", board(1, "While nobody looks.")); err != nil {
		t.Errorf("post into a room that is not in memory: %v", err)
	}
	do(t, c, "GET", at, "")
	if again := w.rooms.at("web:r-1"); again == room || !again.synced {
		t.Error("the room is not drawn for the next visitor")
	}
}

// Rooms unused for thirty days are deleted, once an hour.
func TestIdleRoomsAreForgotten(t *testing.T) {
	w := New(kept(t, Config{}))
	now := time.Now()
	for _, c := range []struct {
		used, after time.Duration
		there       bool
	}{{-idleFor, -time.Minute, true}, {-idleFor, 0, true}, {-2 * idleFor, 58 * time.Minute, true},
		{-2 * idleFor, time.Hour, false}} {
		address := keepsRoom(t, w, "", now.Add(c.used))
		done(t, w.keep(t.Context(), now.Add(c.after)))
		if _, there, err := w.roomAtAddress(t.Context(), address); there != c.there || err != nil {
			t.Errorf("%+v: %v, %v", c, there, err)
		}
	}
}

// keepsRoom stores a room with a host who was last there at a time, and returns its address.
func keepsRoom(t testing.TB, w *Web, host chat.User, at time.Time) (address string) {
	t.Helper()
	address = rand.Text()
	kept := store.WebRoom{Print: printOf(address), Host: string(host), Made: at.UnixMilli(), Used: at.UnixMilli(),
		Seen: at.UnixMilli()}
	must(w.update(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Rooms.MakeWebRoom(kept, func(number int64) string { return string(chatOf(number)) })
		return err
	}))
	return address
}
