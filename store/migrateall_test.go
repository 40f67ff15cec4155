package store_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// oneRowEach puts a row of the old chat into every table that names a chat or a
// place, and one of what such rows refer to into all others.
func oneRowEach(t *testing.T, db *sql.DB, schema map[string][]column) {
	t.Helper()
	delete(schema, "seals") // of the installation; a row of it would mean a key
	for table, all := range schema {
		var names, marks []string
		var values []any
		for i, c := range all {
			names, marks = append(names, `"`+c.name+`"`), append(marks, fmt.Sprintf("$%d", i+1))
			switch {
			case c.names && strings.Contains(c.name, "place"):
				values = append(values, "test:old 1")
			case c.names:
				values = append(values, oldChat)
			case c.name == "rules":
				values = append(values, "{}")
			case c.may != "":
				values = append(values, c.may)
			default:
				values = append(values, one(c.kind))
			}
		}
		_, err := db.Exec(`INSERT INTO "`+table+`" (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+
			`)`, values...)
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
}

// Whatever names a chat or a place moves with the chat, in every table that the
// schema has, and will have.
func TestEveryTableMovesWithItsChat(t *testing.T) {
	file := storetest.New(t)
	if err := reopen(t, file).Close(); err != nil {
		t.Fatal(err)
	}
	db := rawly(t, file)
	schema := columns(t, db)
	oneRowEach(t, db, schema)
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
