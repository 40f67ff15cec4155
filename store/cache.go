package store

// Cache of tables for transactions that write, and prefetching of rows from a database server.

import (
	"maps"

	"knobel/store/engine"
)

// maxCached is the largest number of tables in the cache. A full cache is emptied.
const maxCached = 4096

// cache holds tables by their numbers, as they are stored, so that a change need not read them again. All changes of a
// database file share one cache; on a server each change has its own. A nil cache, as in a view, stores nothing. The
// cached tables must not be modified.
type cache map[int64]*Table

// dbFor returns the engine's transaction, on which the caller then runs query. First it removes from the cache the
// tables that query may change: only the one with the number table or, if table is 0 and query may change tables, all.
// In strict mode, a query that needs the lock of a chat fails the transaction if tx has no lock.
func (tx *Tx) dbFor(table int64, query string) *engine.Tx {
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
	if tx.store != nil && tx.store.strict && !tx.lock.hasLock && s.changesChats {
		_ = tx.db.Never(errUnlocked, `SELECT 1`) // fails this statement and all later ones
	}
	return tx.db
}

// cacheTable stores a copy of t in the cache, if the transaction has a cache. t must be equal to the stored table.
func (tx *Tx) cacheTable(t Table) {
	if tx.cache == nil {
		return
	}
	if len(tx.cache) >= maxCached {
		clear(tx.cache)
	}
	stored := t.clone()
	tx.cache[t.ID] = &stored
	tx.cached = append(tx.cached, t.ID)
}

// clone returns a deep copy of a table.
func (t Table) clone() Table {
	t.Rules, t.Seats = maps.Clone(t.Rules), append([]Seat(nil), t.Seats...)
	t.Dice.Seed, t.Match = append([]byte(nil), t.Dice.Seed...), append([]byte(nil), t.Match...)
	return t
}

// Known holds the ids that are known from an event before its transaction begins; "" and 0: not known.
type Known struct {
	Chat, User string
	Table      int64
	Board      bool // the transaction will draw the board of Table
}

// Expect prefetches the rows that a transaction about these ids will read, in one round trip to a server. It only saves
// time.
func (tx *Tx) Expect(ids Known) {
	if ids.Chat != "" {
		tx.db.Ahead(chatByID, sealedID(ids.Chat))
		tx.db.Ahead(settingsOfChat, sealedID(ids.Chat))
	}
	if ids.User != "" {
		tx.db.Ahead(playerByID, sealedID(ids.User))
	}
	if ids.Table != 0 {
		tx.db.Ahead(tableByID, ids.Table)
		tx.db.Ahead(seatsOf, ids.Table)
		tx.db.Ahead(presentCall, ids.Table)
	}
	if ids.Board {
		tx.db.Ahead(personsAt, ids.Table)
		tx.db.Ahead(movesBySeat, ids.Table)
		tx.db.Ahead(lastIsAuto, ids.Table)
	}
}

// ExpectBoard prefetches the rows that drawing the board of t needs besides those of Expect, for a table in the lobby
// or after its end.
func ExpectBoard(tx *Tx, t Table) {
	tx.db.Ahead(boxOf, sealedID(t.Chat), t.Unit)
	tx.db.Ahead(balanceOf, sealedID(t.Chat), t.Unit, sealedAccount("box"))
	if t.State == Lobby {
		tx.db.Ahead(playerByID, sealedID(t.Opener))
		tx.db.Ahead(languagesAt, t.ID)
		tx.db.Ahead(firstGame, sealedID(t.Chat), t.Game, sealedID(t.Opener))
		tx.db.Ahead(allHouseRules, sealedID(t.Chat))
		return
	}
	for _, query := range []string{resultsOf, playedFor, reviewOf, reviewSeatsOf} {
		tx.db.Ahead(query, t.ID)
	}
}
