package main

import (
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"knobel/bot"
	"knobel/games/record"
	"knobel/store"
)

// TestADatabaseOfTheSchemaBefore takes in an evening that was played under the
// third script, and plays on.
func TestADatabaseOfTheSchemaBefore(t *testing.T) {
	ctx := t.Context()
	file := filepath.Join(t.TempDir(), "knobel.db")
	filled(t, file, "testdata/schema3.sql")
	if _, err := store.OpenReadOnly(ctx, file); err == nil || !strings.Contains(err.Error(), "older version") {
		t.Fatalf("read as it is: %v", err)
	}
	st, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	b, err := newBot(st, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	well := func(when string, finished int) {
		t.Helper()
		books, err1 := st.Check(ctx)
		tables, err2 := b.Check(ctx)
		if err := errors.Join(err1, err2); err != nil || len(books) > 0 || len(tables) > 0 {
			t.Fatalf("%s: %v, %v, %v", when, books, tables, err)
		}
		exported := 0
		err = b.Export(ctx, bot.Wanted{}, func(r record.Record) error {
			exported++
			if faults := record.Verify(r, played()); len(faults) > 0 {
				t.Errorf("%s: table %s: %v", when, r.Table, faults)
			}
			return nil
		})
		if err != nil || exported != finished {
			t.Errorf("%s: %d records, want %d (%v)", when, exported, finished, err)
		}
	}
	well("as it was", 2)
	group := &gathering{bot: b, chat: "telegram:-1001", place: "telegram:-1001", table: 4}
	group.play(ctx, 1000)
	if group.err != nil {
		t.Fatal(group.err)
	}
	well("played on", 3)
}

// filled makes a database of the statements in a file.
func filled(t *testing.T, file, statements string) {
	t.Helper()
	text, err := os.ReadFile(statements)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
}
