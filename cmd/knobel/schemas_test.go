package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/pressly/goose/v3"

	"knobel/bot/fakes/needs"
	"knobel/migrations"
	"knobel/store"
)

// Databases of all schemas since the first released one are taken in, whichever
// they stopped at, and what each was is kept: the version that made it could have
// it back.
func TestDatabasesOfEverySchema(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	newest, err := migrations.Newest()
	if err != nil {
		t.Fatal(err)
	}
	taken := map[int64]bool{}
	for to := int64(3); to < newest; to++ {
		t.Run(strconv.FormatInt(to, 10), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "knobel.db")
			altered(t, file, document(t, "testdata/schema3.sql"))
			version := broughtTo(t, file, to)
			if taken[version] {
				return // no script has this number
			}
			taken[version] = true
			st, err := store.Open(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			kept := st.Upgraded()
			if kept.From != version || kept.To != newest || broughtTo(t, kept.Backup, version) != version {
				t.Errorf("what was before is kept as %+v", kept)
			}
			b := quietBot(t, st)
			if err := b.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			well(t, st, b, 2)
		})
	}
}

// broughtTo applies the scripts up to a number to a database, and returns the
// schema that it has then.
func broughtTo(t *testing.T, file string, to int64) int64 {
	t.Helper()
	db := opened(t, file)
	defer db.Close()
	scripts, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("../../migrations"),
		goose.WithTableName(migrations.Table), goose.WithLogger(goose.NopLogger()),
		goose.WithDisableGlobalRegistry(true))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := scripts.UpTo(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	version, err := scripts.GetDBVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return version
}
