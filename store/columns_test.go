package store

import (
	"context"
	_ "embed"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/columns.txt
var listed string

// offBoards, others and nobodys map columns or tables to why they are exceptions. testdata/columns.txt explains them.
var offBoards, others, nobodys = listOf("off boards"), listOf("others"), listOf("nobody")

// listOf returns the list called title in testdata/columns.txt, which maps columns or tables to reasons.
func listOf(title string) map[string]string {
	list := map[string]string{}
	_, rows, _ := strings.Cut(listed, "\n== "+title+"\n")
	rows, _, _ = strings.Cut(rows, "\n\n")
	for row := range strings.Lines(rows) {
		of, why, _ := strings.Cut(strings.TrimSpace(row), ": ")
		list[of] = why
	}
	return list
}

// columnsOfText returns all columns of the schema with texts or without a type, as "table.column".
func columnsOfText(t *testing.T) []string {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	check(t, err)
	defer s.Close()
	var all []string
	err = s.View(context.Background(), func(tx *Tx) error {
		all, err = collect[string](tx, doing("read columns"), `
			SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migrations' AND c.type
				NOT IN ('INTEGER', 'REAL', 'BLOB')
			ORDER BY 1`)
		return err
	})
	check(t, err)
	if len(all) < 40 {
		t.Fatalf("only %d columns of text were found: %v", len(all), all)
	}
	return all
}

func TestEveryColumnOfTextIsSealedOrNot(t *testing.T) {
	known := map[string]bool{}
	for _, column := range columnsOfText(t) {
		known[column] = true
		_, sealed := sealedColumns[column]
		_, open := others[column]
		if sealed == open {
			t.Errorf("%s has to be in columns.go or testdata/columns.txt: does it tell who somebody is, or where?",
				column)
		}
	}
	for column, holds := range sealedColumns {
		if holds == isSeed {
			continue // it holds bytes, not text
		}
		if _, owned := namedBy[column]; owned != (holds == isName) {
			t.Errorf("%s is a name, or is none, and Forget has to know whose: see namedBy", column)
		}
		if !known[column] {
			t.Errorf("a list has %s, which is no column of text", column)
		}
	}
	for column := range others {
		if !known[column] {
			t.Errorf("a list has %s, which is no column of text", column)
		}
	}
}

// TestEveryColumnOfPeopleIsOnBoardsOrNot checks that every column with ids or names of people is listed as shown on
// boards or not: boards that name a forgotten person must be drawn again.
func TestEveryColumnOfPeopleIsOnBoardsOrNot(t *testing.T) {
	places := []string{"chat", "place", "message", "board"}
	for column, holds := range sealedColumns {
		_, name, _ := strings.Cut(column, ".")
		_, off := offBoards[column]
		_, on := onBoards[column]
		if !holds.isPersonal() || slices.Contains(places, name) || column == "chats.id" || column == "updates.id" {
			continue
		}
		if on == off {
			t.Errorf("%s has to be in onBoards, so that boards that name somebody forgotten are drawn anew, or in "+
				"offBoards", column)
		}
	}
}

// TestTablesThatShowSomebody checks that TablesShowing also returns tables whose board names a person without a seat:
// one who asks for a seat, or the opener.
func TestTablesThatShowSomebody(t *testing.T) {
	t.Parallel()
	for column, number := range onBoards {
		file := filepath.Join(t.TempDir(), "knobel.db")
		s, err := Open(t.Context(), file)
		check(t, err)
		err = s.Update(t.Context(), func(tx *Tx) error {
			for _, id := range []string{"test:anna", "test:ben"} {
				if err := tx.Chats.SavePlayer(Player{ID: id, Name: id}); err != nil {
					return err
				}
			}
			shown, err := tx.Tables.AddTable(Table{Chat: "test:chat", Place: "test:place", Game: "coin", Unit: "chips",
				State: Lobby, Origin: Origin{Opener: "test:ben"}, Dice: Dice{Seed: make([]byte, 32)},
				Match: []byte("{}"), Seats: []Seat{{Player: "test:ben", Name: "Ben", Entropy: "b"}}})
			if err != nil {
				return err
			}
			table, name, _ := strings.Cut(column, ".")
			if err := tx.run(`UPDATE `+table+` SET `+name+` = $1 WHERE `+number+` = $2`, sealedID("test:anna"),
				shown); err != nil {
				return err
			}
			if all, err := tx.Upkeep.TablesShowing("test:anna"); err != nil || !slices.Equal(all, []int64{shown}) {
				t.Errorf("by %s the boards %v name her (%v)", column, all, err)
			}
			return nil
		})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Error(err)
		}
	}
}

// TestEveryTableIsToldOf checks that About reads every table of the schema except those listed as without people.
func TestEveryTableIsToldOf(t *testing.T) {
	told := map[string]bool{}
	for _, q := range personQueries {
		told[q.table] = true
	}
	tables := map[string]bool{}
	for _, table := range tablesOf(t) {
		tables[table] = true
		_, none := nobodys[table]
		if told[table] == none {
			t.Errorf("about.go has to say what %s holds of a person, or why it holds nothing", table)
		}
	}
	for table := range nobodys {
		if !tables[table] {
			t.Errorf("about.go speaks of %s, which is no table", table)
		}
	}
}

// tablesOf returns the names of all tables of the schema.
func tablesOf(t *testing.T) (all []string) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	check(t, err)
	defer s.Close()
	err = s.View(t.Context(), func(tx *Tx) error {
		all, err = collect[string](tx, doing("read tables"),
			`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'`)
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	return all
}
