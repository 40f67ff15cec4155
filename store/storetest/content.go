package storetest

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // PostgreSQL for database/sql

	"knobel/store"
)

// Content returns all bytes of a database file and its write-ahead log, or the text of all rows on PostgreSQL.
func Content(tb testing.TB, name string) []byte {
	tb.Helper()
	if !store.IsFile(name) {
		return []byte(rows(tb, name))
	}
	var all []byte
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(name + end)
		if err != nil && !(end != "" && errors.Is(err, os.ErrNotExist)) {
			tb.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

// Copies returns the name of a database and, if it is a file, that of a backup made now.
func Copies(tb testing.TB, s *store.Store) []string {
	tb.Helper()
	if !store.IsFile(s.File()) {
		return []string{s.File()}
	}
	copied := filepath.Join(tb.TempDir(), "copy.db")
	if err := s.Backup(tb.Context(), copied, nil); err != nil {
		tb.Fatal(err)
	}
	return []string{s.File(), copied}
}

// rows returns the text of all rows of a database on PostgreSQL, except those of leases and migrations.
func rows(tb testing.TB, address string) string {
	tb.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	var tables string
	err = db.QueryRow(`SELECT string_agg(table_name, ' ' ORDER BY table_name) FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
			AND table_name NOT IN ('leases', 'migrations', 'migrations_lock')`).Scan(&tables)
	if err != nil {
		tb.Fatal(err)
	}
	var all strings.Builder
	for _, table := range slices.Sorted(strings.FieldsSeq(tables)) {
		var text string
		err := db.QueryRow(`SELECT COALESCE(string_agg(r::text, chr(10)), '') FROM ` + table + ` r`).Scan(&text)
		if err != nil {
			tb.Fatal(err)
		}
		all.WriteString(text + "\n")
	}
	return all.String()
}
