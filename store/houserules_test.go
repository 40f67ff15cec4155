package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"knobel/store"
)

// keeps keeps house rules of a chat and returns their number.
func keeps(t *testing.T, s *store.Store, chat, name, version string) (id int64) {
	t.Helper()
	update(t, s, func(tx *store.Tx) (err error) {
		id, err = tx.Chats.KeepHouseRules(store.HouseRules{
			Chat: chat, Game: "shutbox", Name: name, Rules: map[string]string{"tiles": version}, Version: version,
		})
		return err
	})
	return id
}

// listed says which house rules a chat has.
func listed(t *testing.T, s *store.Store, chat string) string {
	t.Helper()
	var said []string
	view(t, s, func(tx *store.Tx) error {
		all, err := tx.Chats.AllHouseRules(chat)
		for _, h := range all {
			kept := map[bool]string{true: " kept"}[h.Kept]
			said = append(said, fmt.Sprintf("%d %s %s%s", h.ID, h.Name, h.Rules["tiles"], kept))
		}
		return err
	})
	return strings.Join(said, ", ")
}

func TestHouseRulesHaveVersions(t *testing.T) {
	s := fresh(t)
	one := keeps(t, s, oldChat, "friday", "9")
	table := lobby("test:chat 1")
	table.HouseRules = one
	table.Seats[0].Ends = true
	update(t, s, func(tx *store.Tx) (err error) {
		table.ID, err = tx.Tables.AddTable(table)
		return err
	})
	two := keeps(t, s, oldChat, "friday", "10")
	keeps(t, s, oldChat, "golf-ish", "12")
	if got := listed(t, s, oldChat); got != "2 friday 10 kept, 1 friday 9, 3 golf-ish 12 kept" {
		t.Errorf("there are %s", got)
	}
	if again := keeps(t, s, oldChat, "friday", "9"); again != one {
		t.Errorf("a version that comes back has the number %d", again)
	}
	update(t, s, func(tx *store.Tx) error { return tx.Chats.DropHouseRules(3) })
	if got := listed(t, s, oldChat); got != "2 friday 10, 1 friday 9 kept, 3 golf-ish 12" {
		t.Errorf("there are %s", got)
	}
	view(t, s, func(tx *store.Tx) error {
		if _, err := tx.Chats.HouseRules(99); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("house rules from nowhere: %v", err)
		}
		got, err := tx.Tables.Table(table.ID)
		if err == nil && (got.HouseRules != one || !got.Seats[0].Ends || got.Seats[1].Ends) {
			t.Errorf("the table is %+v", got)
		}
		return err
	})

	// Another chat has some of the same name; where the two become one, its stay kept.
	keeps(t, s, newChat, "friday", "11")
	update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Migrate(oldChat, newChat, supergroup) })
	if got := listed(t, s, newChat); got != "4 friday 11 kept, 2 friday 10, 1 friday 9, 3 golf-ish 12" {
		t.Errorf("after the chat has moved, there are %s", got)
	}
	sound(t, s)
	update(t, s, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(table.ID)
		if err != nil {
			return err
		}
		table.State, table.HouseRules, table.Seats[0].Ends, table.Seats[1].Ends = store.Abandoned, two, false, true
		return tx.Tables.SaveTable(table)
	})
	faults, err := s.Check(t.Context())
	if err != nil || len(faults) != 1 || !strings.Contains(fmt.Sprint(faults), "seat 1 has a vote to end it") {
		t.Errorf("a vote at a table that was ended: %v, %v", faults, err)
	}
}
