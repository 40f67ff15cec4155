package store_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"knobel/store"
)

// column is a column of the schema, as the database tells of it.
type column struct {
	name, kind string
	names      bool   // a chat or a place: its own name says so, or what it refers to
	may        string // the first value that it may have, where it may have few
}

// ofChats are the names of columns that hold a chat or a place.
var ofChats = regexp.MustCompile(`(^|_)(chat|place)(_id)?$`)

// rawly opens a database without the store, and without what the store minds.
func rawly(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file+"?_pragma=ignore_check_constraints(1)&_pragma=foreign_keys(0)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// columns are those of every table of the schema.
func columns(t *testing.T, db *sql.DB) map[string][]column {
	t.Helper()
	rows, err := db.Query(`
		SELECT m.name, c.name, c.type, m.name = 'chats' AND c.name = 'id'
			OR EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."from" = c.name
				AND f."table" = 'chats'), m.sql
		FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name <> 'migrations' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string][]column{}
	for rows.Next() {
		var table, made string
		var c column
		if err := rows.Scan(&table, &c.name, &c.kind, &c.names, &made); err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`\b` + c.name + ` IN \('(\w+)'`).FindStringSubmatch(made); m != nil {
			c.may = m[1]
		}
		c.names = c.names || c.kind == "TEXT" && ofChats.MatchString(c.name)
		all[table] = append(all[table], c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

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
			case c.kind == "TEXT":
				values = append(values, cmp.Or(c.may, "a"))
			case c.kind == "BLOB":
				values = append(values, []byte{1})
			default:
				values = append(values, 1)
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
	file := filepath.Join(t.TempDir(), "knobel.db")
	if err := reopen(t, file).Close(); err != nil {
		t.Fatal(err)
	}
	db := rawly(t, file)
	schema := columns(t, db)
	oneRowEach(t, db, schema)
	s := reopen(t, file)
	update(t, s, func(tx *store.Tx) error { return tx.Migrate(oldChat, newChat, supergroup) })

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
			if !c.names {
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
