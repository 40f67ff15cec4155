package store

// Stored tables and their seats, and lists of tables with a deadline.

import (
	"cmp"
	"fmt"
)

// The columns of tables in four groups. tableHomes are set by AddTable and Migrate, tableStates change with nearly
// every button press, tableTerms hardly ever during a match, and tableEnds are set by Finish and DropMoves. The groups
// save time: a write of tableTerms has to check references and change indexes.
var (
	tableHomes = columnsOf(`id, chat, place, opened, occasion`, func(t *Table) []any {
		return []any{&t.ID, (*sealedID)(&t.Chat), (*sealedID)(&t.Place), &t.Opened, &t.Occasion}
	})
	tableStates = columnsOf(
		`draft, thrown, saved, turn, version, changed, due, warned, moved, minded, pressed, look`,
		func(t *Table) []any {
			return []any{&t.Draft, &t.Dice.Thrown, &t.Match, &t.Turn, &t.Version, &t.Changed, &t.Clock.Due,
				&t.Clock.Warned, &t.Clock.Moved, &t.Clock.Minded, &t.Clock.Pressed, &t.Clock.Look}
		})
	tableTerms = columnsOf(
		`game, rules, stake, unit, opener = '', state, commitment, seed, box_in, box_out, rematch = 0, waits,
		house_rules = 0, patience = -1, absent, terms, turned, language, altered, practice, voided, voider = ''`,
		func(t *Table) []any {
			return []any{&t.Game, inJSON{&t.Rules}, &t.Stake, &t.Unit, (*sealedID)(&t.Opener), &t.State,
				&t.Dice.Commitment, (*sealedSeed)(&t.Dice.Seed), &t.BoxIn, &t.BoxOut, &t.Rematch, &t.Waits,
				&t.HouseRules, &t.Clock.TurnLimit, &t.Clock.Absent, &t.Terms, &t.Turned, &t.Language, &t.Altered,
				&t.Practice, &t.Ending.Voided, (*sealedID)(&t.Ending.Voider)}
		})
	tableEnds = columnsOf(`ended = 0, evening = 0, season = 0, bare`, func(t *Table) []any {
		return []any{&t.Ending.Ended, &t.Ending.Evening, &t.Ending.Season, &t.Ending.MovesDropped}
	})

	newTables  = tableHomes.and(tableStates).and(tableTerms)
	readTables = newTables.and(tableEnds)

	insertTable  = newTables.insert("tables")
	updateStates = tableStates.update("tables", "id", "chat", "place")
	updateTerms  = tableTerms.update("tables", "id")
	// selectTable begins a query for tables with their boards.
	selectTable = `SELECT ` + readTables.list("t.") + `, ` + boardColumns.list("b.") + `
		FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place`
	tableByID = selectTable + ` WHERE t.id = $1`
	tableHere = selectTable + ` WHERE t.id = COALESCE(
		(SELECT id FROM tables WHERE place = $1 AND state IN ('lobby', 'playing')),
		(SELECT MAX(id) FROM tables WHERE place = $1))`
)

// AddTable stores a new table with its board and its seats, and also its chat and its people if they are not stored
// yet. It returns the number of the table. t.Place must have no table in the lobby or in play. t.ID is ignored.
func (tx Tables) AddTable(t Table) (int64, error) {
	err := cmp.Or(tx.Chats.meetChat(t.Chat), tx.Chats.meetPlayer(t.Opener, ""))
	if err == nil {
		t.ID, err = tx.db.Number("tables")
	}
	if t.Board.Behind = 0; t.Board.Drawn < t.Version {
		t.Board.Behind = t.Changed
	}
	if err == nil {
		err = cmp.Or(tx.run(insertTable, newTables.values(&t)...), tx.saveBoard(&t, false), tx.saveSeats(t, nil))
	}
	if err != nil {
		return 0, fmt.Errorf("add table at %s: %w", t.Place, err)
	}
	t.Ending = Ending{Voided: t.Ending.Voided, Voider: t.Ending.Voider}
	tx.cacheTable(t)
	tx.settleLater(t)
	return t.ID, nil
}

// Table returns the table with the number id, with its seats, or ErrNotFound.
func (tx Tables) Table(id int64) (Table, error) {
	if t := tx.cache[id]; t != nil && tx.db.Failed == nil {
		return t.clone(), nil
	}
	tx.db.Ahead(seatsOf, id)
	return tx.table(doing("read table %d", id), tableByID, id)
}

