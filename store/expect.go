package store

// Prefetching from a distant database.

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
