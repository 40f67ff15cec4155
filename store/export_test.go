package store

import "knobel/bot/fakes"

// check ends the test on an error.
var check = fakes.Check

// Cached returns the number of tables in the cache.
func (s *Store) Cached() int { return len(s.cache) }

// Behind exports behind, which runs SQL statements without the store's methods.
var Behind = behind

// Counted exports counted, which returns the beginning of an SQL statement with the numbers from 1 as a table.
var Counted = counted

// Tells returns the kind of a column that identifies people, "id", "account" or "name", or "".
func Tells(column string) string {
	return map[content]string{isID: "id", isAccount: "account", isName: "name"}[sealedColumns[column]]
}
