package store_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"knobel/store"
	"knobel/store/storetest"
)

// A room keeps its newest lines. A removed line stays as a row without a text, and forgotten people take their lines
// with them.
func TestLines(t *testing.T) {
	s := storetest.Open(t)
	const room = "web:r-1"
	update(t, s, func(tx *store.Tx) (err error) {
		err = tx.Chats.SavePlayer(store.Player{ID: "web:ab:0", Name: "Anna"})
		for i := range store.MaxLines + 2 {
			by := store.WebLine{Player: "web:ab:0", Name: "Anna", Text: fmt.Sprint("line ", i), At: int64(i)}
			if i%2 == 1 {
				by.Player, by.Name = "web:cd:0", "Ben"
			}
			_, err1 := tx.Rooms.AddLine(room, by)
			err = errors.Join(err, err1)
		}
		_, err1 := tx.Rooms.AddLine("web:r-2", store.WebLine{Player: "web:cd:0", Name: "Ben", Text: "elsewhere"})
		return errors.Join(err, err1, tx.Rooms.RemoveLine(room, 4))
	})
	texts := func(after int64) (all []string) {
		update(t, s, func(tx *store.Tx) error {
			lines, err := tx.Rooms.Lines(room, after)
			for _, l := range lines {
				all = append(all, fmt.Sprintf("%d %s: %s", l.ID, l.Name, l.Text))
			}
			return err
		})
		return all
	}
	if all := texts(0); len(all) != store.MaxLines || all[0] != "3 Anna: line 2" || all[1] != "4 Ben: " {
		t.Errorf("%d lines, which begin with %q", len(all), all[:2])
	}
	if diff := cmp.Diff([]string{"201 Anna: line 200", "202 Ben: line 201"}, texts(200)); diff != "" {
		t.Error("the lines after one:", diff)
	}
	update(t, s, func(tx *store.Tx) error {
		for _, id := range []int64{4, 203, 999} {
			if err := tx.Rooms.RemoveLine(room, id); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("line %d, which is removed or of another room: %v", id, err)
			}
		}
		kept, err := tx.Upkeep.About("web:ab:0")
		for _, k := range kept {
			if k.What == "web_lines" && len(k.Rows) != store.MaxLines/2 {
				t.Errorf("Anna's data has %d lines", len(k.Rows))
			}
		}
		return err
	})
	update(t, s, func(tx *store.Tx) error { _, err := tx.Upkeep.Forget("web:ab:0"); return err })
	if diff := cmp.Diff([]string{"201 gone 1: ", "202 Ben: line 201"}, texts(200)); diff != "" {
		t.Error("after Anna was forgotten:", diff)
	}
}
