package store_test

import (
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// Whatever names a chat or a place moves with the chat, in every table that the
// schema has, and will have.
func TestEveryTableMovesWithItsChat(t *testing.T) {
	file := storetest.New(t)
	if err := reopen(t, file).Close(); err != nil {
		t.Fatal(err)
	}
	db := rawly(t, file)
	schema := columns(t, db)
	delete(schema, "seals") // of the installation; a row of it would mean a key
	oneRowEach(t, db, schema, func(_ string, c column) any {
		switch {
		case c.names && strings.Contains(c.name, "place"):
			return "test:old 1"
		case c.names:
			return oldChat
		}
		return nil
	})
	s := reopen(t, file)
	update(t, s, func(tx *store.Tx) error { return tx.Upkeep.Migrate(oldChat, newChat, supergroup) })

	moved := 0
	for table, all := range schema {
		var rows int
		if err := db.QueryRow(`SELECT COUNT(*) FROM "` + table + `"`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		if rows != 1 {
			t.Errorf("%s has %d rows after the chat has moved", table, rows)
			continue
		}
		for _, c := range all {
			if !c.names || table == "fading" || table == "menus" { // which nothing reads any more
				continue
			}
			var value string
			if err := db.QueryRow(`SELECT "` + c.name + `" FROM "` + table + `"`).Scan(&value); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains([]string{newChat, "test:new 1"}, value) {
				t.Errorf("%s.%s is still %q: Migrate has to move it", table, c.name, value)
			}
			moved++
		}
	}
	if moved < 12 {
		t.Errorf("only %d columns name a chat or a place", moved)
	}
}
