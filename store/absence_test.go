package store_test

import (
	"maps"
	"slices"
	"testing"

	"knobel/store"
)

func TestTurnsThatAreDue(t *testing.T) {
	s := fresh(t)
	var ids []int64
	for place, due := range map[string]int64{"test:a": 5000, "test:b": 0, "test:c": 4000, "test:d": 3000} {
		table := started(t, s, place)
		table.Clock.Due, table.Board.Away = due, place == "test:d" // no press comes from there
		update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
		if due > 0 && !table.Board.Away {
			ids = append(ids, table.ID)
		}
	}
	view(t, s, func(tx *store.Tx) error {
		first, err := tx.Tables.NextDue(0)
		if err != nil || first != 4000 {
			t.Errorf("the next is due at %d, %v", first, err)
		}
		if second, err := tx.Tables.NextDue(4000); err != nil || second != 5000 {
			t.Errorf("the one behind it is due at %d, %v", second, err)
		}
		for _, c := range []struct {
			by    int64
			limit int
			many  int
		}{{3999, 9, 0}, {4000, 9, 1}, {5000, 9, 2}, {5000, 1, 1}} {
			found, err := tx.Tables.Due(c.by, store.Turn{}, c.limit)
			if err != nil || len(found) != c.many {
				t.Errorf("by %d at most %d: %v, %v", c.by, c.limit, found, err)
			}
			for i, turn := range found {
				if !slices.Contains(ids, turn.Table) {
					t.Errorf("by %d: table %d", c.by, turn.Table)
				}
				if rest, err := tx.Tables.Due(c.by, turn, 9); err != nil || len(rest) != c.many-i-1 && c.limit > 1 {
					t.Errorf("by %d behind %v: %v, %v", c.by, turn, rest, err)
				}
			}
		}
		return nil
	})
	sound(t, s)
}

func TestIdleTables(t *testing.T) {
	s := fresh(t)
	old, young := started(t, s, "test:old"), started(t, s, "test:young")
	old.Changed, young.Changed = 1000, 2000
	update(t, s, func(tx *store.Tx) error {
		if err := tx.Tables.SaveTable(old); err != nil {
			return err
		}
		return tx.Tables.SaveTable(young)
	})
	view(t, s, func(tx *store.Tx) error {
		found, err := ids(tx.Tables.Idle(1500, 0, 9))
		if err != nil || !slices.Equal(found, []int64{old.ID}) {
			t.Errorf("idle are %v, %v", found, err)
		}
		if found, err = ids(tx.Tables.Idle(1500, old.ID, 9)); err != nil || len(found) > 0 {
			t.Errorf("beyond that are %v, %v", found, err)
		}
		return nil
	})
}

func TestChatSettings(t *testing.T) {
	s := fresh(t)
	update(t, s, func(tx *store.Tx) error {
		for _, set := range [][2]string{{"zone", "Europe/Berlin"}, {"idle", "3"}, {"zone", "UTC"}, {"idle", ""}} {
			if err := tx.Chats.SaveChatSetting("test:chat", set[0], set[1]); err != nil {
				return err
			}
		}
		return tx.Chats.SaveChatSetting("test:other", "zone", "Asia/Tokyo")
	})
	view(t, s, func(tx *store.Tx) error {
		got, err := tx.Chats.ChatSettings("test:chat")
		if err != nil || !maps.Equal(got, map[string]string{"zone": "UTC"}) {
			t.Errorf("set are %v, %v", got, err)
		}
		return nil
	})
}

// A seat changes hands as often as people like; stakes, payout and refund come
// into the books once.
func TestPostingsOfATable(t *testing.T) {
	s := fresh(t)
	table := started(t, s, "test:place")
	post := func(kind string) error {
		return s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.Books.Post(store.Posting{Chat: table.Chat, Unit: table.Unit, Table: table.ID, Kind: kind,
				Entries: []store.Entry{
					{Account: "player:test:anna", Amount: 10}, {Account: "player:test:clara", Amount: -10},
				}})
		})
	}
	for range 2 {
		if err := post(store.HandedOver); err != nil {
			t.Error(err)
		}
	}
	_ = post(store.Stakes) // it may have its stakes already
	if post(store.Stakes) == nil {
		t.Error("two stakes")
	}
}
