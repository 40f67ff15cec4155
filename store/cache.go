package store

// What a transaction has read before: the writer's cache of tables, and rows that a distant database sends ahead.

import (
	"maps"

	"knobel/store/engine"
)

// maxCached is the largest number of tables in the cache.
const maxCached = 4096

// cache holds stored tables, so that a press need not read what the press before it has written. Changes of a file
// share it; concurrent changes have their own. nil is no cache, as in a view. The tables must not be changed.
type cache map[int64]*Table

// on returns the database for a statement, and drops from the cache what it changes: one table with its seats and
// board; 0: maybe any. The statement fails if it needs the lock of a chat and there is none.
func (tx *Tx) on(table int64, query string) *engine.Tx {
	known, ok := byText.Load(query)
	if !ok {
		known = statement{changesTables.MatchString(query), changesChats.MatchString(query)}
		byText.Store(query, known)
	}
	s := known.(statement)
	switch {
	case tx.cache == nil:
	case table != 0:
		delete(tx.cache, table)
	case s.changesTables:
		clear(tx.cache)
	}
	if tx.store != nil && tx.store.strict && !tx.lock.locks && s.changesChats {
		_ = tx.db.Never(errUnlocked, `SELECT 1`) // so does every later statement
	}
	return tx.db
}

// put stores a copy of a table, as it is in the database now, in the cache.
func (tx *Tx) put(t Table) {
	if tx.cache == nil {
		return
	}
	if len(tx.cache) >= maxCached {
		clear(tx.cache)
	}
	stored := t.copied()
	tx.cache[t.ID] = &stored
	tx.cached = append(tx.cached, t.ID)
}

// copied returns a deep copy of a table.
func (t Table) copied() Table {
	t.Rules, t.Seats = maps.Clone(t.Rules), append([]Seat(nil), t.Seats...)
	t.Dice.Seed, t.Match = append([]byte(nil), t.Dice.Seed...), append([]byte(nil), t.Match...)
	return t
}

// Known is what a transaction knows in advance; "" and 0 are unknown.
type Known struct {
	Chat, User string
	Table      int64
	Board      bool // it draws the table's board
}

// Expect prefetches all rows that such a transaction reads, in one round trip to a distant database. It does not change
// the results.
func (tx *Tx) Expect(about Known) {
	if about.Chat != "" {
		tx.db.Ahead(chatByID, sealedID(about.Chat))
		tx.db.Ahead(settingsOfChat, sealedID(about.Chat))
	}
	if about.User != "" {
		tx.db.Ahead(playerByID, sealedID(about.User))
	}
	if about.Table != 0 {
		tx.db.Ahead(tableByID, about.Table)
		tx.db.Ahead(seatsOf, about.Table)
		tx.db.Ahead(presentCall, about.Table)
	}
	if about.Board {
		tx.db.Ahead(languagesAt, about.Table)
		tx.db.Ahead(movesBySeat, about.Table)
		tx.db.Ahead(lastIsAuto, about.Table)
	}
}

// ExpectBoard prefetches the rest of the board of a table that is not being played.
func ExpectBoard(tx *Tx, t Table) {
	if t.State == Playing {
		return
	}
	tx.db.Ahead(boxOf, sealedID(t.Chat), t.Unit)
	tx.db.Ahead(balanceOf, sealedID(t.Chat), t.Unit, sealedAccount("box"))
	if t.State == Lobby {
		tx.db.Ahead(firstGame, sealedID(t.Chat), t.Game, sealedID(t.Opener))
		tx.db.Ahead(allHouseRules, sealedID(t.Chat))
		return
	}
	for _, query := range []string{resultsOf, playedFor, reviewOf, reviewSeatsOf} {
		tx.db.Ahead(query, t.ID)
	}
}
