package store

import (
	"context"
	"path/filepath"
	"testing"
)

// columnsOfText are all columns of the schema that hold text, and those of no
// type, as "table.column".
func columnsOfText(t *testing.T) []string {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var all []string
	err = s.View(context.Background(), func(tx *Tx) error {
		all, err = collect[string](tx, `
			SELECT t.name || '.' || c.name FROM sqlite_master t, pragma_table_info(t.name) c
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name <> 'migrations' AND c.type NOT IN ('INTEGER', 'REAL', 'BLOB')
			ORDER BY 1`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
			t.Errorf("%s has to be in one of the lists of columns.go: does it tell who somebody is, or where?", column)
		}
	}
	for column, holds := range sealedColumns {
		if holds == isSeed {
			continue // bytes
		}
		if _, owned := namedBy[column]; owned != (holds == isName) {
			t.Errorf("%s is a name, or is none, and Forget has to know whose: see namedBy", column)
		}
		if !known[column] {
			t.Errorf("columns.go lists %s, which is no column of text", column)
		}
	}
	for column := range others {
		if !known[column] {
			t.Errorf("columns.go lists %s, which is no column of text", column)
		}
	}
}

// What a person asks for is all there is: every table is told of, or holds
// nothing of anybody.
func TestEveryTableIsToldOf(t *testing.T) {
	told := map[string]bool{}
	for _, a := range abouts {
		told[a.what] = true
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

func tablesOf(t *testing.T) (all []string) {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "knobel.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(t.Context(), func(tx *Tx) error {
		all, err = collect[string](tx, `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'`)
		return err
	})
	if err != nil || len(all) < 20 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	return all
}
