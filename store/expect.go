package store

// What a database that is far away is asked for before it is read.

// Known is what a transaction is known to be about before it has read anything; "" and 0 are what is not known.
type Known struct {
	Chat, User string
	Table      int64
	Board      bool // it draws the table's board
}

// Expect says what the transaction is about: a database that is far away is asked at once for all that is read of that
// each time. It changes nothing of what is read.
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

// ExpectBoard is Expect for the rest of what the board of a table shows that is not being played.
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
