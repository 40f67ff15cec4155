package store_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/store"
	"knobel/store/storetest"
)

// TestPlayersOfOnePerson checks that a new player is a person of their own, even one that the version before stores,
// and that all is told and forgotten of a person with two players.
func TestPlayersOfOnePerson(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:place")
	store.Behind(t, s, `INSERT INTO players (id, name) VALUES ('web:4711:0', 'Anna B.'), ('test:dora', 'Dora')`,
		`DELETE FROM players WHERE id = 'test:dora'`)
	persons := func(want ...string) {
		t.Helper()
		var all []string
		view(t, s, func(tx *store.Tx) error {
			for _, id := range []string{"test:anna", "test:ben", "test:dora", "web:4711:0"} {
				p, err := tx.Chats.Player(id)
				if err != nil {
					return err
				}
				all = append(all, p.Name+" of "+p.Person)
			}
			return nil
		})
		if diff := cmp.Diff(want, all); diff != "" {
			t.Error(diff)
		}
		wantNoFaults(t, s)
	}
	ben := "Ben <b>*_[x](y)@everyone \u202e of test:ben"
	persons(" of test:anna", ben, " of test:dora", "Anna B. of web:4711:0")
	store.Behind(t, s, `UPDATE players SET person = 'test:anna' WHERE id = 'web:4711:0'`,
		`DELETE FROM persons WHERE id = 'web:4711:0'`)
	persons(" of test:anna", ben, " of test:dora", "Anna B. of test:anna")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Rooms.AddLine("web:r-1", store.WebLine{Player: "web:4711:0", Name: "Anna B.", Text: "hello"})
		return errors.Join(err, tx.Chats.Hide("test:chat", "test:anna", true), // both have such a row
			tx.Chats.Hide("test:chat", "web:4711:0", true),
			tx.Chats.SavePlayer(store.Player{ID: "web:4711:0", Name: "Anna B."}),
			tx.Chats.SaveChat(store.Chat{ID: "web:4711:0", Unit: "coffees"}))
	})
	told := map[string]int{}
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Upkeep.About("test:anna")
		for _, k := range all {
			told[k.What] = len(k.Rows)
		}
		return err
	})
	for table, rows := range map[string]int{"players": 2, "persons": 1, "seats": 1, "chats": 1, "web_lines": 1,
		"unlisted": 2, "accounts": 1} {
		if told[table] != rows {
			t.Errorf("%d rows of %s are told, want %d", told[table], table, rows)
		}
	}
	before := partiesOf(t, s)
	left := updateResult(t, s, func(tx *store.Tx) ([]string, error) { return tx.Upkeep.Forget("test:anna") })
	if diff := cmp.Diff([]string{"gone:1", "gone:2"}, left); diff != "" {
		t.Error(diff)
	}
	persons(" of test:anna", ben, " of test:dora", " of web:4711:0")
	for i, p := range partiesOf(t, s) {
		if p.Balance != before[i].Balance || p.Account == "player:test:anna" {
			t.Errorf("%+v, before %+v", p, before[i])
		}
	}
	if storetest.OnPostgres() {
		return
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"4711", "test:anna", "Anna B."} {
		if bytes.Contains(storetest.Content(t, s.File()), []byte(text)) {
			t.Errorf("%q is left", text)
		}
	}
}
