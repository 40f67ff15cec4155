package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// chatOf returns the id of the chat of a browser room.
func chatOf(id int64) string { return fmt.Sprint("web:r-", id) }

// makeRoom stores a browser room and returns its number. chat is as for MakeWebRoom.
func makeRoom(t *testing.T, s *store.Store, r store.WebRoom, chat func(int64) string) int64 {
	t.Helper()
	return updateResult(t, s, func(tx *store.Tx) (int64, error) { return tx.Rooms.MakeWebRoom(r, chat) })
}

// wantDropped deletes rooms with DropIdleWebRooms and the cutoff before, and checks that it has deleted wanted rooms.
func wantDropped(t *testing.T, tx *store.Tx, before, wanted int64) error {
	t.Helper()
	n, err := tx.Rooms.DropIdleWebRooms(before, 10)
	if n != wanted {
		t.Errorf("%d rooms idle since %d are dropped, not %d", n, before, wanted)
	}
	return err
}

func TestRoomsAreFoundByTheirPrints(t *testing.T) {
	s := storetest.Open(t)
	r := store.WebRoom{Print: "p1", Host: "web:ab:0", Made: 1, Used: 1, Seen: 1}
	r.ID = makeRoom(t, s, r, chatOf)
	readRoom := func(read func(*store.Tx) (store.WebRoom, error)) (got store.WebRoom, err error) {
		err = s.View(t.Context(), func(tx *store.Tx) (err error) {
			got, err = read(tx)
			return err
		})
		return got, err
	}
	byPrint := func(print string) func(*store.Tx) (store.WebRoom, error) {
		return func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoomByPrint(print) }
	}
	if got, err := readRoom(byPrint("p1")); err != nil || got != r {
		t.Errorf("by its print: %+v, %v", got, err)
	}
	if _, err := readRoom(byPrint("p2")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("by another: %v", err)
	}
	r.Print, r.Host, r.Used, r.Seen = "p2", "", 5, 4
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Rooms.MoveWebRoom(r.ID, "p1", r.Print, "sealed", 1),
			tx.Rooms.HandWebRoom(r.ID, "web:ab:0", r.Host, r.Seen), tx.Rooms.SeenInWebRoom(r.ID, r.Host, r.Seen,
				r.Used))
	})
	byNumber := func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(r.ID) }
	if got, err := readRoom(byNumber); err != nil || got != r {
		t.Errorf("changed: %+v, %v", got, err)
	}
	if _, err := readRoom(byPrint("p1")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("by the print before: %v", err)
	}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Rooms.ShowOut(r.ID, "x"), tx.Rooms.ShowOut(r.ID,
			"x"))
	})
	update(t, s, func(tx *store.Tx) error {
		out, err := tx.Rooms.ShownOut(r.ID)
		if diff := cmp.Diff([]string{"x"}, out); diff != "" {
			t.Error("who was shown out:", diff)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 5, 0) })
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 6, 1) })
	if next := makeRoom(t, s, store.WebRoom{Print: "p3"}, chatOf); next <= r.ID {
		t.Errorf("the number %d was used before", next)
	}
	update(t, s, func(tx *store.Tx) error {
		if out, err := tx.Rooms.ShownOut(r.ID); err != nil || len(out) > 0 {
			t.Errorf("of a room that was dropped is kept: %v, %v", out, err)
		}
		return nil
	})
}

// TestRoomsWithGamesAreKept checks that an unused room is kept if a game is in play or over there, else deleted.
func TestRoomsWithGamesAreKept(t *testing.T) {
	s := openNew(t)
	of := func(int64) string { return newChat }
	keeps := func(print string, chat func(int64) string) {
		makeRoom(t, s, store.WebRoom{Print: print, Used: 1}, chat)
	}
	keeps("empty", chatOf)
	keeps("kept", of)
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 1, 0) })
	newTable(t, s, "test:a", store.Lobby)
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 2, 2) })
	keeps("playing", of)
	table := newTable(t, s, "test:b", store.Playing)
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 2, 0) })
	update(t, s, func(tx *store.Tx) error {
		_, err := finish(tx, table)
		return errors.Join(err, wantDropped(t, tx, 2, 0))
	})
}

// TestRoomsThatMoveAreFoundByTheirLastPrints checks that only the last stored addresses of a room lead to its new one,
// and that those of a deleted room lead nowhere.
func TestRoomsThatMoveAreFoundByTheirLastPrints(t *testing.T) {
	s := storetest.Open(t)
	room := makeRoom(t, s, store.WebRoom{Print: "p0"}, chatOf)
	for i := range 5 {
		update(t, s, func(tx *store.Tx) error {
			return tx.Rooms.MoveWebRoom(room, fmt.Sprint("p", i), fmt.Sprint("p", i+1), fmt.Sprint("to ", i+1), 4)
		})
	}
	finds := func(print, wanted string) {
		t.Helper()
		err := s.View(t.Context(), func(tx *store.Tx) error {
			sealed, err := tx.Rooms.WebMove(print)
			if sealed != wanted {
				t.Errorf("%s leads to %q, not %q", print, sealed, wanted)
			}
			return err
		})
		if errors.Is(err, store.ErrNotFound) != (wanted == "") {
			t.Errorf("%s: %v", print, err)
		}
	}
	finds("p0", "")
	finds("p1", "to 2")
	finds("p4", "to 5")
	finds("p5", "")
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Rooms.MoveWebRoom(room, "p4", "p6", "x", 4); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("it moves from where it is no longer: %v", err)
		}
		r, err := tx.Rooms.WebRoomByPrint("p5")
		if r.ID != room {
			t.Errorf("the room is %d", r.ID)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { return wantDropped(t, tx, 6, 1) })
	finds("p4", "")
}

