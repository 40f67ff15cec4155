package store

import "testing"

// check ends the test on an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Cached is how many tables the cache holds.
func (s *Store) Cached() int { return len(s.cache) }

// Behind runs statements behind the store's back.
var Behind = behind

// Counted begins a statement with the numbers from 1.
var Counted = counted

// Tells is what a column tells of somebody, "id", "account" or "name", or "".
func Tells(column string) string {
	return map[content]string{isID: "id", isAccount: "account", isName: "name"}[sealedColumns[column]]
}
