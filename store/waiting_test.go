package store_test

import (
	"slices"
	"testing"

	"knobel/store"
)

func TestTablesThatWaitForTheHouse(t *testing.T) {
	s := fresh(t)
	var tables []store.Table
	for _, place := range []string{"test:one", "test:two", "test:three", "test:four"} {
		table := started(t, s, place)
		table.Waits = place != "test:two"
		update(t, s, func(tx *store.Tx) error { return tx.Tables.SaveTable(table) })
		tables = append(tables, table)
	}
	waiting := func(beyond int64, limit int) (found []int64) {
		view(t, s, func(tx *store.Tx) (err error) {
			found, err = ids(tx.Tables.Waiting(beyond, limit))
			return err
		})
		return found
	}
	one, three, four := tables[0].ID, tables[2].ID, tables[3].ID
	if found := waiting(0, 10); !slices.Equal(found, []int64{one, three, four}) {
		t.Errorf("waiting are %v", found)
	}
	if found := waiting(one, 1); !slices.Equal(found, []int64{three}) {
		t.Errorf("the next is %v", found)
	}
	view(t, s, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(three)
		if !table.Waits {
			t.Error("a table has forgotten that it waits")
		}
		return err
	})
	sound(t, s)
}
