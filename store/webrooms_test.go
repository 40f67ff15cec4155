package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/store"
	"knobel/store/storetest"
)

func chatOf(id int64) string { return fmt.Sprint("web:r-", id) }

// dropped drops the rooms idle since before, and wants that many.
func dropped(t *testing.T, tx *store.Tx, before, wanted int64) error {
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
	update(t, s, func(tx *store.Tx) (err error) {
		r.ID, err = tx.Rooms.MakeWebRoom(r, chatOf)
		return err
	})
	found := func(read func(*store.Tx) (store.WebRoom, error)) (got store.WebRoom, err error) {
		err = s.View(t.Context(), func(tx *store.Tx) (err error) {
			got, err = read(tx)
			return err
		})
		return got, err
	}
	byPrint := func(print string) func(*store.Tx) (store.WebRoom, error) {
		return func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoomByPrint(print) }
	}
	if got, err := found(byPrint("p1")); err != nil || got != r {
		t.Errorf("by its print: %+v, %v", got, err)
	}
	if _, err := found(byPrint("p2")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("by another: %v", err)
	}
	r.Print, r.Host, r.Used, r.Seen = "p2", "", 5, 4
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Rooms.MoveWebRoom(r.ID, "p1", r.Print, "sealed", 1),
			tx.Rooms.HandWebRoom(r.ID, "web:ab:0", r.Host, r.Seen), tx.Rooms.SeenInWebRoom(r.ID, r.Host, r.Seen,
				r.Used))
	})
	byNumber := func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(r.ID) }
	if got, err := found(byNumber); err != nil || got != r {
		t.Errorf("changed: %+v, %v", got, err)
	}
	if _, err := found(byPrint("p1")); !errors.Is(err, store.ErrNotFound) {
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
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 5, 0) })
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 6, 1) })
	var next int64
	update(t, s, func(tx *store.Tx) (err error) {
		next, err = tx.Rooms.MakeWebRoom(store.WebRoom{Print: "p3"}, chatOf)
		return err
	})
	if next <= r.ID {
		t.Errorf("the number %d was used before", next)
	}
	update(t, s, func(tx *store.Tx) error {
		if out, err := tx.Rooms.ShownOut(r.ID); err != nil || len(out) > 0 {
			t.Errorf("of a room that was dropped is kept: %v, %v", out, err)
		}
		return nil
	})
}

// A room in which a game goes on, or has come to its end, is kept however long nobody comes; one in which
// none has begun is not.
func TestRoomsWithGamesAreKept(t *testing.T) {
	s := fresh(t)
	of := func(int64) string { return newChat }
	keeps := func(print string, chat func(int64) string) {
		update(t, s, func(tx *store.Tx) error {
			_, err := tx.Rooms.MakeWebRoom(store.WebRoom{Print: print, Used: 1}, chat)
			return err
		})
	}
	keeps("empty", chatOf)
	keeps("kept", of)
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 1, 0) })
	newTable(t, s, "test:a", store.Lobby)
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 2, 2) })
	keeps("playing", of)
	table := newTable(t, s, "test:b", store.Playing)
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 2, 0) })
	update(t, s, func(tx *store.Tx) error {
		_, err := finish(tx, table)
		return errors.Join(err, dropped(t, tx, 2, 0))
	})
}

// As many of the last addresses of a room lead on as are kept; those before them and those of a room that was dropped
// do not.
func TestRoomsThatMoveAreFoundByTheirLastPrints(t *testing.T) {
	s := storetest.Open(t)
	var room int64
	update(t, s, func(tx *store.Tx) (err error) {
		room, err = tx.Rooms.MakeWebRoom(store.WebRoom{Print: "p0"}, chatOf)
		return err
	})
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
	update(t, s, func(tx *store.Tx) error { return dropped(t, tx, 6, 1) })
	finds("p4", "")
}
