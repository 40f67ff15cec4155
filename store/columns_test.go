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
		_, sealed := who[column]
		_, open := others[column]
		if sealed == open {
			t.Errorf("%s has to be in one of the lists of columns.go: does it tell who somebody is, or where?", column)
		}
	}
	for column, holds := range who {
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
