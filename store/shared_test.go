package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestReplicasShareAStore has two stores change one database on a server; a file is nobody's but one's.
func TestReplicasShareAStore(t *testing.T) {
	t.Parallel()
	server := postgrestest.Need(t)
	address := server.Address(server.Database(t, ""))
	key := store.SealedBy(storetest.Key(t))
	var told []string
	one, err := store.Open(t.Context(), address, key, store.Shared(),
		store.Waiting(func(what string) { told = append(told, what) }))
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	if len(told) != 2 || !strings.Contains(told[0], "brought up to date") || told[1] != "" {
		t.Errorf("it has waited for %q", told)
	}
	other, err := store.Open(t.Context(), address, key, store.Shared())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	update(t, one, func(tx *store.Tx) error { return tx.Chats.SaveSetting("a", "1") })
	update(t, other, func(tx *store.Tx) error { return tx.Chats.SaveSetting("b", "1") })
	wantSettings(t, one, map[string]bool{"a": true, "b": true})
	if _, err := store.Open(t.Context(), address, store.Shared()); !errors.Is(err, store.ErrKey) {
		t.Errorf("a replica without the key: %v", err)
	}
	if needs.IsLong() { // it waits until a lease is renewed
		if _, err := store.Open(t.Context(), address, key); err == nil {
			t.Error("somebody has it alone beside them")
		}
	}
	file := filepath.Join(t.TempDir(), "knobel.db")
	alone, err := store.Open(t.Context(), file, store.Shared())
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if _, err := store.Open(t.Context(), file, store.Shared()); err == nil {
		t.Error("two work with one file")
	}
}