// feedAt returns the items of the browser room with a place.
func feedAt(t *testing.T, s *store.Store, place string) (feed store.WebFeed) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		feed, err = tx.Rooms.WebFeed(place)
		return err
	})
	check(t, err)
	return feed
}

// TestWhatIsSaidIsKeptForAWhile checks that sentences are shown only in their room, the newest first, that a new text
// raises the version of its sentence, and that DropSaid deletes old sentences.
func TestWhatIsSaidIsKeptForAWhile(t *testing.T) {
	s := storetest.Open(t)
	var first, second int64
	update(t, s, func(tx *store.Tx) (err error) {
		if first, err = tx.Rooms.SayAt("web:r-1", "one", 5); err == nil {
			second, err = tx.Rooms.SayAt("web:r-1", "two", 7)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		version, err := tx.Rooms.SayAnew("web:r-1", first, "one more")
		if version != 2 {
			t.Errorf("a change is version %d", version)
		}
		_, none := tx.Rooms.SayAnew("web:r-2", first, "elsewhere")
		if !errors.Is(none, store.ErrNotFound) {
			t.Errorf("what was said in another room is changed: %v", none)
		}
		return err
	})
	want := []store.WebThing{{ID: second, Version: 1, At: 7, Going: true}, {ID: first, Version: 2, At: 5, Going: true}}
	if diff := cmp.Diff(want, feedAt(t, s, "web:r-1").Said); diff != "" {
		t.Error(diff)
	}
	if there := feedAt(t, s, "web:r-2").Said; len(there) > 0 {
		t.Errorf("in another room stands %v", there)
	}
	update(t, s, func(tx *store.Tx) error {
		said, err := tx.Rooms.SaidAt("web:r-1", first)
		if said != "one more" {
			t.Errorf("said was %q", said)
		}
		return errors.Join(err, tx.Rooms.DropSaid(6, 10))
	})
	if left := feedAt(t, s, "web:r-1").Said; len(left) != 1 || left[0].ID != second {
		t.Errorf("left is %v", left)
	}
}

// discard returns err and ignores the number.
func discard(_ int64, err error) error { return err }

// TestReplicasKeepOneRoom checks that two replicas do not undo each other's changes of a room: the later time is kept,
// and of two changes of the host one succeeds.
func TestReplicasKeepOneRoom(t *testing.T) {
	needs.Long(t)
	s := storetest.Open(t)
	id := makeRoom(t, s, store.WebRoom{Print: "p", Host: "web:a:0", Used: 5, Seen: 5}, chatOf)
	is := func(want store.WebRoom) {
		t.Helper()
		want.ID, want.Print = id, "p"
		update(t, s, func(tx *store.Tx) error {
			got, err := tx.Rooms.WebRoom(id)
			if got != want {
				t.Errorf("the room is %+v", got)
			}
			return err
		})
	}
	update(t, s, func(tx *store.Tx) error { return tx.Rooms.SeenInWebRoom(id, "web:a:0", 9, 8) })
	update(t, s, func(tx *store.Tx) error { return tx.Rooms.SeenInWebRoom(id, "web:a:0", 7, 6) })
	is(store.WebRoom{Host: "web:a:0", Used: 8, Seen: 9})
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Rooms.HandWebRoom(id, "web:a:0", "web:b:0", 20); err != nil {
			return err
		}
		if err := tx.Rooms.HandWebRoom(id, "web:a:0", "web:c:0", 30); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a room is handed on twice: %v", err)
		}
		return tx.Rooms.SeenInWebRoom(id, "web:a:0", 40, 25)
	})
	is(store.WebRoom{Host: "web:b:0", Used: 25, Seen: 20})
}

// TestWhatIsSaidIsForgottenWithWhomItNames checks that forgetting a person clears the sentences of the rooms in which
// they played, because sentences may name them.
func TestWhatIsSaidIsForgottenWithWhomItNames(t *testing.T) {
	s := storetest.Open(t)
	table := lobby("web:r-1")
	update(t, s, func(tx *store.Tx) (err error) {
		table.ID, err = tx.Tables.AddTable(table)
		return errors.Join(err, discard(tx.Rooms.SayAt(table.Chat, "a list", 5)), discard(tx.Rooms.SayAt("web:other",
			"a list", 5)))
	})
	if err := s.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		_, err := tx.Upkeep.Forget(table.Opener)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for chat, want := range map[string]string{table.Chat: "", "web:other": "a list"} {
		update(t, s, func(tx *store.Tx) error {
			said, err := tx.Rooms.SaidAt(chat, feedAt(t, s, chat).Said[0].ID)
			if said != want {
				t.Errorf("in %s is kept %q", chat, said)
			}
			return err
		})
	}
}
