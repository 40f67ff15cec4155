package store_test

import (
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
