package store_test

import (
	"errors"
	"slices"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// A menu comes back as it was stored, is due by its time or by another edition, and can be forgotten.
func TestMenusComeBack(t *testing.T) {
	s := sealed(t, storetest.Empty(t), aKey(t))
	first := store.Menu{Chat: "test:chat", Edition: "one", Games: "lids,loser", Due: 60, Tries: 3, Fault: "later",
		Told: true, Made: 2, Since: 50}
	idle := store.Menu{Chat: "test:idle", Edition: "one", Games: store.MenuUnsure}
	other := store.Menu{Chat: "other:chat", Edition: "one", Due: 70}
	view(t, s, func(tx *store.Tx) error {
		m, err := tx.Menu("test:chat")
		if m != (store.Menu{Chat: "test:chat"}) {
			t.Errorf("a chat without a menu has %+v", m)
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SaveMenu(store.Menu{Chat: "test:chat", Games: "coin", Due: 1}), tx.SaveMenu(first),
			tx.SaveMenu(idle), tx.SaveMenu(other))
	})
	due := func(prefix, edition string, by int64, most int, want ...store.Menu) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			all, err := tx.DueMenus(prefix, edition, by, most)
			if !slices.Equal(all, want) {
				t.Errorf("due by %d on %q in %q: %+v, want %+v", by, prefix, edition, all, want)
			}
			return err
		})
	}
	due("test:", "one", 59, 9)
	due("test:", "one", 60, 9, first)
	due("", "one", 70, 9, first, other)
	due("", "one", 70, 1, first)
	due("test:", "two", 59, 9, idle) // the other waits until it is due
	due("test:", "two", 60, 9, idle, first)
	for after, want := range map[int64]int64{0: 60, 60: 70, 70: 0} {
		view(t, s, func(tx *store.Tx) error {
			next, err := tx.NextMenu(after)
			if next != want {
				t.Errorf("the next after %d is due at %d, want %d", after, next, want)
			}
			return err
		})
	}
	update(t, s, func(tx *store.Tx) error { return tx.DropMenu("test:chat") })
	due("", "one", 70, 9, other)
	sound(t, s)
}

// The menu of a chat that has another id by now is unknown there, and looked at soon, whatever it was before.
func TestAMenuMovesWithItsChat(t *testing.T) {
	s := reopen(t, storetest.Empty(t))
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.SaveChat(store.Chat{ID: oldChat}),
			tx.SaveMenu(store.Menu{Chat: oldChat, Edition: "one", Games: "lids", Made: 2, Since: 50}),
			tx.Migrate(oldChat, newChat, supergroup))
	})
	view(t, s, func(tx *store.Tx) error {
		was, err := tx.Menu(oldChat)
		is, fault := tx.Menu(newChat)
		if was != (store.Menu{Chat: oldChat}) || is != (store.Menu{Chat: newChat, Games: store.MenuUnsure, Due: 1}) {
			t.Errorf("stored are %+v and %+v", was, is)
		}
		return errors.Join(err, fault)
	})
}