// TableAt returns the table in the lobby or in play at a place, or ErrNotFound.
func (tx Tables) TableAt(place string) (Table, error) {
	return tx.table(doing("read table at %s", place),
		selectTable+` WHERE t.place = $1 AND t.state IN ('lobby', 'playing')`, sealedID(place))
}

// TableOf returns the newest table in a place that has the message ref as its board, in any state, or ErrNotFound.
func (tx Tables) TableOf(place, ref string) (Table, error) {
	return tx.table(doing("read table of a board at %s", place),
		selectTable+` WHERE t.place = $1 AND b.message = $2 ORDER BY t.id DESC LIMIT 1`, sealedID(place), sealedID(ref))
}

// TableHere returns the table at a place that is in the lobby or in play, or else the newest one there, or ErrNotFound.
func (tx Tables) TableHere(place string) (Table, error) {
	return tx.table(doing("read table at %s", place), tableHere, sealedID(place))
}

// LastPlace returns the place of the newest table of a chat, "" if it has none.
func (tx Tables) LastPlace(chat string) (place string, err error) {
	err = tx.get(lastPlace, []any{sealedID(chat)}, (*sealedID)(&place))
	return place, wrapped(orNone(err), "read last place of %s", chat)
}

// lastPlace selects the place of the newest table of the chat $1.
const lastPlace = `SELECT place FROM tables WHERE id = (SELECT MAX(id) FROM tables WHERE chat = $1)`

// Active returns all tables in the lobby or in play, with their places, by ascending number.
func (tx Tables) Active() ([]Row, error) {
	return collectBy(tx.Tx, doing("read active tables"), func(r *Row) []any {
		return []any{&r.ID, (*sealedID)(&r.Chat), (*sealedID)(&r.Place)}
	}, `SELECT id, chat, place FROM tables WHERE state IN ('lobby', 'playing') ORDER BY id`)
}

// SaveTable stores a table with its board and seats, except Chat, Place, Opened, Occasion and the fields that Drawn,
// Finish and DropMoves store. If the table is no longer in t.Chat and t.Place, it fails the transaction with
// ErrNotFound, perhaps only at the end.
func (tx Tables) SaveTable(t Table) (err error) {
	failed := func(err error) error { return fmt.Errorf("save table %d: %w", t.ID, err) }
	if err := tx.requireChatLock(t.Chat); err != nil {
		return failed(err)
	}
	cached := tx.cache[t.ID] // nil: the table is not in the cache
	var stored []Seat
	if cached != nil {
		stored = cached.Seats
		t.Board.Drawn, t.Board.Message, t.Board.Posted = cached.Board.Drawn, cached.Board.Message, cached.Board.Posted
	} else if stored, err = collectBy(tx.Tx, doing("read seats"), seatColumns.of, seatsOf, t.ID); err != nil {
		return failed(err)
	}
	err = tx.dbFor(t.ID, updateStates).Must(failed(ErrNotFound), updateStates,
		tableStates.values(&t, t.ID, sealedID(t.Chat), sealedID(t.Place))...)
	if cached == nil || cached.Board != t.Board || cached.Board.Drawn >= cached.Version {
		err = cmp.Or(err, tx.saveBoard(&t, cached != nil)) // even an unchanged board may be stale now
	}
	if cached == nil || !tableTerms.same(cached, &t) {
		err = cmp.Or(err, tx.Chats.meetPlayer(t.Opener, ""),
			tx.runAt(t.ID, updateTerms, tableTerms.values(&t, t.ID)...))
	}
	if err = cmp.Or(err, tx.saveSeats(t, stored)); err != nil {
		return failed(err)
	}
	if cached != nil {
		ending := cached.Ending
		ending.Voided, ending.Voider = t.Ending.Voided, t.Ending.Voider
		t.Opened, t.Occasion, t.Ending = cached.Opened, cached.Occasion, ending
		tx.cacheTable(t)
	}
	tx.settleLater(t)
	return nil
}

// table returns the table that query selects, with its seats, or ErrNotFound. o says in errors what query is for.
func (tx Tables) table(o operation, query string, args ...any) (t Table, err error) {
	err = tx.get(query, args, append(readTables.of(&t), boardColumns.of(&t.Board)...)...)
	if err == nil {
		err = tx.requireLocked()
	}
	if err == nil {
		t.Seats, err = collectBy(tx.Tx, doing("read seats"), seatColumns.of, seatsOf, t.ID)
	}
	if err != nil {
		return Table{}, wrapped(err, o.format, o.args...)
	}
	tx.cacheTable(t)
	return t, nil
}

