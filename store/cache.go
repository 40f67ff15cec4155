package store

// The writer's cache of tables.

import "maps"

// maxCached is the largest number of tables in the cache.
const maxCached = 4096

// cache holds tables as they are stored, so that a press does not read again what the
// press before it has written. It belongs to the transaction that writes, one after the
// other; where many write at once, each has its own. nil is no cache, as in a view.
type cache struct{ tables map[int64]Table }

func newCache() *cache { return &cache{tables: map[int64]Table{}} }

// before clears the cache before a statement that changes tables, and returns why a statement must not run.
func (tx *Tx) before(query string) error { return tx.beforeAt(0, query) }

// beforeAt is before for a statement that changes nothing but one table, its seats and its board; 0: it may change any.
func (tx *Tx) beforeAt(table int64, query string) error {
	s := statementOf(query)
	switch {
	case tx.cache == nil:
	case table != 0:
		delete(tx.cache.tables, table)
	case s.changesTables:
		clear(tx.cache.tables)
	}
	if tx.store != nil && tx.store.strict && !tx.lock.locks && s.changesChats {
		return errUnlocked
	}
	return nil
}

// put stores a copy of a table, as it is in the database now, in the cache.
func (tx *Tx) put(t Table) {
	if tx.cache == nil {
		return
	}
	if len(tx.cache.tables) >= maxCached {
		clear(tx.cache.tables)
	}
	tx.cache.tables[t.ID] = t.copied()
	tx.cached = append(tx.cached, t.ID)
}

// invalidate drops the transaction's entries from the cache.
func (tx *Tx) invalidate() {
	for _, id := range tx.cached {
		delete(tx.cache.tables, id)
	}
}

// cachedTable returns a table from the cache, and false if it is not there. Its slices must not be changed.
func (tx *Tx) cachedTable(id int64) (Table, bool) {
	if tx.cache == nil {
		return Table{}, false
	}
	t, ok := tx.cache.tables[id]
	return t, ok
}

// execAt is exec for a statement that changes nothing but one table, its seats and its board.
func (tx *Tx) execAt(table int64, query string, args ...any) (int64, error) {
	if err := tx.beforeAt(table, query); err != nil {
		return 0, err
	}
	return tx.db.Exec(query, args...)
}

// mustAt is execAt for a statement that has to change a row: otherwise the transaction fails with none.
func (tx *Tx) mustAt(table int64, none error, query string, args ...any) error {
	if err := tx.beforeAt(table, query); err != nil {
		return err
	}
	return tx.db.Must(none, query, args...)
}

// runAt is execAt where the number of rows does not matter.
func (tx *Tx) runAt(table int64, query string, args ...any) error {
	if err := tx.beforeAt(table, query); err != nil {
		return err
	}
	return tx.db.Run(query, args...)
}

// copied returns a deep copy of a table.
func (t Table) copied() Table {
	t.Rules, t.Seats = maps.Clone(t.Rules), append([]Seat(nil), t.Seats...)
	t.Dice.Seed, t.Match = append([]byte(nil), t.Dice.Seed...), append([]byte(nil), t.Match...)
	return t
}
