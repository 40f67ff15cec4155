package store

// How finished games are taken off the standings.

// Void takes a finished table off the standings, at a moment in Unix milliseconds: what was posted for it is booked
// back, and the totals of its kind of games are added up again. Its results stay.
func (tx Books) Void(t Table, at int64) error {
	wrap := func(err error) error { return wrapped(err, "void table %d", t.ID) }
	t.Ending.Voided, t.Ending.Voider = true, ""
	for i := range t.Seats {
		t.Seats[i].Voids = false
	}
	if err := tx.Tables.SaveTable(t); err != nil {
		return wrap(err)
	}
	back := Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: BookedBack, At: at}
	var err error
	back.Entries, err = collectBy(tx.Tx, func(e *Entry) []any { return []any{(*sealedAccount)(&e.Account), &e.Amount} },
		toBookBack, t.ID)
	if err == nil && len(back.Entries) > 0 {
		err = tx.Post(back)
	}
	const alike = ` WHERE chat = $1 AND unit = $2 AND game = $3 AND rules = (SELECT rules FROM tables WHERE id = $4)`
	args := []any{sealedID(t.Chat), t.Unit, t.Game, t.ID}
	if err == nil {
		err = tx.run(`DELETE FROM totals`+alike, args...)
	}
	if err == nil {
		err = tx.run(`INSERT INTO totals SELECT * FROM recounted_totals`+alike, args...)
	}
	return wrap(err)
}

// toBookBack adds up the reverse of what was posted for a table, by account.
const toBookBack = `
	SELECT a.name, -SUM(e.amount)
	FROM postings p
	JOIN entries e ON e.posting_id = p.id
	JOIN accounts a ON a.id = e.account_id
	WHERE p.table_id = $1
	GROUP BY a.id, a.name HAVING SUM(e.amount) <> 0 ORDER BY a.id`

// TookRemainder returns the first later table whose pool has what a finished one left in the box, and whether that is
// in play, or ErrNotFound. What an abandoned or voided pool had taken went back into the box, where a pool after that
// may have taken it.
func (tx Books) TookRemainder(t Table) (table int64, playing bool, err error) {
	if t.BoxOut == 0 || t.Practice {
		return 0, false, ErrNotFound
	}
	table = t.ID
	for wentBack := true; wentBack && err == nil; {
		err = tx.get(`
			SELECT o.id, o.state = 'playing', o.state = 'abandoned' OR o.voided
			FROM tables o JOIN postings p ON p.table_id = o.id AND p.kind = 'stakes'
			WHERE o.chat = $1 AND o.unit = $2 AND o.box_in > 0
				AND p.id > (SELECT MAX(own.id) FROM postings own WHERE own.table_id = $3)
			ORDER BY p.id LIMIT 1`, []any{sealedID(t.Chat), t.Unit, table}, &table, &playing, &wentBack)
	}
	return table, playing, wrapped(err, "who took the remainder of table %d", t.ID)
}
