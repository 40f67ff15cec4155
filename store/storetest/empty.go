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

// Empty returns the name of an empty database of the newest schema, as store.Open makes one, but faster: to be opened
// with or without a key. It is a file in the test's own folder, or the address of a database on PostgreSQL, see
// OnPostgres.
func Empty(tb testing.TB) string {
	tb.Helper()
	return given(tb, empty)
}

// Sealed is Empty for a database that was opened with Key before, so that opening it changes nothing.
func Sealed(tb testing.TB) string {
	tb.Helper()
	return given(tb, sealed)
}

func given(tb testing.TB, content func() ([]byte, error)) string {
	tb.Helper()
	if onPostgres {
		return address(tb)
	}
	whole, err := content()
	return written(tb, whole, err)
}

// written writes a database into a file in the test's own folder, unless reading it has failed.
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

// Open returns the store of such a database, open until the test ends.
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

// empty and sealed are made once each: every test of a process gets a copy.
var (
	empty  = sync.OnceValues(func() ([]byte, error) { return closed() })
	sealed = sync.OnceValues(func() ([]byte, error) { return closed(store.SealedBy(key())) })
)

// closed returns the content of a new database's file after it was closed, which writes its log into it.
func closed(with ...store.Option) (content []byte, err error) {
	folder, err := os.MkdirTemp("", "storetest-*")
	if err != nil {
		return nil, fmt.Errorf("an empty database: %w", err)
	}
	file := filepath.Join(folder, "knobel.db")
	s, err := store.Open(context.Background(), file, with...)
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
