package store_test

import (
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// A link is renewed only as long as its owner has it: one that was revoked, or has
// made room for another, does not come back.
func TestALinkOfBeforeIsNotRenewed(t *testing.T) {
	s := reopen(t, storetest.New(t))
	leads := func(code, want string) {
		t.Helper()
		view(t, s, func(tx *store.Tx) error {
			sealed, err := tx.Chats.Way(code)
			if sealed != want {
				t.Errorf("%s leads to %q, want %q", code, sealed, want)
			}
			return err
		})
	}
	renew := func(code, sealed string) {
		t.Helper()
		update(t, s, func(tx *store.Tx) error { return tx.Chats.RenewWay("anna", code, sealed) })
	}
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveWay("anna", "first", "Anna") })
	renew("first", "Anna B.")
	leads("first", "Anna B.")
	update(t, s, func(tx *store.Tx) error { return tx.Chats.SaveWay("anna", "second", "Anna") })
	renew("first", "Anna C.")
	leads("first", "")
	leads("second", "Anna")
	update(t, s, func(tx *store.Tx) error { return tx.Chats.DropWay("anna") })
	renew("second", "Anna C.")
	leads("second", "")
}
