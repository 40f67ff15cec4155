package store

// Cache of tables for transactions that write, and prefetching of rows from a database server.

import (
	"maps"

	"knobel/store/engine"
)

// maxCached is the largest number of tables in the cache. A full cache is emptied.
const maxCached = 4096

// cache holds tables by their numbers, as they are stored, so that a change need not read them again. All changes of a
// database file share one cache; on a server each change has its own. A nil cache stores nothing, as in a view. The
// cached tables must not be modified.
type cache map[int64]*Table

// on returns the engine's transaction for running query, and first removes from the cache the tables that query may
// change. table is the number of the only table that query changes, with its seats and board; with 0 the whole cache is
// cleared if the text of query changes cached tables. In strict mode a statement that needs the lock of a chat fails
// the transaction unless it has a lock.
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
		_ = tx.db.Never(errUnlocked, `SELECT 1`) // fails this statement and all later ones
	}
	return tx.db
}

// put stores a copy of t in the cache, if there is one. t must equal the stored table.
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

// Known holds the ids that are known before a transaction begins; "" and 0 mean unknown.
type Known struct {
	Chat, User string
	Table      int64
	Board      bool // the transaction draws the board of Table
}

// Expect prefetches the rows that a transaction about these ids reads, in one round trip to a database server. It never
// changes a result.
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

// ExpectBoard prefetches the rows, beyond those of Expect, for drawing t in the lobby or after its end. During play it
// is a no-op.
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
