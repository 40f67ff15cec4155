package store_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// feedAt is what stands in a room.
func feedAt(t *testing.T, s *store.Store, place string) (feed store.WebFeed) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) (err error) {
		feed, err = tx.Rooms.WebFeed(place)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return feed
}

// What all are told stands in its room alone, the newest first, and counts its changes; what is old is dropped.
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
		said, at, version, err := tx.Rooms.SaidAt("web:r-1", first)
		if said != "one more" || at != 5 || version != 2 {
			t.Errorf("said was %q at %d, version %d", said, at, version)
		}
		return errors.Join(err, tx.Rooms.DropSaid(6, 10))
	})
	if left := feedAt(t, s, "web:r-1").Said; len(left) != 1 || left[0].ID != second {
		t.Errorf("left is %v", left)
	}
}

func discard(_ int64, err error) error { return err }

// Two replicas keep what they know of a room without undoing each other's: the later moment stays, and of two who hand
// it on one does.
func TestReplicasKeepOneRoom(t *testing.T) {
	needs.Long(t)
	s := storetest.Open(t)
	var id int64
	update(t, s, func(tx *store.Tx) (err error) {
		id, err = tx.Rooms.MakeWebRoom(store.WebRoom{Print: "p", Host: "web:a:0", Used: 5, Seen: 5}, chatOf)
		return err
	})
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

// Forgetting somebody forgets what was said where they have played: it may name them.
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
			said, _, _, err := tx.Rooms.SaidAt(chat, feedAt(t, s, chat).Said[0].ID)
			if said != want {
				t.Errorf("in %s is kept %q", chat, said)
			}
			return err
		})
	}
}
