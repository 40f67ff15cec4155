package storetest

import (
	"os"
	"path/filepath"
	"testing"

	"knobel/store"
	"knobel/store/engine/postgrestest"
)

// New returns the name of a missing or empty database, to be opened by store.Open for the first time.
func New(tb testing.TB) string {
	tb.Helper()
	if !onPostgres {
		return filepath.Join(tb.TempDir(), "knobel.db")
	}
	server := postgrestest.Need(tb)
	return server.Address(server.Database(tb, ""))
}

// OnServer returns the address of an empty database of the newest schema on PostgreSQL.
func OnServer(tb testing.TB) string {
	tb.Helper()
	return address(tb)
}

// Copy returns the name of a copy of a database that is not open.
func Copy(tb testing.TB, name string) string {
	tb.Helper()
	if !store.IsFile(name) {
		server := postgrestest.Need(tb)
		return server.Address(server.Database(tb, filepath.Base(name)))
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "knobel.db")
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}
