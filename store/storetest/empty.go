package storetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"knobel/store"
)

// Empty returns the name of an empty database of the newest schema, to be opened with or without a key: a file in the
// folder of tb or, see OnPostgres, the address of a database on PostgreSQL. It is faster than store.Open.
func Empty(tb testing.TB) string {
	tb.Helper()
	return copyOf(tb, empty)
}

// Sealed is like Empty, but the database is encrypted with Key already, so that opening it with Key changes nothing.
func Sealed(tb testing.TB) string {
	tb.Helper()
	return copyOf(tb, sealed)
}

// copyOf returns the name of a new file with the bytes of content or, see OnPostgres, the address of an empty database.
func copyOf(tb testing.TB, content func() ([]byte, error)) string {
	tb.Helper()
	if onPostgres {
		return address(tb)
	}
	whole, err := content()
	return written(tb, whole, err)
}

// written writes whole to a database file in the folder of tb and returns its name. An err ends the test.
func written(tb testing.TB, whole []byte, err error) string {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	file := filepath.Join(tb.TempDir(), "knobel.db")
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		tb.Fatal(err)
	}
	return file
}

// Open returns the store of a database as made by Empty, in strict mode. It is closed when the test ends.
func Open(tb testing.TB) *store.Store {
	tb.Helper()
	st, err := store.Open(tb.Context(), Empty(tb), store.Strict())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := st.Close(); err != nil {
			tb.Error(err)
		}
	})
	return st
}

// Contents of empty databases, made once in each process: every test gets a copy.
var (
	empty  = sync.OnceValues(func() ([]byte, error) { return closed() })
	sealed = sync.OnceValues(func() ([]byte, error) { return closed(store.SealedBy(key())) })
)

// closed creates a database, closes it, which writes its log into its file, and returns the content of the file.
func closed(options ...store.Option) (content []byte, err error) {
	folder, err := os.MkdirTemp("", "storetest-*")
	if err != nil {
		return nil, fmt.Errorf("an empty database: %w", err)
	}
	file := filepath.Join(folder, "knobel.db")
	s, err := store.Open(context.Background(), file, options...)
	if err == nil {
		err = s.Close()
	}
	if err == nil {
		content, err = os.ReadFile(file)
	}
	if err := errors.Join(err, os.RemoveAll(folder)); err != nil {
		return nil, fmt.Errorf("an empty database: %w", err)
	}
	return content, nil
}