var (
	seatColumns = columnsOf(
		`player = '', name, house, entropy, confirmed, ends, missed, absence, offered, out_from, since, agreed, worded,
		taker = '', voids, vouch, allowed`,
		func(s *Seat) []any {
			return []any{(*sealedID)(&s.Player), (*sealedName)(&s.Name), &s.House, (*sealedWord)(&s.Entropy),
				&s.Confirmed, &s.Ends, &s.Missed, &s.Absence, &s.Offered, &s.OutFrom, &s.Since, &s.Agreed, &s.Worded,
				(*sealedID)(&s.Taker), &s.Voids, &s.Vouch, &s.Allowed}
		})
	seatsOf  = `SELECT ` + seatColumns.list("") + ` FROM seats WHERE table_id = $1 ORDER BY seat`
	saveSeat = seatColumns.upsert("seats", "table_id", "seat")
)

// saveSeats stores the seats of t in place of stored, the seats in the database. It writes only seats that differ,
// because seats seldom change during a match.
func (tx Tables) saveSeats(t Table, stored []Seat) error {
	for i := range t.Seats {
		s := &t.Seats[i]
		if i < len(stored) && stored[i] == *s {
			continue
		}
		if err := tx.Chats.meetPlayer(s.Player, s.Name); err != nil {
			return err
		}
		if err := tx.runAt(t.ID, saveSeat, seatColumns.values(s, t.ID, i)...); err != nil {
			return err
		}
	}
	if len(stored) <= len(t.Seats) {
		return nil
	}
	return tx.runAt(t.ID, `DELETE FROM seats WHERE table_id = $1 AND seat >= $2`, t.ID, len(t.Seats))
}

// Queries for the tables that the clock loop has to handle. alarm computes when: at Clock.Look if set and earlier, else
// at Clock.Due. Their conditions match an index that contains only tables with a deadline, in the order of alarm.
const (
	alarm   = `CASE WHEN look > 0 AND look < due THEN look ELSE due END`
	clocked = `tables t WHERE due > 0 AND
		NOT (SELECT away FROM boards WHERE table_id = t.id AND place = t.place) AND ` + alarm
	due = `
	SELECT id, chat, ` + alarm + ` FROM ` + clocked + ` <= $1 AND (` + alarm + ` > $2 OR ` + alarm + ` = $2 AND id > $3)
	ORDER BY ` + alarm + `, id LIMIT $4`
	dueOn = `
	SELECT id, chat, ` + alarm + ` FROM ` + clocked + ` <= $1 AND due <= $1
		AND (` + alarm + ` > $2 OR ` + alarm + ` = $2 AND id > $3) AND SUBSTR(t.place, 1, LENGTH($4)) = $4
	ORDER BY ` + alarm + `, id LIMIT $5`
)

// Due returns at most limit tables that the clock has to handle at the time now, in Unix milliseconds, or earlier: to
// show the deadline of a turn or to end the turn. The earliest comes first; places where the bot cannot write are left
// out. The list begins after last, the last row of an earlier list, or from the start if last is zero.
func (tx Tables) Due(now int64, last Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, due, now, last.Due, last.ID)
}

// DueOn returns a list like Due, but only with tables whose turn has to end at now or earlier, on the platform whose
// ids begin with prefix.
func (tx Tables) DueOn(prefix string, now int64, last Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, dueOn, now, last.Due, last.ID, prefix)
}

// nextDue selects the first time after $1 at which the clock has to handle a table.
const nextDue = `
	SELECT ` + alarm + ` FROM ` + clocked + ` > $1 ORDER BY ` + alarm + `, id LIMIT 1`

// NextDue returns when, after since, the next table becomes due as in Due, or 0 for never. Times are Unix milliseconds.
func (tx Tables) NextDue(since int64) (int64, error) {
	return first[int64](tx.Tx, doing("read next due time"), nextDue, since)
}

// idleTables selects tables in the lobby or in play that have not changed since $1, with numbers above $2, but none
// where the bot cannot write.
const idleTables = `
	SELECT id, chat FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place
	WHERE state IN ('lobby', 'playing') AND NOT b.away AND changed <= $1 AND id > $2 ORDER BY id LIMIT $3`

// Idle returns at most limit tables in the lobby or in play that have not changed after the time since, in Unix
// milliseconds: those with numbers above beyond, ascending. Places where the bot cannot write are left out.
func (tx Tables) Idle(since, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("idle tables", limit, nil, idleTables, since, beyond)
}
